#include "vouch/formats/polynomial.h"

#include <bit>
#include <string_view>

#include "vouch/core/mapped_file.h"

namespace vouch::formats {
namespace {

struct Array {
  Bytes data;
  int width = 4;  // bytes of an entry
};

Error bad(const std::string& name, std::string cause) {
  return {Code::malformed, name + ": " + std::move(cause)};
}

// The text after 'key': in the header, a Python dictionary of literals.
std::string_view entry(std::string_view header, std::string_view key) {
  const std::size_t at = header.find(key);
  if (at == std::string_view::npos) return {};
  std::string_view rest = header.substr(at + key.size());
  while (!rest.empty() && (rest[0] == ':' || rest[0] == ' ')) rest.remove_prefix(1);
  return rest;
}

Result<Array> open_npy(const std::string& name, Bytes file) {
  if (file.size() < 12) return bad(name, "a NumPy array that ends within its header");
  const std::size_t start = file[6] == 1 ? 10 : 12;
  const std::size_t length =
      file[6] == 1 ? load_le<std::uint16_t>(&file[8]) : load_le<std::uint32_t>(&file[8]);
  if (file[6] < 1 || file[6] > 3) return bad(name, "a NumPy array of an unknown version");
  if (length > file.size() - start) return bad(name, "a NumPy array that ends within its header");
  const std::string_view header(reinterpret_cast<const char*>(file.data()) + start, length);
  const std::string_view type = entry(header, "'descr'");
  Array a;
  a.data = file.subspan(start + length);
  if (type.starts_with("'<u8'") || type.starts_with("'<i8'")) {
    a.width = 8;
  } else if (!type.starts_with("'<u4'") && !type.starts_with("'<i4'")) {
    return bad(name, "a NumPy array whose dtype is " + std::string(type.substr(0, type.find(','))) +
                         "; save it as uint32, for example with numpy.save(file, x.astype('<u4'))");
  }
  const std::string_view shape = entry(header, "'shape'");
  const std::size_t comma = shape.find(',');
  if (comma == std::string_view::npos || shape.substr(comma + 1, 1) != ")")
    return bad(name,
               "a NumPy array with more than one dimension, or none; a polynomial is one list of values");
  if (!entry(header, "'fortran_order'").starts_with("False") &&
      !entry(header, "'fortran_order'").starts_with("True"))
    return bad(name, "a NumPy array with a damaged header");
  return a;
}

}  // namespace

Result<std::vector<std::uint32_t>> parse_polynomial(const std::string& name, Bytes file,
                                                    std::uint32_t modulus) {
  Array a{file, 4};
  constexpr std::string_view magic = "\x93NUMPY";
  if (file.size() >= magic.size() &&
      std::string_view(reinterpret_cast<const char*>(file.data()), magic.size()) == magic) {
    VOUCH_TRY(a, open_npy(name, file));
  }
  const std::size_t width = std::size_t(a.width);
  if (a.data.size() % width != 0) {
    return bad(
        name, std::to_string(a.data.size()) + " bytes of values are no multiple of " + std::to_string(width));
  }
  const std::size_t n = a.data.size() / width;
  if (!std::has_single_bit(n)) {
    return bad(name,
               std::to_string(n) +
                   " values, which is not a power of two; a polynomial has 2^n values (pad with zeros)");
  }
  std::vector<std::uint32_t> values(n);
  for (std::size_t i = 0; i < n; i++) {
    const std::uint64_t x =
        width == 8 ? load_le<std::uint64_t>(&a.data[8 * i]) : load_le<std::uint32_t>(&a.data[4 * i]);
    if (x >= modulus) {
      return bad(name, "value " + std::to_string(i) + " is " + std::to_string(x) +
                           ", not below the modulus " + std::to_string(modulus));
    }
    values[i] = std::uint32_t(x);
  }
  return values;
}

Result<std::vector<std::uint32_t>> read_polynomial(const std::string& path, std::uint32_t modulus) {
  VOUCH_TRY(const MappedFile file, MappedFile::open(path));
  return parse_polynomial(path, file.bytes(), modulus);
}

}  // namespace vouch::formats
