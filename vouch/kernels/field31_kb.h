/* KoalaBear in kernel text: kb_..., its extensions kb4_... (Kb4) and kb5_... (Kb5), and WHIR's sums, weights and folds over both. */
/* clang-format off */
#include "poly31_params.h"
#define F31_CAT(a, b) a##b
#define F31(n) F31_CAT(kb_, n)
#define F31_P KB_P
#define F31_INV KB_INV
#define F31_ONE KB_ONE
#include "field31.inc.h"
#define X31(n) F31_CAT(kb4_, n)
#define X31_T Kb4
#define X31_ACC Kb4Sum
#define X31_D 4
#define X31_W KB_W4
#define X31_WM KB_W4M
#include "degree31.inc.h"
#define X31(n) F31_CAT(kb5_, n)
#define X31_T Kb5
#define X31_ACC Kb5Sum
#define X31_D 5
#define X31_TRINOMIAL 1
#include "degree31.inc.h"
#undef F31_CAT
#undef F31
#undef F31_P
#undef F31_INV
#undef F31_ONE
