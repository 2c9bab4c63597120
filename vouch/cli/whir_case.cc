// vouch whir case: one run as a JSON file, for exchange with other implementations and for bug reports.
#include "vouch/formats/whir_case.h"

#include <random>

#include "vouch/cli/app.h"
#include "vouch/cli/whir_options.h"
#include "vouch/core/mapped_file.h"
#include "vouch/formats/whir_json.h"

namespace vouch::cli {
namespace {

using formats::WhirCase;

struct Arguments {
  std::string input, output;
  bool diff = false, compat = false;
  // case new
  WhirParamOptions params;
  std::vector<std::string> tables;
  long long random = -1;
  int max_variables = 12;
};

Bytes bytes_of(const std::string& s) {
  return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()};
}
std::string string_of(const std::vector<std::uint8_t>& v) {
  return {v.begin(), v.end()};
}

// Collects where a run differs from what the file says.
class Differences {
 public:
  explicit Differences(Context& context) : context_(context) {}
  template <class T>
  void compare(const char* what, const std::optional<T>& theirs, const T& ours) {
    if (!theirs) return;
    compared_++;
    if (*theirs != ours) add(what);
  }
  void add(const std::string& what) {
    context_.print("differs: " + what);
    different_.push_back(what);
  }
  void compare_trace(const char* what, const std::optional<whir::OperationLog>& theirs,
                     const whir::OperationLog& ours, bool diff) {
    if (!theirs) return;
    compared_++;
    if (*theirs == ours) return;
    std::size_t i = 0;
    while (i < ours.size() && i < theirs->size() && ours[i] == (*theirs)[i]) i++;
    add(std::string(what) + " at operation " + std::to_string(i));
    if (!diff) return;
    auto show = [&](const whir::OperationLog& log) {
      return i < log.size() ? whir::to_string(log[i]) : std::string("(end)");
    };
    context_.print("  the first difference is operation " + std::to_string(i) + " of " +
                   std::to_string(theirs->size()) + ": the file says \"" + show(*theirs) +
                   "\", this run says \"" + show(ours) + "\"");
    for (std::size_t j = i < 3 ? 0 : i - 3; j < i; j++)
      context_.print("  " + std::to_string(j) + " same: " + whir::to_string(ours[j]));
    context_.report()["first_difference"] = {{"operation", i}, {"file", show(*theirs)}, {"here", show(ours)}};
  }
  Status status(const std::string& name) {
    context_.report()["compared"] = compared_;
    context_.report()["differs"] = different_;
    if (different_.empty()) return ok();
    return Error{Code::rejected, name + ": " + std::to_string(different_.size()) + " of " +
                                     std::to_string(compared_) + " recorded results differ, first " +
                                     different_[0]};
  }
  int compared() const { return compared_; }

 private:
  Context& context_;
  int compared_ = 0;
  std::vector<std::string> different_;
};

Result<WhirCase> load(const std::string& path) {
  VOUCH_TRY(const std::string text, read_text(path));
  auto c = formats::whir_case_from_json(text);
  if (!c.ok()) return Error{c.error().code, path + ": " + c.error().what};
  return c;
}

std::vector<std::uint32_t> stacked(const whir::Setup& setup,
                                   const std::vector<std::vector<std::vector<std::uint32_t>>>& values) {
  std::vector<std::uint32_t> f(std::size_t(1) << setup.config().variables);
  for (std::size_t t = 0; t < values.size(); t++) {
    const whir::Placement& at = setup.stacking().of(t);
    for (std::uint32_t j = 0; j < values[t].size(); j++) {
      const std::uint64_t v = at.selector(j, setup.params().layout);
      for (std::size_t i = 0; i < values[t][j].size(); i++)
        f[setup.params().layout == whir::Layout::prefix ? i << at.selector_bits | v : v << at.arity | i] =
            values[t][j][i];
    }
  }
  return f;
}

bool same_config(const whir::Config& a, const whir::Config& b) {
  auto rounds = [](const whir::Config& c) {
    std::vector<std::array<int, 8>> list;
    for (const auto& r : c.rounds)
      list.push_back({r.pow_bits, r.fold_pow_bits, r.queries, r.ood_samples, r.variables, r.folding_factor,
                      r.log_inv_rate, r.log_domain});
    return list;
  };
  return a.variables == b.variables && a.ext_bits == b.ext_bits && a.folding == b.folding &&
         a.ood_samples == b.ood_samples && a.fold_pow_bits == b.fold_pow_bits && rounds(a) == rounds(b) &&
         a.final_queries == b.final_queries && a.final_pow_bits == b.final_pow_bits &&
         a.final_sumcheck_rounds == b.final_sumcheck_rounds && a.final_fold_pow_bits == b.final_fold_pow_bits;
}

Status prove_case(const Arguments& a, Context& context) {
  VOUCH_TRY(WhirCase c, load(a.input));
  VOUCH_TRY(const whir::Setup setup, whir::Setup::create(c.statement));
  Differences differences(context);
  if (c.config && !same_config(*c.config, setup.config())) differences.add("config");
  VOUCH_TRY(whir::Prover prover, whir::Prover::create(setup, whir_prover_options(context)));
  const auto values = formats::whir_case_values(c);
  std::vector<whir::Table> tables;
  for (const auto& t : values) tables.emplace_back(t.begin(), t.end());
  whir::OperationLog log, verifier_log;
  whir::Transcript t = setup.start(&log);
  VOUCH_TRY(const whir::Cap cap, prover.commit(tables, t));
  VOUCH_TRY(const whir::Proof proof, formats::whir_case_open(prover, c.points, t));
  report_whir_stats(context, setup, prover.stats());
  whir::Transcript v = setup.start(&verifier_log);
  const Status accepted = formats::whir_case_verify(setup, cap, proof, c.points, v);
  if (!accepted.ok())
    return Error{Code::internal,
                 "a bug in vouch, please report it: its own proof does not verify: " + accepted.error().what};

  const std::string postcard = string_of(whir::to_postcard(proof, c.encoding()));
  const std::string cap_postcard = string_of(whir::to_postcard(cap, c.encoding()));
  const std::string json = formats::whir_proof_to_json(proof, c.encoding());
  const auto f = stacked(setup, values);
  differences.compare("stacked polynomial", c.stacked_poly, f);
  differences.compare("commitment", c.commitment, cap);
  differences.compare("commitment bytes", c.commitment_postcard, cap_postcard);
  differences.compare_trace("prover transcript", c.prover_trace, log, a.diff);
  differences.compare_trace("verifier transcript", c.verifier_trace, verifier_log, a.diff);
  differences.compare("opened values", c.opened, proof.evals);
  differences.compare("proof bytes", c.proof_postcard, postcard);
  differences.compare("proof JSON", c.proof_json, json);
  if (!a.output.empty()) {
    c.config = setup.config();
    c.stacked_poly = f;
    c.commitment = cap;
    c.commitment_postcard = cap_postcard;
    c.prover_trace = log;
    c.verifier_trace = verifier_log;
    c.opened = proof.evals;
    c.proof_postcard = postcard;
    c.proof_json = json;
    VOUCH_CHECK(write_file(a.output, formats::whir_case_to_json(c)));
  }
  context.report()["proof_bytes"] = postcard.size();
  VOUCH_CHECK(differences.status(a.input));
  context.print("OK! " + std::to_string(postcard.size()) + " bytes, verified" +
                (differences.compared()
                     ? ", and the same as the " + std::to_string(differences.compared()) + " results recorded"
                     : ""));
  return ok();
}

Status verify_case(const Arguments& a, Context& context) {
  VOUCH_TRY(const WhirCase c, load(a.input));
  VOUCH_TRY(const whir::Setup setup, whir::Setup::create(c.statement));
  if (!c.commitment || (!c.proof_postcard && !c.proof_json))
    return Error{Code::malformed,
                 a.input + ": a commitment and a proof are needed; make them with vouch whir case prove"};
  whir::Encoding encoding = c.encoding();
  encoding.canonical = !a.compat;
  whir::VerifyOptions options;
  options.strictness = a.compat ? whir::Strictness::compatible : whir::Strictness::strict;
  Differences differences(context);
  if (c.config && !same_config(*c.config, setup.config())) differences.add("config");
  std::optional<whir::Proof> first;
  for (const bool json : {false, true}) {
    if (json ? !c.proof_json : !c.proof_postcard) continue;
    VOUCH_TRY(const whir::Proof proof,
              json ? formats::whir_proof_from_json(*c.proof_json, encoding)
                   : whir::proof_from_postcard(bytes_of(*c.proof_postcard), encoding));
    if (first) {
      if (*first != proof) differences.add("proof JSON from proof bytes");
      continue;
    }
    whir::OperationLog log;
    whir::Transcript t = setup.start(&log);
    const Status accepted = formats::whir_case_verify(setup, *c.commitment, proof, c.points, t, options);
    differences.compare_trace("verifier transcript", c.verifier_trace, log, a.diff);
    differences.compare("opened values", c.opened, proof.evals);
    if (!accepted.ok()) return Error{accepted.error().code, a.input + ": " + accepted.error().what};
    first = proof;
  }
  VOUCH_CHECK(differences.status(a.input));
  context.print("OK! The proof is accepted.");
  return ok();
}

// "10x3": three columns of 2^10 rows.
Status parse_tables(const std::vector<std::string>& texts, whir::Statement& s) {
  for (const std::string& text : texts) {
    int rows = 0, width = 1;
    char end = 0;
    const int got = std::sscanf(text.c_str(), "%2dx%6d%c", &rows, &width, &end);
    if (got != 2 && !(got == 1 && text.find('x') == std::string::npos))
      return usage_error("--table " + text + " is not of the form 10 or 10x3: log2 of the rows, columns");
    if (rows < 0 || width < 1) return usage_error("--table " + text + " has no rows or no columns");
    s.tables.push_back({rows, std::uint32_t(width)});
    whir::Batch all;
    for (std::uint32_t j = 0; j < std::uint32_t(width); j++) all.current.push_back(j);
    s.schedule.push_back({all});
  }
  return ok();
}

// A random statement: every choice that the file format knows, small enough to run at once.
whir::Statement random_statement(std::mt19937_64& rng, int max_variables) {
  auto below = [&](int n) { return int(rng() % std::uint64_t(n)); };
  whir::Statement s;
  whir::Params& p = s.params;
  p.field = below(2) ? whir::FieldId::koala_bear : whir::FieldId::baby_bear;
  p.degree = 4 + below(2);
  p.layout = below(2) ? whir::Layout::suffix : whir::Layout::prefix;
  p.soundness = whir::Soundness(below(3));
  p.log_inv_rate = 1 + below(3);
  p.security = 20 + below(60);
  p.pow_bits = below(13);
  p.domain_separator = below(4) != 0;
  p.hashing = {below(3) ? 16 : 24, below(3) ? 2 : 4, below(3), {}};
  if (p.hashing.arity == 2 && below(4) == 0) p.hashing.seed = std::uint64_t(1 + below(1000));
  const int k = 1 + below(5);
  p.folding = below(2) ? whir::Folding::constant(k) : whir::Folding::from_second_round(k, 1 + below(5));
  const int tables = 1 + (below(2) ? below(3) : 0);
  for (int t = 0; t < tables; t++) {
    s.tables.push_back({tables == 1 ? 4 + below(max_variables - 3) : 1 + below(max_variables - 2),
                        std::uint32_t(tables == 1 ? 1 + below(2) * below(3) : 1 + below(3))});
    s.schedule.emplace_back();
    for (int b = below(3) ? 1 : 2; b > 0; b--) {
      whir::Batch batch;
      for (std::uint32_t j = 0; j < s.tables.back().width; j++) {
        if (below(4)) batch.current.push_back(j);
        if (!below(3)) batch.next.push_back(j);
      }
      if (batch.current.empty() && batch.next.empty()) batch.current.push_back(0);
      s.schedule.back().push_back(std::move(batch));
    }
  }
  return s;
}

Result<whir::Setup> random_setup(std::uint64_t seed, int max_variables) {
  std::mt19937_64 rng(seed);
  for (int attempt = 0; attempt < 10000; attempt++) {
    auto setup = whir::Setup::create(random_statement(rng, max_variables));
    if (!setup.ok() || setup.value().config().variables > max_variables ||
        setup.value().config().max_pow_bits() > 16)
      continue;
    if (setup.value().params().folding.rule == whir::Folding::Rule::constant || rng() % 2) return setup;
    // Half of the others as an explicit list, with explicit rates.
    whir::Statement s = setup.value().statement();
    s.params.folding = whir::Folding::per_round(setup.value().config().folding);
    for (const auto& r : setup.value().config().rounds)
      s.params.round_rates.push_back(std::max(1, r.log_inv_rate - int(rng() % 2)));
    auto listed = whir::Setup::create(s);
    return listed.ok() && listed.value().config().max_pow_bits() <= 16 ? std::move(listed) : std::move(setup);
  }
  return Error{Code::internal, "no parameters were found for this seed"};
}

Status new_case(const Arguments& a, Context& context) {
  WhirCase c;
  if (a.random >= 0) {
    if (a.max_variables < 6 || a.max_variables > 24) return usage_error("--max-variables must be 6 to 24");
    VOUCH_TRY(const whir::Setup setup, random_setup(std::uint64_t(a.random), a.max_variables));
    c.statement = setup.statement();
    c.name = "random_" + std::to_string(a.random);
  } else {
    if (a.tables.empty()) return usage_error("give the tables (--table 10x3, repeated) or --random SEED");
    VOUCH_CHECK(parse_tables(a.tables, c.statement));
    // --metal needs the number of variables, which the first fold may raise.
    WhirParamOptions without = a.params;
    without.metal = false;
    VOUCH_TRY(const whir::Params first, whir_params(without, 0));
    VOUCH_TRY(const whir::Stacking stacking, whir::stack(c.statement.tables, first.folding.factors[0]));
    VOUCH_TRY(c.statement.params, whir_params(a.params, stacking.variables));
    c.name = "case";
  }
  VOUCH_TRY(const whir::Setup setup, whir::Setup::create(c.statement));
  c.config = setup.config();
  VOUCH_CHECK(write_file(a.output, formats::whir_case_to_json(c)));
  context.report()["variables"] = setup.config().variables;
  context.note(a.output + ": " + std::to_string(setup.config().variables) + " variables, " +
               std::to_string(setup.config().rounds.size()) + " rounds");
  return ok();
}

}  // namespace

void add_whir_case_commands(CLI::App& whir, Context& context) {
  CLI::App* group = Context::add_group(
      whir, "case", "Runs as JSON files: exchange with other implementations, bug reports");
  const auto to = std::make_shared<Arguments>();
  CLI::App* prove = context.add_command(
      *group, "prove", "Run the prover on a case and compare with what the file records",
      "vouch whir case prove case.json -o done.json", [to, &context] { return prove_case(*to, context); });
  prove->add_option("CASE", to->input, "Case (.json)")->required();
  prove->add_option("-o,--output", to->output, "Write the case with commitment, transcripts and proof");
  prove->add_flag("--diff", to->diff, "Name the first transcript operation that differs");
  context.add_compute_options(*prove);

  CLI::App* verify =
      context.add_command(*group, "verify", "Verify the proof of a case", "vouch whir case verify case.json",
                          [to, &context] { return verify_case(*to, context); });
  verify->add_option("CASE", to->input, "Case (.json)")->required();
  verify->add_flag("--compat", to->compat, "Accept every encoding that p3-whir 0.7 accepts");
  verify->add_flag("--diff", to->diff, "Name the first transcript operation that differs");
  context.add_output_options(*verify);

  CLI::App* make =
      context.add_command(*group, "new", "Write a case without a proof, from options or at random",
                          "vouch whir case new --table 10x2 --fold 3 -o case.json",
                          [to, &context] { return new_case(*to, context); });
  make->add_option("--table", to->tables, "A table: log2 of its rows, x, its columns; repeatable");
  make->add_option("--random", to->random, "Choose everything from this seed");
  make->add_option("--max-variables", to->max_variables, "With --random: at most so many [12]");
  make->add_option("-o,--output", to->output, "The case to write")->required();
  add_whir_param_options(*make, to->params);
  context.add_output_options(*make);
}

}  // namespace vouch::cli
