// Options and output that the whir commands share: see whir_options.h.
#include "vouch/cli/whir_options.h"

#include <algorithm>

#include "vouch/core/mapped_file.h"

namespace vouch::cli {

void add_whir_param_options(CLI::App& command, WhirParamOptions& o) {
  command.add_option("--field", o.field, "BabyBear or KoalaBear [BabyBear]")
      ->transform(
          CLI::CheckedTransformer({{"babybear", "BabyBear"}, {"koalabear", "KoalaBear"}}, CLI::ignore_case));
  command.add_option("--degree", o.degree, "Degree of the extension field, 4 or 5 [5]")
      ->check(CLI::IsMember({4, 5}));
  command.add_option("--fold", o.folding,
                     "Variables folded per round: k, or Constant(k), ConstantFromSecondRound(a, b), "
                     "PerRound([a, b, ...]) [4]");
  command.add_option("--rate", o.rate, "Log of the inverse rate of the first code [1]");
  command.add_option("--rates", o.rates, "The same for every later round, comma separated [rate + k - 1]")
      ->delimiter(',');
  command.add_flag("--metal", o.metal,
                   "Later rates as whir-p3-metal chooses them: first drop by 2^min(k, 3)");
  command.add_option("--security", o.security, "Bits of security [100]");
  command.add_option("--pow-bits", o.pow_bits, "Most bits of grinding a step may need [16]");
  command.add_option("--soundness", o.soundness,
                     "UniqueDecoding, JohnsonBound or CapacityBound [CapacityBound]");
  command.add_option("--layout", o.layout, "prefix or suffix [prefix]");
  command.add_option("--leaf-width", o.leaf_width, "Poseidon2 width of the leaf hash, 16 or 24 [16]");
  command.add_option("--arity", o.arity, "Children of a tree node, 2 or 4 [2]");
  command.add_option("--cap", o.cap_height, "Commit to the layer so many levels below the root [0]");
  command.add_option("--constants-seed", o.seed,
                     "Poseidon2 constants drawn from this seed [the published ones]");
  command.add_flag("--no-separator", o.no_separator, "Do not observe the domain separator");
}

Result<whir::Params> whir_params(const WhirParamOptions& o, int variables) {
  whir::Params p;
  VOUCH_TRY(p.field, whir::parse_field(o.field));
  p.degree = o.degree;
  const bool plain =
      !o.folding.empty() && o.folding.size() < 3 &&
      std::all_of(o.folding.begin(), o.folding.end(), [](char c) { return c >= '0' && c <= '9'; });
  VOUCH_TRY(p.folding, whir::parse_folding(plain ? "Constant(" + o.folding + ")" : o.folding));
  p.log_inv_rate = o.rate;
  p.round_rates = o.rates;
  if (o.metal && !o.rates.empty()) return usage_error("--metal and --rates exclude each other");
  if (o.metal) {
    VOUCH_TRY(p.round_rates, whir::metal_rates(p.folding, variables, o.rate));
  }
  p.security = o.security;
  p.pow_bits = o.pow_bits;
  VOUCH_TRY(p.soundness, whir::parse_soundness(o.soundness));
  VOUCH_TRY(p.layout, whir::parse_layout(o.layout));
  p.hashing.leaf_width = o.leaf_width;
  p.hashing.arity = o.arity;
  p.hashing.cap_height = o.cap_height;
  if (o.seed >= 0) p.hashing.seed = std::uint64_t(o.seed);
  p.domain_separator = !o.no_separator;
  return p;
}

whir::ProverOptions whir_prover_options(Context& context, std::uint64_t memory) {
  whir::ProverOptions options;
  options.threads = context.options.threads;
  options.backend = context.options.backend;
  options.instructions = context.options.instructions;
  options.memory = memory;
  options.warn = context.fallback_warning();
  options.explain = context.choice_told();
  options.progress = &context.progress();
  options.device_account = context.options.timings;
  return options;
}

Result<std::string> read_text(const std::string& path) {
  VOUCH_TRY(const MappedFile file, MappedFile::open(path));
  return std::string(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
}

}  // namespace vouch::cli
