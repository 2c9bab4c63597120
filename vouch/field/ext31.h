// Ext31<F, D>: the degree-D extension of a 31-bit field F, coefficients of 1, X, ..., X^(D-1).
//
// The polynomial is X^D - w (F::Params::binomial) or, where binomial gives 0, X^5 + X^2 - 1. A coefficient of
// a product is a sum of 64-bit products that is reduced once.
#pragma once

#include <array>
#include <cstddef>

#include "vouch/field/prime31.h"

namespace vouch {

template <class F, int D>
class Ext31;

namespace detail {
template <class F, int D>
constexpr std::array<Ext31<F, D>, D> frobenius_powers();
}

template <class F, int D>
class Ext31 {
 public:
  using Base = F;
  static constexpr int degree = D;
  static constexpr std::uint32_t binomial = F::Params::binomial(D);
  static_assert(D == 4 || D == 5, "degrees with a known irreducible polynomial");
  static_assert(binomial != 0 || D == 5, "the trinomial is of degree 5");

  std::array<F, D> c{};

  constexpr Ext31() = default;  // zero
  constexpr explicit Ext31(F x) { c[0] = x; }
  constexpr explicit Ext31(const std::array<F, D>& coefficients) : c(coefficients) {}

  static constexpr Ext31 zero() { return {}; }
  static constexpr Ext31 one() { return Ext31(F::one()); }
  static constexpr Ext31 x() {
    Ext31 r;
    r.c[1] = F::one();
    return r;
  }
  constexpr bool is_zero() const { return *this == zero(); }
  constexpr bool operator==(const Ext31&) const = default;

  friend constexpr Ext31 operator+(Ext31 a, const Ext31& b) {
    for (int i = 0; i < D; i++) a.c[i] += b.c[i];
    return a;
  }
  friend constexpr Ext31 operator-(Ext31 a, const Ext31& b) {
    for (int i = 0; i < D; i++) a.c[i] -= b.c[i];
    return a;
  }
  constexpr Ext31 operator-() const { return zero() - *this; }
  friend constexpr Ext31 operator*(const Ext31& a, const Ext31& b) {
    if constexpr (binomial != 0) {
      std::array<F, D> wb = b.c;  // X^D = w: the products that wrap around use w * b
      for (int i = 1; i < D; i++) wb[i] = times_binomial(b.c[i]);
      Ext31 r;
      for (int k = 0; k < D; k++) {
        std::uint64_t t = 0;
        for (int i = 0; i < D; i++) add_product(t, a.c[i], i <= k ? b.c[k - i] : wb[k + D - i]);
        r.c[k] = F::raw(F::reduce(t));
      }
      return r;
    } else {
      std::array<F, 2 * D - 1> p;
      for (int k = 0; k < 2 * D - 1; k++) {
        std::uint64_t t = 0;
        for (int i = k < D ? 0 : k - D + 1; i < D && i <= k; i++) add_product(t, a.c[i], b.c[k - i]);
        p[k] = F::raw(F::reduce(t));
      }
      // X^5 = 1 - X^2, X^6 = X - X^3, X^7 = X^2 - X^4, X^8 = X^3 - X^5 = X^3 + X^2 - 1
      return Ext31(std::array<F, D>{p[0] + p[5] - p[8], p[1] + p[6], p[2] - p[5] + p[7] + p[8],
                                    p[3] - p[6] + p[8], p[4] - p[7]});
    }
  }
  friend constexpr Ext31 operator+(Ext31 a, F b) { return a.c[0] += b, a; }
  friend constexpr Ext31 operator-(Ext31 a, F b) { return a.c[0] -= b, a; }
  friend constexpr Ext31 operator*(Ext31 a, F b) {
    for (F& x : a.c) x *= b;
    return a;
  }
  friend constexpr Ext31 operator*(F a, const Ext31& b) { return b * a; }
  constexpr Ext31& operator+=(const Ext31& b) { return *this = *this + b; }
  constexpr Ext31& operator-=(const Ext31& b) { return *this = *this - b; }
  constexpr Ext31& operator*=(const Ext31& b) { return *this = *this * b; }
  constexpr Ext31& operator*=(F b) { return *this = *this * b; }
  constexpr Ext31 square() const { return *this * *this; }
  constexpr Ext31 dbl() const { return *this + *this; }

  constexpr Ext31 pow(std::uint64_t e) const {
    Ext31 r = one(), x = *this;
    for (; e; e >>= 1, x = x * x)
      if (e & 1) r = r * x;
    return r;
  }

  // this^(p^times), by linearity: coefficients are fixed, X goes to a precomputed power.
  constexpr Ext31 frobenius(int times = 1) const {
    Ext31 r = *this;
    for (; times > 0; times--) {
      const Ext31 a = r;
      r = Ext31(a.c[0]);
      for (int i = 1; i < D; i++) r += detail::frobenius_powers<F, D>()[i] * a.c[i];
    }
    return r;
  }

  // Zero maps to zero. The norm a * a^p * ... * a^(p^(D-1)) lies in F.
  constexpr Ext31 inverse() const {
    Ext31 conjugates = frobenius();
    for (int i = 2; i < D; i++) conjugates = conjugates.frobenius() * frobenius();
    return conjugates * (*this * conjugates).c[0].inverse();
  }

 private:
  // t + a*b, kept below p * 2^32: the sum before the correction is below 1.5 p * 2^32 < 2^64.
  static constexpr void add_product(std::uint64_t& t, F a, F b) {
    constexpr std::uint64_t bound = std::uint64_t(F::modulus) << 32;
    t += std::uint64_t(a.montgomery()) * b.montgomery();
    if (t >= bound) t -= bound;
  }
  static constexpr F times_binomial(F x) {
    F r;
    for (int bit = 4; bit-- > 0;) r = (binomial >> bit & 1) ? r.dbl() + x : r.dbl();
    static_assert(binomial < 16);
    return r;
  }
};

namespace detail {
template <class F, int D>
inline constexpr auto frobenius_table = [] {
  std::array<Ext31<F, D>, D> t;
  t[0] = Ext31<F, D>::one();
  t[1] = Ext31<F, D>::x().pow(F::modulus);
  for (int i = 2; i < D; i++) t[i] = t[i - 1] * t[1];
  return t;
}();
template <class F, int D>
constexpr std::array<Ext31<F, D>, D> frobenius_powers() {
  return frobenius_table<F, D>;
}
}  // namespace detail

using BabyBear4 = Ext31<BabyBear, 4>;
using BabyBear5 = Ext31<BabyBear, 5>;
using KoalaBear4 = Ext31<KoalaBear, 4>;
using KoalaBear5 = Ext31<KoalaBear, 5>;

static_assert(BabyBear4::x().frobenius(4) == BabyBear4::x() && BabyBear4::x().frobenius(2) != BabyBear4::x());
static_assert(KoalaBear5::x().frobenius(5) == KoalaBear5::x() &&
              KoalaBear5::x().frobenius() != KoalaBear5::x());
static_assert(BabyBear5::x().inverse() * BabyBear5::x() == BabyBear5::one());

}  // namespace vouch
