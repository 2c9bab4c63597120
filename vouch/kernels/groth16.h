/* Module groth16: every kernel over BN254. Device builds get it through text.h, the host device includes it. */
/* clang-format off */
#include "prelude.h"
#include "bn254.h"
#include "fr_ntt.h"
#include "probe_products254.h"
#include "fq2.h"
#include "msm.h"
