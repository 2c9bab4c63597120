// The sum of constant_sums.h over any group and form of arithmetic.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "vouch/backend/backend.h"
#include "vouch/curve/complete.h"

namespace vouch::constant {

constexpr int scalar_bits = 254;

// Bits of a window. An addition of a point makes 11 products and of two sums 12, two of which each bucket
// takes. at_once: windows are taken in groups of so many, all of which cost the same.
inline int window_bits(std::size_t count, int at_once, int widest) {
  int best = 2;
  double least = 1e300;
  for (int c = 2; c <= widest; c++) {
    const int groups = (scalar_bits / c + at_once) / at_once;
    const double cost = double(groups * at_once) * (11 * double(count) + 24 * double(u64(1) << (c - 1)));
    if (cost < least) least = cost, best = c;
  }
  return best;
}

// The signed digits of scalars, each from its window alone: 2^(c-1) is added to every window but the highest.
class Digits {
 public:
  explicit Digits(int c) : c_(c), windows_(scalar_bits / c + 1) {
    for (int w = 0; w + 1 < windows_; w++) {
      const auto bit = unsigned(w * c + c - 1);
      offset_.limb[bit / 64] |= u64(1) << (bit % 64);
    }
  }
  int bits() const { return c_; }
  int windows() const { return windows_; }
  std::size_t largest() const { return std::size_t(1) << (c_ - 1); }  // magnitude

  UInt<4> recoded(const u8* scalar) const {
    auto k = load_le<UInt<4>>(scalar);
    add(k, offset_);  // below 2^255
    return k;
  }
  struct Digit {
    std::size_t magnitude;
    u64 negative;  // all ones if it is
  };
  Digit at(const UInt<4>& recoded, int w) const {
    const auto bit = unsigned(w * c_), limb = bit / 64, shift = bit % 64;
    const u64 high = limb < 3 ? (recoded.limb[limb + 1] << 1) << (63 - shift) : 0;
    const bool highest = w + 1 == windows_;
    const u64 x = ((recoded.limb[limb] >> shift) | high) & ((u64(1) << (highest ? 63 : c_)) - 1);
    const u64 d = x - (highest ? 0 : u64(1) << (c_ - 1)), negative = 0 - (d >> 63);
    return {std::size_t((d ^ negative) - negative), negative};
  }

 private:
  int c_, windows_;
  UInt<4> offset_{};
};

// The sum over scalars [begin, end) of their digit in window w times their point.
template <class C>
CompletePoint<C> window_sum(const MsmJob& job, const Digits& digits, int w, std::size_t begin,
                            std::size_t end) {
  using Sum = CompletePoint<C>;
  using Affine = typename C::Affine;
  std::vector<Sum> buckets(digits.largest() + 1);  // of digit 0 to 2^(c-1)
  for (std::size_t i = begin; i < end; i++) {
    const auto p = load_le<Affine>(job.points + i * sizeof(Affine));
    const Digits::Digit d = digits.at(digits.recoded(job.scalars + 32 * i), w);
    buckets[d.magnitude] += Affine{p.x, select(d.negative, -p.y, p.y)};
  }
  Sum run, total;
  for (std::size_t b = buckets.size(); b-- > 1;) run += buckets[b], total += run;
  wipe(std::span(buckets));
  return total;
}

// at_once: how many sums some_windows(first window, begin, end) gives, a std::array.
template <class C, std::size_t at_once, class SomeWindows>
typename C::Affine sum(const MsmJob& job, const Threads& threads, const Digits& digits,
                       SomeWindows&& some_windows) {
  using Sum = CompletePoint<C>;
  const auto windows = std::size_t(digits.windows()), groups = (windows + at_once - 1) / at_once;
  // Parts of the scalars where there are too few windows for the threads; each part has buckets of its own.
  const auto lanes = std::size_t(threads.count());
  const std::size_t wanted = lanes == 1 ? 1 : (4 * lanes + groups - 1) / groups;
  const std::size_t parts = std::min(wanted, (job.count >> digits.bits()) / 2 + 1);
  std::vector<std::array<Sum, at_once>> sums(groups * parts);
  parallel_for(sums.size(), 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t t = first; t < last; t++) {
      const std::size_t part = t % parts;
      sums[t] =
          some_windows(int(t / parts * at_once), job.count * part / parts, job.count * (part + 1) / parts);
    }
  });
  Sum total;
  for (std::size_t w = windows; w-- > 0;) {
    for (int i = 0; i < digits.bits(); i++) total = total.dbl();
    for (std::size_t part = 0; part < parts; part++) total += sums[w / at_once * parts + part][w % at_once];
  }
  wipe(std::span(sums));
  return total.to_affine();
}

template <class C>
typename C::Affine sum(const MsmJob& job, const Threads& threads) {
  const Digits digits(window_bits(job.count, 1, 14));
  return sum<C, 1>(job, threads, digits, [&](int w, std::size_t begin, std::size_t end) {
    return std::array<CompletePoint<C>, 1>{window_sum<C>(job, digits, w, begin, end)};
  });
}

}  // namespace vouch::constant
