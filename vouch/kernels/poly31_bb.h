/* WHIR's sums, weights and folds over BabyBear, for extensions of degree 4 and 5. */
/* clang-format off */
#include "poly31_params.h"
#define F31_CAT(a, b) a##b
#define F31(n) F31_CAT(bb_, n)
#define X31(n) F31_CAT(bb4_, n)
#define X31_T Bb4
#define X31_ACC Bb4Sum
#define X31_D 4
#include "claims31.inc.h"
#include "weights31.inc.h"
#include "sumcheck31.inc.h"
#undef X31
#undef X31_T
#undef X31_ACC
#undef X31_D
#define X31(n) F31_CAT(bb5_, n)
#define X31_T Bb5
#define X31_ACC Bb5Sum
#define X31_D 5
#include "claims31.inc.h"
#include "weights31.inc.h"
#include "sumcheck31.inc.h"
#undef X31
#undef X31_T
#undef X31_ACC
#undef X31_D
#undef F31_CAT
#undef F31
