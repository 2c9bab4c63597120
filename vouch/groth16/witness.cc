// Checking a witness by itself: see witness.h.
#include "vouch/groth16/witness.h"

#include <atomic>

#include "vouch/core/parallel.h"

namespace vouch::groth16 {

Status check_values(const Witness& witness, std::size_t public_count) {
  if (witness.count() == 0 || witness.value(0) != UInt<4>::of(1))
    return Error{Code::malformed, witness.name + ": wire 0 must hold the constant 1"};
  const std::size_t none = witness.count();
  std::atomic<std::size_t> first{none};  // bad
  parallel_for(witness.count(), std::size_t(1) << 14, [&](std::size_t begin, std::size_t end) {
    std::size_t i = begin;
    while (i < end && witness.value(i) < Bn254Fr::modulus) i++;
    if (i == end) return;
    for (std::size_t seen = first; i < seen && !first.compare_exchange_weak(seen, i);) {
    }
  });
  if (first == none) return ok();
  return Error{Code::malformed, witness.name + ": the value of wire " + std::to_string(first) +
                                    (first <= public_count ? " (a public signal)" : "") +
                                    " is not below the field's modulus"};
}

}  // namespace vouch::groth16
