// Verifying Groth16 proofs. Everything a verifier sees is public, so time may depend on it.
#pragma once

#include <span>
#include <vector>

#include "vouch/core/result.h"
#include "vouch/core/rng.h"
#include "vouch/field/fields.h"
#include "vouch/groth16/proof.h"
#include "vouch/groth16/verifying_key.h"

namespace vouch::groth16 {

// ok: the proof is valid. Otherwise the first cause: invalid_argument (the number of public signals does not
// fit the key), malformed (a point of the proof off the curve or outside the subgroup), rejected (the
// equation fails). The key has passed check(key), once.
Status verify(const VerifyingKey& key, std::span<const Bn254Fr> publics, const Proof& proof);
// The same on two of the caller's cores.
Status verify_in_parallel(const VerifyingKey& key, std::span<const Bn254Fr> publics, const Proof& proof);

struct Statement {
  std::vector<Bn254Fr> publics;
  Proof proof;
};

// The same for many proofs under one key, by one random combination: about a fifth of the time each. A false
// proof passes with probability 2^-128 over rng; the error names the first bad statement by its index.
Status verify_batch(const VerifyingKey& key, std::span<const Statement> statements, Rng& rng);

}  // namespace vouch::groth16
