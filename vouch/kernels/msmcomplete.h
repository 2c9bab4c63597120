/* Module msmcomplete: the sums of msm.h with additions whose work does not depend on what is added (--constant-work). */
/* clang-format off */
#include "prelude.h"
#include "bn254.h"
#include "fq2.h"
#include "msm_params.h"
#define MG_CONSTANT 1
#define MG(n) MG_CAT(msmc_g1_, n)
#include "msm_fq.inc.h"
GK_FN Fq msmc_g1_times_b3(Fq a) { /* 3 b = 9 */
  Fq r = fq_add(a, a);
  r = fq_add(r, r);
  return fq_add(fq_add(r, r), a);
}
#include "msm_complete.inc.h"
#include "msm_group.inc.h"
#define MG(n) MG_CAT(msmc_g2_, n)
#include "msm_fq2.inc.h"
GK_FN Fq2 msmc_g2_times_b3(Fq2 a) {
  Fq2 b;
  b.c0.v[0] = G2_B3_0_0; b.c0.v[1] = G2_B3_0_1; b.c0.v[2] = G2_B3_0_2; b.c0.v[3] = G2_B3_0_3;
  b.c0.v[4] = G2_B3_0_4; b.c0.v[5] = G2_B3_0_5; b.c0.v[6] = G2_B3_0_6; b.c0.v[7] = G2_B3_0_7;
  b.c1.v[0] = G2_B3_1_0; b.c1.v[1] = G2_B3_1_1; b.c1.v[2] = G2_B3_1_2; b.c1.v[3] = G2_B3_1_3;
  b.c1.v[4] = G2_B3_1_4; b.c1.v[5] = G2_B3_1_5; b.c1.v[6] = G2_B3_1_6; b.c1.v[7] = G2_B3_1_7;
  return fq2_mul(a, b);
}
#include "msm_complete.inc.h"
#include "msm_group.inc.h"
#undef MG_CONSTANT
