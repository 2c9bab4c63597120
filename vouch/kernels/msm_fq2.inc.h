/* The coordinates of G2, see msm_fq.inc.h. */
/* clang-format off */
#define MF2(n) MG_CAT(fq2_, n)
#define MG_T Fq2
#define MG_W 16u
