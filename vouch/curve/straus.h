// straus_vartime: a sum of products for the tens of public points and scalars a verifier meets.
//
// All products share one run of doublings; per point there are 4-bit windows into a table of 15 multiples.
// For thousands of points and more, Backend::msm is the tool.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "vouch/curve/group.h"

namespace vouch {

// points and scalars have the same length; a scalar is any integer of that width.
template <class C, int N>
XyzzPoint<C> straus_vartime(std::span<const AffinePoint<C>> points, std::span<const UInt<N>> scalars) {
  constexpr std::size_t chunk = 256;  // bounds the tables' memory
  using Sum = XyzzPoint<C>;
  std::vector<std::array<Sum, 15>> tables;
  Sum total = Sum::infinity();
  for (std::size_t begin = 0; begin < points.size(); begin += chunk) {
    const std::size_t count = std::min(chunk, points.size() - begin);
    tables.resize(count);
    for (std::size_t i = 0; i < count; i++) {
      tables[i][0] = Sum::from(points[begin + i]);
      for (std::size_t k = 1; k < 15; k++) tables[i][k] = tables[i][k - 1] + points[begin + i];
    }
    Sum sum = Sum::infinity();
    for (int window = 16 * N; window-- > 0;) {
      for (int k = 0; k < 4; k++) sum = sum.dbl();
      for (std::size_t i = 0; i < count; i++) {
        const auto digit = scalars[begin + i].limb[std::size_t(window / 16)] >> (window % 16 * 4) & 15;
        if (digit) sum += tables[i][digit - 1];
      }
    }
    total += sum;
  }
  return total;
}

}  // namespace vouch
