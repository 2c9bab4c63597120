// Products with a factor known beforehand, for the packed transforms: beside w, w 2^52, w 2^104, ... mod p
// are kept, one for each limb of the other factor, whose products are then all below 2^52 p. Their sum is one
// limb too long, and one step of Montgomery's reduction takes that off: 60 multiply-adds where a product of
// two unknown factors takes 100. Included inside a VOUCH_TARGET_IFMA region's file.
#pragma once

#include "vouch/field/arith_adx.h"
#include "vouch/field/ifma.h"

#ifdef VOUCH_HAS_IFMA
VOUCH_TARGET_BEGIN(VOUCH_TARGET_IFMA)
namespace vouch::ifma {

// What mul_fixed takes is signed: it adds 2^259 to it, and the factor brings along what that is too much.
template <class P>
struct FixedConstants {
  using F = Prime<P>;
  static constexpr F two(int e) {
    F r = F::one();
    for (; e > 0; e--) r = r + r;
    return r;
  }
  static constexpr UInt<4> power[5] = {two(52).to_int(), two(104).to_int(), two(156).to_int(),
                                       two(208).to_int(), two(260).to_int()};
  static constexpr UInt<4> offset = (-two(259)).to_int();
};

template <class P>
struct Fixed52 {
  using F = Prime<P, AdxArith>;
  using C = FixedConstants<P>;
  Limbs52 multiple[5];  // w 2^(52 (i + 1)) mod p
  Limbs52 start;  // -w 2^259 mod p, less a multiple of p, mod 2^260: puts the middle of what comes out near 0

  static Fixed52 of(const F& w) {
    // Half of p and of the multiples, by their upper words: the middle, to within 2^-60 p.
    u64 middle = F::modulus.limb[3] / 2;
    Fixed52 r;
    for (int i = 0; i < 5; i++) {
      const UInt<4> x = (w * F::raw(C::power[i])).montgomery();
      middle += x.limb[3] / 2;
      r.multiple[i] = Limbs52::of(x);
    }
    const UInt<4> x = (w * F::raw(C::offset)).montgomery();
    const u64 times = (x.limb[3] + middle + F::modulus.limb[3] / 2) / F::modulus.limb[3];  // at most 4
    r.start = Limbs52::of(x);
    u64 carry = 0;
    for (int i = 0; i < 5; i++) {
      const u128 t = u128(Constants52<P>::minus_p.limb[i]) * times + r.start.limb[i] + carry;
      r.start.limb[i] = u64(t) & mask52;
      carry = u64(t >> 52);
    }
    return r;
  }
};

// Eight such factors, one to a lane, with multiples below 1.02 p and a start that is not as well placed.
template <class P>
struct FixedLanes {
  V multiple[5][5], start[5];

  // Of w 2^260 mod p.
  static VOUCH_INLINE FixedLanes of(const Packed8<P, 1>& w) {
    using C = FixedConstants<P>;
    constexpr Limbs52 minus_3p = derive_minus_3p();
    FixedLanes r;
    for (int i = 0; i < 5; i++) {
      const auto x = mul(w, Limbs52::of(C::power[i])).tight();
      for (int j = 0; j < 5; j++) r.multiple[i][j] = x.limb[j];
    }
    const auto x = mul(w, Limbs52::of(C::offset));
    for (int j = 0; j < 5; j++) r.start[j] = _mm512_add_epi64(x.limb[j], splat(minus_3p.limb[j]));
    return r;
  }
  static constexpr Limbs52 derive_minus_3p() {  // limb by limb: nothing need be carried
    Limbs52 r = Constants52<P>::minus_p;
    for (u64& l : r.limb) l *= 3;
    return r;
  }
};

VOUCH_INLINE V limb_of(const Limbs52& x, int i) {
  return splat(x.limb[i]);
}
VOUCH_INLINE V limb_of(const V (&x)[5], int i) {
  return x[i];
}

// Carries passed on and nothing masked, which is enough for a factor: a multiply-add takes the lower 52 bits.
template <class P, int B, int A>
VOUCH_INLINE void carry(V (&to)[5], const Loose8<P, B, A>& x) {
  to[0] = x.limb[0];
  for (int i = 1; i < 5; i++) to[i] = _mm512_add_epi64(x.limb[i], _mm512_srai_epi64(to[i - 1], 52));
}

// x w mod p, for |x| < 42 p known mod 2^260. With |x| < A p the five products and q p, both over 2^52, lie
// anywhere in a range of (5 + A / 42) p, whose middle the start of Fixed52 puts within p / 2 of 0: less than
// (3 + A / 84) p in size. Of FixedLanes less than 4.2 p.
template <class P, int B, int A, class W>
VOUCH_INLINE Loose8<P, 5, 5> mul_fixed(const Loose8<P, B, A>& loose_x, const W& w) {
  using C = Constants52<P>;
  static_assert(2 * A <= C::capacity && 2 * B <= C::capacity);
  V x[5], c[6];
  carry(x, loose_x);
  x[4] = _mm512_add_epi64(x[4], splat(u64(1) << 51));
  c[0] = splat(mask52);
  for (int j = 0; j < 5; j++) c[j + 1] = limb_of(w.start, j);
  for (int i = 0; i < 5; i++) {
    for (int j = 0; j < 5; j++) {
      const V m = limb_of(w.multiple[i], j);
      c[j] = madd_lo(c[j], x[i], m);
      c[j + 1] = madd_hi(c[j + 1], x[i], m);
    }
  }
  const V q = madd_lo(splat(C::neg_inv), c[0], splat(C::neg_inv));  // as in reduce_columns
  Loose8<P, 5, 5> r;
  for (int j = 0; j < 5; j++) r.limb[j] = c[j + 1];
  r.limb[0] = _mm512_add_epi64(r.limb[0], _mm512_srli_epi64(c[0], 52));
  for (int j = 0; j < 5; j++) {
    r.limb[j] = madd_hi(r.limb[j], q, splat(C::p.limb[j]));
    if (j < 4) r.limb[j] = madd_lo(r.limb[j], q, splat(C::p.limb[j + 1]));
  }
  return r;
}

}  // namespace vouch::ifma
VOUCH_TARGET_END
#endif
