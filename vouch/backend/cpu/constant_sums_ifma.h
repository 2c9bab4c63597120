// Sums of eight windows of the same scalars at a time, a window in each lane of 52-bit multiply-add (AVX-512
// IFMA).
#pragma once

#include "vouch/backend/cpu/constant_sums_text.h"
#include "vouch/curve/curves.h"
#include "vouch/field/arith_adx.h"
#include "vouch/field/ifma.h"

#ifdef VOUCH_HAS_IFMA

namespace vouch::constant {

// window_sum for windows first .. first + 7; those that scalars do not have give infinity. Call only where
// cpu_features() has avx512_ifma, bmi2 and adx. C: Bn254G1With<AdxArith> or Bn254G2With<AdxArith>.
template <class C>
std::array<CompletePoint<C>, 8> window_sums_ifma(const MsmJob& job, const Digits& digits, int first,
                                                 std::size_t begin, std::size_t end);

}  // namespace vouch::constant

#endif  // VOUCH_HAS_IFMA
