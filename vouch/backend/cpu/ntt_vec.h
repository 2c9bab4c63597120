// The vectors that the transforms work on: eight field elements, in plain lanes or packed for AVX-512 IFMA.
//
// A form E gives Vec (eight elements while they are worked on), Factor (one element to multiply all lanes
// with), Lanes (eight elements to multiply with), FixedLanes (the same, dearer to make and cheaper to use, if
// the form has such) and the butterflies. What a Vec may hold is E's business: lazy forms state their bounds,
// and the transforms promise at most 15 levels of ct between load and store.
//   ct2, ct4: (a, b) -> (a + w b, a - w b), one level or two.    gs2, gs4: (a, b) -> (a + b, (a - b) w).
// load_row and store_row take eight elements in a row; load_pairs and store_pairs take two elements in a row
// at each of eight addresses. store_row and store_pairs leave something that only load_row and load_pairs of
// E understand,
// *_canonical leaves field elements.
#pragma once

#include "vouch/backend/cpu/ntt_fixed.h"
#include "vouch/field/arith_adx.h"
#include "vouch/field/fields.h"
#include "vouch/field/ifma.h"

namespace vouch {

// Row k of a group of eight rows is in lane lane_of_row[k]: the order in which ifma::load_row puts a row's
// elements.
inline constexpr int row_of_lane[8] = {0, 2, 1, 3, 4, 6, 5, 7};

template <class Arith>
struct PlainVec {
  using F = Prime<Bn254FrParams, Arith>;
  struct Vec {
    F lane[8];
  };
  using Factor = F;
  using Lanes = Vec;
  using FixedLanes = Lanes;
  static constexpr bool fixes_lanes = false;
  static const FixedLanes& fixed(const Lanes& x) { return x; }

  static F table_one() { return F::one(); }  // twiddles are kept in memory as multiples of this
  static Factor factor(const F& x) { return x; }
  static Factor factor_from_table(const F& x) { return x; }

  static Vec load_row(const F* p) {
    Vec r;
    for (int k = 0; k < 8; k++) r.lane[k] = p[row_of_lane[k]];
    return r;
  }
  static void store_row(F* p, const Vec& x) {
    for (int k = 0; k < 8; k++) p[row_of_lane[k]] = x.lane[k];
  }
  static void store_row_canonical(F* p, const Vec& x) { store_row(p, x); }
  template <class At>
  static void load_pairs(Vec& x, Vec& y, At at) {
    for (int k = 0; k < 8; k++) x.lane[k] = at(k)[0], y.lane[k] = at(k)[1];
  }
  template <class At>
  static void store_pairs(At at, const Vec& x, const Vec& y) {
    for (int k = 0; k < 8; k++) at(k)[0] = x.lane[k], at(k)[1] = y.lane[k];
  }
  template <class At>
  static void load_lane_pairs(Lanes& x, Lanes& y, At at) {
    load_pairs(x, y, at);
  }

  static const F& pick(const F& w, int) { return w; }
  static const F& pick(const Vec& w, int k) { return w.lane[k]; }

  template <class W>
  static void scale(Vec& a, const W& w) {
    for (int k = 0; k < 8; k++) a.lane[k] *= pick(w, k);
  }
  template <class W>
  static void ct2(Vec& a, Vec& b, const W& w) {
    for (int k = 0; k < 8; k++) {
      const F t = b.lane[k] * pick(w, k);
      b.lane[k] = a.lane[k] - t;
      a.lane[k] += t;
    }
  }
  template <class W>
  static void gs2(Vec& a, Vec& b, const W& w) {
    for (int k = 0; k < 8; k++) {
      const F t = a.lane[k] - b.lane[k];
      a.lane[k] += b.lane[k];
      b.lane[k] = t * pick(w, k);
    }
  }
  template <class W>
  static void ct4(Vec& a, Vec& b, Vec& c, Vec& d, const W& w1, const W& w2, const W& w3) {
    ct2(a, c, w1), ct2(b, d, w1);
    ct2(a, b, w2), ct2(c, d, w3);
  }
  // ct4 with w1 = w2 = 1.
  template <class W>
  static void ct4_unit(Vec& a, Vec& b, Vec& c, Vec& d, const W& w3) {
    butterfly(a, c), butterfly(b, d), butterfly(a, b);
    ct2(c, d, w3);
  }
  template <class W>
  static void gs4(Vec& a, Vec& b, Vec& c, Vec& d, const W& w1, const W& w2, const W& w3) {
    gs2(a, b, w2), gs2(c, d, w3);
    gs2(a, c, w1), gs2(b, d, w1);
  }
  static void butterfly(Vec& a, Vec& b) {
    for (int k = 0; k < 8; k++) {
      const F t = a.lane[k] - b.lane[k];
      a.lane[k] += b.lane[k];
      b.lane[k] = t;
    }
  }

  // Of two values x R in memory form, product() leaves x y R / product_loss(). store_difference() writes a -
  // b, with a straight from product(), as what it is: nothing is taken off its radix.
  static F product_loss() { return F::one(); }
  static Vec product(const Vec& a, const Vec& b) {
    Vec r;
    for (int k = 0; k < 8; k++) r.lane[k] = a.lane[k] * b.lane[k];
    return r;
  }
  static Lanes lanes_product(const Lanes& a, const Lanes& b) { return product(a, b); }
  static void store_difference(F* p, const Vec& a, const Vec& b) {
    for (int k = 0; k < 8; k++) p[row_of_lane[k]] = a.lane[k] - b.lane[k];
  }
};

}  // namespace vouch

#ifdef VOUCH_HAS_IFMA
VOUCH_TARGET_BEGIN(VOUCH_TARGET_IFMA)
namespace vouch::ifma {

// Data keep the memory's radix 2^256; Lanes are at 2^260, which the product takes off again, and a Factor is
// plain.
struct PackedVec {
  using P = Bn254FrParams;
  using F = Prime<P, AdxArith>;
  // In [0, 64p), limbs signed, their sum known mod 2^260. load leaves < 5p; each level of ct adds 2p,
  // ct4_unit leaves < 32p once: after 14 levels < 58p. gs takes and leaves < 4p.
  static constexpr int bound = 64;
  using Vec = Loose8<P, 0, bound>;
  using Factor = Fixed52<P>;
  using Lanes = Packed8<P, 1>;
  using FixedLanes = ifma::FixedLanes<P>;
  // A FixedLanes costs what it saves in about seven products.
  static constexpr bool fixes_lanes = true;
  static VOUCH_INLINE FixedLanes fixed(const Lanes& x) { return FixedLanes::of(x); }

  static F table_one() { return F(16); }
  static Factor factor(const F& x) { return Factor::of(x); }
  static Factor factor_from_table(const F& x) {
    static const F sixteenth = F(16).inverse();
    return Factor::of(x * sixteenth);
  }

  template <int A>
  static VOUCH_INLINE Vec vec(const Packed8<P, A>& x) {
    return loose(x.template relax<bound>());
  }
  template <int A>
  static VOUCH_INLINE Vec vec(const Loose8<P, 0, A>& x) {  // the sum of the bounds is known to stay below 64
    return assume<bound>(x);
  }
  template <int A2, int A>
  static VOUCH_INLINE Loose8<P, 0, A2> assume(const Loose8<P, 0, A>& x) {
    Loose8<P, 0, A2> r;
    for (int i = 0; i < 5; i++) r.limb[i] = x.limb[i];
    return r;
  }
  // x - y + B p without carrying, for y < B p.
  template <int A, int B>
  static VOUCH_INLINE Loose8<P, 0, A + B> difference(const Loose8<P, 0, A>& x, const Loose8<P, 0, B>& y) {
    constexpr Limbs52 lift = Limbs52::multiple(F::modulus, B);
    Loose8<P, 0, A + B> r;
    for (int i = 0; i < 5; i++)
      r.limb[i] = _mm512_sub_epi64(_mm512_add_epi64(x.limb[i], splat(lift.limb[i])), y.limb[i]);
    return r;
  }

  static VOUCH_INLINE Vec load_row(const F* p) {
    V x[4];
    ifma::load_row(x, p);
    return vec(Packed8<P, 5>::split(x));
  }
  static VOUCH_INLINE void store_row(F* p, const Vec& a) {
    V x[4];
    a.reduce().join(x);
    ifma::store_row(p, x);
  }
  static VOUCH_INLINE void store_row_canonical(F* p, const Vec& a) {
    V x[4];
    // reduce() leaves what it should, or p more where the value was within 2^-40 p above a multiple of p.
    auto r = a.tight().reduce();
    if (_mm512_cmpge_epu64_mask(r.limb[4], splat(Constants52<P>::p.limb[4])))
      r = r.canonical().template relax<2>();
    r.template assume<1>().join(x);
    ifma::store_row(p, x);
  }
  template <class At>
  static VOUCH_INLINE void load_pairs(Vec& a, Vec& b, At at) {
    V x[4], y[4];
    ifma::load_pairs(x, y, at);
    a = vec(Packed8<P, 5>::split(x)), b = vec(Packed8<P, 5>::split(y));
  }
  template <class At>
  static VOUCH_INLINE void store_pairs(At at, const Vec& a, const Vec& b) {  // after gs: < 4p
    V x[4], y[4];
    assume<4>(a).tight().join(x), assume<4>(b).tight().join(y);
    ifma::store_pairs(at, x, y);
  }
  template <class At>
  static VOUCH_INLINE void load_lane_pairs(Lanes& a, Lanes& b, At at) {
    V x[4], y[4];
    ifma::load_pairs(x, y, at);
    a = Lanes::split(x), b = Lanes::split(y);
  }

  template <int A>
  static VOUCH_INLINE Loose8<P, 0, 2> times(const Loose8<P, 0, A>& x, const Factor& w) {
    return mul_fixed(x, w);
  }
  template <int A>
  static VOUCH_INLINE Loose8<P, 0, 2> times(const Loose8<P, 0, A>& x, const FixedLanes& w) {
    return mul_fixed(x, w);
  }
  template <int A>
  static VOUCH_INLINE Loose8<P, 0, 2> times(const Loose8<P, 0, A>& x, const Lanes& w) {
    Packed8<P, A> y;
    carry(y.limb, x);
    return mul(y, w);
  }

  template <class W>
  static VOUCH_INLINE void scale(Vec& a, const W& w) {
    a = vec(times(a, w));
  }
  template <class W>
  static VOUCH_INLINE void ct2(Vec& a, Vec& b, const W& w) {
    const auto t = times(b, w);
    b = vec(difference(a, t));
    a = vec(a + t);
  }
  template <class W>
  static VOUCH_INLINE void ct4(Vec& a, Vec& b, Vec& c, Vec& d, const W& w1, const W& w2, const W& w3) {
    ct2(a, c, w1), ct2(b, d, w1);
    ct2(a, b, w2), ct2(c, d, w3);
  }
  template <class W>
  static VOUCH_INLINE void ct4_unit(Vec& a, Vec& b, Vec& c, Vec& d, const W& w3) {  // inputs < 8p
    const auto x0 = assume<8>(a), x1 = assume<8>(b), x2 = assume<8>(c), x3 = assume<8>(d);
    const auto u0 = x0 + x2, u1 = x1 + x3, u2 = difference(x0, x2), u3 = difference(x1, x3);
    const auto t = times(u3, w3);
    a = vec((u0 + u1).reduce());
    b = vec(difference(u0, u1));
    c = vec(u2 + t);
    d = vec(difference(u2, t));
  }
  template <class W>
  static VOUCH_INLINE void gs2(Vec& a, Vec& b, const W& w) {
    const auto x = assume<4>(a), y = assume<4>(b);
    a = vec((x + y).reduce());
    b = vec(times(difference(x, y), w));
  }
  template <class W>
  static VOUCH_INLINE void gs4(Vec& a, Vec& b, Vec& c, Vec& d, const W& w1, const W& w2, const W& w3) {
    const auto x0 = assume<4>(a), x1 = assume<4>(b), x2 = assume<4>(c), x3 = assume<4>(d);
    const auto u0 = x0 + x1, u2 = x2 + x3;
    const auto u1 = times(difference(x0, x1), w2), u3 = times(difference(x2, x3), w3);
    a = vec((u0 + u2).reduce());
    b = vec(u1 + u3);
    c = vec(times(difference(u0, u2), w1));
    d = vec(times(difference(u1, u3), w1));
  }

  static F product_loss() { return F(16); }
  static VOUCH_INLINE Vec product(const Vec& a,
                                  const Vec& b) {  // of values < 34p: below 34 * 34 / 84 p + p < 16p
    return vec(mul(a.tight(), b.tight()));
  }
  static VOUCH_INLINE Lanes lanes_product(const Lanes& a, const Lanes& b) {
    return mul(a, b).tight().canonical();
  }
  static VOUCH_INLINE void store_difference(F* p, const Vec& a, const Vec& b) {
    V x[4];
    difference(assume<16>(a), assume<34>(b)).tight().canonical().join(x);
    ifma::store_row(p, x);
  }
};

}  // namespace vouch::ifma
VOUCH_TARGET_END
#endif
