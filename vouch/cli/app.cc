// What every command shares: see app.h.
#include "vouch/cli/app.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <new>

#include "vouch/cli/memory.h"
#include "vouch/cli/outputs.h"
#include "vouch/cli/whir_options.h"
#include "vouch/core/mapped_file.h"
#include "vouch/core/parallel.h"
#include "vouch/core/trace.h"

namespace vouch::cli {
namespace {

void put_line(std::FILE* to, std::string_view prefix, std::string_view line) {
  std::fprintf(to, "%.*s%.*s\n", int(prefix.size()), prefix.data(), int(line.size()), line.data());
}

}  // namespace

// Progress

void CliProgress::stage(std::string_view name) {
  stage_ = name;
}

void CliProgress::advance(double done, double total) {
  if (options_.quiet || options_.json || total <= 0) return;
  const double now = clock_.seconds();
  if (now < 0.5 || now - last_drawn_ < 0.1 || !::isatty(STDERR_FILENO)) return;
  last_drawn_ = now;
  constexpr int width = 30;
  const int filled = std::clamp(int(done / total * width), 0, width);
  std::fprintf(stderr, "\r\033[K%-24s [%s%s] %3.0f %%  %.1f s", stage_.c_str(),
               std::string(filled, '#').c_str(), std::string(width - filled, ' ').c_str(),
               std::min(100.0, done / total * 100), now);
  std::fflush(stderr);
  drawn_ = true;
}

void CliProgress::timing(std::string_view name, double seconds) {
  timings_.emplace_back(name, seconds);
}

void CliProgress::clear() {
  if (!drawn_) return;
  std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

// Commands

CLI::App* Context::add_command(CLI::App& parent, const std::string& name, const std::string& description,
                               const std::string& example, std::function<Status()> run) {
  CLI::App* command = parent.add_subcommand(name, description);
  command->footer("Example:\n  " + example);
  command->callback([this, command, run = std::move(run)] { chosen_ = run, chosen_command_ = command; });
  return command;
}

CLI::App* Context::add_group(CLI::App& parent, const std::string& name, const std::string& description) {
  for (CLI::App* existing : parent.get_subcommands([&](const CLI::App* s) { return s->get_name() == name; }))
    return existing;
  CLI::App* group = parent.add_subcommand(name, description);
  group->require_subcommand(1);
  return group;
}

void Context::add_output_options(CLI::App& command) {
  command.add_flag("--json", options.json, "Print the result as one JSON object on stdout");
  command.add_flag("-q,--quiet", options.quiet, "Print nothing but results, warnings and errors");
}

void Context::add_compute_options(CLI::App& command) {
  command.add_option("-t,--threads", options.threads, "Threads to use; 0 means every core [0]")
      ->check(CLI::Range(0, 4096))
      ->type_name("N");
  command
      .add_option("--backend", options.backend,
                  "Where to compute: auto, cpu, reference, or a device that vouch devices lists [auto]")
      ->type_name("NAME");
  command.add_flag("--no-fallback", options.no_fallback,
                   "When a device fails, fail too, instead of computing on the processor");
  command
      .add_option("--device-memory", options.device_memory,
                  "Memory of a device (4G) that a key's tables may take between proofs [half of it]")
      ->type_name("BYTES");
  command.add_option("--instructions", options.instructions, "Force a form of arithmetic, for tests [auto]")
      ->type_name("NAME");
  command.add_flag("--timings", options.timings, "Print the time of every stage");
  command.add_option("--trace", options.trace, "Write what each thread did when, in Chrome's trace format")
      ->type_name("FILE");
  add_output_options(command);
}

void Context::add_sum_options(CLI::App& command) {
  command.add_flag(
      "--constant-work", options.constant_work,
      "Make as many additions, products and launches in multi-scalar products whatever the witness "
      "is (slower; which addresses are touched still depends on it)");
  command.add_flag(
      "--device-tables", options.device_tables,
      "On a device, make tables of multiples of the key's points first, as far as --device-memory "
      "goes: worth it only for dozens of proofs with one key");
}

std::function<void(const std::string&)> Context::fallback_warning() {
  if (options.no_fallback) return {};
  return [this](const std::string& what) { warn(what); };
}

std::function<void(const std::string&)> Context::choice_told() {
  return [this](const std::string& what) {
    report_["choice"] = what;
    if (options.timings) note("auto takes " + what);
  };
}

Result<std::unique_ptr<Backend>> Context::open_backend(const Work& work) {
  BackendOptions wanted;
  wanted.threads = options.threads;
  wanted.instructions = options.instructions;
  wanted.work_seconds = work.seconds;
  wanted.work_memory = work.memory;
  wanted.work_buffer = work.buffer;
  wanted.device_account = options.timings;
  wanted.constant_work = options.constant_work;
  wanted.device_tables = options.device_tables;
  if (!options.device_memory.empty()) {
    VOUCH_TRY(wanted.device_memory, parse_bytes(options.device_memory));
  }
  wanted.warn = fallback_warning();
  wanted.explain = choice_told();
  return vouch::open_backend(options.backend, wanted);
}

void Context::print(std::string_view line) {
  progress_.clear();
  if (!options.json) put_line(stdout, "", line);
}
void Context::note(std::string_view line) {
  progress_.clear();
  if (!options.json && !options.quiet) put_line(stderr, "", line);
}
void Context::warn(std::string_view line) {
  progress_.clear();
  put_line(stderr, "warning: ", line);
}

void Context::print_timings() {
  if (!options.timings) return;
  if (options.json) {
    nlohmann::ordered_json stages = nlohmann::ordered_json::array();
    for (const auto& [name, seconds] : progress_.timings())
      stages.push_back({{"stage", name}, {"seconds", seconds}});
    report_["timings"] = stages;
    return;
  }
  for (const auto& [name, seconds] : progress_.timings())
    std::fprintf(stderr, "  %-28s %10s\n", name.c_str(), human_seconds(seconds).c_str());
}

int Context::finish(const Status& status) {
  progress_.clear();
  print_timings();
  if (!status.ok()) put_line(stderr, "error: ", status.error().what);
  if (options.json) {
    nlohmann::ordered_json out;
    out["ok"] = status.ok();
    if (!status.ok()) {
      out["code"] = code_name(status.error().code);
      out["error"] = status.error().what;
    }
    out.update(report_);
    put_line(stdout, "", out.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  if (status.ok()) {
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return exit_ok;
    put_line(stderr, "error: ", "standard output: cannot write");
    return exit_failed;
  }
  return status.error().code == Code::invalid_argument ? exit_usage : exit_failed;
}

// A command that fails leaves a trace, too.
Status Context::run_traced() {
  VOUCH_CHECK(check_outputs({}, {options.trace}));
  for (const CLI::Option* option : chosen_command_->get_options())
    if (!option->check_lname("trace"))
      for (const std::string& word : option->results())  // some are files
        if (same_file(word, options.trace))
          return usage_error("--trace " + options.trace + ": " + option->get_name() +
                             " names that file, too");
  Trace trace;
  Status status = ok();
  {
    const Span all(trace, "vouch");
    status = chosen_();
  }
  const Status written = write_file(options.trace, trace.json());
  return status.ok() ? written : status;
}

// What the parser lets pass: no option means anything by an empty word, and no file has no name.
Status Context::check_words() {
  for (const CLI::Option* option : chosen_command_->get_options())
    for (const std::string& word : option->results())
      if (word.empty()) return usage_error(option->get_name() + ": is empty");
  const int cores = Threads().count();
  if (options.threads > cores) {
    warn("--threads " + std::to_string(options.threads) + ": this process may use " + std::to_string(cores) +
         (cores == 1 ? " core" : " cores") + ", and takes no more threads");
    options.threads = cores;
  }
  return ok();
}

int Context::run_chosen() {
  if (!chosen_) return exit_ok;
  try {
    if (const Status words = check_words(); !words.ok()) return finish(words);
    return finish(options.trace.empty() ? chosen_() : run_traced());
  } catch (const std::bad_alloc&) {
    return finish(Error{Code::out_of_memory, "out of memory"});
  } catch (const std::exception& e) {
    return finish(Error{Code::internal, std::string("a bug in vouch, please report it: ") + e.what()});
  }
}

// Words and numbers

Error usage_error(std::string what) {
  return {Code::invalid_argument, std::move(what)};
}

std::string_view code_name(Code code) {
  switch (code) {
    case Code::invalid_argument:
      return "invalid_argument";
    case Code::malformed:
      return "malformed";
    case Code::unsatisfied:
      return "unsatisfied";
    case Code::rejected:
      return "rejected";
    case Code::unsupported:
      return "unsupported";
    case Code::out_of_memory:
      return "out_of_memory";
    case Code::device:
      return "device";
    case Code::io:
      return "io";
    case Code::internal:
      return "internal";
  }
  return "internal";
}

std::string human_bytes(std::uint64_t bytes) {
  constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB"};
  double x = double(bytes);
  std::size_t unit = 0;
  while (x >= 1024 && unit + 1 < units.size()) x /= 1024, unit++;
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", x, units[unit]);
  return text.data();
}

std::string human_count(std::uint64_t n) {
  std::string s = std::to_string(n);
  for (int i = int(s.size()) - 3; i > 0; i -= 3) s.insert(std::size_t(i), ",");
  return s;
}

std::string human_seconds(double seconds) {
  std::array<char, 32> text;
  if (seconds >= 1) {
    std::snprintf(text.data(), text.size(), "%.2f s", seconds);
  } else if (seconds >= 1e-3) {
    std::snprintf(text.data(), text.size(), "%.1f ms", seconds * 1e3);
  } else {
    std::snprintf(text.data(), text.size(), "%.0f us", seconds * 1e6);
  }
  return text.data();
}

}  // namespace vouch::cli
