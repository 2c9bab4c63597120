// zkey_setup CIRCUIT.r1cs KEY.zkey: a proving key with known secrets, in seconds. Not for real use.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "keys.h"
#include "vouch/core/progress.h"

int main(int argc, char** argv) {
  using namespace vouch;
  using namespace vouch::tools;
  CLI::App app("Writes a .zkey from an .r1cs with secrets that everybody knows. For tests only.");
  std::string r1cs, zkey;
  bool uncontributed = false;
  app.add_option("r1cs", r1cs, "The circuit")->required();
  app.add_option("zkey", zkey, "The key to write")->required();
  app.add_flag("--uncontributed", uncontributed, "As after `groth16 setup` alone: delta = 1");
  CLI11_PARSE(app, argc, argv);

  const Stopwatch watch;
  auto circuit = read_r1cs(r1cs);
  const Status done = circuit.ok() ? write_zkey(*circuit.value(), Secrets::fixed(), !uncontributed, zkey)
                                   : Status(circuit.error());
  if (!done.ok()) return std::fprintf(stderr, "%s\n", done.error().what.c_str()), 1;
  std::printf("%s: %u constraints, domain 2^%d, %.1f s\n", zkey.c_str(), circuit.value()->constraint_count,
              circuit.value()->log_domain(), watch.seconds());
  return 0;
}
