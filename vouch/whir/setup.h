// Setup: what prover and verifier of one statement share, derived once: parameters, placement, hash
// constants.
#pragma once

#include <memory>
#include <span>

#include "vouch/whir/params.h"
#include "vouch/whir/proof.h"
#include "vouch/whir/stacking.h"
#include "vouch/whir/transcript.h"

namespace vouch::whir {

// What both sides agree on before anything is committed.
struct Statement {
  Params params;
  std::vector<TableShape> tables;
  Schedule schedule;
};

class Setup {
 public:
  // Errors (invalid_argument): everything derive(), stack() and check_schedule() refuse.
  static Result<Setup> create(Statement statement);

  const Statement& statement() const { return statement_; }
  const Params& params() const { return statement_.params; }
  const Config& config() const { return config_; }
  const Stacking& stacking() const { return stacking_; }

  // A fresh transcript, with the domain separator observed where the parameters ask for it. Recording starts
  // before the separator if a log is given.
  Transcript start(OperationLog* log = nullptr) const;

  // Number of digests of a commitment to the i-th codeword.
  std::size_t cap_size(std::size_t i) const;

 private:
  Statement statement_;
  Config config_;
  Stacking stacking_;
};

// The batches of a statement in transcript order, each with its table.
struct BatchRef {
  std::size_t table;
  const Batch* batch;
};
std::vector<BatchRef> batches(const Setup& setup);

// One point per batch, each of its table's arity, in reduced Montgomery words.
Status check_points(const Setup& setup, std::span<const Words> points);

}  // namespace vouch::whir
