// A WHIR proof in memory. Field elements are kept as they are serialised: Montgomery words below the modulus,
// an extension element as `degree` words, the coefficient of 1 first. So one type serves every field.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace vouch::whir {

using Word = std::uint32_t;       // an element of the base field, Montgomery form
using Words = std::vector<Word>;  // of a vector of extension elements: `degree` words each
using DigestWords = std::array<Word, 8>;
using Cap = std::vector<DigestWords>;  // a commitment: the digests of one layer of the tree

struct SumcheckProof {
  Words polynomials;    // per round h(0), then the coefficient of X^2: two extension elements
  Words pow_witnesses;  // one per round, none where no grinding is due
  bool operator==(const SumcheckProof&) const = default;
};

// Opened rows of a codeword and the digests that lead from them to the cap.
struct Openings {
  bool extension = false;  // rows of extension elements (every codeword but the first)
  std::size_t rows = 0;
  std::size_t row_words = 0;  // words of one row; all rows have the same length
  Words values;               // rows * row_words
  std::vector<DigestWords> siblings;
  bool operator==(const Openings&) const = default;
};

struct RoundProof {
  std::optional<Cap> commitment;
  Words ood_answers;
  Word pow_witness = 0;
  Openings openings;
  SumcheckProof sumcheck;
  bool operator==(const RoundProof&) const = default;
};

// Values of the columns of one batch at its point.
struct BatchValues {
  Words current;
  Words next;
  bool operator==(const BatchValues&) const = default;
};

struct Proof {
  Words ood_answers;
  SumcheckProof sumcheck;
  std::vector<RoundProof> rounds;
  std::optional<Words> final_poly;
  Word final_pow_witness = 0;
  Openings final_openings;
  std::optional<SumcheckProof> final_sumcheck;
  std::vector<BatchValues> evals;  // tables in the caller's order, their batches in schedule order
  bool operator==(const Proof&) const = default;
};

}  // namespace vouch::whir
