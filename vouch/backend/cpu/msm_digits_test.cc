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

// Adds weight * digit of every entry to its scalar's sum.
void add_entries(const MsmEntries& entries, int buckets, const Bn254Fr& weight, std::vector<Bn254Fr>& sums) {
  for (std::size_t i = 0; i < entries.count; i++) {
    const int digit = int(entries.digits[i]) - entries.offset;
    ASSERT_LT(std::abs(digit), buckets);
    const bool negative = ((entries.index[i] & MsmDigits::negative) != 0) != (digit < 0);
    const Bn254Fr term = weight * Bn254Fr(u64(std::abs(digit)));
    sums.at(entries.index[i] & ~MsmDigits::negative) += negative ? -term : term;
  }
}

TEST(MsmDigits, WeightedSumsGiveTheScalarsBack) {
  const auto scalars = edge_scalars(20000);
  for (int c = 2; c <= MsmDigits::max_window_bits; c++) {
    const MsmDigits digits(reinterpret_cast<const u8*>(scalars.data()), scalars.size(), c);
    std::vector<Bn254Fr> sums(scalars.size());
    constexpr std::size_t size = 5000;
    for (std::size_t begin = 0; begin < digits.shorts(); begin += size)
      add_entries(digits.short_entries(begin, std::min(digits.shorts(), begin + size)), int(digits.buckets()),
                  Bn254Fr::one(), sums);
    Bn254Fr weight = Bn254Fr::one();
    for (int w = 0; w < digits.windows(); w++) {
      for (std::size_t begin = 0; begin < digits.longs(); begin += size)
        add_entries(digits.long_entries(w, begin, std::min(digits.longs(), begin + size)),
                    int(digits.buckets()), weight, sums);
      for (int i = 0; i < c; i++) weight = weight.dbl();
    }
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < scalars.size(); i++) wrong += !(sums[i].to_int() == scalars[i]);
    EXPECT_EQ(wrong, 0u) << "windows of " << c << " bits";
  }
}

}  // namespace
}  // namespace vouch
