// Every 254-bit field the library knows; the 31-bit ones are in prime31.h.
// To add one: add its struct here; tests and benches pick it up.
#pragma once

#include "vouch/field/prime.h"

namespace vouch {

// BN254 (also bn128, alt_bn128; EIP-196): the scalar field, order of the curve groups.
struct Bn254FrParams {
  static constexpr auto modulus =
      hex<4>("0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001");
  static constexpr u64 generator = 5;
};
using Bn254Fr = Prime<Bn254FrParams>;

// BN254: the field of the curve's coordinates.
struct Bn254FqParams {
  static constexpr auto modulus =
      hex<4>("0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47");
  static constexpr u64 generator = 3;
};
using Bn254Fq = Prime<Bn254FqParams>;

static_assert(Bn254Fr::two_adicity() == 28);
static_assert(Bn254Fr::root_of_unity(28).to_int() ==
              hex<4>("0x2a3c09f0a58a7e8500e0a7eb8ef62abc402d111e41112ed49bd61b6e725b19f0"));
static_assert(Bn254Fq(7).inverse() * Bn254Fq(7) == Bn254Fq::one());

}  // namespace vouch
