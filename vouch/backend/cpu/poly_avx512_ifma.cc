// The cpu backend's WHIR operations: AVX-512 with 52-bit multiply-adds.
#include "vouch/backend/cpu/poly_includes.h"

#ifdef VOUCH_X86
VOUCH_TARGET_BEGIN("avx512f,avx512cd,avx512bw,avx512dq,avx512vl,avx512ifma")
namespace vouch::avx512_ifma {
// clang-format off: in the order of use
#include "vouch/backend/cpu/lanes_avx512.h"
#include "vouch/backend/cpu/packed31.h"
#include "vouch/backend/cpu/poseidon2_ifma.h"
#include "vouch/backend/cpu/ntt31.h"
#include "vouch/backend/cpu/codeword31.h"
#include "vouch/backend/cpu/sums31.h"
#include "vouch/backend/cpu/powers31.h"
#include "vouch/backend/cpu/poly_text.h"
// clang-format on
}  // namespace vouch::avx512_ifma
VOUCH_TARGET_END
#endif
