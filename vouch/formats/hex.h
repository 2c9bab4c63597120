// Bytes as lower-case hexadecimal text, both ways.
#pragma once

#include <string>
#include <string_view>

#include "vouch/core/result.h"

namespace vouch::formats {

inline std::string to_hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (char b : bytes) {
    text += digits[static_cast<unsigned char>(b) >> 4];
    text += digits[static_cast<unsigned char>(b) & 15];
  }
  return text;
}

// `what` begins the error's sentence.
inline Result<std::string> from_hex(std::string_view text, const std::string& what) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  if (text.size() % 2) return Error{Code::malformed, what + " has an odd number of hexadecimal digits"};
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = digit(text[i]), low = digit(text[i + 1]);
    if (high < 0 || low < 0) return Error{Code::malformed, what + " is not lower-case hexadecimal"};
    bytes += char(high << 4 | low);
  }
  return bytes;
}

}  // namespace vouch::formats
