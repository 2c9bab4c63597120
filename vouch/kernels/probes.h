/* Module probes: kernels that do one thing and nothing else, which the others are measured against. Small, so that asking a
 * device what it can do compiles nothing else. */
/* clang-format off */
#include "prelude.h"
#include "probe_copy.h"
#define F31(n) probe31_##n
#define F31_P BB_P
#define F31_INV BB_INV
#define F31_ONE BB_ONE
#include "field31.inc.h"
#include "probe_products31.h"
#undef F31
#undef F31_P
#undef F31_INV
#undef F31_ONE
