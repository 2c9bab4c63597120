// Membership in G2, one point and tables (items per second).
#include <benchmark/benchmark.h>

#include <vector>

#include "vouch/curve/subgroup.h"

namespace vouch {
namespace {

void one_point(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(in_subgroup(Bn254G2::generator()));
}
BENCHMARK(one_point)->Unit(benchmark::kMicrosecond);

template <class C>
std::vector<AffinePoint<C>> multiples(std::size_t n) {
  std::vector<AffinePoint<C>> points(n);
  auto p = XyzzPoint<C>::from(C::generator());
  for (std::size_t i = 0; i < std::min<std::size_t>(n, 4096); i++, p += C::generator())
    points[i] = p.to_affine();
  for (std::size_t i = 4096; i < n; i++) points[i] = points[i % 4096];
  return points;
}

void table_g1(benchmark::State& state) {
  const auto points = multiples<Bn254G1>(std::size_t(state.range(0)));
  const Bytes bytes{reinterpret_cast<const std::uint8_t*>(points.data()), points.size() * 64};
  for (auto _ : state) benchmark::DoNotOptimize(find_bad_g1(bytes));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(table_g1)->Arg(1 << 16)->Unit(benchmark::kMillisecond)->UseRealTime();

void table_g2(benchmark::State& state) {
  const auto points = multiples<Bn254G2>(std::size_t(state.range(0)));
  const Bytes bytes{reinterpret_cast<const std::uint8_t*>(points.data()), points.size() * 128};
  OsRng rng;
  for (auto _ : state) benchmark::DoNotOptimize(find_bad_g2(bytes, rng).ok());
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(table_g2)->Arg(4096)->Arg(1 << 13)->Arg(1 << 16)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace vouch
