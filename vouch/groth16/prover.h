// Makes Groth16 proofs: a key is taken once, then proofs are made from memory, by several threads at once.
//
//   A = sum w_i A_i + alpha + r delta        C = sum w_i C_i + sum P_i H_i + s A + r B1 - r s delta
//   B = sum w_i B_i + beta  + s delta        (B1 is B in G1; P is Backend::groth16_quotient)
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vouch/backend/backend.h"
#include "vouch/core/rng.h"
#include "vouch/groth16/proof.h"
#include "vouch/groth16/proving_key.h"
#include "vouch/groth16/witness.h"

namespace vouch::groth16 {

// The randomness of one proof; each below the group order. A proof whose blinders are known or used twice
// reveals the witness.
struct Blinders {
  UInt<4> r, s;
};

struct ProveOptions {
  bool verify = true;                         // check the proof before returning it
  std::optional<Blinders> insecure_blinders;  // for tests: pinned instead of drawn
  Progress* progress = nullptr;
};

struct Proved {
  Proof proof;
  std::vector<Bn254Fr> publics;  // wires 1 .. public_count
};

// check_values, and that there is one value per wire of the key. What `prove` checks first.
Status check_witness(const ProvingKey& key, const Witness& witness);

class Prover {
 public:
  // `backend` must outlive the prover; the views in `key` must stay valid (ProvingKey::storage).
  Prover(ProvingKey key, Backend& backend)
      : key_(std::move(key)),
        vk_(verifying_key(key_)),
        backend_(&backend),
        held_(backend.hold({key_.records, key_.a, key_.b1, key_.b2, key_.c, key_.h})) {}

  const ProvingKey& key() const { return key_; }

  // Code::unsatisfied when the witness does not satisfy the circuit, which is found by verifying the proof.
  // Where the backend is a device that the processor can stand in for, a proof that does not verify is made
  // once more on the processor before that is said.
  // Blinders are drawn over their full range and wiped.
  Result<Proved> prove(const Witness& witness, Rng& rng, const ProveOptions& options = {}) const;

 private:
  Result<MsmSums> sums(Backend& backend, const Witness& witness, Progress& progress) const;
  Proof assemble(const MsmSums& sums, const Blinders& blinders) const;
  Result<Proved> make(Backend& backend, const Witness& witness, const Blinders& blinders,
                      Progress& progress) const;
  Error explain(const Witness& witness) const;  // why its proof does not verify

  ProvingKey key_;
  VerifyingKey vk_;
  Backend* backend_;
  std::shared_ptr<void> held_;  // the key's tables, where the backend keeps copies of them
};

}  // namespace vouch::groth16
