// The optimal ate pairing e: G1 x G2 -> Fq12 on BN254, as EIP-197 and snarkjs compute it.
//
// A product of pairings shares the squarings of one Miller loop and one final exponentiation; equations
// between pairings are checked by moving every term to one side. Time depends on the points, which are
// public.
#pragma once

#include <span>

#include "vouch/curve/curves.h"
#include "vouch/field/tower.h"

namespace vouch {

struct PairingInput {
  Bn254G1::Affine p;
  Bn254G2::Affine q;  // in the subgroup of order r (curve/subgroup.h); the result means nothing otherwise
};

// The product of e(p, q) over the inputs; a pair with infinity in it counts as one.
// The pairing is the r-torsion one raised to 2x(6x^2 + 3x + 1), which is prime to r: the value that libff,
// arkworks, gnark and snarkjs (vk_alphabeta_12) agree on.
Bn254Fq12 pairing_product(std::span<const PairingInput> inputs);
inline Bn254Fq12 pairing(const Bn254G1::Affine& p, const Bn254G2::Affine& q) {
  const PairingInput input{p, q};
  return pairing_product({&input, 1});
}

// The two steps of it, for tests.
Bn254Fq12 miller_loop(std::span<const PairingInput> inputs);
Bn254Fq12 final_exponentiation(const Bn254Fq12& f);  // f != 0

}  // namespace vouch
