// Integers mod P in double-precision fused multiply-add, 4 at a time with AVX2 and 8 with AVX-512: for
// processors without 52-bit integer multiply-add (ifma.h).
//
// A number is five limbs of 51 bits, signed whole numbers held in doubles: x = sum of limb[i] 2^(51 i). "Of
// size L" says |limb[i]| <= L 2^50 for i < 4; size 1 is "digits". The Montgomery radix is 2^255.
//
// A product of limbs takes two fused operations. With C1 = 1.5 2^103, whose neighbours are 2^51 apart,
//   hi = fma(a, b, C1)              is C1 + m 2^51 for a whole number m: a b rounded to a multiple of 2^51;
//   lo = fma(a, b, (C1 + C2) - hi)  is C2 + (a b - m 2^51), C2 = 1.5 2^52, whose neighbours are 1 apart.
// Both are exact as long as |a b| <= 2^102: then hi is in [2^103, 2^104], |a b - m 2^51| <= 2^50, and the
// subtraction is of multiples of 2^51 below 2^103. Taken as integers, the doubles' bits are those of C1 plus
// m and those of C2 plus the rest, so columns are summed by 64-bit integer additions, and start from what
// takes the constants off again. So factors' sizes may multiply to 4. Nothing is ever rounded away; what is
// needed is the rounding mode that every program starts in, to the nearest.
//
// The text is in fma_text.h. Call fma_avx2 from functions inside a VOUCH_TARGET_AVX2_FMA region only, after
// cpu_features() has avx2, fma, bmi2 and adx.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "vouch/core/simd.h"
#include "vouch/field/prime.h"

#if defined(__x86_64__)
#define VOUCH_HAS_FMA 1
#define VOUCH_TARGET_AVX2_FMA "avx2,fma,bmi2,adx"
#define VOUCH_TARGET_AVX512_FMA "avx512f,avx512cd,avx512bw,avx512dq,avx512vl,avx2,fma,bmi2,adx,prfchw"

namespace vouch::fma {

inline constexpr u64 mask51 = (u64(1) << 51) - 1;
inline constexpr double c1 = 0x1.8p103, c2 = 0x1.8p52, c12 = c1 + c2;
static_assert(c12 - c1 == c2);
inline constexpr double unit = 0x1p52;  // unit + n has the bits of unit, plus n, for whole n in [0, 2^52)

constexpr u64 bits_of(double x) {
  return std::bit_cast<u64>(x);
}

// Five limbs of 51 bits, each from 0 to 2^51 - 1.
struct Limbs51 {
  u64 limb[5];
  static constexpr Limbs51 of(const UInt<4>& x) {
    const auto& l = x.limb;
    return {{l[0] & mask51, (l[0] >> 51 | l[1] << 13) & mask51, (l[1] >> 38 | l[2] << 26) & mask51,
             (l[2] >> 25 | l[3] << 39) & mask51, l[3] >> 12}};
  }
};

// The same number in digits.
struct Digits51 {
  double limb[5];
  static constexpr Digits51 of(const UInt<4>& x) {
    const Limbs51 u = Limbs51::of(x);
    Digits51 r{};
    u64 carry = 0;
    for (int i = 0; i < 5; i++) {
      const u64 t = u.limb[i] + carry;
      carry = i < 4 && t > (u64(1) << 50);
      r.limb[i] = carry ? -double((u64(1) << 51) - t) : double(t);
    }
    return r;
  }
  // Of the representative of x mod p nearest to zero.
  static constexpr Digits51 centred(const UInt<4>& x, const UInt<4>& p) {
    UInt<4> minus = p;
    sub(minus, x);
    if (x < minus) return of(x);
    Digits51 r = of(minus);
    for (double& l : r.limb) l = -l;
    return r;
  }
};

template <class P>
struct Constants51 {
  using F = Prime<P>;
  static_assert(F::limbs == 4 && F::spare_bits == 2);
  static constexpr Digits51 p = Digits51::of(F::modulus);
  // -1 / p mod 2^51, nearest to zero.
  static constexpr double derive_neg_inv() {
    const u64 x = F::neg_inv & mask51;
    return x > (u64(1) << 50) ? -double((u64(1) << 51) - x) : double(x);
  }
  static constexpr double neg_inv = derive_neg_inv();
  // Turns a top limb into the quotient by p. With limbs of size 8 below it, off by less than 2^-40.
  static constexpr double per_p = 1 / double(F::modulus.limb[3] >> 12);

  // So that limb + 2^51 - 1 + digit is from 0 to 2^52 - 1 (join in fma_text.h).
  static_assert(std::max({p.limb[0], p.limb[1], p.limb[2], p.limb[3]}) < 0x1p50 &&
                std::min({p.limb[0], p.limb[1], p.limb[2], p.limb[3]}) > -0x1p50);

  // A row of the reduction adds q p to make its lowest column a multiple of 2^51. The column's digit d is
  // taken from [-2^50, 2^50), and lo(q p[0]) = -d is not computed, only hi. That is right unless d = -2^50,
  // where both roundings, of q and of hi, are ties, which go to even m. Then q = 2^50 or -2^50, and which of
  // them decides whether lo(q p[0]) is 2^50, as it must be. An anchor with an odd m turns q's tie around.
  static constexpr std::int64_t nearest_even_half(std::int64_t odd) {  // odd / 2
    const std::int64_t floor = (odd - 1) / 2;
    return odd > 0 ? floor + (floor & 1) : -nearest_even_half(-odd);
  }
  static constexpr double derive_q_anchor() {
    const std::int64_t n = -std::int64_t(neg_inv);             // (d neg_inv) / 2^50
    const std::int64_t q = n - 2 * nearest_even_half(n);       // q / 2^50, with an even anchor
    const std::int64_t product = q * std::int64_t(p.limb[0]);  // q p[0] / 2^50
    const std::int64_t lo = product - 2 * nearest_even_half(product);
    return lo == 1 ? c1 : c1 + 0x1p51;
  }
  static constexpr double q_anchor = derive_q_anchor();
};

// What columns 0 to 9 of a product start from. Bits of the constants, for every product that will be added:
// `times` products of all limbs with all limbs, or a square, and the reduction's. Then 2^60, so that columns,
// below 2^57 in size, are never negative, and 2^50, so that shifting by 51 bits rounds to the nearest; each
// column takes back what the one below hands on of its 2^60.
enum class Columns { product, two_products, square };
constexpr u64 column_start(Columns kind, int k) {
  u64 lo = 0, hi = 0;
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++) {
      const u64 times = kind == Columns::two_products ? 2 : kind == Columns::square ? i <= j : 1;
      if (i + j == k) lo += times + (j > 0);
      if (i + j + 1 == k) hi += times + 1;
    }
  const u64 bias = (k < 9 ? (u64(1) << 60) + (u64(1) << 50) : 0) - (k > 0 ? u64(1) << 9 : 0);
  return bias - lo * bits_of(c2) - hi * bits_of(c1);
}

}  // namespace vouch::fma

VOUCH_TARGET_BEGIN(VOUCH_TARGET_AVX2_FMA)
namespace vouch::fma_avx2 {

using D = __m256d;
using V = __m256i;
inline constexpr int lanes = 4;

VOUCH_INLINE D splat(double x) {
  return _mm256_set1_pd(x);
}
VOUCH_INLINE V splat(u64 x) {
  return _mm256_set1_epi64x(static_cast<long long>(x));
}
VOUCH_INLINE D fma(D a, D b, D c) {  // a b + c
  return _mm256_fmadd_pd(a, b, c);
}
VOUCH_INLINE D fms(D a, D b, D c) {  // a b - c
  return _mm256_fmsub_pd(a, b, c);
}
VOUCH_INLINE D fnma(D a, D b, D c) {  // c - a b
  return _mm256_fnmadd_pd(a, b, c);
}
VOUCH_INLINE D add(D a, D b) {
  return _mm256_add_pd(a, b);
}
VOUCH_INLINE D sub(D a, D b) {
  return _mm256_sub_pd(a, b);
}
VOUCH_INLINE V add(V a, V b) {
  return _mm256_add_epi64(a, b);
}
VOUCH_INLINE V bits(D a) {
  return _mm256_castpd_si256(a);
}
VOUCH_INLINE D as_double(V a) {
  return _mm256_castsi256_pd(a);
}
template <int n>
VOUCH_INLINE V shift_right(V a) {
  return _mm256_srli_epi64(a, n);
}
template <int n>
VOUCH_INLINE V shift_left(V a) {
  return _mm256_slli_epi64(a, n);
}
VOUCH_INLINE V either(V a, V b) {
  return _mm256_or_si256(a, b);
}
VOUCH_INLINE V both(V a, V b) {
  return _mm256_and_si256(a, b);
}
VOUCH_INLINE V masked_either(V a, V m, V b) {  // (a & m) | b
  return either(both(a, m), b);
}
VOUCH_INLINE unsigned equal_lanes(D a, D b) {
  return unsigned(_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_EQ_OQ)));
}
// Lane k of a where bit k of m is set, else of b.
VOUCH_INLINE D choose(unsigned m, D a, D b) {
  const V bit = _mm256_setr_epi64x(1, 2, 4, 8);
  const V chosen = _mm256_cmpeq_epi64(_mm256_and_si256(splat(u64(m)), bit), bit);
  return _mm256_blendv_pd(b, a, _mm256_castsi256_pd(chosen));
}
// The sign bits of four integers, as those of doubles; and numbers with the signs turned where they are set.
VOUCH_INLINE D signs_of(const u32* x) {
  const V wide = _mm256_cvtepi32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x)));
  return _mm256_and_pd(_mm256_castsi256_pd(wide), splat(-0.0));
}
VOUCH_INLINE D flip(D a, D signs) {
  return _mm256_xor_pd(a, signs);
}
// All ones in lanes that are zero; and a without the bits of m.
VOUCH_INLINE V zero_lanes(V a) {
  return _mm256_cmpeq_epi64(a, _mm256_setzero_si256());
}
VOUCH_INLINE V without(V a, V m) {
  return _mm256_andnot_si256(m, a);
}
// a where m, as a signed integer, is negative, else b.
VOUCH_INLINE D where_negative(V m, D a, D b) {
  return _mm256_blendv_pd(b, a, _mm256_castsi256_pd(m));
}
// Four 32-byte rows of words, to one vector per word, and back.
template <class RowOf>
VOUCH_INLINE void load_columns(V (&w)[4], RowOf row) {
  const auto piece = [&](int k, int half) {
    const void* p = row(k);
    return _mm_loadu_si128(static_cast<const __m128i*>(p) + half);
  };
  for (int half = 0; half < 2; half++) {
    const V even = _mm256_inserti128_si256(_mm256_castsi128_si256(piece(0, half)), piece(2, half), 1);
    const V odd = _mm256_inserti128_si256(_mm256_castsi128_si256(piece(1, half)), piece(3, half), 1);
    w[2 * half] = _mm256_unpacklo_epi64(even, odd);
    w[2 * half + 1] = _mm256_unpackhi_epi64(even, odd);
  }
}
template <class RowOf>
VOUCH_INLINE void store_columns(RowOf row, const V (&w)[4]) {
  const V low01 = _mm256_unpacklo_epi64(w[0], w[1]), low13 = _mm256_unpackhi_epi64(w[0], w[1]);
  const V high01 = _mm256_unpacklo_epi64(w[2], w[3]), high13 = _mm256_unpackhi_epi64(w[2], w[3]);
  const auto put = [&](int k, V v) {
    void* p = row(k);
    _mm256_storeu_si256(static_cast<V*>(p), v);
  };
  put(0, _mm256_permute2x128_si256(low01, high01, 0x20));
  put(1, _mm256_permute2x128_si256(low13, high13, 0x20));
  put(2, _mm256_permute2x128_si256(low01, high01, 0x31));
  put(3, _mm256_permute2x128_si256(low13, high13, 0x31));
}

#include "vouch/field/fma_text.h"

}  // namespace vouch::fma_avx2
VOUCH_TARGET_END

#endif  // __x86_64__
