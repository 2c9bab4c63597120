// A witness as the prover takes it: the value of every wire of a circuit.
#pragma once

#include <cstdint>
#include <string>

#include "vouch/core/bytes.h"
#include "vouch/core/result.h"
#include "vouch/field/fields.h"

namespace vouch::groth16 {

struct Witness {
  std::string name;  // of the file, for errors
  Bytes values;      // 32 bytes each, plain little-endian; wire 0 first

  std::size_t count() const { return values.size() / 32; }
  UInt<4> value(std::size_t wire) const { return load_le<UInt<4>>(values.data() + wire * 32); }
};

// Wire 0 is the constant 1, and every value is below the modulus; there is at least one. Errors say so when
// the wire is one of the first `public_count`. Uses the caller's cores.
Status check_values(const Witness& witness, std::size_t public_count);

}  // namespace vouch::groth16
