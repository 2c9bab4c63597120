// Case files: one WHIR run as JSON - statement, derived configuration, and as far as known the stacked
// polynomial, commitment, transcripts and proof. The golden vectors, the exchange with other implementations
// and bug reports all have this form (docs/whir-cases.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vouch/core/result.h"
#include "vouch/whir/whir.h"

namespace vouch::formats {

// Points the caller prescribes, one per batch; absent: drawn from the transcript.
using WhirPoints = std::optional<std::vector<whir::PointWords>>;

struct WhirCase {
  std::string name;
  whir::Statement statement;
  // Values of the tables: [table][column][row], canonical. Absent: the generated ones.
  std::optional<std::vector<std::vector<std::vector<std::uint32_t>>>> values;
  std::optional<std::vector<std::uint32_t>> stacked_poly;  // canonical
  std::optional<whir::Cap> commitment;                     // Montgomery words (canonical in the file)
  std::optional<whir::OperationLog> prover_trace;          // without remarks
  std::optional<whir::OperationLog> verifier_trace;
  std::optional<whir::Config> config;
  WhirPoints points;
  std::optional<std::vector<whir::BatchValues>> opened;  // the values claimed
  std::optional<std::string> commitment_postcard;        // bytes
  std::optional<std::string> proof_postcard;             // bytes
  std::optional<std::string> proof_json;                 // text without spaces

  whir::Encoding encoding() const { return {statement.params.field, statement.params.degree}; }
};

// Errors (malformed, invalid_argument) name the field.
Result<WhirCase> whir_case_from_json(std::string_view text);
std::string whir_case_to_json(const WhirCase& c);

// Opening, and verifying, as case files have it: prescribed points are observed after the commitment,
// coordinate by coordinate. Otherwise as Prover::open and whir::verify.
Result<whir::Proof> whir_case_open(whir::Prover& prover, const WhirPoints& points,
                                   whir::Transcript& transcript);
Status whir_case_verify(const whir::Setup& setup, const whir::Cap& commitment, const whir::Proof& proof,
                        const WhirPoints& points, whir::Transcript& transcript,
                        const whir::VerifyOptions& options = {});

// The value that generated tables hold at row i of column j of table t.
std::uint32_t whir_case_value(std::uint32_t table, std::uint32_t column, std::uint32_t row,
                              std::uint32_t modulus);
std::vector<std::vector<std::vector<std::uint32_t>>> whir_case_values(const WhirCase& c);

}  // namespace vouch::formats
