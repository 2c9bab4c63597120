// FixedBase<C>: many multiples of one generator. Tables of every window's multiples turn a product into one
// addition per window; additions are affine, hundreds at a time, so that they share one inversion.
#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "vouch/core/parallel.h"
#include "vouch/curve/curves.h"

namespace vouch::tools {

template <class C>
class FixedBase {
 public:
  using Affine = AffinePoint<C>;
  using Field = typename C::Field;
  static constexpr std::size_t batch = 1024;  // points that share an inversion

  FixedBase(const Affine& generator, int window) : window_(window), windows_((254 + window - 1) / window) {
    const std::size_t multiples = (std::size_t(1) << window) - 1;
    table_.resize(std::size_t(windows_) * multiples);
    parallel_for(std::size_t(windows_), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; k++) {
        auto base = XyzzPoint<C>::from(generator);
        for (std::size_t i = 0; i < k * std::size_t(window); i++) base = base.dbl();
        fill(std::span(table_).subspan(k * multiples, multiples), base.to_affine());
      }
    });
  }

  // out[i] = scalars[i] * generator
  void multiply(std::span<const Bn254Fr> scalars, Affine* out) const {
    parallel_for((scalars.size() + batch - 1) / batch, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t b = begin; b < end; b++)
        multiply_batch(scalars.subspan(b * batch, std::min(batch, scalars.size() - b * batch)),
                       out + b * batch);
    });
  }

 private:
  static void fill(std::span<Affine> row, const Affine& base) {
    row[0] = base;
    auto second = XyzzPoint<C>::from(base).dbl();
    if (row.size() > 1) row[1] = second.to_affine();
    // Doubles what is known: row[k + i] = row[i] + (k + 1) base, where i + 1 < k + 1, so no two terms are
    // equal.
    std::vector<Field> scratch;
    for (std::size_t known = 2; known < row.size();) {
      const std::size_t count = std::min(known - 1, row.size() - known);
      std::vector<Affine> sum(row.begin(), row.begin() + std::ptrdiff_t(count));
      const Affine step = row[known - 1];
      add_all(sum, [&](std::size_t) -> const Affine& { return step; }, scratch);
      std::copy(sum.begin(), sum.end(), row.begin() + std::ptrdiff_t(known));
      known += count;
    }
  }

  void multiply_batch(std::span<const Bn254Fr> scalars, Affine* out) const {
    const std::size_t multiples = (std::size_t(1) << window_) - 1;
    std::vector<UInt<4>> digits(scalars.size());
    for (std::size_t i = 0; i < scalars.size(); i++)
      digits[i] = scalars[i].to_int(), out[i] = Affine::infinity();
    const Affine none = Affine::infinity();
    std::vector<Field> scratch;
    const std::span<Affine> sums(out, scalars.size());
    // The sum of the lower windows is below this window's unit and the whole is below r: neither equal nor
    // opposite.
    for (int k = 0; k < windows_; k++)
      add_all(
          sums,
          [&](std::size_t i) -> const Affine& {
            const std::size_t d = digit(digits[i], k);
            return d ? table_[std::size_t(k) * multiples + d - 1] : none;
          },
          scratch);
  }
  std::size_t digit(const UInt<4>& x, int k) const {
    const int at = k * window_, limb = at / 64, shift = at % 64;
    u64 d = x.limb[std::size_t(limb)] >> shift;
    if (shift && limb + 1 < 4) d |= x.limb[std::size_t(limb) + 1] << (64 - shift);
    return d & ((u64(1) << window_) - 1);
  }

  // sums[i] += term(i), where the two are neither equal nor opposite unless one is infinity.
  template <class Sums, class Term>
  static void add_all(Sums&& sums, Term&& term, std::vector<Field>& before) {
    before.resize(sums.size());
    Field product = Field::one();
    for (std::size_t i = 0; i < sums.size(); i++) {
      before[i] = product;
      const Affine& t = term(i);
      if (!t.is_infinity() && !sums[i].is_infinity()) product *= t.x - sums[i].x;
    }
    Field inverse = product.inverse();
    for (std::size_t i = sums.size(); i-- > 0;) {
      const Affine& t = term(i);
      Affine& s = sums[i];
      if (t.is_infinity()) continue;
      if (s.is_infinity()) {
        s = t;
        continue;
      }
      const Field dx = t.x - s.x, slope = (t.y - s.y) * (inverse * before[i]);
      inverse *= dx;
      const Field x = slope.square() - s.x - t.x;
      s.y = slope * (s.x - x) - s.y, s.x = x;
    }
  }

  int window_, windows_;
  std::vector<Affine> table_;  // [window k][m - 1] = m 2^(window k) generator
};

}  // namespace vouch::tools
