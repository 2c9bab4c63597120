/* The two fields of BN254 in kernel text: fr_... (scalars) and fq_... (coordinates). */
/* clang-format off */
#ifndef GK_BN254
#define GK_BN254
#define MF_CAT(a, b) a##b
#define MF(n) MF_CAT(fr_, n)
#define MF_T Fr
#define MF_N(i) MF_CAT(FR_N, i)
#define MF_N0INV FR_N0INV
#include "mont254.inc.h"
#undef MF
#undef MF_T
#undef MF_N
#undef MF_N0INV
#define MF(n) MF_CAT(fq_, n)
#define MF_T Fq
#define MF_N(i) MF_CAT(FQ_N, i)
#define MF_N0INV FQ_N0INV
#include "mont254.inc.h"
#undef MF
#undef MF_T
#undef MF_N
#undef MF_N0INV
#endif
