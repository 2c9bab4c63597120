// The vouch program: what every command shares - options, printing, progress, and how an error becomes an
// exit code.
//
// A command is a CLI::App made by Context::add_command, and a function that returns Status. The program
// parses the whole line first and runs one command after that, so a command never runs on a line with a
// mistake in it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vouch/backend/backend.h"
#include "vouch/core/progress.h"
#include "vouch/core/result.h"

namespace vouch::cli {

// The program's exit codes, documented in `vouch --help`.
enum ExitCode : int {
  exit_ok = 0,
  exit_failed = 1,  // rejected, or could not be done
  exit_usage = 2,   // the command line itself is wrong (Code::invalid_argument too)
};

struct Options {
  int threads = 0;  // 0: all
  std::string backend = "auto";
  std::string instructions = "auto";
  bool no_fallback = false;
  std::string device_memory;
  bool constant_work = false;
  bool device_tables = false;
  bool json = false;
  bool timings = false;
  std::string trace;  // a file, or empty
  bool quiet = false;
};

// Shows a bar on a terminal once work takes longer than half a second; records the time of every stage.
class CliProgress final : public Progress {
 public:
  explicit CliProgress(const Options& options) : options_(options) {}
  ~CliProgress() override { clear(); }
  void stage(std::string_view name) override;
  void advance(double done, double total) override;
  void timing(std::string_view name, double seconds) override;
  void clear();  // takes the bar off the screen
  void forget() { timings_.clear(); }
  const std::vector<std::pair<std::string, double>>& timings() const { return timings_; }

 private:
  const Options& options_;
  Stopwatch clock_;
  double last_drawn_ = 0;
  bool drawn_ = false;
  std::string stage_;
  std::vector<std::pair<std::string, double>> timings_;
};

class Context {
 public:
  Context() : progress_(options) {}

  Options options;

  // A subcommand of `parent` with its description and one example line under --help.
  // `run` is called after the whole command line is parsed.
  CLI::App* add_command(CLI::App& parent, const std::string& name, const std::string& description,
                        const std::string& example, std::function<Status()> run);
  // A subcommand that only holds others.
  static CLI::App* add_group(CLI::App& parent, const std::string& name, const std::string& description);

  void add_output_options(CLI::App& command);   // --json --quiet
  void add_compute_options(CLI::App& command);  // those and --threads --backend --trace ...
  void add_sum_options(CLI::App& command);      // how multi-scalar products are made

  // What `auto` is to know of the work, as in BackendOptions.
  struct Work {
    double seconds;
    std::uint64_t memory = 0, buffer = 0;
  };
  // The backend that --backend, --threads and --instructions ask for.
  Result<std::unique_ptr<Backend>> open_backend(const Work& work);
  // What a backend tells when the processor takes over from a device; empty under --no-fallback.
  std::function<void(const std::string&)> fallback_warning();
  // Takes down what "auto" took and why: in the report, and with the timings.
  std::function<void(const std::string&)> choice_told();
  CliProgress& progress() { return progress_; }

  // For people: `print` is the result, on stdout, and silent under --json; `note` is what happened on the
  // way, on stderr, and silent under --json and --quiet; `warn` always shows.
  void print(std::string_view line);
  void note(std::string_view line);
  void warn(std::string_view line);
  // For programs: printed as one JSON object on stdout under --json, with "ok" first and, on failure, "code"
  // and "error".
  nlohmann::ordered_json& report() { return report_; }

  // Runs the command that was chosen; prints its error, report and timings; returns the exit code.
  int run_chosen();

 private:
  int finish(const Status& status);
  Status check_words();
  Status run_traced();
  void print_timings();

  std::function<Status()> chosen_;
  CLI::App* chosen_command_ = nullptr;
  CliProgress progress_;
  nlohmann::ordered_json report_ = nlohmann::ordered_json::object();
};

// For a mistake on the command line that the parser cannot see: exit code 2.
Error usage_error(std::string what);

std::string_view code_name(Code code);         // "malformed", as under --json
std::string human_bytes(std::uint64_t bytes);  // "12.3 MiB"
std::string human_count(std::uint64_t n);      // "1,234,567"
std::string human_seconds(double seconds);     // "1.23 s", "45.6 ms"

// One function per file of commands; main.cc calls them all.
void add_groth16_commands(CLI::App& root,
                          Context& context);                 // groth16.cc: groth16 prove | verify, g16p, g16v
void add_zkey_commands(CLI::App& root, Context& context);    // zkey.cc:    zkey export verificationkey
void add_r1cs_commands(CLI::App& root, Context& context);    // r1cs.cc:    r1cs info
void add_wtns_commands(CLI::App& root, Context& context);    // wtns.cc:    wtns check
void add_info_commands(CLI::App& root, Context& context);    // info.cc:    info
void add_bench_commands(CLI::App& root, Context& context);   // bench.cc:   bench groth16
void add_whir_commands(CLI::App& root, Context& context);    // whir.cc:    whir ...
void add_devices_command(CLI::App& root, Context& context);  // devices.cc: devices

}  // namespace vouch::cli
