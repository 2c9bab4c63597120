// The verifying part of a proving key.
#include "vouch/groth16/proving_key.h"

#include <algorithm>

#include "vouch/backend/backend.h"

namespace vouch::groth16 {

VerifyingKey verifying_key(const ProvingKey& key) {
  VerifyingKey vk{key.alpha1, key.beta2, key.gamma2, key.delta2, {}};
  vk.ic.reserve(std::size_t(key.public_count) + 1);
  for (std::size_t i = 0; i <= key.public_count; i++)
    vk.ic.push_back(load_g1_unchecked(key.ic.data() + i * g1_bytes));
  return vk;
}

double estimated_seconds(const ProvingKey& key) {
  const double n = double(key.domain_size()), wires = key.wire_count;
  const double transforms = 6 * n / 2 * key.log_domain;
  // A term is added in each of about 17 windows, for 10 products; in G2 for three times as many.
  const double terms = n + wires * (1 + 1 + 1 + 3);
  return (transforms + 170 * terms) / thread_products;
}

// Three vectors twice, one of plain scalars, and roots both ways with a shift; the records, each with its
// place in the order of rows, and where each row starts; the witness.
DeviceNeed device_need(const ProvingKey& key) {
  const std::uint64_t n = key.domain_size(), vectors = 3 * 32 * n;
  return {2 * vectors + 32 * n + 64 * n + key.records.size() + 4 * key.record_count() + 4 * n +
              32 * std::uint64_t(key.wire_count),
          std::max<std::uint64_t>(vectors, key.records.size())};
}

}  // namespace vouch::groth16
