// ptau_write POWER OUT.ptau: prepared powers of tau with zkey_setup's secrets, so that snarkjs can repeat its
// keys.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "keys.h"

int main(int argc, char** argv) {
  using namespace vouch::tools;
  CLI::App app("Writes a .ptau with secrets that everybody knows. For tests only.");
  std::string ptau;
  int power = 0;
  app.add_option("power", power, "For circuits of up to 2^power constraints")
      ->required()
      ->check(CLI::Range(1, 20));
  app.add_option("ptau", ptau, "The file to write")->required();
  CLI11_PARSE(app, argc, argv);
  const auto done = write_ptau(power, Secrets::fixed(), ptau);
  if (!done.ok()) return std::fprintf(stderr, "%s\n", done.error().what.c_str()), 1;
  return 0;
}
