// vouch whir params | prove | verify.
#include <algorithm>
#include <cstdio>

#include "vouch/backend/gpu/choose.h"
#include "vouch/backend/gpu/open_device.h"
#include "vouch/cli/memory.h"
#include "vouch/cli/outputs.h"
#include "vouch/cli/whir_options.h"
#include "vouch/core/mapped_file.h"
#include "vouch/core/rng.h"
#include "vouch/formats/polynomial.h"
#include "vouch/formats/whir_case.h"
#include "vouch/formats/whir_json.h"
#include "vouch/whir/memory.h"

namespace vouch::cli {
namespace {

struct Arguments {
  WhirParamOptions params;
  int variables = 0;
  std::string memory;
  std::string polynomial, proof, claims, profile = "p3-0.7";
  std::string device;
  std::vector<std::string> points;
  int random_points = 0;
  std::uint64_t seed = 1;
  bool compat = false;
};

// One polynomial of 2^n values opened in `batches` batches.
whir::Statement single(const whir::Params& params, int n, std::size_t batches) {
  whir::Statement s{params, {{n, 1}}, {{}}};
  for (std::size_t i = 0; i < batches; i++) s.schedule[0].push_back({{0}, {}});
  return s;
}

std::string row(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); i++) {
    const std::size_t width = i == 0 ? 8 : 11;
    line += cells[i].size() < width ? std::string(width - cells[i].size(), ' ') : " ";
    line += cells[i];
  }
  return line;
}

void print_rounds(const whir::Setup& setup, Context& context) {
  const whir::Config& c = setup.config();
  auto& list = context.report()["rounds"] = nlohmann::ordered_json::array();
  context.print(
      row({"codeword", "variables", "rows", "columns", "rate", "queries", "grind", "fold grind", "OOD"}));
  int d = c.variables;
  for (std::size_t i = 0; i < c.folding.size(); i++) {
    const bool last = i == c.rounds.size();
    const int queries = last ? c.final_queries : c.rounds[i].queries;
    const int pow = last ? c.final_pow_bits : c.rounds[i].pow_bits;
    const int fold_pow = i == 0 ? c.fold_pow_bits : c.rounds[i - 1].fold_pow_bits;
    const int ood = i == 0 ? c.ood_samples : c.rounds[i - 1].ood_samples;
    const int rate = c.rate(i, setup.params().log_inv_rate);
    context.print(
        row({std::to_string(i), std::to_string(d), "2^" + std::to_string(c.log_height(i)),
             "2^" + std::to_string(c.folding[i]), "2^-" + std::to_string(rate), std::to_string(queries),
             std::to_string(pow), std::to_string(fold_pow), std::to_string(ood)}));
    list.push_back({{"variables", d},
                    {"log_rows", c.log_height(i)},
                    {"folding_factor", c.folding[i]},
                    {"log_inv_rate", rate},
                    {"queries", queries},
                    {"pow_bits", pow},
                    {"folding_pow_bits", fold_pow},
                    {"ood_samples", ood}});
    d -= c.folding[i];
  }
}

// Whether a device's memory holds the proof: the one that is named, else the first GPU, if there is one.
Status show_device(const std::string& name, const whir::Setup& setup, Context& context) {
  std::optional<gpu::DeviceInfo> device;
  if (name.empty()) {
    device = gpu::first_gpu();
    if (!device) return ok();
  } else {
    VOUCH_TRY(const auto opened, gpu::open_device(name));
    device = opened->info();
  }
  const std::uint64_t room = room_of(device->memory);
  const whir::MemoryPlan plan = whir::plan_memory(setup, whir::MemoryBudget{room, device->largest_buffer});
  const int dropped = *std::max_element(plan.dropped_layers.begin(), plan.dropped_layers.end());
  context.print("device memory        " + human_bytes(plan.peak) + " of " + human_bytes(room) + " on " +
                device->id + " (" + device->name + "): " +
                (!plan.within_budget ? "does not fit, even with lower tree layers hashed again"
                 : dropped > 0
                     ? "fits, with up to " + std::to_string(dropped) + " tree layers hashed again when opened"
                     : "fits"));
  context.report()["device"] = {{"id", device->id},
                                {"name", device->name},
                                {"room_bytes", room},
                                {"memory_bytes", plan.peak},
                                {"dropped_layers", plan.dropped_layers},
                                {"fits", plan.within_budget}};
  return ok();
}

Status show_params(const Arguments& a, Context& context) {
  VOUCH_TRY(const whir::Params params, whir_params(a.params, a.variables));
  VOUCH_TRY(const whir::Setup setup, whir::Setup::create(single(params, a.variables, 1)));
  std::uint64_t budget = 0;
  if (!a.memory.empty()) {
    VOUCH_TRY(budget, parse_bytes(a.memory));
  }
  const whir::Config& c = setup.config();
  context.print(std::string(whir::name(params.field)) + ", extension degree " +
                std::to_string(params.degree) + ", " + std::to_string(params.security) + " bits (" +
                std::string(whir::name(params.soundness)) + "), folding " + whir::to_string(params.folding) +
                ", " + std::string(whir::name(params.layout)) + " layout");
  print_rounds(setup, context);
  const whir::MemoryPlan plan = whir::plan_memory(setup, budget);
  const std::uint64_t proof = whir::proof_size_bound(setup), perms = whir::tree_permutations(setup);
  context.print("final polynomial 2^" + std::to_string(c.final_sumcheck_rounds) + " values");
  context.print("proof at most        " + human_bytes(proof));
  context.print("tree permutations    " + human_count(perms));
  context.print("prover memory        " + human_bytes(plan.peak) + " beside the polynomial's file");
  VOUCH_CHECK(show_device(a.device, setup, context));
  int dropped = 0;
  for (int n : plan.dropped_layers) dropped = std::max(dropped, n);
  if (dropped > 0)
    context.print("to stay within " + a.memory + ", up to " + std::to_string(dropped) +
                  " tree layers are hashed again when opened");
  if (!plan.within_budget)
    context.warn("the prover needs " + human_bytes(plan.peak) +
                 " even without lower tree layers, more than " + a.memory);
  if (c.max_pow_bits() >= whir::refused_pow_bits)
    context.warn("a step needs " + std::to_string(c.max_pow_bits()) +
                 " bits of grinding; the prover refuses 28 or more");
  auto& report = context.report();
  report["variables"] = c.variables;
  report["final_variables"] = c.final_sumcheck_rounds;
  report["proof_bytes_bound"] = proof;
  report["tree_permutations"] = perms;
  report["memory_bytes"] = plan.peak;
  report["dropped_layers"] = plan.dropped_layers;
  return ok();
}

// Coordinates separated by commas or spaces; each an integer, or `degree` integers joined by colons.
Result<whir::PointWords> parse_point(const std::string& text, const whir::Params& p, int arity) {
  const Error bad =
      usage_error("--point \"" + text.substr(0, 60) + "\" is not " + std::to_string(arity) +
                  " coordinates below the modulus, separated by commas; a coordinate is a number or " +
                  std::to_string(p.degree) + " numbers joined by colons");
  whir::PointWords words;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find_first_of(", ", at), text.size());
    std::vector<std::uint32_t> c;
    for (std::size_t i = at; i < end;) {
      const std::size_t stop = std::min(text.find(':', i), end);
      if (stop == i || stop - i > 10) return bad;
      std::uint64_t x = 0;
      for (; i < stop; i++) {
        if (text[i] < '0' || text[i] > '9') return bad;
        x = 10 * x + std::uint64_t(text[i] - '0');
      }
      if (x >= whir::modulus(p.field)) return bad;
      c.push_back(std::uint32_t(x));
      i = stop + 1;
    }
    if (c.size() != 1 && c.size() != std::size_t(p.degree)) return bad;
    c.resize(std::size_t(p.degree));
    for (std::uint32_t x : c)
      words.push_back(p.field == whir::FieldId::baby_bear ? BabyBear(x).montgomery()
                                                          : KoalaBear(x).montgomery());
    at = end + 1;
  }
  if (words.size() != std::size_t(arity * p.degree)) return bad;
  return words;
}

whir::PointWords random_point(InsecureTestRng& rng, const whir::Params& p, int arity) {
  whir::PointWords words;
  while (words.size() < std::size_t(arity * p.degree))
    if (const std::uint32_t x = std::uint32_t(rng.next() >> 33); x < whir::modulus(p.field))
      words.push_back(x);
  return words;
}

bool is_json(const std::string& path) {
  return path.size() > 5 && path.ends_with(".json");
}

Result<whir::Encoding> encoding_of(const Arguments& a, const formats::WhirCase& c) {
  whir::Encoding e = c.encoding();
  if (a.profile == "p3-0.7rc") {
    e.profile = whir::Profile::p3_0_7_rc;
  } else if (a.profile != "p3-0.7") {
    return usage_error("--profile is p3-0.7 or p3-0.7rc");
  }
  e.canonical = !a.compat;
  return e;
}

std::string claims_path(const Arguments& a) {
  return a.claims.empty() ? a.proof + ".claims.json" : a.claims;
}

// What verify needs beside the proof: statement, commitment, points and values.
Status write_results(const Arguments& a, formats::WhirCase& c, const whir::Proof& proof, Context& context) {
  VOUCH_TRY(const whir::Encoding encoding, encoding_of(a, c));
  std::string bytes;
  if (is_json(a.proof)) {
    bytes = formats::whir_proof_to_json(proof, encoding);
  } else {
    const auto postcard = whir::to_postcard(proof, encoding);
    bytes.assign(postcard.begin(), postcard.end());
  }
  const std::string claims = claims_path(a);
  const std::vector<OutputFile> files = {{a.proof, bytes}, {claims, formats::whir_case_to_json(c)}};
  VOUCH_CHECK(write_files(files));
  context.report()["proof_bytes"] = bytes.size();
  context.report()["proof"] = a.proof;
  context.report()["claims"] = claims;
  context.print(a.proof + ": " + human_count(bytes.size()) + " bytes; claims in " + claims);
  return ok();
}

struct Made {
  whir::Cap commitment;
  whir::Proof proof;
  whir::ProverStats stats;
  Backend::Info where;
};

// points: of the case, if it gives them.
Result<Made> make_proof(const whir::Setup& setup, const whir::ProverOptions& options,
                        const std::vector<std::uint32_t>& values, const formats::WhirPoints& points) {
  VOUCH_TRY(whir::Prover prover, whir::Prover::create(setup, options));
  const Backend::Info where = prover.where();  // before a failure can change it
  const whir::Table table = {values};
  whir::Transcript t = setup.start();
  VOUCH_TRY(whir::Cap commitment, prover.commit({&table, 1}, t));
  VOUCH_TRY(whir::Proof proof, formats::whir_case_open(prover, points, t));
  return Made{std::move(commitment), std::move(proof), prover.stats(), where};
}

Status check_proof(const whir::Setup& setup, const Made& made, const formats::WhirPoints& points) {
  whir::Transcript t = setup.start();
  return formats::whir_case_verify(setup, made.commitment, made.proof, points, t);
}

// Verified; where a device computed wrongly, made once more on the processor.
Result<Made> make_checked_proof(const whir::Setup& setup, whir::ProverOptions options,
                                const std::vector<std::uint32_t>& values, const formats::WhirPoints& points,
                                Context& context) {
  auto made = make_proof(setup, options, values, points);
  if (!made.ok() && made.error().code != Code::device) return made;
  const bool on_processor = made.ok() && !made.value().where.accelerator;
  const Stopwatch clock;
  Status accepted = made.ok() ? check_proof(setup, made.value(), points) : Status(made.error());
  context.progress().timing("verify", clock.seconds());
  if (accepted.ok()) return made;
  if (on_processor)
    return Error{Code::internal,
                 "a proof made here does not verify, please report it: " + accepted.error().what};
  const std::string name = made.ok() ? made.value().where.name : options.backend;
  const std::string what = name + " computed wrongly: " + accepted.error().what;
  if (!options.warn) return made.ok() ? Error{Code::device, what} : made.error();
  options.warn(what + "; the processor makes the proof once more");
  options.backend = "cpu";
  return make_checked_proof(setup, options, values, points, context);
}

Status prove(const Arguments& a, Context& context) {
  VOUCH_TRY(const whir::FieldId field, whir::parse_field(a.params.field));
  std::uint64_t budget = 0;
  if (!a.memory.empty()) {
    VOUCH_TRY(budget, parse_bytes(a.memory));
  }
  VOUCH_CHECK(check_outputs({a.polynomial}, {a.proof, claims_path(a)}));
  VOUCH_TRY(std::vector<std::uint32_t> values, formats::read_polynomial(a.polynomial, whir::modulus(field)));
  const int n = std::countr_zero(values.size());
  VOUCH_TRY(const whir::Params params, whir_params(a.params, n));
  formats::WhirCase c;
  c.name = "polynomial";
  c.statement = single(params, n, std::max<std::size_t>(1, a.points.size() + std::size_t(a.random_points)));
  VOUCH_TRY(const whir::Setup setup, whir::Setup::create(c.statement));
  c.config = setup.config();
  const int arity = setup.stacking().of(0).arity;
  if (!a.points.empty() || a.random_points > 0) c.points.emplace();
  for (const std::string& text : a.points) {
    VOUCH_TRY(whir::PointWords point, parse_point(text, params, arity));
    c.points->push_back(std::move(point));
  }
  InsecureTestRng rng(a.seed);
  for (int i = 0; i < a.random_points; i++) c.points->push_back(random_point(rng, params, arity));

  const whir::MemoryPlan plan = whir::plan_memory(setup, budget);
  if (!plan.within_budget)
    return Error{Code::invalid_argument, a.polynomial + ": a proof needs " + human_bytes(plan.peak) +
                                             " even without lower tree layers, and may use " + a.memory};
  PeakMemory memory;
  const std::uint64_t before = anonymous_bytes_now();
  VOUCH_TRY(Made made,
            make_checked_proof(setup, whir_prover_options(context, budget), values, c.points, context));
  c.commitment = std::move(made.commitment);
  const whir::Proof& proof = made.proof;
  const std::uint64_t peak = memory.bytes() - std::min(memory.bytes(), before);
  c.opened = proof.evals;
  context.report()["backend"] = made.where.name;
  context.report()["memory_bytes"] = peak;
  context.report()["memory_predicted"] = plan.peak;
  report_whir_stats(context, setup, made.stats);
  if (context.options.timings)
    context.note("memory " + human_bytes(peak) + " at its peak, predicted " + human_bytes(plan.peak));
  return write_results(a, c, proof, context);
}

Status verify(const Arguments& a, Context& context) {
  VOUCH_TRY(const std::string text, read_text(a.claims));
  auto parsed = formats::whir_case_from_json(text);
  if (!parsed.ok()) return Error{parsed.error().code, a.claims + ": " + parsed.error().what};
  const formats::WhirCase& c = parsed.value();
  if (!c.commitment || !c.opened)
    return Error{Code::malformed, a.claims + ": has no \"commitment\" or no \"opened\" values"};
  VOUCH_TRY(const whir::Setup setup, whir::Setup::create(c.statement));
  VOUCH_TRY(const MappedFile file, MappedFile::open(a.proof));
  VOUCH_TRY(const whir::Encoding encoding, encoding_of(a, c));
  const bool json = !file.bytes().empty() && file.bytes()[0] == '{' && is_json(a.proof);
  auto decoded =
      json ? formats::whir_proof_from_json(
                 {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()}, encoding)
           : whir::proof_from_postcard(file.bytes(), encoding);
  if (!decoded.ok()) return Error{decoded.error().code, a.proof + ": " + decoded.error().what};
  const whir::Proof& proof = decoded.value();
  if (proof.evals != *c.opened)
    return Error{Code::rejected,
                 a.proof + ": the values it opens are not the ones that " + a.claims + " claims"};
  whir::VerifyOptions options;
  options.strictness = a.compat ? whir::Strictness::compatible : whir::Strictness::strict;
  const Stopwatch clock;
  whir::Transcript t = setup.start();
  const Status accepted = formats::whir_case_verify(setup, *c.commitment, proof, c.points, t, options);
  if (!accepted.ok()) return Error{accepted.error().code, a.proof + ": " + accepted.error().what};
  context.progress().timing("verify", clock.seconds());
  context.report()["batches"] = proof.evals.size();
  context.print("OK! The proof is accepted: " + std::to_string(proof.evals.size()) + " claims at " +
                std::to_string(setup.params().security) + " bits");
  return ok();
}

}  // namespace

void add_whir_prove_commands(CLI::App& whir, Context& context) {
  const auto to = std::make_shared<Arguments>();
  CLI::App* params = context.add_command(
      whir, "params", "Derived rounds, queries, grinding, proof size and memory",
      "vouch whir params -n 20 --fold 4 --rate 1", [to, &context] { return show_params(*to, context); });
  params->add_option("-n,--variables", to->variables, "Log of the polynomial's size")->required();
  params->add_option("--memory", to->memory, "Budget, such as 4G: what would be given up to stay within it");
  params
      ->add_option("--device", to->device,
                   "Whether it fits this device's memory, too [the first GPU, if any]")
      ->type_name("NAME");
  add_whir_param_options(*params, to->params);
  context.add_output_options(*params);

  CLI::App* make = context.add_command(whir, "prove", "Commit to a polynomial and open it",
                                       "vouch whir prove poly.npy --random-points 2 --seed 7 -o proof.bin",
                                       [to, &context] { return prove(*to, context); });
  make->add_option("POLY", to->polynomial, "2^n values below the modulus: raw little-endian u32, or .npy")
      ->required();
  make->add_option("-o,--output", to->proof, "The proof: postcard, or JSON if the name ends in .json")
      ->required();
  make->add_option("--claims", to->claims, "Statement, commitment, points and values [PROOF.claims.json]");
  make->add_option("--point", to->points,
                   "Open here: n coordinates, first the most significant bit; repeatable");
  make->add_option("--random-points", to->random_points, "Open at so many points made from --seed")
      ->check(CLI::Range(0, 1000));
  make->add_option("--seed", to->seed, "For --random-points [1]");
  make->add_option("--profile", to->profile, "p3-0.7, or p3-0.7rc with its varint elements [p3-0.7]");
  make->add_option(
      "--memory", to->memory,
      "Stay within so many bytes (4G), of the device's memory if --backend is one: lower tree layers "
      "are hashed again");
  add_whir_param_options(*make, to->params);
  context.add_compute_options(*make);

  CLI::App* check = context.add_command(whir, "verify", "Verify a proof against the claims made with it",
                                        "vouch whir verify proof.bin proof.bin.claims.json",
                                        [to, &context] { return verify(*to, context); });
  check->add_option("PROOF", to->proof, "Proof, postcard or .json")->required();
  check->add_option("CLAIMS", to->claims, "Statement, commitment, points and values (.json)")->required();
  check->add_option("--profile", to->profile, "p3-0.7 or p3-0.7rc [p3-0.7]");
  check->add_flag("--compat", to->compat, "Accept every encoding that p3-whir 0.7 accepts");
  check->add_flag("--timings", context.options.timings, "Print the time it took");
  context.add_output_options(*check);
}

void add_whir_commands(CLI::App& root, Context& context) {
  CLI::App* group =
      Context::add_group(root, "whir", "WHIR: commitments to multilinear polynomials over 31-bit fields");
  add_whir_prove_commands(*group, context);
  add_whir_sweep_command(*group, context);
  add_whir_case_commands(*group, context);
}

}  // namespace vouch::cli
