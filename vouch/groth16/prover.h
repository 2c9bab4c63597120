// Makes Groth16 proofs: a key is taken once, then proofs are made from memory, by several threads at once.
//
//   A = sum w_i A_i + alpha + r delta        C = sum w_i C_i + sum P_i H_i + s A + r B1 - r s delta
//   B = sum w_i B_i + beta  + s delta        (B1 is B in G1; P is Backend::groth16_quotient)
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "vouch/backend/backend.h"
#include "vouch/core/rng.h"
#include "vouch/groth16/memory.h"
#include "vouch/groth16/proof.h"
#include "vouch/groth16/proving_key.h"
#include "vouch/groth16/tables.h"
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
  // Bytes that the proof may take, all that is resident counted (memory.h); 0 for no limit. Needs a key that
  // is mapped. Code::invalid_argument, with the least that works, when it is too little.
  std::uint64_t memory = 0;
};

struct Proved {
  Proof proof;
  std::vector<Bn254Fr> publics;  // wires 1 .. public_count
  bool tables_wrong = false;     // it was made without the tables, because one made with them does not verify
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
        threads_(backend.threads()),
        held_(backend.hold({key_.records, key_.a, key_.b1, key_.b2, key_.c, key_.h})) {}

  const ProvingKey& key() const { return key_; }

  // From now on sums use these tables of the key, which has no part in proofs under way. A proof made with
  // tables is always verified, and made again without them when it does not verify; if that proof does, the
  // tables are wrong and are not used again. Not with a memory budget that needs the key to be streamed.
  void use_tables(Tables tables) {
    tables_ = std::make_shared<const Tables>(std::move(tables));
    tables_wrong_ = std::make_shared<std::atomic<bool>>(false);
  }

  // Code::unsatisfied when the witness does not satisfy the circuit, which is found by verifying the proof.
  // Where the backend is a device that the processor can stand in for, a proof that does not verify is made
  // once more on the processor before that is said.
  // Blinders are drawn over their full range and wiped.
  Result<Proved> prove(const Witness& witness, Rng& rng, const ProveOptions& options = {}) const;

 private:
  Result<MemoryPlan> plan(std::uint64_t budget) const;
  Result<MsmSums> sums(Backend& backend, const Witness& witness, const MemoryPlan& plan, const Tables* tables,
                       Progress& progress) const;
  Result<MsmSums> sums_in_parts(Backend& backend, const MsmSet& set, const MemoryPlan& plan,
                                Progress& progress) const;
  Proof assemble(const MsmSums& sums, const Blinders& blinders) const;
  Result<Proved> make(Backend& backend, const Witness& witness, const Blinders& blinders,
                      const MemoryPlan& plan, const Tables* tables, Progress& progress) const;
  Error explain(const Witness& witness) const;  // why its proof does not verify

  ProvingKey key_;
  VerifyingKey vk_;
  Backend* backend_;
  Threads threads_;                       // the backend's
  std::shared_ptr<void> held_;            // the key's tables, where the backend keeps copies of them
  std::shared_ptr<const Tables> tables_;  // of multiples, or null
  std::shared_ptr<std::atomic<bool>> tables_wrong_;  // not null if tables_ is not
};

}  // namespace vouch::groth16
