// The vouch program: declares every command, parses the line, runs one of them.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include "vouch/cli/app.h"
#include "vouch/cli/help.h"
#include "vouch/core/version.h"

namespace {

constexpr const char* footer =
    "Each command explains itself and shows an example: vouch groth16 prove --help\n"
    "Exit codes: 0 done or accepted; 1 rejected or failed; 2 the command line is wrong.";

// The parser would say that a command is missing; this names the word that is none, or those that may follow.
std::string unknown_command(const CLI::App& root, int argc, char** argv) {
  const CLI::App* at = &root;
  std::string path = "vouch";
  for (int i = 1;; i++) {
    const auto children = at->get_subcommands([](const CLI::App*) { return true; });
    if (children.empty()) return {};
    std::string names;
    for (const CLI::App* child : children) names += (names.empty() ? "" : ", ") + child->get_name();
    if (i == argc) return path + " needs a command; these are: " + names;
    const std::string word = argv[i];
    if (word == "-h" || word == "--help" || (i == 1 && word == "--version")) return {};
    const auto next = std::find_if(children.begin(), children.end(),
                                   [&](const CLI::App* child) { return child->get_name() == word; });
    if (next == children.end()) return "'" + word + "' is not a command of " + path + "; these are: " + names;
    at = *next;
    path += " " + word;
  }
}

int run(int argc, char** argv) {
  using namespace vouch::cli;
  CLI::App root{"Zero-knowledge proofs: Groth16 over BN254 for circom circuits, and WHIR", "vouch"};
  Context context;
  root.formatter(help_format());
  root.set_version_flag("--version", std::string("vouch ") + vouch::version(), "Print the version");
  root.footer(footer);
  root.require_subcommand(1);
  root.failure_message([](const CLI::App*, const CLI::Error& e) {
    return "error: " + std::string(e.what()) + "\nTry --help after the command.\n";
  });
  add_groth16_commands(root, context);
  add_zkey_commands(root, context);
  add_r1cs_commands(root, context);
  add_wtns_commands(root, context);
  add_info_commands(root, context);
  add_bench_commands(root, context);
  add_whir_commands(root, context);
  add_devices_command(root, context);
  add_completion_command(root, context);
  if (argc == 1) {
    std::fputs(root.help().c_str(), stderr);
    return exit_usage;
  }
  if (const std::string wrong = unknown_command(root, argc, argv); !wrong.empty()) {
    std::fprintf(stderr, "error: %s\nTry --help after the command.\n", wrong.c_str());
    return exit_usage;
  }
  try {
    root.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return root.exit(e) == 0 ? exit_ok : exit_usage;
  }
  return context.run_chosen();
}

// Input is mapped: when another program cuts a file short while it is read, the kernel answers with this
// signal.
void report_lost_file(int) {
  constexpr std::string_view text =
      "error: an input file was cut short, or its disk failed, while it was read\n";
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) ::_exit(vouch::cli::exit_failed);
  ::_exit(vouch::cli::exit_failed);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGBUS, report_lost_file);
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return vouch::cli::exit_failed;
  }
}
