/* Encoding, hashing and opening of codewords over BabyBear: bb_ntt_..., bb_p16_..., bb_p24_..., bb_p32_..., bb_gather_..., bb_grind. */
/* clang-format off */
#include "encode31_params.h"
#define N31_CAT_(a, b) a##b
#define N31_CAT(a, b) N31_CAT_(a, b)
#define N31(n) N31_CAT(bb_, n)
#define N31_P BB_P
#define N31_R2 BB_R2
#define N31_ALPHA 7
#include "ntt31.inc.h"
#include "merkle31.inc.h"
#undef N31_CAT_
#undef N31_CAT
#undef N31
#undef N31_P
#undef N31_R2
#undef N31_ALPHA
