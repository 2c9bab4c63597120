/* Module msmtables: what is made of a key's points once, for sums over them (msm_tables.inc.h). */
/* clang-format off */
#include "prelude.h"
#include "bn254.h"
#include "fq2.h"
#include "msm_params.h"
typedef struct { u32 n; u32 beta[8]; } MsmImageParams;
typedef struct { u32 n; u32 first; u32 count; u32 tables; u32 doublings; } MsmMultiplesParams;

/* a^(p-2); p is odd and its lowest word above 2. */
GK_FN_NOINLINE Fq msmt_g1_inverse(Fq a) {
  const u32 e[8] = { FQ_N0 - 2u, FQ_N1, FQ_N2, FQ_N3, FQ_N4, FQ_N5, FQ_N6, FQ_N7 };
  Fq r = fq_one();
  GK_NO_UNROLL for (u32 bit = 254u; bit-- > 0u;) {
    r = fq_mul(r, r);
    if (((e[bit >> 5] >> (bit & 31u)) & 1u) != 0u) r = fq_mul(r, a);
  }
  return r;
}
GK_FN Fq2 msmt_g2_inverse(Fq2 a) {
  const Fq n = msmt_g1_inverse(fq_add(fq_mul(a.c0, a.c0), fq_mul(a.c1, a.c1)));
  Fq2 r;
  r.c0 = fq_mul(a.c0, n);
  r.c1 = fq_neg(fq_mul(a.c1, n));
  return r;
}
GK_FN Fq msmt_g1_times_beta(Fq x, Fq beta) { return fq_mul(x, beta); }
GK_FN Fq2 msmt_g2_times_beta(Fq2 x, Fq beta) { Fq2 r; r.c0 = fq_mul(x.c0, beta); r.c1 = fq_mul(x.c1, beta); return r; }
#define MG_TABLES /* no addition of two sums */
#define MG(n) MG_CAT(msmt_g1_, n)
#include "msm_fq.inc.h"
#include "msm_xyzz.inc.h"
#include "msm_tables.inc.h"
#define MG(n) MG_CAT(msmt_g2_, n)
#include "msm_fq2.inc.h"
#include "msm_xyzz.inc.h"
#include "msm_tables.inc.h"
#undef MG_TABLES
