/* KoalaBear in kernel text: kb_... and its extensions kb4_... (Kb4) and kb5_... (Kb5). */
/* clang-format off */
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
#include "ext31.inc.h"
#undef X31
#undef X31_T
#undef X31_ACC
#undef X31_D
#undef X31_W
#undef X31_WM
#define X31(n) F31_CAT(kb5_, n)
#define X31_T Kb5
#define X31_ACC Kb5Sum
#define X31_D 5
#define X31_TRINOMIAL 1
#include "ext31.inc.h"
#undef X31
#undef X31_T
#undef X31_ACC
#undef X31_D
#undef X31_TRINOMIAL
#undef F31_CAT
#undef F31
#undef F31_P
#undef F31_INV
#undef F31_ONE
