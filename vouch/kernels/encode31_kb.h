/* Encoding, hashing and opening of codewords over KoalaBear: kb_ntt_..., kb_p16_..., kb_p24_..., kb_p32_..., kb_gather_..., kb_grind. */
/* clang-format off */
#include "encode31_params.h"
#define N31_CAT_(a, b) a##b
#define N31_CAT(a, b) N31_CAT_(a, b)
#define N31(n) N31_CAT(kb_, n)
#define N31_P KB_P
#define N31_R2 KB_R2
#define N31_ALPHA 3
#include "ntt31.inc.h"
#include "merkle31.inc.h"
#undef N31_CAT_
#undef N31_CAT
#undef N31
#undef N31_P
#undef N31_R2
#undef N31_ALPHA
