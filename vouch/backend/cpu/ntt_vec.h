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
  static constexpr int fixed_levels = 0, fixed_pays = 1, levels = 64;
  static const FixedLanes& fixed(const Lanes& x) { return x; }
  static void shrink(Vec&) {}

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
  static void scale_loaded(Vec& a, const Lanes& w) { scale(a, w); }
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
  // From -40p to 40p, known mod 2^260, limbs signed. load leaves 0 to 5p. Each level of ct adds 3.5p to the
  // size for a Factor, 4.2p for FixedLanes, which rows have for 6 levels, and 2p for Lanes; ct4_unit leaves
  // up to 4 times what it takes, but is the first to see it: 10 levels leave less than 39p, and then shrink()
  // comes.
  static constexpr int bound = 40;
  static constexpr int levels = 10;
  using Vec = Loose8<P, bound, bound>;
  using Factor = Fixed52<P>;
  using Lanes = Packed8<P, 1>;
  using FixedLanes = ifma::FixedLanes<P>;
  // A FixedLanes costs what it saves in about 20 products.
  static constexpr int fixed_levels = 6;
  static constexpr int fixed_pays = 20;
  static VOUCH_INLINE FixedLanes fixed(const Lanes& x) { return FixedLanes::of(x); }

  static F table_one() { return F(16); }
  static Factor factor(const F& x) { return Factor::of(x); }
  static Factor factor_from_table(const F& x) {
    static const F sixteenth = F(16).inverse();
    return Factor::of(x * sixteenth);
  }

  template <int A>
  static VOUCH_INLINE Vec vec(const Packed8<P, A>& x) {
    return vec(loose(x));
  }
  template <int B, int A>
  static VOUCH_INLINE Vec vec(const Loose8<P, B, A>& x) {  // the sum of the bounds is known to stay below 40
    return assume<bound, bound>(x);
  }
  template <int B2, int A2, int B, int A>
  static VOUCH_INLINE Loose8<P, B2, A2> assume(const Loose8<P, B, A>& x) {
    Loose8<P, B2, A2> r;
    for (int i = 0; i < 5; i++) r.limb[i] = x.limb[i];
    return r;
  }
  static VOUCH_INLINE void shrink(Vec& x) { x = vec(x.reduce()); }

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
  static VOUCH_INLINE void store_pairs(At at, const Vec& a, const Vec& b) {
    V x[4], y[4];
    a.reduce().join(x), b.reduce().join(y);
    ifma::store_pairs(at, x, y);
  }
  template <class At>
  static VOUCH_INLINE void load_lane_pairs(Lanes& a, Lanes& b, At at) {
    V x[4], y[4];
    ifma::load_pairs(x, y, at);
    a = Lanes::split(x), b = Lanes::split(y);
  }

  template <int B, int A>
  static VOUCH_INLINE Loose8<P, 5, 5> times(const Loose8<P, B, A>& x, const Factor& w) {
    return mul_fixed(x, w);
  }
  template <int B, int A>
  static VOUCH_INLINE Loose8<P, 5, 5> times(const Loose8<P, B, A>& x, const FixedLanes& w) {
    return mul_fixed(x, w);
  }
  template <int B, int A>
  static VOUCH_INLINE Loose8<P, 0, 2> times(const Loose8<P, B, A>& x, const Lanes& w) {
    return mul(x.tight(), w);
  }

  template <class W>
  static VOUCH_INLINE void scale(Vec& a, const W& w) {
    a = vec(times(a, w));
  }
  // Of what has just been loaded.
  static VOUCH_INLINE void scale_loaded(Vec& a, const Lanes& w) {
    Packed8<P, 5> x;
    for (int i = 0; i < 5; i++) x.limb[i] = a.limb[i];
    a = vec(mul(x, w));
  }
  template <class W>
  static VOUCH_INLINE void ct2(Vec& a, Vec& b, const W& w) {
    const auto t = times(b, w);
    b = vec(a - t);
    a = vec(a + t);
  }
  template <class W>
  static VOUCH_INLINE void ct4(Vec& a, Vec& b, Vec& c, Vec& d, const W& w1, const W& w2, const W& w3) {
    const auto t2 = times(c, w1), t3 = times(d, w1);
    const auto u0 = vec(a + t2), u1 = vec(b + t3), u2 = vec(a - t2), u3 = vec(b - t3);
    const auto s1 = times(u1, w2), s3 = times(u3, w3);
    a = vec(u0 + s1), b = vec(u0 - s1);
    c = vec(u2 + s3), d = vec(u2 - s3);
  }
  template <class W>
  static VOUCH_INLINE void ct4_unit(Vec& a, Vec& b, Vec& c, Vec& d, const W& w3) {  // inputs up to 5p in size
    const auto x0 = assume<5, 5>(a), x1 = assume<5, 5>(b), x2 = assume<5, 5>(c), x3 = assume<5, 5>(d);
    const auto u0 = x0 + x2, u1 = x1 + x3, u2 = x0 - x2;
    const auto t = times(x1 - x3, w3);
    a = vec((u0 + u1).reduce());
    b = vec(u0 - u1);
    c = vec(u2 + t);
    d = vec(u2 - t);
  }
  // gs takes and leaves up to 9p in size.
  template <class W>
  static VOUCH_INLINE void gs2(Vec& a, Vec& b, const W& w) {
    const auto x = assume<9, 9>(a), y = assume<9, 9>(b);
    a = vec((x + y).reduce());
    b = vec(times(x - y, w));
  }
  template <class W>
  static VOUCH_INLINE void gs4(Vec& a, Vec& b, Vec& c, Vec& d, const W& w1, const W& w2, const W& w3) {
    const auto x0 = assume<9, 9>(a), x1 = assume<9, 9>(b), x2 = assume<9, 9>(c), x3 = assume<9, 9>(d);
    const auto u0 = x0 + x1, u2 = x2 + x3;
    const auto u1 = times(x0 - x1, w2), u3 = times(x2 - x3, w3);
    a = vec((u0 + u2).reduce());
    b = vec(u1 + u3);
    c = vec(times(u0 - u2, w1));
    d = vec(times(u1 - u3, w1));
  }

  static F product_loss() { return F(16); }
  static VOUCH_INLINE Vec product(const Vec& a, const Vec& b) {  // below 3 * 80 / 84 p + p < 4p
    return vec(mul(a.reduce(), b.tight()));
  }
  static VOUCH_INLINE Lanes lanes_product(const Lanes& a, const Lanes& b) {
    return mul(a, b).tight().canonical();
  }
  static VOUCH_INLINE void store_difference(F* p, const Vec& a, const Vec& b) {
    V x[4];
    (assume<0, 4>(a) - assume<39, 39>(b)).tight().canonical().join(x);
    ifma::store_row(p, x);
  }
};

}  // namespace vouch::ifma
VOUCH_TARGET_END
#endif
