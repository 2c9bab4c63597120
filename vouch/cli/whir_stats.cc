// whir --timings: where a proof's time went.
#include <algorithm>
#include <cstdio>

#include "vouch/cli/device_use.h"
#include "vouch/cli/whir_options.h"

namespace vouch::cli {
namespace {

std::string rate_text(double per_second) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f M/s", per_second / 1e6);
  return text;
}

// Permutations per second when everything stays in cache: many small commitments, of which only the hashing
// is counted. What the arithmetic allows; a tree over a large codeword is compared with it.
double permutation_limit(const whir::Setup& setup, Context& context) {
  whir::Statement small = setup.statement();
  small.params.folding = whir::Folding::constant(3);  // 8 columns: one block of the leaf sponge
  small.params.round_rates.clear();
  small.params.security = 30;
  small.params.pow_bits = 20;
  small.tables = {{14, 1}};
  small.schedule = {{}};
  auto tiny = whir::Setup::create(small);
  if (!tiny.ok()) return 0;
  whir::ProverOptions options = whir_prover_options(context);
  options.device_account = false;
  options.explain = nullptr;
  auto prover = whir::Prover::create(tiny.value(), options);
  if (!prover.ok()) return 0;
  const std::vector<std::uint32_t> zeros(std::size_t(1) << 14);
  const whir::Table table = {zeros};
  double best = 0;
  const Stopwatch clock;
  for (int i = 0; i < 200 && clock.seconds() < 0.2; i++) {
    whir::Transcript t = tiny.value().start();
    if (!prover.value().commit({&table, 1}, t).ok()) return 0;
    const whir::ProverStats& s = prover.value().stats();
    if (s.hash > 0) best = std::max(best, double(s.tree_permutations) / s.hash);
  }
  return best;
}

}  // namespace

void report_whir_stats(Context& context, const whir::Setup& setup, const whir::ProverStats& s) {
  if (!context.options.timings) return;
  for (const auto& [name, seconds] : {std::pair{"stack", s.stack},
                                      {"encode", s.encode},
                                      {"hash", s.hash},
                                      {"claims", s.claims},
                                      {"weights", s.weights},
                                      {"sumcheck", s.sumcheck},
                                      {"grind", s.grind},
                                      {"open rows", s.open_rows}})
    context.progress().timing(name, seconds);
  const double limit = permutation_limit(setup, context);
  auto& report = context.report();
  report["tree_permutations"] = s.tree_permutations;
  report["grind_permutations"] = s.grind_permutations;
  std::string line = human_count(s.tree_permutations) + " permutations in the trees";
  if (s.hash > 0) {
    const double rate = double(s.tree_permutations) / s.hash;
    report["permutations_per_second"] = rate;
    line += ", " + rate_text(rate);
    if (limit > 0) {
      report["permutations_per_second_limit"] = limit;
      line += " (in cache: " + rate_text(limit) + ")";
    }
  }
  context.note(line);
  if (s.grind_permutations > 0 && s.grind > 0) {
    context.note(human_count(s.grind_permutations) + " permutations of grinding, " +
                 rate_text(double(s.grind_permutations) / s.grind));
  }
  report_device_use(context, s.device, 31);
}

}  // namespace vouch::cli
