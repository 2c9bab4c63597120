// The form of MsmKernel in eight-lane 52-bit multiply-add (AVX-512 IFMA).
//
// Its work form is a curve isomorphic to the caller's. A coordinate in memory is x 2^256 mod p while the
// lanes use the radix 2^260, so memory read as it is means x / 16. Shifted left by 2 and 1 bits while it is
// split into limbs, it means (x / 4, y / 8) = (u^2 x, u^3 y) with u = 1/2: a point of y^2 = x^3 + u^6 b.
// Neither b nor the scale occurs in the formulas for adding points, so nothing is converted until a sum
// leaves the lanes.
#pragma once

#include "vouch/backend/cpu/msm_tree.h"
#include "vouch/curve/curves.h"
#include "vouch/field/arith_adx.h"
#include "vouch/field/ifma.h"

#ifdef VOUCH_HAS_IFMA

namespace vouch {

// Call only where cpu_features() has avx512_ifma, bmi2 and adx.
template <class C>
struct IfmaForm {
  using Curve = C;
  using Base = Prime<Bn254FqParams, AdxArith>;
  using Affine = typename C::Affine;
  static constexpr int coordinates = int(sizeof(typename C::Field) / sizeof(Base));  // of x: 1 on G1, 2 on G2
  static constexpr std::size_t width = 32 / coordinates;
  static constexpr std::size_t element_bytes = 1280;  // twenty vectors
  static constexpr std::size_t step_pairs = 64 * width;

  template <bool source>
  static bool add_level(MsmStep& step);
  // See msm_tree_text.h; scratch has room for packs * (4 elements and 8 bytes), work for packs * width
  // points.
  static void load_block(const u8* points, std::size_t count, void* scratch, std::size_t packs);
  static void double_block(void* scratch, std::size_t packs, int times, u8* work);

  // One point out of work form.
  static Affine from_work(const u8* bytes) {
    constexpr Base half = Base(2).inverse(), quarter = half * half;
    const auto p = load_le<Affine>(bytes);  // below p + p / 2^40, not reduced: a product takes that
    return {p.x * quarter, p.y * half};
  }
};

using IfmaG1 = IfmaForm<Bn254G1With<AdxArith>>;
using IfmaG2 = IfmaForm<Bn254G2With<AdxArith>>;

}  // namespace vouch

#endif  // VOUCH_HAS_IFMA
