// Multilinear arithmetic shared by prover and verifier, in closed form or over small tables.
// Coordinate 0 of a point is the most significant bit of an index.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "vouch/whir/proof.h"

namespace vouch::whir {

template <class E>
using Point = std::vector<E>;

// Reading and writing extension elements in Words. `at` counts elements.
template <class E>
E ext_at(std::span<const Word> words, std::size_t at) {
  E x;
  for (int i = 0; i < E::degree; i++)
    x.c[std::size_t(i)] = E::Base::raw(words[at * E::degree + std::size_t(i)]);
  return x;
}
template <class E>
void append(Words& words, const E& x) {
  for (int i = 0; i < E::degree; i++) words.push_back(x.c[std::size_t(i)].montgomery());
}

// (y^(2^(n-1)), ..., y^2, y)
template <class E>
Point<E> expand(E y, int n) {
  Point<E> p(static_cast<std::size_t>(n));
  for (int i = n; i-- > 0; y = y * y) p[std::size_t(i)] = y;
  return p;
}

// eq(a, b) = prod (2 a_i b_i - a_i - b_i + 1)
template <class E>
E eq(std::span<const E> a, std::span<const E> b) {
  E r = E::one();
  for (std::size_t i = 0; i < a.size(); i++) r *= (a[i] * b[i]).dbl() - a[i] - b[i] + E::one();
  return r;
}

// eq with a point of bits: `bits` of them, the first the most significant of `value`.
template <class E>
E eq_bits(std::uint64_t value, std::span<const E> x) {
  E r = E::one();
  for (std::size_t i = 0; i < x.size(); i++) r *= (value >> (x.size() - 1 - i) & 1) ? x[i] : E::one() - x[i];
  return r;
}

// The weight of a `next` claim at point y, as a multilinear function of x (section 8): the successor of a
// row, the last row being its own successor. From the last coordinate to the first, `carry` is the part where
// all of y so far was ones and x zeros, `done` the part where the carry has been absorbed.
template <class E>
E next_weight(std::span<const E> y, std::span<const E> x) {
  E carry = E::one(), done = E::zero(), all_ones = E::one();
  for (std::size_t i = y.size(); i-- > 0;) {
    const E both = y[i] * x[i];
    const E equal = both.dbl() - y[i] - x[i] + E::one();
    done = done * equal + carry * (x[i] - both);
    carry = carry * (y[i] - both);
    all_ones *= both;
  }
  return done + all_ones;
}

// The weight x -> z^x at a point: prod ((z^(2^j) - 1) x_i + 1), the last coordinate with j = 0.
template <class E>
E power_weight(typename E::Base z, std::span<const E> x) {
  using F = typename E::Base;
  E r = E::one();
  for (std::size_t i = x.size(); i-- > 0; z = z * z) r *= x[i] * (z - F::one()) + F::one();
  return r;
}

// The multilinear extension of 2^point.size() values (of F or E) at a point, by halving. Small tables only.
template <class E, class T>
E evaluate(std::span<const T> values, std::span<const E> point) {
  std::vector<E> t(values.size());
  for (std::size_t i = 0; i < t.size(); i++) t[i] = E(values[i]);
  for (std::size_t i = 0, half = t.size() / 2; i < point.size(); i++, half /= 2)
    for (std::size_t j = 0; j < half; j++) t[j] += (t[j + half] - t[j]) * point[i];
  return t[0];
}

// h(r) for the degree-2 polynomial with h(0), h(0) + h(1) = claim and leading coefficient `lead`.
template <class E>
E next_claim(const E& claim, const E& at_zero, const E& lead, const E& r) {
  const E at_one = claim - at_zero;
  return at_zero + (at_one - at_zero) * r + lead * (r * (r - E::one()));
}

}  // namespace vouch::whir
