// The vectors of ntt_vec.h in double-precision multiply-add (field/fma.h), four lanes of AVX2 at a time.
// Include it for ntt_text.h only.
#pragma once

#include "vouch/backend/cpu/ntt_vec.h"
#include "vouch/field/arith_adx.h"
#include "vouch/field/fields.h"
#include "vouch/field/fma.h"

#ifdef VOUCH_HAS_FMA
VOUCH_TARGET_BEGIN(VOUCH_TARGET_AVX2_FMA)
namespace vouch::fma_avx2 {

// Data keep the memory's radix 2^256; factors are at 2^255, which the product takes off again.
struct FmaVec {
  using P = Bn254FrParams;
  using F = Prime<P, AdxArith>;
  // At most p in size, and digits, or of size 2 when just loaded. Between sweeps the memory has x + p, for x
  // from -p / 2 to p / 2.
  using Vec = Pack;
  using Factor = fma::Digits51;  // at most p / 2
  using Lanes = Pack;            // from -p to p, of size 2
  using FixedLanes = Lanes;
  static constexpr int fixed_levels = 0, fixed_pays = 1, levels = 64;
  static const FixedLanes& fixed(const Lanes& x) { return x; }
  static void shrink(Vec&) {}

  static constexpr F half = F::raw((Prime<P>(2).inverse()).montgomery());
  static F table_one() { return half; }
  static Factor factor(const F& x) { return factor_from_table(x * half); }
  static Factor factor_from_table(const F& x) { return fma::Digits51::centred(x.montgomery(), F::modulus); }

  template <class Op>
  static VOUCH_INLINE Pack each(Op&& op) {
    Pack r;
    for (int h = 0; h < vectors; h++) r.v[h] = op(h);
    return r;
  }
  // Not inlined: a product is 600 instructions, and a transform's products would crowd out the instruction
  // cache. At most (0.19 A + 0.5) p for the first factor below A p: below 0.9 p for what occurs here.
  static __attribute__((noinline)) Pack times(const Pack& a, const Factor& w) { return mul<P>(a, w); }
  static __attribute__((noinline)) Pack times(const Pack& a, const Pack& w) { return mul<P>(a, w); }

  static VOUCH_INLINE Pack plus(const Pack& a, const Pack& b) {
    return each([&](int h) { return add(a.v[h], b.v[h]); });
  }
  static VOUCH_INLINE Pack minus(const Pack& a, const Pack& b) {
    return each([&](int h) { return sub(a.v[h], b.v[h]); });
  }
  static VOUCH_INLINE Pack reduced(const Pack& a) {
    return each([&](int h) { return reduce<P>(a.v[h]); });
  }

  static VOUCH_INLINE Vec load_row(const F* p) {
    return each([&](int h) {
      V w[4];
      load_columns(w, [&](int k) { return p + row_of_lane[lanes * h + k]; });
      return split<P, 0, 1>(w);
    });
  }
  static VOUCH_INLINE void store_row(F* p, const Vec& a) {
    for (int h = 0; h < vectors; h++) {
      V w[4];
      join_plus_p<P>(w, reduce<P>(a.v[h]));
      store_columns([&](int k) { return p + row_of_lane[lanes * h + k]; }, w);
    }
  }
  static VOUCH_INLINE void store_row_canonical(F* p, const Vec& a) {
    for (int h = 0; h < vectors; h++) {
      V w[4];
      join_canonical<P>(w, reduce<P>(a.v[h]));
      store_columns([&](int k) { return p + row_of_lane[lanes * h + k]; }, w);
    }
  }
  template <class At>
  static VOUCH_INLINE void load_pairs(Vec& a, Vec& b, At at) {
    for (int h = 0; h < vectors; h++) {
      V w[4];
      load_columns(w, [&](int k) { return at(lanes * h + k); });
      a.v[h] = split<P, 0, 1>(w);
      load_columns(w, [&](int k) { return at(lanes * h + k) + 1; });
      b.v[h] = split<P, 0, 1>(w);
    }
  }
  template <class At>
  static VOUCH_INLINE void store_pairs(At at, const Vec& a, const Vec& b) {
    for (int h = 0; h < vectors; h++) {
      V w[4];
      join_plus_p<P>(w, reduce<P>(a.v[h]));
      store_columns([&](int k) { return at(lanes * h + k); }, w);
      join_plus_p<P>(w, reduce<P>(b.v[h]));
      store_columns([&](int k) { return at(lanes * h + k) + 1; }, w);
    }
  }
  template <class At>
  static VOUCH_INLINE void load_lane_pairs(Lanes& a, Lanes& b, At at) {
    load_pairs(a, b, at);
    a = reduced(a), b = reduced(b);
  }

  template <class W>
  static VOUCH_INLINE void scale(Vec& a, const W& w) {
    a = times(a, w);
  }
  static VOUCH_INLINE void scale_loaded(Vec& a, const Lanes& w) { scale(a, w); }
  template <class W>
  static VOUCH_INLINE void ct2(Vec& a, Vec& b, const W& w) {
    const Pack t = times(b, w);
    b = reduced(minus(a, t));
    a = reduced(plus(a, t));
  }
  // Two levels: sums of sizes 3 and 4, below 1.7 p and 2.6 p.
  template <class W>
  static VOUCH_INLINE void ct4(Vec& a, Vec& b, Vec& c, Vec& d, const W& w1, const W& w2, const W& w3) {
    const Pack t2 = times(c, w1), t3 = times(d, w1);
    const Pack u0 = plus(a, t2), u2 = minus(a, t2), u1 = plus(b, t3), u3 = minus(b, t3);
    const Pack s1 = times(u1, w2), s3 = times(u3, w3);
    a = reduced(plus(u0, s1)), b = reduced(minus(u0, s1));
    c = reduced(plus(u2, s3)), d = reduced(minus(u2, s3));
  }
  template <class W>
  static VOUCH_INLINE void ct4_unit(Vec& a, Vec& b, Vec& c, Vec& d, const W& w3) {
    const Pack u0 = reduced(plus(a, c)), u2 = minus(a, c), u1 = reduced(plus(b, d)), u3 = minus(b, d);
    const Pack s3 = times(u3, w3);  // u3 is of size 4
    a = reduced(plus(u0, u1)), b = reduced(minus(u0, u1));
    c = reduced(plus(u2, s3)), d = reduced(minus(u2, s3));  // of size 5, below 2.9 p
  }
  // Takes digits.
  template <class W>
  static VOUCH_INLINE void gs2(Vec& a, Vec& b, const W& w) {
    const Pack difference = minus(a, b);
    a = reduced(plus(a, b));
    b = times(difference, w);
  }
  template <class W>
  static VOUCH_INLINE void gs4(Vec& a, Vec& b, Vec& c, Vec& d, const W& w1, const W& w2, const W& w3) {
    const Pack u0 = plus(a, b), u2 = plus(c, d);  // of size 2
    const Pack u1 = times(minus(a, b), w2), u3 = times(minus(c, d), w3);
    a = reduced(plus(u0, u2));
    b = reduced(plus(u1, u3));
    c = times(minus(u0, u2), w1);
    d = times(minus(u1, u3), w1);
  }

  static VOUCH_INLINE Lanes lanes_product(const Lanes& a, const Lanes& b) { return reduced(times(a, b)); }
  static F product_loss() { return half; }
  static VOUCH_INLINE Vec product(const Vec& a, const Vec& b) { return times(a, b); }
  static VOUCH_INLINE void store_difference(F* p, const Vec& a, const Vec& b) {
    store_row_canonical(p, minus(a, b));
  }
};

}  // namespace vouch::fma_avx2
VOUCH_TARGET_END
#endif
