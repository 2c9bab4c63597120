// Chooses the form of field arithmetic for a pairing by what the processor has; the pairing itself is in
// ate.h.
#include "vouch/curve/pairing.h"

#include <bit>

#include "vouch/curve/ate.h"
#include "vouch/field/fastest_arith.h"

namespace vouch {
namespace {

// f(Ate<the fastest form this processor has>).
template <class F>
Bn254Fq12 with_fastest_ate(F&& f) {
  return with_fastest_arith(
      [&](auto tag) { return std::bit_cast<Bn254Fq12>(f(Ate<typename decltype(tag)::Arith>{})); });
}

}  // namespace

Bn254Fq12 miller_loop(std::span<const PairingInput> inputs) {
  return with_fastest_ate([&](auto ate) { return ate.miller_loop(inputs); });
}

Bn254Fq12 final_exponentiation(const Bn254Fq12& f) {
  return with_fastest_ate(
      [&](auto ate) { return ate.final_exponentiation(std::bit_cast<typename decltype(ate)::Fq12>(f)); });
}

Bn254Fq12 pairing_product(std::span<const PairingInput> inputs) {
  return with_fastest_ate([&](auto ate) { return ate.final_exponentiation(ate.miller_loop(inputs)); });
}

}  // namespace vouch
