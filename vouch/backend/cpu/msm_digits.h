// Scalars as signed digits, computed once per scalar vector and shared by every sum over it.
//
// A scalar k above r/2 stands for -(r - k), so -1 is as short as 1. With windows of c bits and K = sum of
// 2^(c-1) 2^(c w) over the windows, digit w of k is ((k + K) >> c w mod 2^c) - 2^(c-1): no carry runs between
// windows. Zeros are dropped; short scalars (one digit holds them) keep that digit only, so a witness of bits
// costs 6 bytes a wire and a dense one 4 + 2 windows (at 16 bits: 36 bytes a scalar).
#pragma once

#include <array>
#include <bit>
#include <cstddef>

#include "vouch/backend/cpu/scratch.h"
#include "vouch/core/bytes.h"
#include "vouch/field/fields.h"

namespace vouch {

inline constexpr UInt<4> half_group_order = Bn254Fr::modulus >> 1;

// A scalar as its absolute value below r/2 and a sign.
struct SignedScalar {
  UInt<4> magnitude;
  bool negative;
};
inline SignedScalar load_signed(const u8* scalar) {
  SignedScalar s{load_le<UInt<4>>(scalar), false};
  if (s.magnitude > half_group_order) {
    UInt<4> k = Bn254Fr::modulus;
    sub(k, s.magnitude);
    s = {k, true};
  }
  return s;
}
inline int bit_length(const UInt<4>& x) {
  for (int i = 4; i-- > 0;)
    if (x.limb[i]) return 64 * i + 64 - std::countl_zero(x.limb[i]);
  return 0;
}

// How many scalars have each bit length of their absolute value below r/2; length 0 counts the zeros.
using BitLengths = std::array<std::size_t, 257>;
BitLengths count_bit_lengths(const u8* scalars, std::size_t count);

// Entries of one window: the digit of scalar index[i] is digits[i] - offset, negated if the index carries
// MsmDigits::negative.
struct MsmEntries {
  const u32* index = nullptr;
  const std::uint16_t* digits = nullptr;
  int offset = 0;
  std::size_t count = 0;
};

class MsmDigits {
 public:
  static constexpr int max_window_bits = 16;
  static constexpr u32 negative = u32(1) << 31;  // in a ref: the point is to be subtracted

  // Of 255 bits, not 254: the largest digits of 127 windows of 2 bits sum to less than r/2 (see
  // digits_reach).
  static constexpr int windows_for(int window_bits) { return (255 + window_bits - 1) / window_bits; }

  // scalars: 32 bytes each, little-endian, count < 2^31.
  MsmDigits(const u8* scalars, std::size_t count, int window_bits);
  ~MsmDigits();  // wipes: digits tell the witness
  MsmDigits(const MsmDigits&) = delete;
  MsmDigits& operator=(const MsmDigits&) = delete;

  int window_bits() const { return window_bits_; }
  int windows() const { return windows_for(window_bits_); }
  std::size_t buckets() const { return (std::size_t(1) << (window_bits_ - 1)) + 1; }
  std::size_t shorts() const { return shorts_; }
  std::size_t longs() const { return longs_; }

  // The entries [begin, end) of the short scalars, in window 0, or of the long ones in window w.
  MsmEntries short_entries(std::size_t begin, std::size_t end) const {
    return {short_index_.data() + begin, short_digit_.data() + begin, 0, end - begin};
  }
  MsmEntries long_entries(int w, std::size_t begin, std::size_t end) const {
    return {long_index_.data() + begin, long_digit_.data() + std::size_t(w) * longs() + begin,
            1 << (window_bits_ - 1), end - begin};
  }

 private:
  struct Columns {  // of scalars with the offset added
    static constexpr std::size_t count = 64;
    u64 limb[5][count];
  };
  void write_digits(const Columns& columns, std::size_t held, std::size_t l);
  void fill(const u8* scalars, std::size_t begin, std::size_t end, std::size_t s, std::size_t l);

  int window_bits_;
  std::size_t shorts_ = 0, longs_ = 0;
  Scratch<u32> short_index_, long_index_;  // scalar | negative
  Scratch<std::uint16_t> short_digit_;     // the digit itself, below 2^(c-1)
  Scratch<std::uint16_t> long_digit_;      // [window][entry], 2^(c-1) added
};

}  // namespace vouch
