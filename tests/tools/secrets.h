// The secrets of every key these tools write. They are in the source for all to see: who knows them forges
// proofs.
#pragma once

#include "vouch/field/fields.h"

namespace vouch::tools {

struct Secrets {
  Bn254Fr tau, alpha, beta, delta;  // gamma is 1, as in every key of snarkjs

  static constexpr Secrets fixed() {
    const auto wide = [](u64 seed) { return Bn254Fr(seed).pow(UInt<1>::of(65537)); };
    return {wide(0x7461'75), wide(0x616c'7068'61), wide(0x6265'7461), wide(0x6465'6c74'61)};
  }
};

}  // namespace vouch::tools
