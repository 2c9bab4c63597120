// One verification with few and many public signals, and a batch (per proof: divide by the argument).
#include <benchmark/benchmark.h>

#include "vouch/groth16/verifier.h"

namespace vouch::groth16 {
namespace {

// The equation is computed in full whether it holds or not, so any points will do.
VerifyingKey key_of(std::size_t publics) {
  const auto g1 = Bn254G1::generator();
  const auto g2 = Bn254G2::generator();
  return {g1, g2, g2, g2, std::vector(publics + 1, g1)};
}
Statement statement_of(std::size_t publics) {
  const Bn254Fr value = Bn254Fr(0) - Bn254Fr(12345);
  return {std::vector(publics, value), {Bn254G1::generator(), Bn254G2::generator(), Bn254G1::generator()}};
}

void verify_one(benchmark::State& state) {
  const auto n = std::size_t(state.range(0));
  const auto key = key_of(n);
  const auto s = statement_of(n);
  for (auto _ : state) benchmark::DoNotOptimize(verify(key, s.publics, s.proof).ok());
}
BENCHMARK(verify_one)->Arg(0)->Arg(4)->Arg(100)->Unit(benchmark::kMicrosecond);

// e(A, B) = e(alpha1, beta2) and the other terms cancel: a batch that holds.
void verify_many(benchmark::State& state) {
  const auto key = key_of(0);
  Statement s = statement_of(0);
  s.proof.c = -s.proof.c;
  const std::vector<Statement> statements(std::size_t(state.range(0)), s);
  OsRng rng;
  for (auto _ : state)
    if (!verify_batch(key, statements, rng).ok()) return state.SkipWithError("the batch was refused");
}
BENCHMARK(verify_many)->Arg(1)->Arg(16)->Arg(64)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace vouch::groth16
