/* Module koalabear: every kernel over KoalaBear and its extensions. Names begin with kb_ (kb4_, kb5_: degree 4, 5); files that
 * babybear.h shares are templates by inclusion. */
/* clang-format off */
#include "prelude.h"
#include "field31_kb.h"
#include "encode31_kb.h"
