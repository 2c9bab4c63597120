// .zkey: a Groth16 proving key over BN254 as snarkjs writes it. Opened in place; checked in two levels.
//
// Structure (always): every length and count, the header's points and IC, and every row, wire and value of
// the coefficient section, so that a prover can trust all indices. Points of the large sections are read only
// by groth16::check_points, because that costs as much as a part of a proof.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "vouch/core/mapped_file.h"
#include "vouch/core/parallel.h"
#include "vouch/groth16/proving_key.h"

namespace vouch::formats {

struct ZkeyOptions {
  // A key whose gamma2 equals delta2 (nobody contributed to its second phase), or with infinity among alpha,
  // beta, gamma and delta: anyone can forge proofs under it.
  bool allow_insecure_key = false;
  // Bytes after the last section, and a contributions section that is missing or damaged; neither is used to
  // prove.
  bool allow_damaged_tail = false;
  // Pages are given back once read, so that a key larger than memory can be opened.
  bool stream = false;
};

// One entry of the second phase's transcript (section 10).
struct Contribution {
  std::string name;  // empty when its author gave none
  bool beacon = false;
  Bn254G1::Affine delta_after;  // not checked
};

struct Zkey {
  groth16::ProvingKey key;
  std::array<std::uint8_t, 64> circuit_hash{};
  std::vector<Contribution> contributions;
  bool contributions_read = false;  // false only under allow_damaged_tail
};

// Maps the file and checks its structure.
Result<Zkey> open_zkey(const std::string& path, const ZkeyOptions& options = {},
                       const Threads& threads = Threads());

// The same for bytes in memory, which must outlive the result. `name` is what errors call them.
Result<Zkey> parse_zkey(const std::string& name, Bytes file, const ZkeyOptions& options = {},
                        const Threads& threads = Threads());

}  // namespace vouch::formats
