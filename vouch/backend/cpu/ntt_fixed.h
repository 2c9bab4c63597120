// Products with a factor known beforehand, for the packed transforms: with floor(w 2^260 / p) kept beside w,
// the quotient of x w by p is the upper half of one more product, and x w - q p is needed in its lower half
// only: 84 multiply-adds where Montgomery's reduction takes 100. Included inside a VOUCH_TARGET_IFMA region's
// file.
#pragma once

#include "vouch/field/arith_adx.h"
#include "vouch/field/ifma.h"

#ifdef VOUCH_HAS_IFMA
VOUCH_TARGET_BEGIN(VOUCH_TARGET_IFMA)
namespace vouch::ifma {

template <class P>
struct Fixed52 {
  using F = Prime<P, AdxArith>;
  Limbs52 value;     // w < p, as a plain integer
  Limbs52 quotient;  // floor(w 2^260 / p)

  static Fixed52 of(const F& w) {
    // w 2^260 - (w 2^260 mod p) is quotient p, so quotient = -(w 2^260 mod p) / p mod 2^260.
    const Limbs52 rest = Limbs52::of((w * F(16)).montgomery());
    return {Limbs52::of(w.to_int()), low_product(rest, minus_inverse)};
  }

  static constexpr Limbs52 low_product(const Limbs52& a, const Limbs52& b) {
    Limbs52 r{};
    u128 carry = 0;
    for (int k = 0; k < 5; k++) {
      u128 high = 0, column = carry;  // five products of 104 bits and a carry
      for (int i = 0; i <= k; i++) column += u128(a.limb[i]) * b.limb[k - i];
      high = column >> 52;
      r.limb[k] = u64(column) & mask52;
      carry = high;
    }
    return r;
  }
  // -1 / p mod 2^260, by Newton: each step doubles the bits that are right.
  static constexpr Limbs52 derive_minus_inverse() {
    Limbs52 x{{Constants52<P>::neg_inv, 0, 0, 0, 0}};  // x p = -1 mod 2^52
    for (int i = 0; i < 3; i++) {                      // x (2 + x p)
      Limbs52 t = low_product(x, Constants52<P>::p);
      u64 carry = 2;
      for (u64& l : t.limb) l += carry, carry = l >> 52, l &= mask52;
      x = low_product(x, t);
    }
    return x;
  }
  static constexpr Limbs52 minus_inverse = derive_minus_inverse();
  static constexpr bool is_minus_one(const Limbs52& x) {
    for (const u64 l : x.limb)
      if (l != mask52) return false;
    return true;
  }
  static_assert(is_minus_one(low_product(minus_inverse, Constants52<P>::p)));
};

// Carries passed on and nothing masked, which is enough for a factor: a multiply-add takes the lower 52 bits.
template <class P, int A>
VOUCH_INLINE void carry(V (&to)[5], const Loose8<P, 0, A>& x) {
  to[0] = x.limb[0];
  for (int i = 1; i < 5; i++) to[i] = _mm512_add_epi64(x.limb[i], _mm512_srai_epi64(to[i - 1], 52));
}

// Eight such factors, one to a lane.
template <class P>
struct FixedLanes {
  V value[5], quotient[5];

  // Of w 2^260 mod p: the quotient as in Fixed52, and w by Montgomery's reduction, which leaves at most p,
  // and p only for 0.
  static VOUCH_INLINE FixedLanes of(const Packed8<P, 1>& rest) {
    V c[10];
    for (int i = 0; i < 10; i++)
      c[i] = i < 5 ? _mm512_add_epi64(rest.limb[i], splat(mask52)) : _mm512_setzero_si512();
    const auto w = reduce_columns<P, 2>(c).tight();
    Loose8<P, 0, 64> q;
    for (V& limb : q.limb) limb = _mm512_setzero_si512();
    for (int j = 0; j < 5; j++) {
      const V b = splat(Fixed52<P>::minus_inverse.limb[j]);
      for (int i = 0; i + j < 5; i++) {
        q.limb[i + j] = madd_lo(q.limb[i + j], rest.limb[i], b);
        if (i + j < 4) q.limb[i + j + 1] = madd_hi(q.limb[i + j + 1], rest.limb[i], b);
      }
    }
    FixedLanes r;
    for (int i = 0; i < 5; i++) r.value[i] = w.limb[i];
    carry(r.quotient, q);
    return r;
  }
};

VOUCH_INLINE V limb_of(const Limbs52& x, int i) {
  return splat(x.limb[i]);
}
VOUCH_INLINE V limb_of(const V (&x)[5], int i) {
  return x[i];
}

// x w mod p, below 2p, in limbs whose sum may be off by multiples of 2^260: whoever carries them drops bit
// 260 and above. For x < 64 p: the quotient lacks at most x / 2^260 < 0.77 of w's rounding, 2^-48 of the
// columns left out, and its fraction. W is Fixed52 or FixedLanes.
template <class P, int A, class W>
VOUCH_INLINE Loose8<P, 0, 2> mul_fixed(const Loose8<P, 0, A>& loose_x, const W& w) {
  static_assert(A <= 64);
  V x[5];
  carry(x, loose_x);
  V c[6];  // columns 4 to 9 of x quotient
  Loose8<P, 0, 2> r;
  for (V& column : c) column = _mm512_setzero_si512();
  for (V& limb : r.limb) limb = _mm512_setzero_si512();
  for (int j = 0; j < 5; j++) {  // side by side: eleven chains of additions
    const V b = limb_of(w.quotient, 4 - j), v = limb_of(w.value, j);
    for (int i = 0; i < 5; i++) {
      const int k = i + 4 - j;
      if (k >= 3) c[k - 3] = madd_hi(c[k - 3], x[i], b);
      if (i + j < 5) r.limb[i + j] = madd_lo(r.limb[i + j], x[i], v);
      if (k >= 4) c[k - 4] = madd_lo(c[k - 4], x[i], b);
      if (i + j < 4) r.limb[i + j + 1] = madd_hi(r.limb[i + j + 1], x[i], v);
    }
  }
  for (int i = 1; i < 6; i++) c[i] = _mm512_add_epi64(c[i], _mm512_srli_epi64(c[i - 1], 52));
  for (int i = 0; i < 5; i++) {
    for (int j = 0; i + j < 5; j++) {
      r.limb[i + j] = madd_lo(r.limb[i + j], c[i + 1], splat(Constants52<P>::minus_p.limb[j]));
      if (i + j < 4)
        r.limb[i + j + 1] = madd_hi(r.limb[i + j + 1], c[i + 1], splat(Constants52<P>::minus_p.limb[j]));
    }
  }
  return r;
}

}  // namespace vouch::ifma
VOUCH_TARGET_END
#endif
