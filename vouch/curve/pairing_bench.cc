// The steps of a pairing, and the product of four that a Groth16 verification needs.
#include <benchmark/benchmark.h>

#include <vector>

#include "vouch/curve/pairing.h"

namespace vouch {
namespace {

std::vector<PairingInput> inputs(std::size_t n) {
  return std::vector<PairingInput>(n, {Bn254G1::generator(), Bn254G2::generator()});
}

void pairing_product(benchmark::State& state) {
  const auto in = inputs(std::size_t(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(vouch::pairing_product(in));
}
BENCHMARK(pairing_product)->Arg(1)->Arg(4)->Unit(benchmark::kMicrosecond);

void miller_loop(benchmark::State& state) {
  const auto in = inputs(std::size_t(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(vouch::miller_loop(in));
}
BENCHMARK(miller_loop)->Arg(1)->Arg(4)->Unit(benchmark::kMicrosecond);

void final_exponentiation(benchmark::State& state) {
  const auto f = vouch::miller_loop(inputs(1));
  for (auto _ : state) benchmark::DoNotOptimize(vouch::final_exponentiation(f));
}
BENCHMARK(final_exponentiation)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace vouch
