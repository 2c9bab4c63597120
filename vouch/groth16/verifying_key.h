// What a verifier needs of a Groth16 key: the part of a .zkey that verification_key.json repeats.
//
// e(A, B) = e(alpha1, beta2) e(ic[0] + sum publics[i] ic[i + 1], gamma2) e(C, delta2)
#pragma once

#include <cstddef>
#include <vector>

#include "vouch/core/result.h"
#include "vouch/curve/curves.h"

namespace vouch::groth16 {

struct VerifyingKey {
  Bn254G1::Affine alpha1;
  Bn254G2::Affine beta2;
  Bn254G2::Affine gamma2;
  Bn254G2::Affine delta2;
  std::vector<Bn254G1::Affine> ic;  // public_count() + 1 points; never empty in a well-formed key

  std::size_t public_count() const { return ic.empty() ? 0 : ic.size() - 1; }
  bool operator==(const VerifyingKey&) const = default;
};

// Every point on its curve and in the group of order r; alpha, beta, gamma, delta not infinity; ic not empty.
// `insecure_allowed` waives gamma2 != delta2, which fails for a key nobody has contributed to: with such a
// key anyone can forge proofs.
Status check(const VerifyingKey& key, bool insecure_allowed = false);

}  // namespace vouch::groth16
