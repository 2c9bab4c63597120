// The text of the transforms, compiled once for each form of arithmetic, and the choice between them.
#include "vouch/backend/cpu/ntt.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "vouch/backend/cpu/ntt_common.h"
#include "vouch/backend/cpu/ntt_fma.h"
#include "vouch/backend/cpu/ntt_vec.h"
#include "vouch/backend/cpu/rows.h"

namespace vouch {
namespace {
namespace plain {
#include "vouch/backend/cpu/ntt_networks_text.h"
#include "vouch/backend/cpu/ntt_text.h"
#include "vouch/backend/cpu/ntt_three_sweeps_text.h"
}  // namespace plain
}  // namespace
}  // namespace vouch

#ifdef VOUCH_HAS_IFMA
VOUCH_TARGET_BEGIN(VOUCH_TARGET_IFMA)
namespace vouch {
namespace {
namespace packed {
#include "vouch/backend/cpu/ntt_networks_text.h"
#include "vouch/backend/cpu/ntt_text.h"
#include "vouch/backend/cpu/ntt_three_sweeps_text.h"
std::unique_ptr<CpuNtt> open() {
  return std::make_unique<BlockedNtt<ifma::PackedVec>>();
}
}  // namespace packed
}  // namespace
}  // namespace vouch
VOUCH_TARGET_END
#endif

#ifdef VOUCH_HAS_FMA
VOUCH_TARGET_BEGIN(VOUCH_TARGET_AVX2_FMA)
namespace vouch {
namespace {
namespace fma4 {
#include "vouch/backend/cpu/ntt_networks_text.h"
#include "vouch/backend/cpu/ntt_text.h"
#include "vouch/backend/cpu/ntt_three_sweeps_text.h"
std::unique_ptr<CpuNtt> open() {
  return std::make_unique<BlockedNtt<fma_avx2::FmaVec>>();
}
}  // namespace fma4
}  // namespace
}  // namespace vouch
VOUCH_TARGET_END
#endif

namespace vouch {

std::unique_ptr<CpuNtt> open_cpu_ntt(Instructions form) {
#ifdef VOUCH_HAS_IFMA
  if (form == Instructions::avx512_ifma) return packed::open();
#endif
#ifdef VOUCH_HAS_FMA
  if (form == Instructions::avx2) return fma4::open();
#endif
#ifdef VOUCH_HAS_ADX
  if (form != Instructions::portable) return std::make_unique<plain::BlockedNtt<PlainVec<AdxArith>>>();
#endif
  return std::make_unique<plain::BlockedNtt<PlainVec<PortableArith>>>();
}

}  // namespace vouch
