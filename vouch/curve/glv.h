// Scalars in two halves: k = k1 + k2 e mod r, where e is what a cheap endomorphism multiplies by.
//
// On G1 that is phi(x, y) = (beta x, y) with a cube root of unity beta; on G2 it is psi (endomorphism.h). The
// pairs (a, b) with a + b e = 0 mod r form a lattice with a short basis, which for a Barreto-Naehrig curve is
// a polynomial in x; k less the nearest lattice point leaves halves of 127 bits.
#pragma once

#include "vouch/curve/endomorphism.h"

namespace vouch {

// (a1, -b1) and (a2, b2), the basis of one endomorphism's lattice; a1 b2 + a2 b1 = r.
struct GlvLattice {
  u128 a1, b1, a2, b2;
};

namespace detail {
inline constexpr u128 bn254_6xx = 6 * u128(bn254_x) * bn254_x;

constexpr UInt<4> wide(u128 x) {
  return {{u64(x), u64(x >> 64), 0, 0}};
}
// floor(2^256 b / r) for b < 2^128: below 2^131.
constexpr UInt<3> reciprocal(u128 b) {
  UInt<4> rest = wide(b);
  UInt<3> q;
  for (int i = 0; i < 256; i++) {
    q = {{q.limb[0] << 1, q.limb[1] << 1 | q.limb[0] >> 63, q.limb[2] << 1 | q.limb[1] >> 63}};
    const UInt<4> same = rest;  // below r < 2^254, so that doubling does not overflow
    add(rest, same);
    if (rest >= Bn254Fr::modulus) sub(rest, Bn254Fr::modulus), q.limb[0] |= 1;
  }
  return q;
}
// round(k g / 2^256), below 2^128.
constexpr u128 multiply_shift(const UInt<4>& k, const UInt<3>& g) {
  u64 t[7] = {};
  for (int i = 0; i < 4; i++) {
    u64 carry = 0;
    for (int j = 0; j < 3; j++) {
      const u128 s = u128(k.limb[i]) * g.limb[j] + t[i + j] + carry;
      t[i + j] = u64(s), carry = u64(s >> 64);
    }
    t[i + 3] = carry;
  }
  return (u128(t[5]) << 64 | t[4]) + (t[3] >> 63);
}
}  // namespace detail

// e = 36x^3 + 18x^2 + 6x + 1, a cube root of unity mod r.
struct GlvG1 {
  static constexpr GlvLattice lattice{2 * u128(bn254_x) + 1, detail::bn254_6xx + 2 * u128(bn254_x),
                                      detail::bn254_6xx + 4 * u128(bn254_x) + 1, 2 * u128(bn254_x) + 1};
  static constexpr Bn254Fr eigenvalue() {
    const Bn254Fr x(bn254_x), x2 = x * x;
    return Bn254Fr(36) * x2 * x + Bn254Fr(18) * x2 + Bn254Fr(6) * x + Bn254Fr(1);
  }
  // The cube root of unity mod p that belongs to e, of the two there are.
  static constexpr Bn254Fq beta() {
    UInt<4> e = Bn254Fq::modulus;
    sub(e, UInt<4>::of(1));
    u64 rest = 0;  // (p - 1) / 3
    for (int i = 4; i-- > 0;) {
      const u128 t = u128(rest) << 64 | e.limb[i];
      e.limb[i] = u64(t / 3), rest = u64(t % 3);
    }
    return Bn254Fq(Bn254FqParams::generator).pow(e).square();
  }
};

// e = p mod r = 6x^2, which psi multiplies by.
struct GlvG2 {
  static constexpr GlvLattice lattice{detail::bn254_6xx, 1, 6 * u128(bn254_x) + 1,
                                      detail::bn254_6xx + 6 * u128(bn254_x) + 3};
  static constexpr Bn254Fr eigenvalue() { return Bn254Fr(6) * Bn254Fr(bn254_x) * Bn254Fr(bn254_x); }
};

struct GlvHalf {
  u128 magnitude;  // below 2^127
  bool negative;
};
struct GlvHalves {
  GlvHalf k1, k2;
};

// For k < r. The rounded coefficients are off by at most 3/4, so a half is at most 3/4 of the basis vectors'
// coordinates summed, which is below 2^127; so its low 128 bits tell it.
template <class Glv>
constexpr GlvHalves glv_split(const UInt<4>& k) {
  constexpr GlvLattice l = Glv::lattice;
  constexpr UInt<3> g1 = detail::reciprocal(l.b2), g2 = detail::reciprocal(l.b1);
  const u128 c1 = detail::multiply_shift(k, g1), c2 = detail::multiply_shift(k, g2);
  const u128 k1 = (u128(k.limb[1]) << 64 | k.limb[0]) - c1 * l.a1 - c2 * l.a2, k2 = c1 * l.b1 - c2 * l.b2;
  const auto half = [](u128 x) { return x >> 127 ? GlvHalf{0 - x, true} : GlvHalf{x, false}; };
  return {half(k1), half(k2)};
}

namespace detail {
template <class Glv>
constexpr bool glv_basis_holds() {
  constexpr GlvLattice l = Glv::lattice;
  const auto fr = [](u128 x) { return Bn254Fr::from_int(wide(x)); };
  const Bn254Fr e = Glv::eigenvalue();
  return fr(l.a1) == fr(l.b1) * e && (fr(l.a2) + fr(l.b2) * e).is_zero();
}
// 3/4 (x + y) < 2^127.
constexpr bool glv_bound(u128 x, u128 y) {
  return x / 4 * 3 + y / 4 * 3 + 6 < u128(1) << 127;
}
static_assert(glv_basis_holds<GlvG1>() && glv_basis_holds<GlvG2>());
static_assert(glv_bound(GlvG1::lattice.a1, GlvG1::lattice.a2) &&
              glv_bound(GlvG1::lattice.b1, GlvG1::lattice.b2));
static_assert(glv_bound(GlvG2::lattice.a1, GlvG2::lattice.a2) &&
              glv_bound(GlvG2::lattice.b1, GlvG2::lattice.b2));
}  // namespace detail

template <class Arith>
constexpr AffinePoint<Bn254G1With<Arith>> phi(const AffinePoint<Bn254G1With<Arith>>& a) {
  constexpr auto beta = Prime<Bn254FqParams, Arith>::raw(GlvG1::beta().montgomery());
  return {a.x * beta, a.y};
}

}  // namespace vouch
