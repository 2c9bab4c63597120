// vouch bench groth16: what a proof costs here, beside any other prover's command.
//
// Cold is a fresh process with a warm page cache, as a user's script pays; warm is one more proof in a
// process that has its key open. Runs of vouch and of the other command alternate, so that both meet the same
// machine.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "vouch/cli/app.h"
#include "vouch/cli/key_options.h"
#include "vouch/cli/memory.h"
#include "vouch/cli/process.h"
#include "vouch/core/rng.h"
#include "vouch/formats/wtns.h"
#include "vouch/groth16/prover.h"

namespace vouch::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  std::string key, witness, versus;
  int runs = 5;
  KeyOptions key_options;
  TablesOptions tables;
};

double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  const std::size_t n = x.size();
  return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

// One row of the table.
struct Row {
  std::string name;
  std::vector<double> seconds, cpu_seconds;
  std::uint64_t peak_bytes = 0;

  void add(const ProcessRun& run) {
    seconds.push_back(run.seconds);
    cpu_seconds.push_back(run.cpu_seconds);
    peak_bytes = std::max(peak_bytes, run.peak_bytes);
  }
};

// A folder for the proofs that are measured and thrown away.
class ScratchFolder {
 public:
  ScratchFolder() : path_(fs::temp_directory_path() / ("vouch-bench-" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

// {key} {witness} {proof} {public} in the other prover's command.
std::string fill_in(std::string command, const std::map<std::string, std::string>& values) {
  for (const auto& [name, value] : values)
    for (std::size_t at = 0; (at = command.find(name, at)) != std::string::npos; at += value.size())
      command.replace(at, name.size(), value);
  return command;
}

std::vector<std::string> own_command(const Arguments& arguments, const Options& options,
                                     const ScratchFolder& scratch) {
  std::vector<std::string> argv = {own_program(),
                                   "groth16",
                                   "prove",
                                   arguments.key,
                                   arguments.witness,
                                   scratch.file("proof.json"),
                                   scratch.file("public.json"),
                                   "--quiet",
                                   "--threads",
                                   std::to_string(options.threads),
                                   "--backend",
                                   options.backend,
                                   "--instructions",
                                   options.instructions};
  if (options.no_fallback) argv.emplace_back("--no-fallback");
  if (!options.device_memory.empty()) argv.insert(argv.end(), {"--device-memory", options.device_memory});
  if (options.constant_work) argv.emplace_back("--constant-work");
  if (options.device_tables) argv.emplace_back("--device-tables");
  if (arguments.key_options.zkey.allow_insecure_key) argv.emplace_back("--allow-insecure-key");
  if (arguments.key_options.zkey.allow_damaged_tail) argv.emplace_back("--allow-damaged-tail");
  return argv;
}

Status measure_cold(const Arguments& arguments, Context& context, Row& ours, Row& theirs) {
  const ScratchFolder scratch;
  const auto own = own_command(arguments, context.options, scratch);
  const std::string other = fill_in(arguments.versus, {{"{key}", arguments.key},
                                                       {"{witness}", arguments.witness},
                                                       {"{proof}", scratch.file("other_proof.json")},
                                                       {"{public}", scratch.file("other_public.json")}});
  const std::string log = scratch.file("log");
  context.progress().stage("cold runs");
  VOUCH_CHECK(run_process("vouch groth16 prove", own, log));  // fills the page cache
  if (!other.empty()) VOUCH_CHECK(run_process("the other command", {"/bin/sh", "-c", other}, log));
  for (int i = 0; i < arguments.runs; i++) {
    VOUCH_TRY(const auto run, run_process("vouch groth16 prove", own, log));
    ours.add(run);
    if (!other.empty()) {
      VOUCH_TRY(const auto their_run, run_process("the other command", {"/bin/sh", "-c", other}, log));
      theirs.add(their_run);
    }
    context.progress().advance(i + 1, arguments.runs);
  }
  return ok();
}

using Stages = std::vector<std::pair<std::string, double>>;

// The medians of every stage, in the order of the first run.
Stages medians(const std::vector<Stages>& runs) {
  Stages result;
  for (const auto& [name, first] : runs.front()) {
    std::vector<double> all;
    for (const Stages& run : runs)
      for (const auto& [other, seconds] : run)
        if (other == name) all.push_back(seconds);
    result.emplace_back(name, median(all));
  }
  return result;
}

Status measure_warm(const Arguments& arguments, Context& context, const groth16::Prover& prover, Row& row,
                    Stages& stages) {
  VOUCH_TRY(const auto wtns, formats::open_wtns(arguments.witness));
  const groth16::Witness witness{wtns.name, wtns.values};
  OsRng rng;
  groth16::ProveOptions options;
  options.progress = &context.progress();
  VOUCH_CHECK(prover.prove(witness, rng, options));
  std::vector<Stages> all;
  for (int i = 0; i < arguments.runs; i++) {
    context.progress().forget();
    const std::clock_t cpu = std::clock();
    const Stopwatch clock;
    VOUCH_CHECK(prover.prove(witness, rng, options));
    row.seconds.push_back(clock.seconds());
    row.cpu_seconds.push_back(double(std::clock() - cpu) / CLOCKS_PER_SEC);
    all.push_back(context.progress().timings());
  }
  stages = medians(all);
  context.progress().forget();
  PeakMemory memory;  // in a run of its own, because sampling costs time
  VOUCH_CHECK(prover.prove(witness, rng, options));
  row.peak_bytes = memory.bytes();
  context.progress().forget();
  return ok();
}

void print_row(Context& context, const Row& row, const char* memory_note) {
  char line[200];
  std::snprintf(line, sizeof line, "  %-22s %10s %10s %10s %12s %s", row.name.c_str(),
                human_seconds(median(row.seconds)).c_str(),
                human_seconds(*std::min_element(row.seconds.begin(), row.seconds.end())).c_str(),
                human_seconds(median(row.cpu_seconds)).c_str(), human_bytes(row.peak_bytes).c_str(),
                memory_note);
  context.print(line);
  context.report()["rows"].push_back({{"name", row.name},
                                      {"median_seconds", median(row.seconds)},
                                      {"seconds", row.seconds},
                                      {"median_cpu_seconds", median(row.cpu_seconds)},
                                      {"peak_bytes", row.peak_bytes}});
}

Status bench(const Arguments& arguments, Context& context) {
  Row cold{"vouch, new process", {}, {}, 0}, warm{"vouch, key open", {}, {}, 0},
      tabled{"vouch, key and tables", {}, {}, 0}, theirs{"the other command", {}, {}, 0};
  context.options.no_fallback = true;  // what is timed is what is named
  // First, while this process is small: a child's peak memory is never below its parent's at the start.
  VOUCH_CHECK(measure_cold(arguments, context, cold, theirs));
  VOUCH_TRY(const auto zkey, open_key(arguments.key, arguments.key_options, context));
  VOUCH_TRY(const auto backend, context.open_backend(work_of(zkey.key)));
  groth16::Prover prover(zkey.key, *backend);
  Stages stages;
  VOUCH_CHECK(measure_warm(arguments, context, prover, warm, stages));
  if (arguments.tables.wanted()) {
    VOUCH_CHECK(use_tables(prover, *backend, arguments.key, arguments.tables, 0, context));
    VOUCH_CHECK(measure_warm(arguments, context, prover, tabled, stages));
  }

  const Backend::Info info = backend->info();
  const std::size_t constraints = prover.key().constraint_count();
  context.report()["device"] = info.device;
  context.report()["threads"] = info.threads;
  context.report()["constraints"] = constraints;
  context.report()["runs"] = arguments.runs;
  context.print(arguments.key + ": " + human_count(constraints) + " constraints, domain 2^" +
                std::to_string(prover.key().log_domain) + "; " + info.name + " on " + info.device + ", " +
                std::to_string(info.threads) + " threads; " + std::to_string(arguments.runs) + " runs");
  char heading[120];
  std::snprintf(heading, sizeof heading, "  %-22s %10s %10s %10s %12s", "", "median", "least", "CPU",
                "peak memory");
  context.print(heading);
  print_row(context, cold, "");
  print_row(context, warm, "(without mapped files)");
  if (!tabled.seconds.empty()) print_row(context, tabled, "(without mapped files)");
  if (!theirs.seconds.empty()) {
    print_row(context, theirs, "");
    char line[120];
    const double ratio = median(theirs.seconds) / median(cold.seconds);
    std::snprintf(line, sizeof line,
                  "  vouch is %.2f times as fast as the other command (medians, new processes)", ratio);
    context.print(line);
    context.report()["times_as_fast"] = ratio;
  }
  // In a small circuit what the program itself needs is most of it.
  context.print(
      "  peak memory, key open: " +
      (constraints >= 10000 ? human_count(warm.peak_bytes / constraints) + " bytes per constraint; " : "") +
      memory_counting);
  context.print("Stages, key open (medians):");
  for (const auto& [name, seconds] : stages) {
    char line[120];
    std::snprintf(line, sizeof line, "  %-28s %10s", name.c_str(), human_seconds(seconds).c_str());
    context.print(line);
    context.report()["stages"].push_back({{"stage", name}, {"median_seconds", seconds}});
  }
  return ok();
}

}  // namespace

void add_bench_commands(CLI::App& root, Context& context) {
  CLI::App* group = Context::add_group(root, "bench", "Measure proofs on this machine");
  const auto to = std::make_shared<Arguments>();
  CLI::App* command = context.add_command(
      *group, "groth16", "Time Groth16 proofs, beside another prover's command if given",
      "vouch bench groth16 circuit.zkey witness.wtns --vs 'prover {key} {witness} {proof} {public}'",
      [to, &context] { return bench(*to, context); });
  command->add_option("KEY", to->key, "Proving key (.zkey)")->required();
  command->add_option("WITNESS", to->witness, "Witness (.wtns)")->required();
  command
      ->add_option(
          "--vs", to->versus,
          "A shell command to run in turn with vouch; {key} {witness} {proof} {public} are filled in")
      ->type_name("COMMAND");
  command->add_option("--runs", to->runs, "Measured runs of each [5]")
      ->check(CLI::Range(1, 1000))
      ->type_name("N");
  add_key_options(*command, to->key_options);
  add_tables_options(*command, to->tables);
  context.add_compute_options(*command);
  context.add_sum_options(*command);
}

}  // namespace vouch::cli
