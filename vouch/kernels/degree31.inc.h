/* All that exists once per extension: its arithmetic and the kernels over whole polynomials. A template by inclusion; takes
 * what ext31.inc.h takes, and undefines it. */
/* clang-format off */
#include "ext31.inc.h"
#include "claims31.inc.h"
#include "weights31.inc.h"
#include "sumcheck31.inc.h"
#undef X31
#undef X31_T
#undef X31_ACC
#undef X31_D
#undef X31_W
#undef X31_WM
#undef X31_TRINOMIAL
