/* A template by inclusion: the NTT of a codeword's columns over a 31-bit field. Before including: N31(n) names a function.
 *
 * A codeword is `words` columns of 2^log_n base elements, one after the other. Decimation in frequency: natural order in,
 * bit-reversed order out, so that a pass works in place; who reads rows finds row i at position brev(i). Passes in registers
 * (ntt_pass, radix 2 to 32) take the levels with large strides, ntt_tail the last up to 12 in local memory. The first launch
 * reads the polynomial itself: the transpose and the padding with zeros cost nothing.
 * tw: w12^i for i < 4096, w12 of order 2^12; then w^i for i < 2^(order - 12), w of order 2^order: w^(a 2^(order-12) + b) is a
 * product of two. */
/* clang-format off */

/* (the root of order 2^s)^j, j < 2^s */
GK_FN u32 N31(ntt_root)(GK_GLOBAL const u32* tw, u32 order, u32 j, u32 s) {
  const u32 e = j << (order - s);
  return N31(mul)(tw[e >> (order - 12u)], tw[4096u + (e & ((1u << (order - 12u)) - 1u))]);
}

#define N31K(n) N31(N31_CAT(n, 1))
#define N31_T 1u
#include "ntt31_pass.inc.h"
#undef N31K
#undef N31_T
#define N31K(n) N31(N31_CAT(n, 2))
#define N31_T 2u
#include "ntt31_pass.inc.h"
#undef N31K
#undef N31_T
#define N31K(n) N31(N31_CAT(n, 3))
#define N31_T 3u
#include "ntt31_pass.inc.h"
#undef N31K
#undef N31_T
#define N31K(n) N31(N31_CAT(n, 4))
#define N31_T 4u
#include "ntt31_pass.inc.h"
#undef N31K
#undef N31_T
#define N31K(n) N31(N31_CAT(n, 5))
#define N31_T 5u
#include "ntt31_pass.inc.h"
#undef N31K
#undef N31_T

/* Spreads elements 2^4 apart over the banks of local memory. */
#define N31_PAD(m) ((m) + ((m) >> 4u))

/* Blocks of 2^s <= 4096 elements, one for each group: s mod 4 levels one by one, the others by four in registers. */
GK_KERNEL_B(N31(ntt_tail), 256)(GK_INOUT(0, u32, src), GK_INOUT(1, u32, dst), GK_IN(2, u32, tw), GK_PARAMS(3, Ntt31Params, p)
                                GK_DYN_LOCAL_ARG(u32, sh) GK_ARGS_END) {
  GK_DYN_LOCAL(u32, sh);
  const u32 size = 1u << p.s, lsz = GK_LSZ, tiles = 1u << (p.log_n - p.s);
  const u32 w = GK_GID_GROUP / tiles;
  const u64 at = ((u64)w << p.log_n) + ((u64)(GK_GID_GROUP % tiles) << p.s);
  const u64 from = p.rows_in != 0u ? (u64)(w / p.degree) * p.step_column + w % p.degree : at;
  const u32 rows = p.rows_in != 0u ? p.rows_in : size, step = p.rows_in != 0u ? p.step_row : 1u;
  GK_PHASE
    for (u32 m = lid; m < size; m += lsz) sh[N31_PAD(m)] = m < rows ? src[from + (u64)m * step] : 0u;
  GK_PHASE_END
  u32 s = p.s;
  for (; (s & 3u) != 0u; s--) {
    const u32 reach = 1u << (s - 1u);
    GK_PHASE
      for (u32 b = lid; b < size / 2u; b += lsz) {
        const u32 j = b & (reach - 1u), lo = ((b >> (s - 1u)) << s) | j, hi = lo + reach;
        const u32 u = sh[N31_PAD(lo)], v = sh[N31_PAD(hi)];
        sh[N31_PAD(lo)] = N31(add)(u, v);
        sh[N31_PAD(hi)] = N31(mul)(N31(sub)(u, v), tw[j << (12u - s)]);
      }
    GK_PHASE_END
  }
  for (; s != 0u; s -= 4u) {
    const u32 span = s - 4u;
    GK_PHASE
      for (u32 m = lid; m < size / 16u; m += lsz) {
        const u32 j = m & ((1u << span) - 1u), first = ((m >> span) << s) | j;
        u32 x[16];
        GK_UNROLL for (u32 e = 0u; e < 16u; e++) x[e] = sh[N31_PAD(first + (e << span))];
        N31(ntt_levels4)(x, tw);
        if (span != 0u) N31(ntt_twist4)(x, tw[j << (12u - s)]);
        GK_UNROLL for (u32 e = 0u; e < 16u; e++) sh[N31_PAD(first + (e << span))] = x[e];
      }
    GK_PHASE_END
  }
  GK_PHASE
    for (u32 m = lid; m < size; m += lsz) dst[at + m] = sh[N31_PAD(m)];
  GK_PHASE_LAST_END
}
#undef N31_PAD
