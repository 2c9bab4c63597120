#include "vouch/backend/cpu/msm_digits.h"

#include <algorithm>
#include <bit>

#include "vouch/core/bytes.h"
#include "vouch/core/parallel.h"

namespace vouch {
namespace {

using u16 = std::uint16_t;
// The sum of 2^(c-1) 2^(c w) over the windows. 2^(c windows) may exceed 2^256, hence the fifth limb.
UInt<5> digit_offset(int c) {
  UInt<5> k;
  for (int w = 0; w < MsmDigits::windows_for(c); w++) {
    const int bit = c * w + c - 1;
    k.limb[bit / 64] |= u64(1) << (bit % 64);
  }
  return k;
}

// Whether magnitudes up to r/2 have digits: the largest is the sum of (2^(c-1) - 1) 2^(c w).
constexpr bool digits_reach(int c) {
  UInt<5> largest, half;
  for (int w = 0; w < MsmDigits::windows_for(c); w++)
    for (int bit = c * w; bit < c * w + c - 1; bit++) largest.limb[bit / 64] |= u64(1) << (bit % 64);
  for (int i = 0; i < 4; i++) half.limb[i] = half_group_order.limb[i];
  return largest >= half;
}
constexpr bool all_digits_reach() {
  for (int c = 2; c <= MsmDigits::max_window_bits; c++)
    if (!digits_reach(c)) return false;
  return true;
}
static_assert(all_digits_reach());

constexpr std::size_t block = std::size_t(1) << 13;  // scalars counted and filled by one task

}  // namespace

BitLengths count_bit_lengths(const u8* scalars, std::size_t count) {
  const std::size_t blocks = (count + block - 1) / block;
  std::vector<BitLengths> partial(std::min<std::size_t>(blocks, 64));
  parallel_for(partial.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t part = begin; part < end; part++) {
      BitLengths lengths{};
      const std::size_t last = count * (part + 1) / partial.size();
      for (std::size_t i = count * part / partial.size(); i < last; i++)
        lengths[bit_length(load_signed(scalars + 32 * i).magnitude)]++;
      partial[part] = lengths;
    }
  });
  BitLengths sum{};
  for (const BitLengths& p : partial)
    for (std::size_t i = 0; i < sum.size(); i++) sum[i] += p[i];
  return sum;
}

MsmDigits::MsmDigits(const u8* scalars, std::size_t count, int window_bits) : window_bits_(window_bits) {
  const std::size_t blocks = (count + block - 1) / block;
  std::vector<std::size_t> short_offset(blocks + 1), long_offset(blocks + 1);
  const auto end_of = [&](std::size_t b) { return std::min(count, (b + 1) * block); };
  parallel_for(blocks, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; b++) {
      std::size_t shorts = 0, longs = 0;
      for (std::size_t i = b * block; i < end_of(b); i++) {
        const int bits = bit_length(load_signed(scalars + 32 * i).magnitude);
        if (bits == 0) continue;
        bits < window_bits_ ? shorts++ : longs++;
      }
      short_offset[b + 1] = shorts, long_offset[b + 1] = longs;
    }
  });
  for (std::size_t b = 0; b < blocks; b++) {
    short_offset[b + 1] += short_offset[b];
    long_offset[b + 1] += long_offset[b];
  }
  shorts_ = short_offset[blocks], longs_ = long_offset[blocks];
  short_index_ = Scratch<u32>(shorts_), short_digit_ = Scratch<u16>(shorts_);
  long_index_ = Scratch<u32>(longs_), long_digit_ = Scratch<u16>(longs_ * std::size_t(windows()));
  parallel_for(blocks, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; b++)
      fill(scalars, b * block, end_of(b), short_offset[b], long_offset[b]);
  });
}

MsmDigits::~MsmDigits() {
  parallel_for(
      longs_ * std::size_t(windows()), std::size_t(1) << 18,
      [&](std::size_t begin, std::size_t end) { wipe(std::span(long_digit_.data() + begin, end - begin)); });
  long_digit_.cleared();
}

// Scalars [begin, end), whose first short and long entries are s and l.
void MsmDigits::fill(const u8* scalars, std::size_t begin, std::size_t end, std::size_t s, std::size_t l) {
  const UInt<5> offset = digit_offset(window_bits_);
  Columns columns;
  std::size_t held = 0;
  for (std::size_t i = begin; i < end; i++) {
    const SignedScalar k = load_signed(scalars + 32 * i);
    const int bits = bit_length(k.magnitude);
    if (bits == 0) continue;
    const u32 entry = u32(i) | (k.negative ? negative : 0);
    if (bits < window_bits_) {
      short_index_.data()[s] = entry;
      short_digit_.data()[s++] = u16(k.magnitude.limb[0]);
      continue;
    }
    UInt<5> x;
    for (int j = 0; j < 4; j++) x.limb[j] = k.magnitude.limb[j];
    add(x, offset);
    long_index_.data()[l + held] = entry;
    for (int j = 0; j < 5; j++) columns.limb[j][held] = x.limb[j];
    if (++held == Columns::count) {
      write_digits(columns, held, l);
      l += held, held = 0;
    }
  }
  if (held > 0) write_digits(columns, held, l);
  wipe(&columns, sizeof columns);
}

// Window by window: the entries l, l + 1, ... of a window lie side by side, those of the next one far away.
void MsmDigits::write_digits(const Columns& columns, std::size_t held, std::size_t l) {
  const int c = window_bits_;
  const u64 mask = (u64(1) << c) - 1;
  for (int w = 0; w < windows(); w++) {
    const int limb = c * w / 64, shift = c * w % 64;
    const u64* const low = columns.limb[limb];
    const u64* const high = columns.limb[std::min(limb + 1, 4)];
    u16* const out = long_digit_.data() + std::size_t(w) * longs_ + l;
    if (shift + c > 64 && limb < 4)
      for (std::size_t t = 0; t < held; t++) out[t] = u16((low[t] >> shift | high[t] << (64 - shift)) & mask);
    else
      for (std::size_t t = 0; t < held; t++) out[t] = u16(low[t] >> shift & mask);
  }
}

}  // namespace vouch
