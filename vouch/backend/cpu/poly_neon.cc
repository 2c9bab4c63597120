// The cpu backend's WHIR operations: NEON.
#include "vouch/backend/cpu/poly_includes.h"

#ifdef VOUCH_ARM
namespace vouch::neon {
// clang-format off: in the order of use
#include "vouch/backend/cpu/lanes_neon.h"
#include "vouch/backend/cpu/packed31.h"
#include "vouch/backend/cpu/poseidon2_packed.h"
#include "vouch/backend/cpu/ntt31.h"
#include "vouch/backend/cpu/codeword31.h"
#include "vouch/backend/cpu/sums31.h"
#include "vouch/backend/cpu/powers31.h"
#include "vouch/backend/cpu/poly_text.h"
// clang-format on
}  // namespace vouch::neon
#endif
