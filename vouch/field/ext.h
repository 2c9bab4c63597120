// Quadratic<F>: F[u] / (u^2 + 1), for a prime field F in which -1 is not a square.
#pragma once

#include "vouch/field/uint.h"

namespace vouch {

template <class F>
struct Quadratic {
  F c0, c1;  // c0 + c1 u

  static constexpr Quadratic zero() { return {}; }
  static constexpr Quadratic one() { return {F::one(), F::zero()}; }
  constexpr bool is_zero() const { return c0.is_zero() && c1.is_zero(); }
  constexpr bool operator==(const Quadratic&) const = default;

  friend constexpr Quadratic operator+(const Quadratic& a, const Quadratic& b) {
    return {a.c0 + b.c0, a.c1 + b.c1};
  }
  friend constexpr Quadratic operator-(const Quadratic& a, const Quadratic& b) {
    return {a.c0 - b.c0, a.c1 - b.c1};
  }
  constexpr Quadratic operator-() const { return {-c0, -c1}; }
  friend constexpr Quadratic operator*(const Quadratic& a, const Quadratic& b) {  // Karatsuba
    const F low = a.c0 * b.c0, high = a.c1 * b.c1;
    return {low - high, (a.c0 + a.c1) * (b.c0 + b.c1) - low - high};
  }
  friend constexpr Quadratic operator*(const Quadratic& a, const F& b) { return {a.c0 * b, a.c1 * b}; }
  constexpr Quadratic& operator+=(const Quadratic& b) { return *this = *this + b; }
  constexpr Quadratic& operator-=(const Quadratic& b) { return *this = *this - b; }
  constexpr Quadratic& operator*=(const Quadratic& b) { return *this = *this * b; }
  constexpr Quadratic square() const {
    const F product = c0 * c1;
    return {(c0 + c1) * (c0 - c1), product + product};
  }
  constexpr Quadratic dbl() const { return {c0.dbl(), c1.dbl()}; }
  constexpr Quadratic conjugate() const { return {c0, -c1}; }
  constexpr Quadratic inverse() const {  // zero maps to zero
    const F norm = (c0 * c0 + c1 * c1).inverse();
    return {c0 * norm, -(c1 * norm)};
  }
  template <int N>
  constexpr Quadratic pow(const UInt<N>& e) const {
    Quadratic r = one();
    for (int i = e.bit_length(); i-- > 0;) {
      r = r.square();
      if (e.bit(i)) r = r * *this;
    }
    return r;
  }
};

}  // namespace vouch
