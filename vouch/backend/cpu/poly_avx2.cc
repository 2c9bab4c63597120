// The cpu backend's WHIR operations: AVX2.
#include "vouch/backend/cpu/poly_includes.h"

#ifdef VOUCH_X86
VOUCH_TARGET_BEGIN("avx2")
namespace vouch::avx2 {
// clang-format off: in the order of use
#include "vouch/backend/cpu/lanes_avx2.h"
#include "vouch/backend/cpu/packed31.h"
#include "vouch/backend/cpu/poseidon2_packed.h"
#include "vouch/backend/cpu/ntt31.h"
#include "vouch/backend/cpu/codeword31.h"
#include "vouch/backend/cpu/sums31.h"
#include "vouch/backend/cpu/powers31.h"
#include "vouch/backend/cpu/poly_text.h"
// clang-format on
}  // namespace vouch::avx2
VOUCH_TARGET_END
#endif
