// What the whir commands share: parameters on the command line, the prover's options, stage times.
#pragma once

#include <string>
#include <vector>

#include "vouch/cli/app.h"
#include "vouch/whir/whir.h"

namespace vouch::cli {

struct WhirParamOptions {
  std::string field = "BabyBear";
  int degree = 5;
  std::string folding = "4";
  int rate = 1;
  std::vector<int> rates;
  bool metal = false;
  int security = 100;
  int pow_bits = 16;
  std::string soundness = "CapacityBound";
  std::string layout = "prefix";
  int leaf_width = 16;
  int arity = 2;
  int cap_height = 0;
  long long seed = -1;  // -1: published constants
  bool no_separator = false;
};

void add_whir_param_options(CLI::App& command, WhirParamOptions& options);

// variables: of the stacked polynomial, for --metal; errors are about the option that is wrong.
Result<whir::Params> whir_params(const WhirParamOptions& options, int variables);

whir::ProverOptions whir_prover_options(Context& context, std::uint64_t memory = 0);

// --timings: the stages of one proof, permutations and how fast they went beside the rate of hashing in
// cache.
void report_whir_stats(Context& context, const whir::Setup& setup, const whir::ProverStats& stats);

Result<std::string> read_text(const std::string& path);

// One per file: whir.cc, whir_case.cc, whir_sweep.cc.
void add_whir_prove_commands(CLI::App& whir, Context& context);
void add_whir_case_commands(CLI::App& whir, Context& context);
void add_whir_sweep_command(CLI::App& whir, Context& context);

}  // namespace vouch::cli
