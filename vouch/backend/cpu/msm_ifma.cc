// Levels of lists of points, 32 lists on G1 or 16 on G2 at a time.
//
// A pack is four vectors of eight lanes that are worked on in lockstep: a product on one vector waits for its
// own latencies two thirds of the time, on four it runs at the multiplier's rate. On G1 the vectors are
// different points; on G2 they are, in turn, the two coefficients of elements of Fq2.
#include "vouch/backend/cpu/msm_ifma.h"

#ifdef VOUCH_HAS_IFMA

#include "vouch/core/simd.h"

#define VOUCH_NOINLINE __attribute__((noinline))
// Loops over vectors stay loops: unrolled four times, a batch's code would not fit the instruction cache.
#define VOUCH_ROLLED _Pragma("GCC unroll 1")

VOUCH_TARGET_BEGIN(VOUCH_TARGET_IFMA)
namespace vouch::ifma_msm {
namespace {

using ifma::Limbs52;
using ifma::madd_hi;
using ifma::madd_lo;
using ifma::mask52;
using ifma::splat;
using ifma::V;
using Fq = Prime<Bn254FqParams, AdxArith>;
using Constants = ifma::Constants52<Bn254FqParams>;

template <int K>
inline constexpr Limbs52 multiple_of_p = Limbs52::multiple(Fq::modulus, K);
inline constexpr Limbs52 one_limbs = Limbs52::of(Fq(16).montgomery());  // 2^260 mod p

// Eight field elements. "Tight": limbs in [0, 2^52). "Loose": signed limbs. "Factor": tight if only the
// lowest 52 bits of each limb are looked at.
struct Vector {
  V limb[5];
};
// Factors of a product: the first below 20 p, the second below 2 p; with 2^260 > 84 p products are below 2 p,
// those of complex numbers as well (4 * 20 < 84).
inline constexpr int vectors = 4;
struct Pack {
  Vector v[vectors];
};

// Loose to tight, for values that are not negative.
VOUCH_INLINE Vector tight(Vector t) {
  for (int i = 0; i < 4; i++) {
    t.limb[i + 1] = _mm512_add_epi64(t.limb[i + 1], _mm512_srai_epi64(t.limb[i], 52));
    t.limb[i] = _mm512_and_si512(t.limb[i], splat(mask52));
  }
  return t;
}
// The same for factors, of which the multiplier reads the lowest 52 bits of a limb only.
VOUCH_INLINE Vector factor(Vector t) {
  for (int i = 0; i < 4; i++)
    t.limb[i + 1] = _mm512_add_epi64(t.limb[i + 1], _mm512_srai_epi64(t.limb[i], 52));
  return t;
}
VOUCH_INLINE Vector masked(Vector t) {  // a factor to tight
  for (int i = 0; i < 4; i++) t.limb[i] = _mm512_and_si512(t.limb[i], splat(mask52));
  return t;
}
// a + b + K p and a - b + K p.
template <int K>
VOUCH_INLINE Vector add_loose(const Vector& a, const Vector& b) {
  Vector r;
  for (int i = 0; i < 5; i++)
    r.limb[i] = _mm512_add_epi64(_mm512_add_epi64(a.limb[i], splat(multiple_of_p<K>.limb[i])), b.limb[i]);
  return r;
}
template <int K>
VOUCH_INLINE Vector sub_loose(const Vector& a, const Vector& b) {
  Vector r;
  for (int i = 0; i < 5; i++)
    r.limb[i] = _mm512_sub_epi64(_mm512_add_epi64(a.limb[i], splat(multiple_of_p<K>.limb[i])), b.limb[i]);
  return r;
}

// Loose, from 0 to 80 p, to tight below p + p / 2^40: the quotient estimated from the top limb is never above
// the true one, and below it only where the remainder is that small.
VOUCH_INLINE Vector reduce(const Vector& a) {
  Vector t = tight(a);
  const V estimate = madd_hi(_mm512_setzero_si512(), t.limb[4], splat(Constants::quotient_factor));
  const V q = _mm512_srli_epi64(estimate, 40);
  // minus_p is 2^260 - p; bit 260 is dropped below.
  t.limb[0] = madd_lo(t.limb[0], q, splat(Constants::minus_p.limb[0]));
  for (int i = 1; i < 5; i++) {
    t.limb[i] = madd_lo(t.limb[i], q, splat(Constants::minus_p.limb[i]));
    t.limb[i] = madd_hi(t.limb[i], q, splat(Constants::minus_p.limb[i - 1]));
  }
  t = tight(t);
  t.limb[4] = _mm512_and_si512(t.limb[4], splat(mask52));
  return t;
}

// Loose, from p to 80 p, to loose in [-p / 2^36, p + p / 2^36]: the same with nothing carried, but for
// the top limb, whose bit 260 is dropped with the sign kept.
VOUCH_INLINE Vector reduce_loosely(const Vector& a) {
  const V estimate = madd_hi(_mm512_setzero_si512(), a.limb[4], splat(Constants::quotient_factor));
  const V q = _mm512_srli_epi64(estimate, 40);
  Vector t;
  t.limb[0] = madd_lo(a.limb[0], q, splat(Constants::minus_p.limb[0]));
  for (int i = 1; i < 5; i++) {
    t.limb[i] = madd_lo(a.limb[i], q, splat(Constants::minus_p.limb[i]));
    t.limb[i] = madd_hi(t.limb[i], q, splat(Constants::minus_p.limb[i - 1]));
  }
  t.limb[4] = _mm512_srai_epi64(_mm512_slli_epi64(t.limb[4], 12), 12);
  return t;
}

// One row of Montgomery's reduction: q makes the lowest column vanish mod 2^52, and columns move down by one.
// The first five columns start from 2^52 - 1, so that shifting down the lowest one rounds up, as adding q
// times the lowest limb of p would: that product is not needed. Then the high halves of the row's products
// are added.
VOUCH_INLINE void add_q_low(V (&t)[5][vectors], V (&q)[vectors]) {
  for (int h = 0; h < vectors; h++)  // (column - (2^52 - 1)) neg_inv mod 2^52
    q[h] = madd_lo(splat(Constants::neg_inv), t[0][h], splat(Constants::neg_inv));
  for (int h = 0; h < vectors; h++) t[1][h] = _mm512_add_epi64(t[1][h], _mm512_srli_epi64(t[0][h], 52));
  for (int j = 1; j < 5; j++)
    for (int h = 0; h < vectors; h++) t[j - 1][h] = madd_lo(t[j][h], q[h], splat(Constants::p.limb[j]));
  for (int h = 0; h < vectors; h++) t[4][h] = _mm512_setzero_si512();
}
VOUCH_INLINE void add_q_high(V (&t)[5][vectors], const V (&q)[vectors]) {
  for (int j = 0; j < 5; j++)
    for (int h = 0; h < vectors; h++) t[j][h] = madd_hi(t[j][h], q[h], splat(Constants::p.limb[j]));
}
VOUCH_INLINE void start(V (&t)[5][vectors]) {
  for (int j = 0; j < 5; j++)
    for (int h = 0; h < vectors; h++) t[j][h] = splat(mask52);
}
// A product is a factor again, or loose: not negative, limbs below 2^57.
enum class Form { factor, loose };
template <Form form>
VOUCH_INLINE void finish(Pack& r, const V (&t)[5][vectors]) {
  for (int h = 0; h < vectors; h++) {
    for (int j = 0; j < 5; j++) r.v[h].limb[j] = t[j][h];
    if (form == Form::factor) r.v[h] = factor(r.v[h]);
  }
}

// Factors are read from memory where they are needed: the compiler would rather read them all at first, and
// then copy them to the stack, for want of registers.
VOUCH_INLINE void read_again() {
  __asm__ volatile("" ::: "memory");
}

// Vector by vector: a b / 2^260. Every column collects at most 20 products' halves of 52 bits.
// Not inlined: a product is 550 instructions, and six of them would crowd out the instruction cache. The
// result may take the place of a factor.
template <Form form>
VOUCH_NOINLINE void mul_vectors(Pack& r, const Pack& a, const Pack& b) {
  V t[5][vectors], q[vectors];
  start(t);
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) {
    for (int j = 0; j < 5; j++)
      for (int h = 0; h < vectors; h++) t[j][h] = madd_lo(t[j][h], a.v[h].limb[j], b.v[h].limb[i]);
    add_q_low(t, q);
    read_again();
    for (int j = 0; j < 5; j++)
      for (int h = 0; h < vectors; h++) t[j][h] = madd_hi(t[j][h], a.v[h].limb[j], b.v[h].limb[i]);
    add_q_high(t, q);
    read_again();
  }
  finish<form>(r, t);
}

// Pairs of vectors as c0 + c1 u, u^2 = -1: c0 = a0 b0 + a1 (2 p - b1), c1 = a0 b1 + a1 b0, each reduced once.
template <Form form>
VOUCH_NOINLINE void mul_complex(Pack& r, const Pack& a, const Pack& b) {
  V t[5][vectors], q[vectors], minus_b1[5][vectors];
  for (int h = 0; h < vectors; h += 2) {
    const Vector b1 = factor(sub_loose<2>(Vector{}, masked(b.v[h + 1])));
    for (int i = 0; i < 5; i++) minus_b1[i][h] = b1.limb[i];
  }
  start(t);
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) {
    for (int j = 0; j < 5; j++)
      for (int h = 0; h < vectors; h += 2) {
        t[j][h] = madd_lo(t[j][h], a.v[h].limb[j], b.v[h].limb[i]);
        t[j][h + 1] = madd_lo(t[j][h + 1], a.v[h].limb[j], b.v[h + 1].limb[i]);
        t[j][h] = madd_lo(t[j][h], a.v[h + 1].limb[j], minus_b1[i][h]);
        t[j][h + 1] = madd_lo(t[j][h + 1], a.v[h + 1].limb[j], b.v[h].limb[i]);
      }
    add_q_low(t, q);
    read_again();
    for (int j = 0; j < 5; j++)
      for (int h = 0; h < vectors; h += 2) {
        t[j][h] = madd_hi(t[j][h], a.v[h].limb[j], b.v[h].limb[i]);
        t[j][h + 1] = madd_hi(t[j][h + 1], a.v[h].limb[j], b.v[h + 1].limb[i]);
        t[j][h] = madd_hi(t[j][h], a.v[h + 1].limb[j], minus_b1[i][h]);
        t[j][h + 1] = madd_hi(t[j][h + 1], a.v[h + 1].limb[j], b.v[h].limb[i]);
      }
    add_q_high(t, q);
    read_again();
  }
  finish<form>(r, t);
}

// (c0 + c1 u)^2 = (c0 + c1)(c0 - c1) + 2 c0 c1 u, for coefficients below 4 p; loose.
VOUCH_INLINE void sqr_complex(Pack& r, const Pack& a) {
  Pack left, right;
  VOUCH_ROLLED
  for (int h = 0; h < vectors; h += 2) {
    const Vector c0 = masked(a.v[h]), c1 = masked(a.v[h + 1]);
    left.v[h] = factor(add_loose<0>(c0, c1));
    left.v[h + 1] = factor(add_loose<0>(c0, c0));
    right.v[h] = factor(sub_loose<4>(c0, c1));
    right.v[h + 1] = c1;
  }
  mul_vectors<Form::loose>(r, left, right);
}

// Limbs of eight values from their four 64-bit words, shifted left.
template <int shift>
VOUCH_INLINE void split(Vector& r, const V* w) {
  const V m = splat(mask52);
  r.limb[0] = _mm512_and_si512(_mm512_slli_epi64(w[0], shift), m);
  for (int i = 1; i < 4; i++) {
    const V low = _mm512_srli_epi64(w[i - 1], unsigned(64 - 12 * i - shift));
    const V high = _mm512_slli_epi64(w[i], unsigned(12 * i + shift));
    r.limb[i] = _mm512_and_si512(_mm512_or_si512(low, high), m);
  }
  r.limb[4] = _mm512_srli_epi64(w[3], 16 - shift);
}
VOUCH_INLINE void join(V* w, const Vector& a) {
  for (int i = 0; i < 4; i++)
    w[i] = _mm512_or_si512(_mm512_srli_epi64(a.limb[i], unsigned(12 * i)),
                           _mm512_slli_epi64(a.limb[i + 1], unsigned(52 - 12 * i)));
}

// Rows to columns of 8 x 8 words.
VOUCH_INLINE void transpose(V* r) {
  V u[8], s[8];
  for (int i = 0; i < 4; i++) {
    u[2 * i] = _mm512_unpacklo_epi64(r[2 * i], r[2 * i + 1]);      // words 0, 2, 4, 6 of two rows
    u[2 * i + 1] = _mm512_unpackhi_epi64(r[2 * i], r[2 * i + 1]);  // words 1, 3, 5, 7
  }
  for (int i = 0; i < 2;
       i++) {  // quarters 0 and 2 are words 0 and 4 (1 and 5), quarters 1 and 3 are 2 and 6 (3 and 7)
    for (int half = 0; half < 2; half++) {
      const V a = u[i + 4 * half], b = u[i + 4 * half + 2];
      s[4 * half + i] = _mm512_shuffle_i64x2(a, b, 0x88);
      s[4 * half + i + 2] = _mm512_shuffle_i64x2(a, b, 0xdd);
    }
  }
  for (int i = 0; i < 4; i++) {
    r[i] = _mm512_shuffle_i64x2(s[i], s[i + 4], 0x88);
    r[i + 4] = _mm512_shuffle_i64x2(s[i], s[i + 4], 0xdd);
  }
}

VOUCH_INLINE const u8* row(const u8* base, u32 ref, std::size_t bytes) {
  // Kept scalar: the compiler would mask eight refs in a vector, and take them out again through the busy
  // ports.
  __asm__("" : "+r"(ref));
  return base + std::size_t(ref & ~MsmDigits::negative) * bytes;
}

// The lanes of both groups; what differs follows.
//
// Sums are not brought below p at once. The first of the four levels adds loaded points (x below 4 p, y from
// -2 p to 2 p); its x are below 10 p. Later ones take these, or their own, which are close to [0, p]. y is a
// product less the y before: from -2 p to 4 p, -4 p to 4 p, -4 p to 6 p, -6 p to 6 p.
static_assert(MsmGroup::max_items <= 16);
struct CommonLanes {
  using Elem = Pack;
  using Mask = unsigned;
  struct Point {
    Pack x;  // loose; a source's is tight
    Pack y;  // loose
  };
  static VOUCH_INLINE Pack add(const Pack& a, const Pack& b) {  // of settled elements
    Pack r;
    for (int h = 0; h < vectors; h++) r.v[h] = tight(add_loose<0>(a.v[h], b.v[h]));
    return r;
  }
  static VOUCH_INLINE Pack sub(const Pack& a, const Pack& b) {  // of settled elements
    Pack r;
    VOUCH_ROLLED
    for (int h = 0; h < vectors; h++) r.v[h] = tight(sub_loose<2>(a.v[h], b.v[h]));
    return r;
  }
  // A difference of two x, as a factor; first: of loaded points.
  template <bool first>
  static VOUCH_INLINE void run(Pack& r, const Pack& a, const Pack& b) {
    VOUCH_ROLLED
    for (int h = 0; h < vectors; h++) r.v[h] = factor(sub_loose<first ? 4 : 10>(a.v[h], b.v[h]));
  }
  static VOUCH_INLINE Pack rise(const Pack& a, const Pack& b) {  // of y, as a factor
    Pack r;
    VOUCH_ROLLED
    for (int h = 0; h < vectors; h++) r.v[h] = factor(sub_loose<10>(a.v[h], b.v[h]));
    return r;
  }
  static VOUCH_INLINE const Point& as_sum(const Point& p) { return p; }
  // Close to [0, p], and tight.
  static Pack settle(const Pack& factors) {
    Pack r;
    for (int h = 0; h < vectors; h++) r.v[h] = reduce(masked(factors.v[h]));
    return r;
  }
  static VOUCH_INLINE Point settle(const Point& p) {
    Point r;
    VOUCH_ROLLED
    for (int h = 0; h < vectors; h++) {
      r.x.v[h] = reduce(add_loose<1>(p.x.v[h], Vector{}));
      r.y.v[h] = reduce(add_loose<8>(p.y.v[h], Vector{}));
    }
    return r;
  }
};

// Lanes whose value is a multiple of p, for tight values below 80 p. The exact test, for the few lanes that
// pass the quick one.
inline unsigned exact_zero_lanes(const Vector& a) {
  const Vector r = reduce(a);
  unsigned zero = 0xff, modulus = 0xff;
  for (int i = 0; i < 5; i++) {
    zero &= _mm512_testn_epi64_mask(r.limb[i], r.limb[i]);
    modulus &= _mm512_cmpeq_epi64_mask(r.limb[i], splat(Constants::p.limb[i]));
  }
  return zero | modulus;
}
// coordinates: of an element of the curve's field, 1 on G1 and 2 on G2.
template <class C, int coordinates>
struct Lanes : CommonLanes {
  using Field = typename C::Field;
  static constexpr bool complex = coordinates == 2;
  static constexpr int groups = vectors / coordinates;  // of eight points
  static constexpr std::size_t width = 8 * groups, bytes = 64 * coordinates;

  using Ahead = MsmAhead<width, bytes>;
  static VOUCH_INLINE void mul(Pack& r, const Pack& a, const Pack& b, Ahead& ahead) {
    ahead.fetch();
    mul(r, a, b);
  }
  static VOUCH_INLINE void mul(Pack& r, const Pack& a, const Pack& b) { multiply<Form::factor>(r, a, b); }
  template <Form form>
  static VOUCH_INLINE void multiply(Pack& r, const Pack& a, const Pack& b) {
    if constexpr (complex)
      mul_complex<form>(r, a, b);
    else
      mul_vectors<form>(r, a, b);
  }
  static VOUCH_INLINE void sqr(Pack& r, const Pack& a) {  // loose
    if constexpr (complex)
      sqr_complex(r, a);
    else
      mul_vectors<Form::loose>(r, a, a);
  }
  static Pack one() {
    Pack r;
    for (int i = 0; i < 5; i++)
      for (int h = 0; h < vectors; h++)
        r.v[h].limb[i] = complex && h % 2 == 1 ? _mm512_setzero_si512() : splat(one_limbs.limb[i]);
    return r;
  }
  // A mask has one bit per point; both coefficients of a complex number obey the same.
  static VOUCH_INLINE __mmask8 lanes_of(Mask m, int h) { return __mmask8(m >> (8 * (h / coordinates))); }
  static VOUCH_INLINE Mask join_masks(const unsigned (&m)[vectors]) {
    if constexpr (complex) return (m[0] & m[1]) | (m[2] & m[3]) << 8;
    return m[0] | m[1] << 8 | m[2] << 16 | m[3] << 24;
  }

  static Mask vanishing(const Pack& factors) {
    Pack r;
    for (int h = 0; h < vectors; h++) r.v[h] = masked(factors.v[h]);
    return is_zero_exact(r);
  }
  static Mask is_zero_exact(const Pack& a) {
    unsigned zero[vectors];
    for (int h = 0; h < vectors; h++) zero[h] = exact_zero_lanes(a.v[h]);
    return join_masks(zero);
  }
  static Mask tangent(Mask same_x, const Point& p, const Point& q) {
    return same_x & is_zero_exact(sub(p.y, q.y)) & ~is_zero_exact(p.y);
  }
  static Pack select(Mask m, const Pack& a, const Pack& b) {
    Pack r;
    for (int i = 0; i < 5; i++)
      for (int h = 0; h < vectors; h++)
        r.v[h].limb[i] = _mm512_mask_mov_epi64(b.v[h].limb[i], lanes_of(m, h), a.v[h].limb[i]);
    return r;
  }
  static Point select(Mask m, const Point& a, const Point& b) {
    return {select(m, a.x, b.x), select(m, a.y, b.y)};
  }
  static Mask is_infinity(const Point& p) {
    unsigned zero[vectors];
    for (int h = 0; h < vectors; h++) {
      V any = _mm512_setzero_si512();
      for (int i = 0; i < 5; i++)
        any = _mm512_or_si512(any, _mm512_or_si512(p.x.v[h].limb[i], p.y.v[h].limb[i]));
      zero[h] = _mm512_testn_epi64_mask(any, any);
    }
    return join_masks(zero);
  }
  template <bool source>
  static VOUCH_INLINE Pack load_x(const u8* base, const u32* ref) {
    constexpr int shift = source ? 2 : 0;
    Pack x;
    VOUCH_ROLLED
    for (int g = 0; g < groups; g++) {
      V w[8];
      if constexpr (complex) {
        for (int k = 0; k < 8; k++) w[k] = _mm512_loadu_si512(row(base, ref[8 * g + k], bytes));
        transpose(w);
        split<shift>(x.v[2 * g], w);
        split<shift>(x.v[2 * g + 1], w + 4);
      } else {
        load_half_rows(w, base, ref + 8 * g);
        split<shift>(x.v[g], w);
      }
    }
    return x;
  }
  // The first four words of eight rows, as columns.
  static VOUCH_INLINE void load_half_rows(V* w, const u8* base, const u32* ref) {
    V r[4];
    for (int k = 0; k < 4; k++) {
      const auto* low = reinterpret_cast<const __m256i*>(row(base, ref[k], bytes));
      const auto* high = reinterpret_cast<const __m256i*>(row(base, ref[k + 4], bytes));
      r[k] = _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256(low)), _mm256_loadu_si256(high), 1);
    }
    const V even01 = _mm512_unpacklo_epi64(r[0], r[1]), odd01 = _mm512_unpackhi_epi64(r[0], r[1]);
    const V even23 = _mm512_unpacklo_epi64(r[2], r[3]), odd23 = _mm512_unpackhi_epi64(r[2], r[3]);
    const V first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13),
            second = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    w[0] = _mm512_permutex2var_epi64(even01, first, even23);
    w[1] = _mm512_permutex2var_epi64(odd01, first, odd23);
    w[2] = _mm512_permutex2var_epi64(even01, second, even23);
    w[3] = _mm512_permutex2var_epi64(odd01, second, odd23);
  }
  template <bool source>
  static VOUCH_INLINE Point load(const u8* base, const u32* ref) {
    constexpr int shift_x = source ? 2 : 0, shift_y = source ? 1 : 0;
    Point p;
    VOUCH_ROLLED
    for (int g = 0; g < groups; g++) {
      V w[8];
      for (int k = 0; k < 8; k++) w[k] = _mm512_loadu_si512(row(base, ref[8 * g + k], bytes));
      transpose(w);
      split<shift_x>(p.x.v[coordinates * g], w);
      if constexpr (complex) {
        split<shift_x>(p.x.v[2 * g + 1], w + 4);
        for (int k = 0; k < 8; k++) w[k] = _mm512_loadu_si512(row(base, ref[8 * g + k], bytes) + 64);
        transpose(w);
        split<shift_y>(p.y.v[2 * g], w);
      }
      split<shift_y>(p.y.v[coordinates * (g + 1) - 1], w + 4);
    }
    if constexpr (source) negate(p.y, ref);
    return p;
  }
  static VOUCH_INLINE void negate(Pack& y, const u32* ref) {
    VOUCH_ROLLED
    for (int h = 0; h < vectors; h++) {
      const auto* refs = reinterpret_cast<const __m256i*>(ref + 8 * (h / coordinates));
      const __mmask8 negative = _mm256_movepi32_mask(_mm256_loadu_si256(refs));
      for (int i = 0; i < 5; i++)
        y.v[h].limb[i] =
            _mm512_mask_sub_epi64(y.v[h].limb[i], negative, _mm512_setzero_si512(), y.v[h].limb[i]);
    }
  }
  // infinity: some lane may be all zeros, and is to stay so.
  static VOUCH_INLINE void store(u8* base, const u32* out, const Point& sum, bool infinity) {
    Point p = settle(sum);
    if (infinity) [[unlikely]]
      p = select(is_infinity(sum), Point{}, p);
    VOUCH_ROLLED
    for (int g = 0; g < groups; g++) {
      V w[8];
      join(w, p.x.v[coordinates * g]);
      join(w + 4, complex ? p.x.v[2 * g + 1] : p.y.v[g]);
      transpose(w);
      for (int k = 0; k < 8; k++) _mm512_store_si512(base + std::size_t(out[8 * g + k]) * bytes, w[k]);
      if constexpr (complex) {
        join(w, p.y.v[2 * g]);
        join(w + 4, p.y.v[2 * g + 1]);
        transpose(w);
        for (int k = 0; k < 8; k++) _mm512_store_si512(base + std::size_t(out[8 * g + k]) * bytes + 64, w[k]);
      }
    }
  }

  // The third point of the line of this slope through p and q, reflected; it may take the place of p. first:
  // p and q were loaded.
  template <bool first>
  static VOUCH_INLINE void third(Point& sum, const Pack& slope, const Point& p, const Point& q) {
    Pack square, back, product;
    sqr(square, slope);
    VOUCH_ROLLED
    for (int h = 0; h < vectors; h++) {
      const Vector x = p.x.v[h];
      // Less x and q.x, which are below 4 p or 10 p; a remainder of p is left to reduce.
      const Vector all = sub_loose<0>(sub_loose<first ? 8 : 21>(square.v[h], x), q.x.v[h]);
      sum.x.v[h] = first ? all : reduce_loosely(all);
      back.v[h] = factor(sub_loose<first ? 10 : 2>(x, sum.x.v[h]));
    }
    multiply<Form::loose>(product, back, slope);
    VOUCH_ROLLED
    for (int h = 0; h < vectors; h++) sum.y.v[h] = sub_loose<0>(product.v[h], p.y.v[h]);
  }

  // Groups are multiplied together, so that one vector of eight elements (two for complex numbers) is
  // inverted.
  static Pack invert(const Pack& a) {
    Pack others = swap_groups(a, coordinates), all;
    mul(all, a, others);
    if constexpr (groups == 4) {
      const Pack other_half = swap_groups(all, 2);
      mul(others, others, other_half);
      mul(all, all, other_half);
    }
    mul(all, invert_group(all), others);
    return all;
  }
  static Pack swap_groups(const Pack& a, int distance) {
    Pack r;
    for (int i = 0; i < 5; i++)
      for (int h = 0; h < vectors; h++) r.v[h].limb[i] = a.v[h ^ distance].limb[i];
    return r;
  }
  // The first group inverted, in every group. A lane holds a 2^260 = (16 a) 2^256, so ordinary arithmetic
  // sees 16 a, and 1 / a is to be handed back as 16 / a = 256 / (16 a).
  static Pack invert_group(const Pack& a) {
    alignas(64) u64 limb[5][coordinates][8];
    for (int h = 0; h < coordinates; h++) {
      const Vector v = masked(a.v[h]);
      for (int i = 0; i < 5; i++) _mm512_store_si512(limb[i][h], v.limb[i]);
    }
    invert_lanes(limb);
    Pack r;
    for (int i = 0; i < 5; i++)
      for (int h = 0; h < vectors; h++) r.v[h].limb[i] = _mm512_load_si512(limb[i][h % coordinates]);
    return r;
  }
  static void invert_lanes(u64 (&limb)[5][coordinates][8]) {
    Field value[8], prefix[8], product = Field::one();
    for (int k = 0; k < 8; k++) {
      Fq c[coordinates];
      for (int h = 0; h < coordinates; h++) {
        u64 l[5];
        for (int i = 0; i < 5; i++) l[i] = limb[i][h][k];
        const UInt<4> x{
            {l[0] | l[1] << 52, l[1] >> 12 | l[2] << 40, l[2] >> 24 | l[3] << 28, l[3] >> 36 | l[4] << 16}};
        c[h] = Fq::raw(x) * Fq::one();  // below 2 p becomes below p
      }
      std::memcpy(static_cast<void*>(&value[k]), c, sizeof c);
      prefix[k] = product;
      product *= value[k];
    }
    Field inverse = inverse_vartime(product) * Fq(256);
    for (int k = 8; k-- > 0;) {
      const Field one_over = inverse * prefix[k];
      inverse *= value[k];
      Fq c[coordinates];
      std::memcpy(static_cast<void*>(c), &one_over, sizeof c);
      for (int h = 0; h < coordinates; h++)
        for (int i = 0; i < 5; i++) limb[i][h][k] = Limbs52::of(c[h].montgomery()).limb[i];
    }
  }
};

#include "vouch/backend/cpu/msm_tree_text.h"

template <class C, bool source>
bool run(MsmStep& step) {
  static_assert(IfmaForm<C>::element_bytes == sizeof(Pack));
  return add_level<Lanes<C, IfmaForm<C>::coordinates>, source>(step);
}
template <class C>
void load_points(const u8* points, std::size_t count, void* scratch, std::size_t packs) {
  load_block<Lanes<C, IfmaForm<C>::coordinates>>(points, count, scratch, packs);
}
template <class C>
void double_points(void* scratch, std::size_t packs, int times, u8* work) {
  double_block<Lanes<C, IfmaForm<C>::coordinates>>(scratch, packs, times, work);
}

}  // namespace
}  // namespace vouch::ifma_msm
VOUCH_TARGET_END

namespace vouch {

template <class C>
template <bool source>
bool IfmaForm<C>::add_level(MsmStep& step) {
  return ifma_msm::run<C, source>(step);
}
template <class C>
void IfmaForm<C>::load_block(const u8* points, std::size_t count, void* scratch, std::size_t packs) {
  ifma_msm::load_points<C>(points, count, scratch, packs);
}
template <class C>
void IfmaForm<C>::double_block(void* scratch, std::size_t packs, int times, u8* work) {
  ifma_msm::double_points<C>(scratch, packs, times, work);
}
template struct IfmaForm<Bn254G1With<AdxArith>>;
template struct IfmaForm<Bn254G2With<AdxArith>>;
template bool IfmaG1::add_level<false>(MsmStep&);
template bool IfmaG1::add_level<true>(MsmStep&);
template bool IfmaG2::add_level<false>(MsmStep&);
template bool IfmaG2::add_level<true>(MsmStep&);

}  // namespace vouch

#endif  // VOUCH_HAS_IFMA
