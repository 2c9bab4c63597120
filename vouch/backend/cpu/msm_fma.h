// The form of MsmKernel in double-precision multiply-add (field/fma.h), four lanes of AVX2.
//
// Its work form is a curve isomorphic to the caller's, as in msm_ifma.h: a coordinate in memory is x 2^256
// mod p while the lanes use the radix 2^255, so memory read as it is means 2 x. Shifted left by 1 and 2 bits
// it means (4 x, 8 y) = (u^2 x, u^3 y) with u = 2. Sums in memory are x + p, between p / 2 and 3 p / 2.
#pragma once

#include "vouch/backend/cpu/msm_tree.h"
#include "vouch/curve/curves.h"
#include "vouch/field/arith_adx.h"
#include "vouch/field/fma.h"

#ifdef VOUCH_HAS_FMA

namespace vouch {

// Call only where cpu_features() has avx2, fma, bmi2 and adx.
template <class C>
struct FmaForm {
  using Curve = C;
  using Base = Prime<Bn254FqParams, AdxArith>;
  using Affine = typename C::Affine;
  static constexpr int coordinates = int(sizeof(typename C::Field) / sizeof(Base));  // of x: 1 on G1, 2 on G2
  static constexpr std::size_t width = 8 / coordinates;
  static constexpr std::size_t element_bytes = 320;  // ten vectors
  static constexpr std::size_t step_pairs = 256 * width;

  template <bool source>
  static bool add_level(MsmStep& step);

  // One point out of work form.
  static Affine from_work(const u8* bytes) {
    constexpr Base half = Base(2).inverse(), quarter = half * half;
    const auto p = load_le<Affine>(bytes);  // not reduced: a product takes that
    return {p.x * half, p.y * quarter};
  }
};

using FmaG1 = FmaForm<Bn254G1With<AdxArith>>;
using FmaG2 = FmaForm<Bn254G2With<AdxArith>>;

}  // namespace vouch

#endif  // VOUCH_HAS_FMA
