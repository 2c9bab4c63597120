/* The coordinates of G1, for the templates of msm_group.inc.h, which say what these are. */
/* clang-format off */
#define MF2(n) MG_CAT(fq_, n)
#define MG_T Fq
#define MG_W 8u
