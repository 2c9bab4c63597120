// Checking a witness by itself: see witness.h.
#include "vouch/groth16/witness.h"

namespace vouch::groth16 {

Status check_values(const Witness& witness, std::size_t public_count) {
  if (witness.count() == 0 || witness.value(0) != UInt<4>::of(1))
    return Error{Code::malformed, witness.name + ": wire 0 must hold the constant 1"};
  for (std::size_t i = 1; i < witness.count(); i++)
    if (witness.value(i) >= Bn254Fr::modulus)
      return Error{Code::malformed, witness.name + ": the value of wire " + std::to_string(i) +
                                        (i <= public_count ? " (a public signal)" : "") +
                                        " is not below the field's modulus"};
  return ok();
}

}  // namespace vouch::groth16
