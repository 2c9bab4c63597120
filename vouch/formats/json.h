// proof.json, public.json and verification_key.json: read strictly, written byte for byte as snarkjs writes
// them.
//
// Reading accepts one spelling per value: decimal strings below the modulus. Points must be on the curve and
// in the group. rapidsnark's proof, which has no "curve", is read too.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "vouch/core/bytes.h"
#include "vouch/core/result.h"
#include "vouch/groth16/proof.h"
#include "vouch/groth16/verifying_key.h"

namespace vouch::formats {

// How many public signals there must be, and the file that says so. With it, memory does not grow with a file
// that has many more.
struct ExpectedPublics {
  std::size_t count = 0;
  std::string key_name;
};

// `name` is the file's name for errors.
Result<groth16::Proof> parse_proof(const std::string& name, Bytes file);
Result<std::vector<Bn254Fr>> parse_public(const std::string& name, Bytes file,
                                          const std::optional<ExpectedPublics>& expected = {});
Result<groth16::VerifyingKey> parse_verifying_key(const std::string& name, Bytes file);

Result<groth16::Proof> read_proof(const std::string& path);
Result<std::vector<Bn254Fr>> read_public(const std::string& path,
                                         const std::optional<ExpectedPublics>& expected = {});
Result<groth16::VerifyingKey> read_verifying_key(const std::string& path);

// No newline at the end; an empty array is `[`, newline, `]`.
std::string proof_json(const groth16::Proof& proof);
std::string public_json(std::span<const Bn254Fr> signals);
std::string verifying_key_json(const groth16::VerifyingKey& key);

}  // namespace vouch::formats
