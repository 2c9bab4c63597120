// Batches of leaves and nodes: NEON.
#include "vouch/backend/cpu/poly_includes.h"
#include "vouch/backend/cpu/row_hash.h"

#ifdef VOUCH_ARM
namespace vouch::neon {
// clang-format off: in the order of use
#include "vouch/backend/cpu/lanes_neon.h"
#include "vouch/backend/cpu/packed31.h"
#include "vouch/backend/cpu/poseidon2_packed.h"
#include "vouch/backend/cpu/row_hash_text.h"
// clang-format on
}  // namespace vouch::neon
#endif
