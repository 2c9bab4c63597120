// Batches of leaves and nodes: AVX2.
#include "vouch/backend/cpu/poly_includes.h"
#include "vouch/backend/cpu/row_hash.h"

#ifdef VOUCH_X86
VOUCH_TARGET_BEGIN("avx2")
namespace vouch::avx2 {
// clang-format off: in the order of use
#include "vouch/backend/cpu/lanes_avx2.h"
#include "vouch/backend/cpu/packed31.h"
#include "vouch/backend/cpu/poseidon2_packed.h"
#include "vouch/backend/cpu/row_hash_text.h"
// clang-format on
}  // namespace vouch::avx2
VOUCH_TARGET_END
#endif
