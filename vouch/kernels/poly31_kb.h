/* WHIR's sums, weights and folds over KoalaBear, for extensions of degree 4 and 5. */
/* clang-format off */
#include "poly31_params.h"
#define F31_CAT(a, b) a##b
#define F31(n) F31_CAT(kb_, n)
#define X31(n) F31_CAT(kb4_, n)
#define X31_T Kb4
#define X31_ACC Kb4Sum
#define X31_D 4
#include "claims31.inc.h"
#include "weights31.inc.h"
#include "sumcheck31.inc.h"
#undef X31
#undef X31_T
#undef X31_ACC
#undef X31_D
#define X31(n) F31_CAT(kb5_, n)
#define X31_T Kb5
#define X31_ACC Kb5Sum
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
