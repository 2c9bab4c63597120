// The digits of every scalar, summed with their weights, give the scalar back, at every window size.
#include "vouch/backend/cpu/msm_digits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "vouch/core/rng.h"

namespace vouch {
namespace {

// 0, 1, powers of two and their neighbours, values around half the order and at its end, then random ones.
std::vector<UInt<4>> edge_scalars(std::size_t count) {
  std::vector<UInt<4>> v{UInt<4>::of(0), UInt<4>::of(1), UInt<4>::of(2)};
  const auto both_sides = [&](const UInt<4>& x, u64 k) {
    UInt<4> low = x, high = x;
    sub(low, UInt<4>::of(k)), add(high, UInt<4>::of(k));
    for (const UInt<4>& y : {low, high})
      if (y < Bn254Fr::modulus) v.push_back(y);
  };
  for (u64 k = 0; k < 3; k++) both_sides(Bn254Fr::modulus, k), both_sides(Bn254Fr::modulus >> 1, k);
  for (int bit = 1; bit < 254; bit++) {
    UInt<4> power;
    power.limb[std::size_t(bit / 64)] = u64(1) << (bit % 64);
    both_sides(power, 1), both_sides(power, 0);
  }
  InsecureTestRng rng(1);
  while (v.size() < count) v.push_back((Bn254Fr(rng.next()) * Bn254Fr(rng.next()).inverse()).to_int());
  return v;
}

// Adds weight * digit of every entry to its scalar's sum, and checks that the entries are sorted by digit.
void add_segment(const MsmSegment& segment, const Bn254Fr& weight, std::vector<Bn254Fr>& sums) {
  constexpr u32 sign_bit = u32(1) << MsmSegment::log_size;
  for (std::size_t i = 0; i < segment.count; i++) {
    const u32 key = segment.keys[i], digit = key >> (MsmSegment::log_size + 1);
    ASSERT_GT(digit, 0u);
    ASSERT_LE(i > 0 ? segment.keys[i - 1] >> (MsmSegment::log_size + 1) : 0, digit);
    ASSERT_LT(key & (sign_bit - 1), segment.entries);
    const u32 scalar = segment.index[key & (sign_bit - 1)];
    const bool negative = ((scalar & MsmDigits::negative) != 0) != ((key & sign_bit) != 0);
    const Bn254Fr term = weight * Bn254Fr(digit);
    sums.at(scalar & ~MsmDigits::negative) += negative ? -term : term;
  }
}

TEST(MsmDigits, WeightedSumsGiveTheScalarsBack) {
  const auto scalars = edge_scalars(20000);
  for (int c = 2; c <= MsmDigits::max_window_bits; c++) {
    const MsmDigits digits(reinterpret_cast<const u8*>(scalars.data()), scalars.size(), c);
    std::vector<Bn254Fr> sums(scalars.size());
    constexpr std::size_t size = 5000;
    std::vector<u32> keys(size), spare(size);
    for (std::size_t begin = 0; begin < digits.shorts(); begin += size)
      add_segment(
          digits.sort_shorts(begin, std::min(digits.shorts(), begin + size), keys.data(), spare.data()),
          Bn254Fr::one(), sums);
    Bn254Fr weight = Bn254Fr::one();
    for (int w = 0; w < digits.windows(); w++) {
      for (std::size_t begin = 0; begin < digits.longs(); begin += size)
        add_segment(
            digits.sort_longs(w, begin, std::min(digits.longs(), begin + size), keys.data(), spare.data()),
            weight, sums);
      for (int i = 0; i < c; i++) weight = weight.dbl();
    }
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < scalars.size(); i++) wrong += !(sums[i].to_int() == scalars[i]);
    EXPECT_EQ(wrong, 0u) << "windows of " << c << " bits";
  }
}

}  // namespace
}  // namespace vouch
