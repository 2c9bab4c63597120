/* Multi-scalar multiplication: what does not depend on the group. See msm_group.inc.h for the rest.
 *
 * Scalars are cut into `used` signed digits of c bits, |digit| <= 2^(c-1). Digits of window w go to set w mod sets of
 * buckets, with the multiple 2^(c sets (w / sets)) of their point. Entries (digit; which point, and its sign) are sorted by
 * digit within each set by a radix sort from the lowest bits, every count of which belongs to one work-item: there is no
 * atomic operation, and neither the work nor its order depends on the digits. */
/* clang-format off */
#include "msm_params.h"
/* offset: 2^(c-1) in each window but the highest. Added to a scalar it makes every digit but the highest its window less 2^(c-1). */
typedef struct { u32 n; u32 offset[8]; } MsmRecodeParams;
/* The lattice of glv.h: k1 = k - c1 a1 - c2 a2, k2 = c1 b1 - c2 b2, c = round(k g / 2^256). */
typedef struct { u32 n; u32 offset[4]; u32 g1[5]; u32 g2[5]; u32 a1[4]; u32 b1[4]; u32 a2[4]; u32 b2[4]; } MsmSplitParams;
/* items: scalars or halves of scalars, of `words` words; per_set: windows of a set; n: scalars */
typedef struct { u32 items; u32 words; u32 c; u32 used; u32 sets; u32 per_set; u32 n; } MsmDigitParams;
typedef struct { u32 n; u32 per_group; } MsmScanParams;
/* size: entries of a set, cut into tiles; the bits that this pass sorts by start at shift */
typedef struct { u32 size; u32 tiles; u32 shift; u32 bits; u32 per_group; } MsmSortParams;
#define MSM_EACH 32u /* entries of a work-item */

GK_KERNEL_B(msm_recode, 256)(GK_IN(0, u32, scalars), GK_OUT(1, u32, out), GK_PARAMS(2, MsmRecodeParams, p) GK_ARGS_END) {
  GK_PHASE
    const u32 i = GK_GID_GROUP * GK_LSZ + lid;
    if (i < p.n) {
      u32 carry = 0u;
      GK_UNROLL for (u32 k = 0u; k < 8u; k++) { u32 s; GK_ADDC(s, scalars[(u64)i * 8u + k], p.offset[k], carry); out[(u64)i * 8u + k] = s; }
    }
  GK_PHASE_LAST_END
}

/* r += x y mod 2^128. */
GK_FN void msm_mul_add(GK_PRIVATE u32* r, GK_PRIVATE const u32* x, GK_PRIVATE const u32* y) {
  GK_UNROLL for (u32 a = 0u; a < 4u; a++) {
    u64 carry = 0u;
    GK_UNROLL for (u32 b = 0u; a + b < 4u; b++) { const u64 t = (u64)x[a] * y[b] + r[a + b] + carry; r[a + b] = (u32)t; carry = t >> 32; }
  }
}
/* round(k g / 2^256). */
GK_FN void msm_coefficient(GK_PRIVATE const u32* k, GK_PRIVATE const u32* g, GK_PRIVATE u32* c) {
  u32 t[13];
  GK_UNROLL for (u32 a = 0u; a < 13u; a++) t[a] = 0u;
  GK_UNROLL for (u32 a = 0u; a < 8u; a++) {
    u64 carry = 0u;
    GK_UNROLL for (u32 b = 0u; b < 5u; b++) { const u64 s = (u64)k[a] * g[b] + t[a + b] + carry; t[a + b] = (u32)s; carry = s >> 32; }
    t[a + 5u] = (u32)carry;
  }
  u32 up = t[7] >> 31;
  GK_UNROLL for (u32 a = 0u; a < 4u; a++) { const u64 s = (u64)t[8u + a] + up; c[a] = (u32)s; up = (u32)(s >> 32); }
}
/* Scalar i becomes its halves, four words each in two's complement, with the offset added. */
GK_KERNEL_B(msm_split, 256)(GK_IN(0, u32, scalars), GK_OUT(1, u32, out), GK_PARAMS(2, MsmSplitParams, p) GK_ARGS_END) {
  GK_PHASE
    const u32 i = GK_GID_GROUP * GK_LSZ + lid;
    if (i < p.n) {
      u32 k[8], g1[5], g2[5], c1[4], c2[4], a1[4], a2[4], b1[4], b2[4], k1[4], k2[4];
      GK_UNROLL for (u32 w = 0u; w < 8u; w++) k[w] = scalars[(u64)i * 8u + w];
      GK_UNROLL for (u32 w = 0u; w < 5u; w++) { g1[w] = p.g1[w]; g2[w] = p.g2[w]; }
      GK_UNROLL for (u32 w = 0u; w < 4u; w++) { a1[w] = p.a1[w]; a2[w] = p.a2[w]; b1[w] = p.b1[w]; b2[w] = p.b2[w]; k1[w] = 0u; k2[w] = 0u; }
      msm_coefficient(k, g1, c1);
      msm_coefficient(k, g2, c2);
      msm_mul_add(k1, c1, a1); msm_mul_add(k1, c2, a2);
      msm_mul_add(k2, c2, b2);
      u32 low = 0u, borrow = 0u, high[4], carry = 0u;
      GK_UNROLL for (u32 w = 0u; w < 4u; w++) high[w] = 0u;
      msm_mul_add(high, c1, b1);
      GK_UNROLL for (u32 w = 0u; w < 4u; w++) { u32 d; GK_SUBB(d, k[w], k1[w], low); k1[w] = d; }
      GK_UNROLL for (u32 w = 0u; w < 4u; w++) { u32 d; GK_SUBB(d, high[w], k2[w], borrow); k2[w] = d; }
      GK_UNROLL for (u32 w = 0u; w < 4u; w++) { u32 s; GK_ADDC(s, k1[w], p.offset[w], carry); out[(u64)i * 8u + w] = s; }
      carry = 0u;
      GK_UNROLL for (u32 w = 0u; w < 4u; w++) { u32 s; GK_ADDC(s, k2[w], p.offset[w], carry); out[(u64)i * 8u + 4u + w] = s; }
    }
  GK_PHASE_LAST_END
}

/* 32 bits from `bit` on of a number of `words` words in two's complement. */
GK_FN u32 msm_bits(GK_GLOBAL const u32* x, u64 at, u32 words, u32 bit) {
  const u32 word = bit >> 5, shift = bit & 31u, sign = 0u - (x[at + words - 1u] >> 31);
  const u32 lo = word < words ? x[at + word] : sign, hi = word + 1u < words ? x[at + word + 1u] : sign;
  return shift == 0u ? lo : ((lo >> shift) | (hi << (32u - shift)));
}
/* The entries of item m in every window: digits[] and values[] = which point * 2 + sign, a point of a half behind those of the other.
 * Windows that only fill a set hold zeros. */
GK_KERNEL_B(msm_digits, 256)(GK_IN(0, u32, recoded), GK_OUT(1, u32, digits), GK_OUT(2, u32, values), GK_PARAMS(3, MsmDigitParams, p) GK_ARGS_END) {
  GK_PHASE
    const u32 m = GK_GID_GROUP * GK_LSZ + lid;
    if (m < p.items) {
      const u32 halves = 8u / p.words, i = m / halves, side = m % halves, middle = 1u << (p.c - 1u);
      for (u32 j = 0u; j < p.per_set; j++)
        for (u32 s = 0u; s < p.sets; s++) {
          const u32 w = j * p.sets + s, at = (s * p.per_set + j) * p.items + m;
          u32 d = 0u;
          if (w < p.used) d = msm_bits(recoded, (u64)m * p.words, p.words, w * p.c);
          if (w + 1u < p.used) d = (d & (2u * middle - 1u)) - middle;
          const u32 negative = d >> 31;
          digits[at] = negative != 0u ? 0u - d : d;
          values[at] = (((side * p.per_set + j) * p.n + i) << 1) | negative;
        }
    }
  GK_PHASE_LAST_END
}

/* x[i] = 0 for i < n. */
GK_KERNEL_B(msm_zero, 256)(GK_OUT(0, u32, x), GK_PARAMS(1, MsmScanParams, p) GK_ARGS_END) {
  GK_PHASE
    const u32 i = GK_GID_GROUP * GK_LSZ + lid;
    if (i < p.n) x[i] = 0u;
  GK_PHASE_LAST_END
}

/* How often each value of this pass's bits occurs among a work-item's entries, and its place among them: two counts of 16 bits
 * in a word, a tile being at most 64 * 32 entries. A work-item's words lie in a column, so that its counts are its own; a row
 * is one longer than the group, against bank conflicts. */
GK_FN u32 msm_bin(u32 digit, u32 shift, u32 bits) { return (digit >> shift) & ((1u << bits) - 1u); }
GK_FN u32 msm_word(u32 bin, u32 lsz, u32 lid) { return (bin >> 1) * (lsz + 1u) + lid; }
GK_FN void msm_count_own(GK_GLOBAL const u32* digits, GK_LOCAL u32* sh, u32 size, u32 tiles, u32 shift, u32 bits, u32 group, u32 lsz, u32 lid) {
  const u32 set = group / tiles, from = ((group % tiles) * lsz + lid) * MSM_EACH;
  for (u32 b = 0u; b < (1u << bits); b += 2u) sh[msm_word(b, lsz, lid)] = 0u;
  for (u32 k = 0u; k < MSM_EACH && from + k < size; k++) {
    const u32 bin = msm_bin(digits[set * size + from + k], shift, bits);
    sh[msm_word(bin, lsz, lid)] += 1u << (16u * (bin & 1u));
  }
}
/* counts[(set, bin, tile)]: summed up in this order they are the places of the sorted list. */
GK_KERNEL_B(msm_sort_count, 64)(GK_IN(0, u32, digits), GK_OUT(1, u32, counts), GK_PARAMS(2, MsmSortParams, p) GK_DYN_LOCAL_ARG(u32, sh) GK_ARGS_END) {
  GK_DYN_LOCAL(u32, sh);
  const u32 lsz = GK_LSZ, group = GK_GID_GROUP, bins = 1u << p.bits;
  GK_PHASE
    msm_count_own(digits, sh, p.size, p.tiles, p.shift, p.bits, group, lsz, lid);
  GK_PHASE_END
  GK_PHASE
    for (u32 bin = lid; bin < bins; bin += lsz) {
      u32 total = 0u;
      for (u32 k = 0u; k < lsz; k++) total += (sh[msm_word(bin, lsz, k)] >> (16u * (bin & 1u))) & 0xffffu;
      counts[((group / p.tiles) * bins + bin) * p.tiles + group % p.tiles] = total;
    }
  GK_PHASE_LAST_END
}
/* counts: summed up within blocks of per_group, which start at sums. */
GK_KERNEL_B(msm_sort_place, 64)(GK_IN(0, u32, digits), GK_IN(1, u32, values), GK_IN(2, u32, counts), GK_IN(3, u32, sums), GK_OUT(4, u32, sorted_digits),
                           GK_OUT(5, u32, sorted_values), GK_PARAMS(6, MsmSortParams, p) GK_DYN_LOCAL_ARG(u32, sh) GK_ARGS_END) {
  GK_DYN_LOCAL(u32, sh);
  const u32 lsz = GK_LSZ, group = GK_GID_GROUP, bins = 1u << p.bits, set = group / p.tiles, tile = group % p.tiles;
  GK_PHASE
    msm_count_own(digits, sh, p.size, p.tiles, p.shift, p.bits, group, lsz, lid);
  GK_PHASE_END
  GK_PHASE
    for (u32 bin = 2u * lid; bin < bins; bin += 2u * lsz) {
      u32 run = 0u; /* of both bins of a word: neither passes 2^16 */
      for (u32 k = 0u; k < lsz; k++) { const u32 w = msm_word(bin, lsz, k), here = sh[w]; sh[w] = run; run += here; }
    }
  GK_PHASE_END
  GK_PHASE
    const u32 from = (tile * lsz + lid) * MSM_EACH;
    for (u32 k = 0u; k < MSM_EACH && from + k < p.size; k++) {
      const u32 digit = digits[set * p.size + from + k], bin = msm_bin(digit, p.shift, p.bits), w = msm_word(bin, lsz, lid), at = (set * bins + bin) * p.tiles + tile;
      const u32 place = counts[at] + sums[at / p.per_group] + ((sh[w] >> (16u * (bin & 1u))) & 0xffffu);
      sh[w] += 1u << (16u * (bin & 1u));
      sorted_digits[place] = digit;
      sorted_values[place] = values[set * p.size + from + k];
    }
  GK_PHASE_LAST_END
}

/* Exclusive prefix sums: each group scans per_group values (a multiple of its size) in place and leaves their sum in
 * sums[group]. Once for all values, once more, by one group, for the sums. */
GK_KERNEL_B(msm_scan, 256)(GK_INOUT(0, u32, counts), GK_OUT(1, u32, sums), GK_PARAMS(2, MsmScanParams, p) GK_DYN_LOCAL_ARG(u32, sh) GK_ARGS_END) {
  GK_DYN_LOCAL(u32, sh);
  const u32 lsz = GK_LSZ, each = p.per_group / lsz, base = GK_GID_GROUP * p.per_group;
  GK_PHASE
    u32 total = 0u;
    for (u32 k = 0u; k < each; k++) { const u32 i = base + lid * each + k; total += i < p.n ? counts[i] : 0u; }
    sh[lid] = total;
  GK_PHASE_END
  GK_PHASE
    if (lid == 0u) {
      u32 run = 0u;
      for (u32 k = 0u; k < lsz; k++) { const u32 t = sh[k]; sh[k] = run; run += t; }
      sums[GK_GID_GROUP] = run;
    }
  GK_PHASE_END
  GK_PHASE
    u32 run = sh[lid];
    for (u32 k = 0u; k < each; k++) {
      const u32 i = base + lid * each + k;
      if (i < p.n) { const u32 t = counts[i]; counts[i] = run; run += t; }
    }
  GK_PHASE_LAST_END
}

#define MG_CONSTANT 0
#define MG(n) MG_CAT(msm_g1_, n)
#include "msm_fq.inc.h"
#include "msm_xyzz.inc.h"
#include "msm_group.inc.h"
#define MG(n) MG_CAT(msm_g2_, n)
#include "msm_fq2.inc.h"
#include "msm_xyzz.inc.h"
#include "msm_group.inc.h"
#undef MG_CONSTANT
