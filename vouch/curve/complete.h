// CompletePoint: points of y^2 = x^3 + b as X, Y, Z with x = X / Z, y = Y / Z (Z = 0 is infinity), whose
// additions make the same products whatever they add, without a branch.
//
// Formulas: Renes, Costello, Batina 2015, algorithms 7 to 9. They are complete because no point of these
// curves has order 2. An XyzzPoint costs less and tells equal, opposite and infinite operands apart.
#pragma once

#include "vouch/curve/group.h"

namespace vouch {

// a where mask is all ones, b where it is zero. For fields whose elements are words.
template <class Field>
constexpr Field select(u64 mask, const Field& a, const Field& b) {
  if constexpr (requires { a.c0; }) {
    return {select(mask, a.c0, b.c0), select(mask, a.c1, b.c1)};
  } else {
    typename Field::Int r = b.montgomery();
    for (std::size_t i = 0; i < r.limb.size(); i++) r.limb[i] ^= (r.limb[i] ^ a.montgomery().limb[i]) & mask;
    return Field::raw(r);
  }
}

// All ones for zero.
template <class Field>
constexpr u64 zero_mask(const Field& a) {
  u64 any = 0;
  if constexpr (requires { a.c0; }) {
    any = ~(zero_mask(a.c0) & zero_mask(a.c1));
  } else {
    for (const u64 limb : a.montgomery().limb) any |= limb;
  }
  return ((any | (0 - any)) >> 63) - 1;
}

template <class C>
struct CompletePoint {
  using Field = typename C::Field;
  using Affine = AffinePoint<C>;
  Field x, y = Field::one(), z;

  static constexpr CompletePoint infinity() { return {}; }
  constexpr bool is_infinity() const { return z.is_zero(); }

  // One inversion by a fixed power, which takes infinity to (0, 0).
  constexpr Affine to_affine() const {
    const Field inv = z.inverse();
    return {x * inv, y * inv};
  }

  constexpr CompletePoint dbl() const {
    const Field yy = y.square(), z8 = yy.dbl().dbl().dbl(), yz = y * z, b3zz = times_b3(z.square()),
                xy = x * y;
    const Field t = yy - (b3zz.dbl() + b3zz);
    return {(t * xy).dbl(), b3zz * z8 + t * (yy + b3zz), yz * z8};
  }
  // (0, 0) is infinity: its sum is computed and not taken.
  friend constexpr CompletePoint operator+(const CompletePoint& a, const Affine& b) {
    const Field xx = a.x * b.x, yy = a.y * b.y;
    const Field xy = (b.x + b.y) * (a.x + a.y) - (xx + yy);
    const CompletePoint r = finish(xx, yy, times_b3(a.z), xy, b.y * a.z + a.y, b.x * a.z + a.x);
    const u64 none = zero_mask(b.x) & zero_mask(b.y);
    return {select(none, a.x, r.x), select(none, a.y, r.y), select(none, a.z, r.z)};
  }
  friend constexpr CompletePoint operator+(const CompletePoint& a, const CompletePoint& b) {
    const Field xx = a.x * b.x, yy = a.y * b.y, zz = a.z * b.z;
    const Field xy = (a.x + a.y) * (b.x + b.y) - (xx + yy), yz = (a.y + a.z) * (b.y + b.z) - (yy + zz),
                xz = (a.x + a.z) * (b.x + b.z) - (xx + zz);
    return finish(xx, yy, times_b3(zz), xy, yz, xz);
  }
  constexpr CompletePoint& operator+=(const Affine& b) { return *this = *this + b; }
  constexpr CompletePoint& operator+=(const CompletePoint& b) { return *this = *this + b; }

 private:
  static constexpr Field times_b3(const Field& a) {
    if constexpr (requires { a.c0; }) {
      constexpr Field b3 = C::b() + C::b() + C::b();
      return a * b3;
    } else {
      static_assert(C::b() == Field(3));
      return a.dbl().dbl().dbl() + a;
    }
  }
  // xx = x1 x2, yy = y1 y2, b3zz = 3 b z1 z2, and the sums of crosswise products.
  static constexpr CompletePoint finish(const Field& xx, const Field& yy, const Field& b3zz, const Field& xy,
                                        const Field& yz, const Field& xz) {
    const Field x3 = xx.dbl() + xx, plus = yy + b3zz, minus = yy - b3zz, b3xz = times_b3(xz);
    return {xy * minus - yz * b3xz, minus * plus + b3xz * x3, plus * yz + x3 * xy};
  }
};

}  // namespace vouch
