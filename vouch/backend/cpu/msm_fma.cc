// Levels of lists of points in AVX2 and FMA: 8 lists on G1 or 4 on G2 at a time.
#include "vouch/backend/cpu/msm_fma.h"

#ifdef VOUCH_HAS_FMA

#include <cstring>

#define VOUCH_NOINLINE __attribute__((noinline))

VOUCH_TARGET_BEGIN(VOUCH_TARGET_AVX2_FMA)
namespace vouch::fma_avx2_msm {
namespace {

using namespace fma_avx2;
#define PACKED fma_avx2
#include "vouch/backend/cpu/msm_fma_text.h"
#undef PACKED

}  // namespace
}  // namespace vouch::fma_avx2_msm
VOUCH_TARGET_END

namespace vouch {

template <class C>
template <bool source>
bool FmaForm<C>::add_level(MsmStep& step) {
  return fma_avx2_msm::run<C, source>(step);
}
template bool FmaG1::add_level<false>(MsmStep&);
template bool FmaG1::add_level<true>(MsmStep&);
template bool FmaG2::add_level<false>(MsmStep&);
template bool FmaG2::add_level<true>(MsmStep&);

}  // namespace vouch

#endif  // VOUCH_HAS_FMA
