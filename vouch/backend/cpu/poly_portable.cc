// The cpu backend's WHIR operations: compiler vectors, for any processor.
#include "vouch/backend/cpu/poly_includes.h"

namespace vouch::portable {
// clang-format off: in the order of use
#include "vouch/backend/cpu/lanes_portable.h"
#include "vouch/backend/cpu/packed31.h"
#include "vouch/backend/cpu/poseidon2_packed.h"
#include "vouch/backend/cpu/ntt31.h"
#include "vouch/backend/cpu/codeword31.h"
#include "vouch/backend/cpu/sums31.h"
#include "vouch/backend/cpu/powers31.h"
#include "vouch/backend/cpu/poly_text.h"
// clang-format on
}  // namespace vouch::portable
