// A Groth16 proof over BN254: the three points of pi_a, pi_b, pi_c.
#pragma once

#include "vouch/curve/curves.h"

namespace vouch::groth16 {

struct Proof {
  Bn254G1::Affine a;
  Bn254G2::Affine b;
  Bn254G1::Affine c;

  bool operator==(const Proof&) const = default;
};

}  // namespace vouch::groth16
