// The verifying part of a proving key.
#include "vouch/groth16/proving_key.h"

namespace vouch::groth16 {

VerifyingKey verifying_key(const ProvingKey& key) {
  VerifyingKey vk{key.alpha1, key.beta2, key.gamma2, key.delta2, {}};
  vk.ic.reserve(std::size_t(key.public_count) + 1);
  for (std::size_t i = 0; i <= key.public_count; i++)
    vk.ic.push_back(load_g1_unchecked(key.ic.data() + i * g1_bytes));
  return vk;
}

}  // namespace vouch::groth16
