// Parameters of a WHIR run and everything derived from them (protocol section 6). Pure arithmetic: no field
// element is touched here, so the same numbers serve prover, verifier, `vouch whir params` and memory
// planning.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vouch/core/result.h"

namespace vouch::whir {

enum class FieldId : std::uint8_t { baby_bear, koala_bear };
enum class Soundness : std::uint8_t { unique_decoding, johnson_bound, capacity_bound };
// Which index bits a sumcheck round folds: prefix the most significant first, suffix the least significant.
enum class Layout : std::uint8_t { prefix, suffix };

// How field elements are written in postcard: four bytes, or the varint that release candidates used.
// Everything else of the two profiles is the same.
enum class Profile : std::uint8_t { p3_0_7, p3_0_7_rc };

// The folding factors k_0, k_1, ... (section 6.1).
struct Folding {
  enum class Rule : std::uint8_t { constant, constant_from_second_round, per_round };
  Rule rule = Rule::constant;
  std::vector<int> factors = {4};  // constant {k}; constant_from_second_round {k_0, k}; per_round all of them

  static Folding constant(int k) { return {Rule::constant, {k}}; }
  static Folding from_second_round(int first, int rest) {
    return {Rule::constant_from_second_round, {first, rest}};
  }
  static Folding per_round(std::vector<int> factors) { return {Rule::per_round, std::move(factors)}; }
};

// Merkle tree and sponge (section 3). Constants are the published ones unless a seed is given (appendix B).
struct Hashing {
  int leaf_width = 16;  // Poseidon2 width of the leaf sponge: 16 (rate 8) or 24 (rate 16)
  int arity = 2;        // children per node: 2 (width 16) or 4 (width 32)
  int cap_height = 0;   // levels below the root at which the commitment lies
  std::optional<std::uint64_t> seed;
};

struct Params {
  FieldId field = FieldId::baby_bear;
  int degree = 5;  // of the extension that challenges come from: 4 or 5
  Folding folding;
  int log_inv_rate = 1;          // r_0
  std::vector<int> round_rates;  // r_1 .. r_t; empty: previous + k - 1
  int security = 100;            // bits
  int pow_bits = 16;             // most bits of grinding any step may need
  Soundness soundness = Soundness::capacity_bound;
  Layout layout = Layout::prefix;
  Hashing hashing;
  bool domain_separator = true;  // observe section 7's list before the commitment
};

struct RoundConfig {
  int pow_bits = 0;       // before the queries of this round
  int fold_pow_bits = 0;  // at each sumcheck round after them
  int queries = 0;
  int ood_samples = 0;
  int variables = 0;       // left after folding k_0 .. k_i
  int folding_factor = 0;  // k_i, the factor the queried codeword is folded by
  int log_inv_rate = 0;    // of the codeword committed in this round
  int log_domain = 0;      // log2 of D_i, the domain of the queried codeword before folding
};

struct Config {
  int variables = 0;  // of the stacked polynomial
  int ext_bits = 0;
  std::vector<int> folding;  // k_0 .. k_t
  int ood_samples = 0;       // of the commitment
  int fold_pow_bits = 0;     // at each round of the first sumcheck
  std::vector<RoundConfig> rounds;
  int final_queries = 0;
  int final_pow_bits = 0;
  int final_sumcheck_rounds = 0;  // variables left after the last fold: 0 to 6
  int final_fold_pow_bits = 0;
  int final_log_domain = 0;

  int max_pow_bits() const;
  // Rate and height of the i-th codeword, i = 0 .. rounds.size(): 2^log_height rows of 2^folding[i] entries.
  int rate(std::size_t i, int first_rate) const { return i ? rounds[i - 1].log_inv_rate : first_rate; }
  int log_height(std::size_t i) const {
    return (i < rounds.size() ? rounds[i].log_domain : final_log_domain) - folding[i];
  }
};

// Section 6 for a polynomial of `variables` variables. Errors (invalid_argument) name the parameter, and
// unsupported / PowBitsExceedBudget cases say what to change.
Result<Config> derive(const Params& params, int variables);

// Explicit rates of section 6.6: the first fold drops the domain by 2^min(k_0, 3), later ones by 2.
Result<std::vector<int>> metal_rates(const Folding& folding, int variables, int log_inv_rate);

// The domain separator of section 7: raw integers to be observed in order. n is Config::variables.
std::vector<std::uint32_t> domain_separator(const Params& params, const Config& config);

// Grinding from this many bits on is refused: a witness is one 31-bit element, so one may well not exist.
inline constexpr int refused_pow_bits = 28;

int two_adicity(FieldId field);
std::uint32_t modulus(FieldId field);
int ext_bits(int degree);  // bit length of p^degree, the same for both fields

// Names as the vectors spell them: "BabyBear", "CapacityBound", "prefix", "Constant(4)".
std::string_view name(FieldId field);
std::string_view name(Soundness soundness);
std::string_view name(Layout layout);
std::string to_string(const Folding& folding);
Result<FieldId> parse_field(std::string_view text);
Result<Soundness> parse_soundness(std::string_view text);
Result<Layout> parse_layout(std::string_view text);
Result<Folding> parse_folding(std::string_view text);

}  // namespace vouch::whir
