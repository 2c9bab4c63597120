/* BabyBear in kernel text: bb_..., its extensions bb4_... (Bb4) and bb5_... (Bb5), and WHIR's sums, weights and folds over both. */
/* clang-format off */
#include "poly31_params.h"
#define F31_CAT(a, b) a##b
#define F31(n) F31_CAT(bb_, n)
#define F31_P BB_P
#define F31_INV BB_INV
#define F31_ONE BB_ONE
#include "field31.inc.h"
#define X31(n) F31_CAT(bb4_, n)
#define X31_T Bb4
#define X31_ACC Bb4Sum
#define X31_D 4
#define X31_W BB_W4
#define X31_WM BB_W4M
#include "degree31.inc.h"
#define X31(n) F31_CAT(bb5_, n)
#define X31_T Bb5
#define X31_ACC Bb5Sum
#define X31_D 5
#define X31_W BB_W5
#define X31_WM BB_W5M
#include "degree31.inc.h"
#undef F31_CAT
#undef F31
#undef F31_P
#undef F31_INV
#undef F31_ONE
