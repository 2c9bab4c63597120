/* Multi-scalar multiplication: what does not depend on the group. See msm_group.inc.h for the rest.
 *
 * Scalars are cut into `windows` signed digits of c bits, |digit| <= 2^(c-1). Key = window * 2^(c-1) + |digit| - 1 names a
 * bucket; entries (point index * 2 + sign) are sorted by key with a counting sort: count, scan, scatter. */
/* clang-format off */
typedef struct { u32 n; u32 c; u32 windows; u32 keys; } MsmDigitParams;
typedef struct { u32 n; u32 per_group; } MsmScanParams;

/* The digit of window w of scalar i given the carry of the windows below: |digit| * 2 + sign; *carry is updated. */
GK_FN u32 msm_digit(GK_GLOBAL const u32* scalars, u64 at, u32 w, u32 c, GK_PRIVATE u32* carry) {
  const u32 bit = w * c, word = bit >> 5, shift = bit & 31u;
  if (word >= 8u) { const u32 top = *carry; *carry = 0u; return top << 1; }
  const u32 lo = scalars[at + word], hi = word + 1u < 8u ? scalars[at + word + 1u] : 0u;
  u32 d = (shift == 0u ? lo : ((lo >> shift) | (hi << (32u - shift)))) & ((1u << c) - 1u);
  d += *carry;
  *carry = (u32)(d > (1u << (c - 1u)));
  return *carry != 0u ? ((((1u << c) - d) << 1) | 1u) : (d << 1);
}

GK_KERNEL_B(msm_count, 256)(GK_IN(0, u32, scalars), GK_INOUT(1, u32, counts), GK_PARAMS(2, MsmDigitParams, p) GK_ARGS_END) {
  GK_PHASE
    const u32 i = GK_GID_GROUP * GK_LSZ + lid;
    if (i < p.n) {
      u32 carry = 0u;
      for (u32 w = 0u; w < p.windows; w++) {
        const u32 d = msm_digit(scalars, (u64)i * 8u, w, p.c, &carry);
        if (d > 1u) GK_ATOMIC_ADD_G(&counts[(w << (p.c - 1u)) + (d >> 1) - 1u], 1u);
      }
    }
  GK_PHASE_LAST_END
}

/* cursor[key] starts as the first place of the key and ends as the place after its last. */
GK_KERNEL_B(msm_scatter, 256)(GK_IN(0, u32, scalars), GK_INOUT(1, u32, cursor), GK_OUT(2, u32, entries), GK_PARAMS(3, MsmDigitParams, p) GK_ARGS_END) {
  GK_PHASE
    const u32 i = GK_GID_GROUP * GK_LSZ + lid;
    if (i < p.n) {
      u32 carry = 0u;
      for (u32 w = 0u; w < p.windows; w++) {
        const u32 d = msm_digit(scalars, (u64)i * 8u, w, p.c, &carry);
        if (d > 1u) {
          const u32 place = GK_ATOMIC_ADD_G(&cursor[(w << (p.c - 1u)) + (d >> 1) - 1u], 1u);
          entries[place] = (i << 1) | (d & 1u);
        }
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

/* Exclusive prefix sums in three launches. scan_groups: each group scans per_group values (a multiple of its size) in place
 * and leaves their sum in sums[group]. scan_sums: one group of one work-item scans the sums. scan_add: adds them; writes
 * start and cursor, start[n] = the total. */
GK_KERNEL_B(msm_scan_groups, 256)(GK_INOUT(0, u32, counts), GK_OUT(1, u32, sums), GK_PARAMS(2, MsmScanParams, p) GK_DYN_LOCAL_ARG(u32, sh) GK_ARGS_END) {
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
GK_KERNEL(msm_scan_sums)(GK_INOUT(0, u32, sums), GK_PARAMS(1, MsmScanParams, p) GK_ARGS_END) {
  GK_PHASE
    if (lid == 0u) {
      u32 run = 0u;
      for (u32 k = 0u; k < p.n; k++) { const u32 t = sums[k]; sums[k] = run; run += t; }
      sums[p.n] = run;
    }
  GK_PHASE_LAST_END
}
GK_KERNEL_B(msm_scan_add, 256)(GK_INOUT(0, u32, counts), GK_IN(1, u32, sums), GK_OUT(2, u32, start), GK_PARAMS(3, MsmScanParams, p) GK_ARGS_END) {
  GK_PHASE
    const u32 i = GK_GID_GROUP * GK_LSZ + lid;
    if (i < p.n) {
      const u32 at = counts[i] + sums[i / p.per_group];
      counts[i] = at;
      start[i] = at;
    }
    if (i == p.n) start[i] = sums[(p.n + p.per_group - 1u) / p.per_group];
  GK_PHASE_LAST_END
}

/* The key in [lo, hi) whose entries hold place e: the largest with start[key] <= e. */
GK_FN u32 msm_key_of(GK_GLOBAL const u32* start, u32 lo, u32 hi, u32 e) {
  while (hi - lo > 1u) { const u32 mid = (lo + hi) >> 1; if (start[mid] <= e) lo = mid; else hi = mid; }
  return lo;
}

typedef struct { u32 items; u32 len; u32 keys; u32 slots; u32 final; } MsmSumParams;
#define MSM_NO_KEY 0xffffffffu
#define MG_CAT(a, b) a##b
#define MG(n) MG_CAT(msm_g1_, n)
#define MF2(n) MG_CAT(fq_, n)
#define MG_T Fq
#define MG_W 8u
#include "msm_group.inc.h"
#undef MG
#undef MF2
#undef MG_T
#undef MG_W
#define MG(n) MG_CAT(msm_g2_, n)
#define MF2(n) MG_CAT(fq2_, n)
#define MG_T Fq2
#define MG_W 16u
#include "msm_group.inc.h"
#undef MG
#undef MF2
#undef MG_T
#undef MG_W
