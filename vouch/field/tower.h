// Cubic<T> and Dodecic<T>: the extensions of degree 6 and 12 that pairings live in, above a quadratic field.
//
// T gives Field (a Quadratic), its non-residue xi and the tables below: Cubic = Field[v] / (v^3 - xi) and
// Dodecic = Cubic[w] / (w^2 - v). This is the tower, and the order of coefficients, of snarkjs and EIP-197
// libraries.
#pragma once

#include "vouch/field/ext.h"
#include "vouch/field/fields.h"

namespace vouch {

template <class T>
struct Cubic {
  using Field = typename T::Field;
  Field c0, c1, c2;  // c0 + c1 v + c2 v^2

  static constexpr Cubic zero() { return {}; }
  static constexpr Cubic one() { return {Field::one(), Field::zero(), Field::zero()}; }
  constexpr bool is_zero() const { return c0.is_zero() && c1.is_zero() && c2.is_zero(); }
  constexpr bool operator==(const Cubic&) const = default;

  friend constexpr Cubic operator+(const Cubic& a, const Cubic& b) {
    return {a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2};
  }
  friend constexpr Cubic operator-(const Cubic& a, const Cubic& b) {
    return {a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2};
  }
  constexpr Cubic operator-() const { return {-c0, -c1, -c2}; }
  friend constexpr Cubic operator*(const Cubic& a, const Cubic& b) {  // Karatsuba: 6 products for 9
    const Field low = a.c0 * b.c0, middle = a.c1 * b.c1, high = a.c2 * b.c2;
    return {T::mul_by_xi((a.c1 + a.c2) * (b.c1 + b.c2) - middle - high) + low,
            (a.c0 + a.c1) * (b.c0 + b.c1) - low - middle + T::mul_by_xi(high),
            (a.c0 + a.c2) * (b.c0 + b.c2) - low - high + middle};
  }
  friend constexpr Cubic operator*(const Cubic& a, const Field& b) { return {a.c0 * b, a.c1 * b, a.c2 * b}; }
  constexpr Cubic& operator+=(const Cubic& b) { return *this = *this + b; }
  constexpr Cubic& operator-=(const Cubic& b) { return *this = *this - b; }
  constexpr Cubic& operator*=(const Cubic& b) { return *this = *this * b; }
  constexpr Cubic dbl() const { return {c0.dbl(), c1.dbl(), c2.dbl()}; }
  constexpr Cubic square() const {  // Chung-Hasan SQR2: 2 products, 3 squares
    const Field s0 = c0.square(), s1 = (c0 * c1).dbl(), s2 = (c0 - c1 + c2).square(), s3 = (c1 * c2).dbl(),
                s4 = c2.square();
    return {T::mul_by_xi(s3) + s0, T::mul_by_xi(s4) + s1, s1 + s2 + s3 - s0 - s4};
  }
  constexpr Cubic inverse() const {  // zero maps to zero
    const Field t0 = c0.square() - T::mul_by_xi(c1 * c2), t1 = T::mul_by_xi(c2.square()) - c0 * c1,
                t2 = c1.square() - c0 * c2;
    const Field norm = (c0 * t0 + T::mul_by_xi(c2 * t1 + c1 * t2)).inverse();
    return {t0 * norm, t1 * norm, t2 * norm};
  }
  constexpr Cubic mul_by_v() const { return {T::mul_by_xi(c2), c0, c1}; }
  // this * (b0 + b1 v): 5 products.
  constexpr Cubic mul_by_01(const Field& b0, const Field& b1) const {
    const Field low = c0 * b0, middle = c1 * b1;
    return {T::mul_by_xi((c1 + c2) * b1 - middle) + low, (c0 + c1) * (b0 + b1) - low - middle,
            (c0 + c2) * b0 - low + middle};
  }
  template <int N>
  constexpr Cubic pow(const UInt<N>& e) const {
    Cubic r = one();
    for (int i = e.bit_length(); i-- > 0;) {
      r = r.square();
      if (e.bit(i)) r = r * *this;
    }
    return r;
  }
};

template <class T>
struct Dodecic {
  using Field = typename T::Field;
  using Half = Cubic<T>;
  Half c0, c1;  // c0 + c1 w

  static constexpr Dodecic zero() { return {}; }
  static constexpr Dodecic one() { return {Half::one(), Half::zero()}; }
  constexpr bool is_zero() const { return c0.is_zero() && c1.is_zero(); }
  constexpr bool operator==(const Dodecic&) const = default;

  friend constexpr Dodecic operator+(const Dodecic& a, const Dodecic& b) {
    return {a.c0 + b.c0, a.c1 + b.c1};
  }
  friend constexpr Dodecic operator-(const Dodecic& a, const Dodecic& b) {
    return {a.c0 - b.c0, a.c1 - b.c1};
  }
  constexpr Dodecic operator-() const { return {-c0, -c1}; }
  friend constexpr Dodecic operator*(const Dodecic& a, const Dodecic& b) {
    const Half low = a.c0 * b.c0, high = a.c1 * b.c1;
    return {low + high.mul_by_v(), (a.c0 + a.c1) * (b.c0 + b.c1) - low - high};
  }
  constexpr Dodecic& operator+=(const Dodecic& b) { return *this = *this + b; }
  constexpr Dodecic& operator-=(const Dodecic& b) { return *this = *this - b; }
  constexpr Dodecic& operator*=(const Dodecic& b) { return *this = *this * b; }
  constexpr Dodecic dbl() const { return {c0.dbl(), c1.dbl()}; }
  constexpr Dodecic square() const {
    const Half product = c0 * c1;
    return {(c0 + c1) * (c0 + c1.mul_by_v()) - product - product.mul_by_v(), product.dbl()};
  }
  constexpr Dodecic inverse() const {  // zero maps to zero
    const Half norm = (c0.square() - c1.square().mul_by_v()).inverse();
    return {c0 * norm, -(c1 * norm)};
  }
  // The p^6 power; on the cyclotomic subgroup (norm 1) it is the inverse.
  constexpr Dodecic conjugate() const { return {c0, -c1}; }

  // The p^k power, k = 1, 2, 3: coefficients of w^i are conjugated k times and multiplied by xi^(i (p^k - 1)
  // / 6).
  constexpr Dodecic frobenius(int k) const {
    const auto& t = T::frobenius[k - 1];
    const auto f = [k](const Field& x) { return k % 2 ? x.conjugate() : x; };
    return {{f(c0.c0), f(c0.c1) * t[2], f(c0.c2) * t[4]},
            {f(c1.c0) * t[1], f(c1.c1) * t[3], f(c1.c2) * t[5]}};
  }

  // this * (b0 + b3 w + b4 v w): what a line evaluates to.
  constexpr Dodecic mul_by_034(const Field& b0, const Field& b3, const Field& b4) const {
    const Half low = c0 * b0, high = c1.mul_by_01(b3, b4);
    return {low + high.mul_by_v(), (c0 + c1).mul_by_01(b0 + b3, b4) - low - high};
  }

  // Square of an element of the cyclotomic subgroup, x^(p^4 - p^2 + 1) = 1: three squares in quadratic
  // extensions of Field stand for the full one (Granger, Scott: eprint 2009/565, section 3.2). Any other x
  // gives nonsense.
  constexpr Dodecic cyclotomic_square() const {
    struct Pair {
      Field a, b;
    };
    // (a + b s)^2 with s^2 = xi
    const auto fp4_square = [](const Field& a, const Field& b) -> Pair {
      const Field product = a * b;
      return {(a + b) * (a + T::mul_by_xi(b)) - product - T::mul_by_xi(product), product.dbl()};
    };
    const auto [t0, t1] = fp4_square(c0.c0, c1.c1);
    const auto [t2, t3] = fp4_square(c1.c0, c0.c2);
    const auto [t4, t5] = fp4_square(c0.c1, c1.c2);
    const auto minus = [](const Field& t, const Field& z) { return (t - z).dbl() + t; };  // 3t - 2z
    const auto plus = [](const Field& t, const Field& z) { return (t + z).dbl() + t; };   // 3t + 2z
    return {{minus(t0, c0.c0), minus(t2, c0.c1), minus(t4, c0.c2)},
            {plus(T::mul_by_xi(t5), c1.c0), plus(t1, c1.c1), plus(t3, c1.c2)}};
  }
  template <int N>
  constexpr Dodecic pow(const UInt<N>& e) const {
    Dodecic r = one();
    for (int i = e.bit_length(); i-- > 0;) {
      r = r.square();
      if (e.bit(i)) r = r * *this;
    }
    return r;
  }
};

// BN254: xi = 9 + u.
template <class Arith>
struct Bn254Tower {
  using Base = Prime<Bn254FqParams, Arith>;
  using Field = Quadratic<Base>;

  static constexpr Field xi() { return {Base(9), Base(1)}; }
  static constexpr Field mul_by_xi(const Field& a) {
    const auto nine = [](const Base& x) { return x.dbl().dbl().dbl() + x; };
    return {nine(a.c0) - a.c1, nine(a.c1) + a.c0};
  }

  using FrobeniusTable = std::array<std::array<Field, 6>, 3>;
  static constexpr FrobeniusTable derive_frobenius() {
    typename Base::Int e = Base::modulus;  // (p - 1) / 6, by long division; 6 divides p - 1
    sub(e, Base::Int::of(1));
    u64 remainder = 0;
    for (int i = Base::limbs; i-- > 0;) {
      const u128 x = u128(remainder) << 64 | e.limb[i];
      e.limb[i] = u64(x / 6), remainder = u64(x % 6);
    }
    const Field first = xi().pow(e);
    FrobeniusTable t{};
    t[0][0] = t[1][0] = t[2][0] = Field::one();
    for (int i = 1; i < 6; i++) {
      t[0][i] = t[0][i - 1] * first;
      t[1][i] = t[0][i].conjugate() * t[0][i];
      t[2][i] = t[1][i].conjugate() * t[0][i];
    }
    return t;
  }
  static constexpr FrobeniusTable frobenius = derive_frobenius();  // [k - 1][i] = xi^(i (p^k - 1) / 6)
};

using Bn254Fq2 = Quadratic<Bn254Fq>;
using Bn254Fq6 = Cubic<Bn254Tower<PortableArith>>;
using Bn254Fq12 = Dodecic<Bn254Tower<PortableArith>>;

}  // namespace vouch
