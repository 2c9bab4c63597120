// Points of a curve y^2 = x^3 + b in two forms: Affine (storage) and Xyzz (sums).
//
// C gives Field and b(). Affine keeps (0, 0) for the point at infinity, which is on no curve with b != 0 and
// is what a .zkey stores. Xyzz is the extended Jacobian form x = X / ZZ, y = Y / ZZZ with ZZ^3 = ZZZ^2,
// infinity when ZZ = 0: a mixed addition costs 8 products and 2 squares (hyperelliptic.org EFD, shortw xyzz,
// madd-2008-s).
#pragma once

#include "vouch/field/uint.h"

namespace vouch {

template <class C>
struct AffinePoint {
  using Field = typename C::Field;
  Field x, y;

  static constexpr AffinePoint infinity() { return {}; }
  constexpr bool is_infinity() const { return x.is_zero() && y.is_zero(); }
  constexpr bool on_curve() const { return is_infinity() || y.square() == x.square() * x + C::b(); }
  constexpr AffinePoint operator-() const { return {x, -y}; }
  constexpr bool operator==(const AffinePoint&) const = default;
};

template <class C>
struct XyzzPoint {
  using Field = typename C::Field;
  using Affine = AffinePoint<C>;
  Field x, y, zz, zzz;

  static constexpr XyzzPoint infinity() { return {}; }
  static constexpr XyzzPoint from(const Affine& p) {
    if (p.is_infinity()) return infinity();
    return {p.x, p.y, Field::one(), Field::one()};
  }
  constexpr bool is_infinity() const { return zz.is_zero(); }
  constexpr XyzzPoint operator-() const { return {x, -y, zz, zzz}; }

  constexpr Affine to_affine() const {
    if (is_infinity()) return Affine::infinity();
    const Field inv = zzz.inverse();  // Z^-3
    const Field z_inv = inv * zz;     // Z^-1
    return {x * z_inv.square(), y * inv};
  }

  constexpr XyzzPoint dbl() const {
    if (is_infinity() || y.is_zero()) return infinity();
    const Field u = y.dbl(), v = u.square(), w = u * v, s = x * v;
    const Field x2 = x.square(), m = x2.dbl() + x2;
    const Field x3 = m.square() - s.dbl();
    return {x3, m * (s - x3) - w * y, v * zz, w * zzz};
  }
  friend constexpr XyzzPoint operator+(const XyzzPoint& a, const Affine& b) {
    if (b.is_infinity()) return a;
    if (a.is_infinity()) return from(b);
    const Field p = b.x * a.zz - a.x, r = b.y * a.zzz - a.y;
    if (p.is_zero()) return r.is_zero() ? from(b).dbl() : infinity();
    const Field pp = p.square(), ppp = p * pp, q = a.x * pp;
    const Field x3 = r.square() - ppp - q.dbl();
    return {x3, r * (q - x3) - a.y * ppp, a.zz * pp, a.zzz * ppp};
  }
  friend constexpr XyzzPoint operator+(const XyzzPoint& a, const XyzzPoint& b) {
    if (b.is_infinity()) return a;
    if (a.is_infinity()) return b;
    const Field u1 = a.x * b.zz, s1 = a.y * b.zzz;
    const Field p = b.x * a.zz - u1, r = b.y * a.zzz - s1;
    if (p.is_zero()) return r.is_zero() ? a.dbl() : infinity();
    const Field pp = p.square(), ppp = p * pp, q = u1 * pp;
    const Field x3 = r.square() - ppp - q.dbl();
    return {x3, r * (q - x3) - s1 * ppp, a.zz * b.zz * pp, a.zzz * b.zzz * ppp};
  }
  constexpr XyzzPoint& operator+=(const Affine& b) { return *this = *this + b; }
  constexpr XyzzPoint& operator+=(const XyzzPoint& b) { return *this = *this + b; }

  // Equality of the points, whatever their representatives.
  constexpr bool operator==(const XyzzPoint& b) const {
    if (is_infinity() || b.is_infinity()) return is_infinity() == b.is_infinity();
    return x * b.zz == b.x * zz && y * b.zzz == b.y * zzz;
  }

  // Time depends on the scalar: public scalars, or blinders whose leak is accepted, only.
  template <int N>
  constexpr XyzzPoint mul_vartime(const UInt<N>& scalar) const {
    XyzzPoint r = infinity();
    for (int i = scalar.bit_length(); i-- > 0;) {
      r = r.dbl();
      if (scalar.bit(i)) r = r + *this;
    }
    return r;
  }
};

}  // namespace vouch
