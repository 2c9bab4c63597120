// Scalars as signed digits, computed once per scalar vector and shared by every sum over it.
//
// A scalar k above r/2 stands for -(r - k), so -1 is as short as 1. With windows of c bits and K = sum of
// 2^(c-1) 2^(c w) over the windows, digit w of k is ((k + K) >> c w mod 2^c) - 2^(c-1): no carry runs between
// windows. Zeros are dropped; short scalars (one digit holds them) keep that digit only, so a witness of bits
// costs 6 bytes a wire and a dense one 4 + 2 windows (at 16 bits: 36 bytes a scalar).
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "vouch/field/fields.h"

namespace vouch {

// How many scalars have each bit length of their absolute value below r/2; length 0 counts the zeros.
using BitLengths = std::array<std::size_t, 257>;
BitLengths count_bit_lengths(const u8* scalars, std::size_t count);

class MsmDigits {
 public:
  static constexpr std::size_t block = std::size_t(1) << 13;  // granularity of the ranges given to sort()
  static constexpr int max_window_bits = 16;
  static constexpr u32 negative = u32(1) << 31;  // in an entry: the point is to be subtracted

  static constexpr int windows_for(int window_bits) { return (254 + window_bits - 1) / window_bits; }

  // scalars: 32 bytes each, little-endian, count < 2^31.
  MsmDigits(const u8* scalars, std::size_t count, int window_bits);
  ~MsmDigits();  // wipes: digits tell the witness
  MsmDigits(const MsmDigits&) = delete;
  MsmDigits& operator=(const MsmDigits&) = delete;

  int window_bits() const { return window_bits_; }
  int windows() const { return windows_for(window_bits_); }
  std::size_t buckets() const { return (std::size_t(1) << (window_bits_ - 1)) + 1; }
  std::size_t blocks() const { return short_offset_.size() - 1; }
  // The number of entries of window w with scalars in blocks [first, last); some may have digit zero.
  std::size_t entries(int w, std::size_t first, std::size_t last) const;

  // Counting sort of those entries by |digit|: order[start[d] .. start[d + 1]) are the scalars of |digit| =
  // d, ascending, `negative` set where scalar's digit is below zero. order holds entries() places, start
  // buckets() + 1.
  void sort(int w, std::size_t first, std::size_t last, u32* order, u32* start) const;

 private:
  void fill(std::size_t b, const u8* scalars, std::size_t begin, std::size_t end);

  int window_bits_;
  std::vector<std::size_t> short_offset_, long_offset_;  // per block, one more at the end
  std::vector<u32> short_index_, long_index_;            // scalar | negative
  std::vector<std::uint16_t> short_digit_;               // the digit itself, below 2^(c-1)
  std::vector<std::uint16_t> long_digit_;                // [window][entry], 2^(c-1) added
};

}  // namespace vouch
