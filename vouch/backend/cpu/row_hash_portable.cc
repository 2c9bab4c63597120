// Batches of leaves and nodes: compiler vectors, for any processor.
#include "vouch/backend/cpu/poly_includes.h"
#include "vouch/backend/cpu/row_hash.h"

namespace vouch::portable {
// clang-format off: in the order of use
#include "vouch/backend/cpu/lanes_portable.h"
#include "vouch/backend/cpu/packed31.h"
#include "vouch/backend/cpu/poseidon2_packed.h"
#include "vouch/backend/cpu/row_hash_text.h"
// clang-format on
}  // namespace vouch::portable
