/* Module babybear: every kernel over BabyBear and its extensions. Names begin with bb_ (bb4_, bb5_: degree 4, 5); files that
 * koalabear.h shares are templates by inclusion. */
/* clang-format off */
#include "prelude.h"
#include "field31_bb.h"
#include "encode31_bb.h"
