// circuit_gen KIND LOG_N: made-up circuits with a witness, and a key for them without going through an .r1cs.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>

#include "keys.h"
#include "vouch/core/progress.h"

namespace {

using namespace vouch;
using namespace vouch::tools;

Status run(const SyntheticCircuit& circuit, const std::string& r1cs, const std::string& wtns,
           const std::string& zkey) {
  if (!r1cs.empty()) VOUCH_CHECK(write_r1cs(circuit, r1cs));
  if (!wtns.empty()) VOUCH_CHECK(write_wtns(circuit.witness(), wtns));
  if (!zkey.empty()) VOUCH_CHECK(write_zkey(circuit, Secrets::fixed(), true, zkey));
  return ok();
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Writes a made-up circuit that fills a domain of 2^LOG_N, the same every time. For tests only.\n"
      "dense: random full-width wires; sparse: mostly bits; skewed: four huge values repeated.");
  Kind kind = Kind::dense;
  int log_n = 0;
  std::uint32_t publics = 4;
  std::string r1cs, wtns, zkey;
  const std::map<std::string, Kind> kinds{
      {"dense", Kind::dense}, {"sparse", Kind::sparse}, {"skewed", Kind::skewed}};
  app.add_option("kind", kind, "dense, sparse or skewed")
      ->required()
      ->transform(CLI::CheckedTransformer(kinds));
  app.add_option("log_n", log_n, "4 to 24")->required()->check(CLI::Range(4, 24));
  app.add_option("--publics", publics, "Public signals; at most 2^LOG_N / 2 - 1");
  app.add_option("--r1cs", r1cs, "Write the circuit here");
  app.add_option("--wtns", wtns, "Write the witness here");
  app.add_option("--zkey", zkey, "Write a key here, with zkey_setup's secrets");
  CLI11_PARSE(app, argc, argv);
  if (publics >= std::uint32_t(1) << (log_n - 1)) return std::fprintf(stderr, "too many public signals\n"), 1;

  const Stopwatch watch;
  const SyntheticCircuit circuit(kind, log_n, publics);
  const Status done = run(circuit, r1cs, wtns, zkey);
  if (!done.ok()) return std::fprintf(stderr, "%s\n", done.error().what.c_str()), 1;
  std::printf("%u constraints, %u wires, %u public, %.1f s\n", circuit.constraint_count, circuit.wire_count,
              circuit.public_count, watch.seconds());
  return 0;
}
