// The vouch program: declares every command, parses the line, runs one of them.
#include <cstdio>
#include <exception>
#include <string>

#include "vouch/cli/app.h"
#include "vouch/core/version.h"

namespace {

constexpr const char* footer =
    "Each command explains itself and shows an example: vouch groth16 prove --help\n"
    "Exit codes: 0 done or accepted; 1 rejected or failed; 2 the command line is wrong.";

int run(int argc, char** argv) {
  using namespace vouch::cli;
  CLI::App root{"Zero-knowledge proofs: Groth16 over BN254 for circom circuits, and WHIR", "vouch"};
  Context context;
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
  if (argc == 1) {
    std::fputs(root.help().c_str(), stderr);
    return exit_usage;
  }
  try {
    root.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return root.exit(e) == 0 ? exit_ok : exit_usage;
  }
  return context.run_chosen();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return vouch::cli::exit_failed;
  }
}
