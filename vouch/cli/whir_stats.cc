// whir --timings: where a proof's time went.
#include <algorithm>
#include <cstdio>

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

std::string percent(double part, double of) {
  if (part <= 0 || of <= 0) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * part / of);
  return text;
}

std::string kernel_row(const KernelUse& k, const DeviceUse& use) {
  const bool timed = k.seconds > 0;
  char line[200];
  std::snprintf(line, sizeof line, "  %-18s %8llu %10s %11s %9s %10.1f M %9s", k.kernel.c_str(),
                (unsigned long long)(k.launches), timed ? human_seconds(k.seconds).c_str() : "-",
                human_bytes(k.bytes).c_str(),
                timed ? percent(double(k.bytes) / k.seconds, use.copy_rate).c_str() : "-",
                double(k.products) / 1e6,
                timed ? percent(double(k.products) / k.seconds, use.product_rate).c_str() : "-");
  return line;
}

// What each kernel took by the device's clock, and how near it came to the device's copy and product rates.
void report_device(Context& context, DeviceUse use) {
  if (use.kernels.empty()) return;
  std::sort(use.kernels.begin(), use.kernels.end(),
            [](const KernelUse& a, const KernelUse& b) { return a.seconds > b.seconds; });
  char line[200];
  std::snprintf(
      line, sizeof line,
      "on the device: %llu submissions, %llu uploads, %llu downloads, memory at most %s; it copies %.1f "
      "GB/s and makes %.2f G products/s of 31 bits",
      (unsigned long long)(use.submissions), (unsigned long long)(use.uploads),
      (unsigned long long)(use.downloads), human_bytes(use.peak_bytes).c_str(), use.copy_rate / 1e9,
      use.product_rate / 1e9);
  context.note(line);
  context.note("  kernel             launches       time       moved   of copy     products  of rate");
  nlohmann::ordered_json kernels = nlohmann::ordered_json::array();
  for (const KernelUse& k : use.kernels) {
    context.note(kernel_row(k, use));
    kernels.push_back({{"kernel", k.kernel},
                       {"launches", k.launches},
                       {"seconds", k.seconds},
                       {"bytes", k.bytes},
                       {"products", k.products}});
  }
  context.report()["device_use"] = {{"submissions", use.submissions},
                                    {"uploads", use.uploads},
                                    {"downloads", use.downloads},
                                    {"peak_bytes", use.peak_bytes},
                                    {"copy_bytes_per_second", use.copy_rate},
                                    {"products_per_second", use.product_rate},
                                    {"kernels", kernels}};
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
  report_device(context, s.device);
}

}  // namespace vouch::cli
