// Packed8<P, A>: eight integers mod P at once, for AVX-512 with 52-bit multiply-add, in limbs of 52 bits.
//
// Lane k of limb i holds bits 52i..52i+51 of element k. The Montgomery radix is 2^260, and 2^260 > 84 p
// leaves room for sums without reduction: the template argument A bounds the value, 0 <= value < A p, and the
// compiler adds the bounds up. Loose8<P, B, A> is an unfinished sum: -B p < value < A p, limbs signed and
// below 2^62 in size; sums and products are Loose8, factors must be Packed8, tight() goes from one to the
// other. Call it from functions inside a VOUCH_TARGET_IFMA region only, after cpu_features().avx512_ifma (and
// bmi2, adx).
#pragma once

#include "vouch/core/simd.h"
#include "vouch/field/prime.h"

#if defined(__x86_64__)
#define VOUCH_HAS_IFMA 1
#define VOUCH_TARGET_IFMA "avx512f,avx512cd,avx512bw,avx512dq,avx512vl,avx512ifma,bmi2,adx,prfchw"

VOUCH_TARGET_BEGIN(VOUCH_TARGET_IFMA)
namespace vouch::ifma {

using V = __m512i;

VOUCH_INLINE V madd_lo(V sum, V a, V b) {
  return _mm512_madd52lo_epu64(sum, a, b);
}
VOUCH_INLINE V madd_hi(V sum, V a, V b) {
  return _mm512_madd52hi_epu64(sum, a, b);
}
VOUCH_INLINE V splat(u64 x) {
  return _mm512_set1_epi64(static_cast<long long>(x));
}

inline constexpr u64 mask52 = (u64(1) << 52) - 1;

// Five limbs of 52 bits, as constants and as factors that are the same in every lane.
struct Limbs52 {
  u64 limb[5];
  static constexpr Limbs52 of(const UInt<4>& x) {
    const auto& l = x.limb;
    return {{l[0] & mask52, (l[0] >> 52 | l[1] << 12) & mask52, (l[1] >> 40 | l[2] << 24) & mask52,
             (l[2] >> 28 | l[3] << 36) & mask52, l[3] >> 16}};
  }
  // k x, for x < 2^254 and k < 64.
  static constexpr Limbs52 multiple(const UInt<4>& x, u64 k) {
    Limbs52 r = of(x);
    u64 carry = 0;
    for (int i = 0; i < 5; i++) {
      const u128 t = u128(r.limb[i]) * k + carry;
      r.limb[i] = i < 4 ? u64(t) & mask52 : u64(t);
      carry = u64(t >> 52);
    }
    return r;
  }
};

template <class P>
struct Constants52 {
  using F = Prime<P>;
  static_assert(F::limbs == 4 && F::spare_bits == 2);
  static constexpr Limbs52 p = Limbs52::of(F::modulus);
  static constexpr u64 neg_inv = F::neg_inv & mask52;
  // 2^260 - p: adding q times this and dropping bit 260 and above subtracts q p.
  static constexpr Limbs52 derive_negative() {
    Limbs52 r{};
    for (int i = 0; i < 5; i++) r.limb[i] = (mask52 - p.limb[i]) & mask52;
    r.limb[0] += 1;  // p is odd, so this does not carry
    return r;
  }
  static constexpr Limbs52 minus_p = derive_negative();
  // floor(2^92 / (top limb of p + 1)): turns a top limb into the quotient by p, 40 bits below the point.
  static constexpr u64 quotient_factor = u64((u128(1) << 92) / (p.limb[4] + 1));
  // 2^260 > capacity * p.
  static constexpr int capacity = int((u64(1) << 52) / (p.limb[4] + 1));
  static_assert(capacity == 84);
};

template <class P, int A>
struct Packed8;

template <class P, int B, int A>
struct Loose8 {
  V limb[5];

  VOUCH_INLINE Loose8() = default;
  VOUCH_INLINE Loose8(const Packed8<P, A>& x);

  // Carries passed on, and B p added so that nothing is negative.
  VOUCH_INLINE Packed8<P, A + B> tight() const;
  // Below 3p, for the price of one passing on of carries. With 2p added the quotient Q is at least 2. The top
  // limb without the carries below it (less than 2^11, as limbs are below 2^62) estimates Q to within 1, so
  // what is taken off is from Q - 2 to Q times p.
  VOUCH_INLINE Packed8<P, 3> reduce() const {
    static_assert(A + B + 2 <= Constants52<P>::capacity);
    constexpr Limbs52 lift = Limbs52::multiple(Prime<P>::modulus, B + 2);
    V x[5];
    for (int i = 0; i < 5; i++) x[i] = _mm512_add_epi64(limb[i], splat(lift.limb[i]));
    const V q =
        _mm512_srli_epi64(madd_hi(_mm512_setzero_si512(), x[4], splat(Constants52<P>::quotient_factor)), 40);
    return Packed8<P, 3>::template subtract_multiple<3>(_mm512_sub_epi64(q, splat(1)), x);
  }
};

template <class P, int A>
struct Packed8 {
  using C = Constants52<P>;
  static_assert(0 < A && A <= C::capacity, "the value may pass 2^260: reduce() first");
  V limb[5];  // each below 2^52

  // Eight elements as they lie in memory, x 2^256 in four 64-bit limbs, taken as they are.
  static VOUCH_INLINE Packed8 split(const V (&x)[4]) {
    const V m = splat(mask52);
    Packed8 r;
    r.limb[0] = _mm512_and_si512(x[0], m);
    r.limb[1] =
        _mm512_and_si512(_mm512_or_si512(_mm512_srli_epi64(x[0], 52), _mm512_slli_epi64(x[1], 12)), m);
    r.limb[2] =
        _mm512_and_si512(_mm512_or_si512(_mm512_srli_epi64(x[1], 40), _mm512_slli_epi64(x[2], 24)), m);
    r.limb[3] =
        _mm512_and_si512(_mm512_or_si512(_mm512_srli_epi64(x[2], 28), _mm512_slli_epi64(x[3], 36)), m);
    r.limb[4] = _mm512_srli_epi64(x[3], 16);
    return r;
  }
  // The same times 16: x 2^256 becomes x 2^260, the Montgomery form of this type.
  static VOUCH_INLINE Packed8<P, 16 * A> split_times_16(const V (&x)[4]) {
    const V m = splat(mask52);
    Packed8<P, 16 * A> r;
    r.limb[0] = _mm512_and_si512(_mm512_slli_epi64(x[0], 4), m);
    r.limb[1] =
        _mm512_and_si512(_mm512_or_si512(_mm512_srli_epi64(x[0], 48), _mm512_slli_epi64(x[1], 16)), m);
    r.limb[2] =
        _mm512_and_si512(_mm512_or_si512(_mm512_srli_epi64(x[1], 36), _mm512_slli_epi64(x[2], 28)), m);
    r.limb[3] =
        _mm512_and_si512(_mm512_or_si512(_mm512_srli_epi64(x[2], 24), _mm512_slli_epi64(x[3], 40)), m);
    r.limb[4] = _mm512_srli_epi64(x[3], 12);
    return r;
  }
  // Back to four 64-bit limbs; the value must be below 2^256 (A <= 5).
  VOUCH_INLINE void join(V (&x)[4]) const {
    static_assert(A <= 5);
    x[0] = _mm512_or_si512(limb[0], _mm512_slli_epi64(limb[1], 52));
    x[1] = _mm512_or_si512(_mm512_srli_epi64(limb[1], 12), _mm512_slli_epi64(limb[2], 40));
    x[2] = _mm512_or_si512(_mm512_srli_epi64(limb[2], 24), _mm512_slli_epi64(limb[3], 28));
    x[3] = _mm512_or_si512(_mm512_srli_epi64(limb[3], 36), _mm512_slli_epi64(limb[4], 16));
  }
  static VOUCH_INLINE Packed8 zero() {
    Packed8 r;
    for (V& l : r.limb) l = _mm512_setzero_si512();
    return r;
  }
  static VOUCH_INLINE Packed8 splat_limbs(const Limbs52& x) {
    Packed8 r;
    for (int i = 0; i < 5; i++) r.limb[i] = splat(x.limb[i]);
    return r;
  }
  template <int A2>
  VOUCH_INLINE Packed8<P, A2> relax() const {  // the same value under a wider bound
    static_assert(A2 >= A);
    return assume<A2>();
  }
  template <int A2>
  VOUCH_INLINE Packed8<P, A2> assume() const {  // the caller knows the bound
    Packed8<P, A2> r;
    for (int i = 0; i < 5; i++) r.limb[i] = limb[i];
    return r;
  }

  // Below 2p. The estimate of the quotient from the top limb is never above it and at most 1 below.
  VOUCH_INLINE Packed8<P, 2> reduce() const {
    return subtract_multiple<2>(
        _mm512_srli_epi64(madd_hi(_mm512_setzero_si512(), limb[4], splat(C::quotient_factor)), 40), limb);
  }
  // x - q p, known to be in [0, B p).
  template <int B>
  static VOUCH_INLINE Packed8<P, B> subtract_multiple(V q, const V (&x)[5]) {
    Loose8<P, 0, B> r;
    r.limb[0] = madd_lo(x[0], q, splat(C::minus_p.limb[0]));
    for (int i = 1; i < 5; i++) {
      r.limb[i] = madd_lo(x[i], q, splat(C::minus_p.limb[i]));
      r.limb[i] = madd_hi(r.limb[i], q, splat(C::minus_p.limb[i - 1]));
    }
    Packed8<P, B> t = r.tight();
    t.limb[4] = _mm512_and_si512(t.limb[4], splat(mask52));
    return t;
  }
  // Below p: the one representative that is stored.
  VOUCH_INLINE Packed8<P, 1> canonical() const {
    if constexpr (A > 2) {
      return reduce().canonical();
    } else {
      const V m = splat(mask52);
      V d[5], carry = _mm512_setzero_si512();
      for (int i = 0; i < 5; i++) {
        const V t = _mm512_add_epi64(_mm512_sub_epi64(limb[i], splat(C::p.limb[i])), carry);
        carry = _mm512_srai_epi64(t, 52);
        d[i] = _mm512_and_si512(t, m);
      }
      const __mmask8 below = _mm512_movepi64_mask(carry);  // the value was below p: keep it
      Packed8<P, 1> r;
      for (int i = 0; i < 5; i++) r.limb[i] = _mm512_mask_mov_epi64(d[i], below, limb[i]);
      return r;
    }
  }
  // value / 16 mod p, below (A + 16) p / 16: x 2^260 becomes x 2^256, the form in memory.
  VOUCH_INLINE Packed8<P, (A + 31) / 16> divide_by_16() const {
    const V zero = _mm512_setzero_si512();
    const V q = _mm512_and_si512(madd_lo(zero, limb[0], splat(C::neg_inv)), splat(15));
    Loose8<P, 0, A + 16> s;
    s.limb[0] = madd_lo(limb[0], q, splat(C::p.limb[0]));
    for (int i = 1; i < 5; i++) {
      s.limb[i] = madd_lo(limb[i], q, splat(C::p.limb[i]));
      s.limb[i] = madd_hi(s.limb[i], q, splat(C::p.limb[i - 1]));
    }
    const auto t = s.tight();
    Packed8<P, (A + 31) / 16> r;
    for (int i = 0; i < 4; i++)
      r.limb[i] = _mm512_and_si512(
          _mm512_or_si512(_mm512_srli_epi64(t.limb[i], 4), _mm512_slli_epi64(t.limb[i + 1], 48)),
          splat(mask52));
    r.limb[4] = _mm512_srli_epi64(t.limb[4], 4);
    return r;
  }
  VOUCH_INLINE __mmask8 is_zero_mask() const {  // lanes whose limbs are all zero; a test for zero if A == 1
    V any = limb[0];
    for (int i = 1; i < 5; i++) any = _mm512_or_si512(any, limb[i]);
    return _mm512_testn_epi64_mask(any, any);
  }
};

template <class P, int B, int A>
VOUCH_INLINE Loose8<P, B, A>::Loose8(const Packed8<P, A>& x) {
  static_assert(B == 0);
  for (int i = 0; i < 5; i++) limb[i] = x.limb[i];
}

template <class P, int B, int A>
VOUCH_INLINE Packed8<P, A + B> Loose8<P, B, A>::tight() const {
  constexpr Limbs52 lift = Limbs52::multiple(Prime<P>::modulus, B);
  const V m = splat(mask52);
  Packed8<P, A + B> r;
  V carry = _mm512_setzero_si512();
  for (int i = 0; i < 5; i++) {
    V t = limb[i];
    if (B > 0) t = _mm512_add_epi64(t, splat(lift.limb[i]));
    if (i > 0) t = _mm512_add_epi64(t, carry);
    if (i < 4) {
      carry = _mm512_srai_epi64(t, 52);
      t = _mm512_and_si512(t, m);
    }
    r.limb[i] = t;
  }
  return r;
}

template <class P, int B1, int A1, int B2, int A2>
VOUCH_INLINE Loose8<P, B1 + B2, A1 + A2> operator+(const Loose8<P, B1, A1>& a, const Loose8<P, B2, A2>& b) {
  Loose8<P, B1 + B2, A1 + A2> r;
  for (int i = 0; i < 5; i++) r.limb[i] = _mm512_add_epi64(a.limb[i], b.limb[i]);
  return r;
}
template <class P, int B1, int A1, int B2, int A2>
VOUCH_INLINE Loose8<P, B1 + A2, A1 + B2> operator-(const Loose8<P, B1, A1>& a, const Loose8<P, B2, A2>& b) {
  Loose8<P, B1 + A2, A1 + B2> r;
  for (int i = 0; i < 5; i++) r.limb[i] = _mm512_sub_epi64(a.limb[i], b.limb[i]);
  return r;
}
template <class P, int A>
VOUCH_INLINE Loose8<P, 0, A> loose(const Packed8<P, A>& x) {
  return x;
}

// Montgomery's reduction of the lower five of a product's ten columns, each of which must carry 2^52 - 1 on
// top: column i plus q p_0 is 0 mod 2^52, so what it carries on is column i over 2^52 rounded up, and that
// needs no product. Every column stays below 21 * 2^52, and the result below ab / 2^260 + p.
template <class P, int Bound>
VOUCH_INLINE Loose8<P, 0, Bound> reduce_columns(V (&c)[10]) {
  using C = Constants52<P>;
  for (int i = 0; i < 5; i++) {
    const V q = madd_lo(splat(C::neg_inv), c[i], splat(C::neg_inv));  // (c[i] - (2^52 - 1)) neg_inv mod 2^52
    c[i + 1] = _mm512_add_epi64(c[i + 1], _mm512_srli_epi64(c[i], 52));
    c[i + 1] = madd_hi(c[i + 1], q, splat(C::p.limb[0]));
    c[i + 1] = madd_lo(c[i + 1], q, splat(C::p.limb[1]));
    for (int j = 2; j < 5; j++) {
      c[i + j] = madd_hi(c[i + j], q, splat(C::p.limb[j - 1]));
      c[i + j] = madd_lo(c[i + j], q, splat(C::p.limb[j]));
    }
    c[i + 5] = madd_hi(c[i + 5], q, splat(C::p.limb[4]));
  }
  Loose8<P, 0, Bound> r;
  for (int i = 0; i < 5; i++) r.limb[i] = c[i + 5];
  return r;
}

// a b / 2^260. The second form takes a factor that is the same in every lane, from memory.
template <class P, int A, class LimbOf>
VOUCH_INLINE void product_columns(V (&c)[10], const Packed8<P, A>& a, LimbOf b) {
  for (int i = 0; i < 10; i++) c[i] = i < 5 ? splat(mask52) : _mm512_setzero_si512();
  for (int i = 0; i < 5; i++) {
    const V bi = b(i);
    for (int j = 0; j < 5; j++) c[i + j] = madd_lo(c[i + j], a.limb[j], bi);
    for (int j = 0; j < 5; j++) c[i + j + 1] = madd_hi(c[i + j + 1], a.limb[j], bi);
  }
}
template <class P, int A1, int A2>
VOUCH_INLINE auto mul(const Packed8<P, A1>& a, const Packed8<P, A2>& b) {
  V c[10];
  product_columns(c, a, [&](int i) { return b.limb[i]; });
  return reduce_columns<P, (A1 * A2 + Constants52<P>::capacity - 1) / Constants52<P>::capacity + 1>(c);
}
template <class P, int A>
VOUCH_INLINE auto mul(const Packed8<P, A>& a, const Limbs52& b) {  // b < p
  V c[10];
  product_columns(c, a, [&](int i) { return splat(b.limb[i]); });
  return reduce_columns<P, 2>(c);
}
template <class P, int A>
VOUCH_INLINE auto sqr(const Packed8<P, A>& a) {
  V c[10];
  for (int i = 0; i < 10; i++) c[i] = i == 0 ? splat(mask52) : _mm512_setzero_si512();
  for (int i = 0; i < 5; i++) {
    for (int j = i + 1; j < 5; j++) {
      c[i + j] = madd_lo(c[i + j], a.limb[i], a.limb[j]);
      c[i + j + 1] = madd_hi(c[i + j + 1], a.limb[i], a.limb[j]);
    }
  }
  for (int k = 1; k < 9; k++) c[k] = _mm512_add_epi64(c[k], c[k]);
  for (int k = 1; k < 5; k++) c[k] = _mm512_add_epi64(c[k], splat(mask52));
  for (int i = 0; i < 5; i++) {
    c[2 * i] = madd_lo(c[2 * i], a.limb[i], a.limb[i]);
    c[2 * i + 1] = madd_hi(c[2 * i + 1], a.limb[i], a.limb[i]);
  }
  return reduce_columns<P, (A * A + Constants52<P>::capacity - 1) / Constants52<P>::capacity + 1>(c);
}

// Between memory (four 64-bit limbs an element) and one vector per limb.
//
// Eight elements in a row. Lanes hold elements 0 2 1 3 4 6 5 7: the order that needs the fewest shuffles.
VOUCH_INLINE void load_row(V (&x)[4], const void* p) {
  const V* z = static_cast<const V*>(p);
  const V z0 = _mm512_loadu_si512(z), z1 = _mm512_loadu_si512(z + 1);
  const V z2 = _mm512_loadu_si512(z + 2), z3 = _mm512_loadu_si512(z + 3);
  const V a = _mm512_unpacklo_epi64(z0, z1), b = _mm512_unpacklo_epi64(z2, z3);
  const V c = _mm512_unpackhi_epi64(z0, z1), d = _mm512_unpackhi_epi64(z2, z3);
  x[0] = _mm512_shuffle_i64x2(a, b, 0x88);
  x[1] = _mm512_shuffle_i64x2(c, d, 0x88);
  x[2] = _mm512_shuffle_i64x2(a, b, 0xdd);
  x[3] = _mm512_shuffle_i64x2(c, d, 0xdd);
}
VOUCH_INLINE void store_row(void* p, const V (&x)[4]) {
  V* z = static_cast<V*>(p);
  const V low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
          high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
  const V a = _mm512_unpacklo_epi64(x[0], x[1]), b = _mm512_unpackhi_epi64(x[0], x[1]);
  const V c = _mm512_unpacklo_epi64(x[2], x[3]), d = _mm512_unpackhi_epi64(x[2], x[3]);
  _mm512_storeu_si512(z, _mm512_permutex2var_epi64(a, low, c));
  _mm512_storeu_si512(z + 1, _mm512_permutex2var_epi64(b, low, d));
  _mm512_storeu_si512(z + 2, _mm512_permutex2var_epi64(a, high, c));
  _mm512_storeu_si512(z + 3, _mm512_permutex2var_epi64(b, high, d));
}

// A 4 x 4 transposition of 128-bit pieces: out k holds piece k of in 0, 1, 2, 3.
VOUCH_INLINE void transpose_pieces(V (&out)[4], V i0, V i1, V i2, V i3) {
  const V a = _mm512_shuffle_i64x2(i0, i1, 0x88), b = _mm512_shuffle_i64x2(i2, i3, 0x88);
  const V c = _mm512_shuffle_i64x2(i0, i1, 0xdd), d = _mm512_shuffle_i64x2(i2, i3, 0xdd);
  out[0] = _mm512_shuffle_i64x2(a, b, 0x88);
  out[1] = _mm512_shuffle_i64x2(c, d, 0x88);
  out[2] = _mm512_shuffle_i64x2(a, b, 0xdd);
  out[3] = _mm512_shuffle_i64x2(c, d, 0xdd);
}
// Two elements in a row at each of eight addresses: address k in lane k, the first elements in x and the
// second in y.
template <class AddressOf>
VOUCH_INLINE void load_pairs(V (&x)[4], V (&y)[4], AddressOf at) {
  V lo[4], hi[4], t[4];
  for (int i = 0; i < 4; i++) {
    const V a = _mm512_loadu_si512(at(2 * i)), b = _mm512_loadu_si512(at(2 * i + 1));
    lo[i] = _mm512_unpacklo_epi64(a, b);
    hi[i] = _mm512_unpackhi_epi64(a, b);
  }
  transpose_pieces(t, lo[0], lo[1], lo[2], lo[3]);
  x[0] = t[0], x[2] = t[1], y[0] = t[2], y[2] = t[3];
  transpose_pieces(t, hi[0], hi[1], hi[2], hi[3]);
  x[1] = t[0], x[3] = t[1], y[1] = t[2], y[3] = t[3];
}
template <class AddressOf>
VOUCH_INLINE void store_pairs(AddressOf at, const V (&x)[4], const V (&y)[4]) {
  V t[4];
  transpose_pieces(t, _mm512_unpacklo_epi64(x[0], x[1]), _mm512_unpacklo_epi64(x[2], x[3]),
                   _mm512_unpacklo_epi64(y[0], y[1]), _mm512_unpacklo_epi64(y[2], y[3]));
  for (int i = 0; i < 4; i++) _mm512_storeu_si512(at(2 * i), t[i]);
  transpose_pieces(t, _mm512_unpackhi_epi64(x[0], x[1]), _mm512_unpackhi_epi64(x[2], x[3]),
                   _mm512_unpackhi_epi64(y[0], y[1]), _mm512_unpackhi_epi64(y[2], y[3]));
  for (int i = 0; i < 4; i++) _mm512_storeu_si512(at(2 * i + 1), t[i]);
}
// One element at each of eight addresses, address k in lane k; reads and writes 32 bytes at each.
template <class AddressOf>
VOUCH_INLINE void load_lanes(V (&x)[4], AddressOf at) {
  const auto piece = [&](int k) {
    const void* p = at(k);
    return _mm256_loadu_si256(static_cast<const __m256i*>(p));
  };
  V z[4];
  for (int i = 0; i < 4; i++)
    z[i] = _mm512_inserti64x4(_mm512_castsi256_si512(piece(2 * i)), piece(2 * i + 1), 1);
  const V a = _mm512_unpacklo_epi64(z[0], z[1]), b = _mm512_unpacklo_epi64(z[2], z[3]);
  const V c = _mm512_unpackhi_epi64(z[0], z[1]), d = _mm512_unpackhi_epi64(z[2], z[3]);
  const V low = _mm512_setr_epi64(0, 4, 1, 5, 8, 12, 9, 13),
          high = _mm512_setr_epi64(2, 6, 3, 7, 10, 14, 11, 15);
  x[0] = _mm512_permutex2var_epi64(a, low, b);
  x[1] = _mm512_permutex2var_epi64(c, low, d);
  x[2] = _mm512_permutex2var_epi64(a, high, b);
  x[3] = _mm512_permutex2var_epi64(c, high, d);
}
template <class AddressOf>
VOUCH_INLINE void store_lanes(AddressOf at, const V (&x)[4]) {
  V t[4];
  const auto put = [&](int k, __m256i piece) {
    void* p = at(k);
    _mm256_storeu_si256(static_cast<__m256i*>(p), piece);
  };
  const V e0 = _mm512_unpacklo_epi64(x[0], x[1]), e1 = _mm512_unpacklo_epi64(x[2], x[3]);
  const V o0 = _mm512_unpackhi_epi64(x[0], x[1]), o1 = _mm512_unpackhi_epi64(x[2], x[3]);
  const V low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
          high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
  t[0] = _mm512_permutex2var_epi64(e0, low, e1), t[1] = _mm512_permutex2var_epi64(o0, low, o1);
  t[2] = _mm512_permutex2var_epi64(e0, high, e1), t[3] = _mm512_permutex2var_epi64(o0, high, o1);
  for (int half = 0; half < 2; half++)
    for (int odd = 0; odd < 2; odd++) {
      put(4 * half + odd, _mm512_castsi512_si256(t[2 * half + odd]));
      put(4 * half + odd + 2, _mm512_extracti64x4_epi64(t[2 * half + odd], 1));
    }
}

}  // namespace vouch::ifma
VOUCH_TARGET_END

#endif  // __x86_64__
