// Decimal strings: see decimal.h.
#include "vouch/formats/decimal.h"

#include <algorithm>
#include <array>

namespace vouch::formats {
namespace {

constexpr u64 ten_to_19 = 10'000'000'000'000'000'000u;  // the largest power of ten in 64 bits
constexpr std::size_t most_digits = 78;                 // 2^256 has 78

// x /= d, returning the remainder.
u64 divide(UInt<4>& x, u64 d) {
  u128 rest = 0;
  for (int i = 4; i-- > 0;) {
    rest = rest << 64 | x.limb[i];
    x.limb[i] = u64(rest / d);
    rest %= d;
  }
  return u64(rest);
}

// x = x * m + a, returning what does not fit.
u64 multiply_add(UInt<4>& x, u64 m, u64 a) {
  u128 carry = a;
  for (u64& limb : x.limb) {
    carry += u128(limb) * m;  // < 2^64 + (2^64 - 1)^2 < 2^128
    limb = u64(carry);
    carry >>= 64;
  }
  return u64(carry);
}

}  // namespace

std::string to_decimal(UInt<4> x) {
  std::string digits;
  while (!x.is_zero()) {
    u64 part = divide(x, ten_to_19);
    for (int i = 0; i < 19 && (part != 0 || !x.is_zero()); i++, part /= 10)
      digits.push_back(char('0' + part % 10));
  }
  if (digits.empty()) digits = "0";
  std::reverse(digits.begin(), digits.end());
  return digits;
}

Result<UInt<4>> parse_decimal(std::string_view text, const UInt<4>& modulus) {
  const auto bad = [](std::string what) { return Error{Code::malformed, std::move(what)}; };
  if (text.empty()) return bad("is an empty string");
  if (text.starts_with("0x") || text.starts_with("0X"))
    return bad("is hexadecimal; only decimal strings are read");
  if (text.front() == '-' || text.front() == '+') return bad("has a sign; only digits are allowed");
  if (!std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return bad("is not a decimal number");
  if (text.size() > 1 && text.front() == '0') return bad("has a leading zero; every value has one spelling");
  const Error too_large = bad("is not below the field's modulus; every value has one spelling");
  if (text.size() > most_digits) return too_large;
  UInt<4> x;
  for (const char c : text)
    if (multiply_add(x, 10, u64(c - '0')) != 0) return too_large;
  if (x >= modulus) return too_large;
  return x;
}

}  // namespace vouch::formats
