// A list of 32-bit field elements from a file: raw little-endian words, or a one-dimensional NumPy array.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vouch/core/bytes.h"
#include "vouch/core/result.h"

namespace vouch::formats {

// `name` is the file's name for errors. A .npy file is known by its first bytes: version 1 to 3, dtype <u4,
// <i4, <u8 or <i8, one dimension. Errors (malformed) say which value is not below `modulus`, or that the
// length is no multiple of 4 bytes or no power of two.
Result<std::vector<std::uint32_t>> parse_polynomial(const std::string& name, Bytes file,
                                                    std::uint32_t modulus);
Result<std::vector<std::uint32_t>> read_polynomial(const std::string& path, std::uint32_t modulus);

}  // namespace vouch::formats
