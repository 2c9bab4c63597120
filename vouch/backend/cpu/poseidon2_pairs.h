// DiagonalPairs<F, W>: how the partial rounds of Poseidon2 halve their work.
//
// Most entries of the internal diagonal come in pairs d, -d. For x' = d x + s and y' = -d y + s let
// u = (x + y) / 2 and v = (x - y) / 2: then u' = d v + s and v' = d u. The sum of the state needs u only, and
//
//   u(r + 1) = d^2 u(r - 1) + s(r)
//
// so a round costs one product for the pair, two chains of u taking turns. From x and y: u(1) = d/2 (x - y) +
// s(0), u(2) = d^2/2 (x + y) + s(1). Back: x = u + v, y = u - v with v(r) = d u(r - 1).
#pragma once

#include <array>
#include <cstddef>

#include "vouch/hash/poseidon2.h"

namespace vouch {

template <class F, int W>
struct DiagonalPairs {
  std::size_t pairs = 0, singles = 0;
  std::array<std::size_t, W / 2> plus{}, minus{};   // where d and -d stand
  std::array<std::size_t, W> single{};              // all others but 0, which has the S-box
  std::array<std::uint32_t, W> square{}, factor{};  // d^2 of a pair, d of a single, as integers

  static constexpr F d(std::size_t i) { return Poseidon2<F, W>::diagonal()[i]; }

  static constexpr DiagonalPairs find() {
    DiagonalPairs r;
    std::array<bool, W> used{};
    for (std::size_t i = 1; i < W; i++) {
      if (used[i]) continue;
      std::size_t j = i + 1;
      while (j < W && (used[j] || d(i) + d(j) != F::zero())) j++;
      if (j == W) {
        r.factor[r.singles] = d(i).to_int();
        r.single[r.singles++] = i;
      } else {
        used[j] = true;
        r.square[r.pairs] = d(i).square().to_int();
        r.plus[r.pairs] = i, r.minus[r.pairs++] = j;
      }
    }
    return r;
  }
};

}  // namespace vouch
