// Transforms and the quotient, every form: time, nanoseconds per butterfly, and two shares of the time: what
// the bare products would take at the rate the same form's products have in a loop of nothing else, and what
// copying the array once per sweep would take.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>
#include <vector>

#include "vouch/backend/backend.h"
#include "vouch/backend/cpu/ntt_fixed.h"
#include "vouch/core/progress.h"
#include "vouch/core/rng.h"
#include "vouch/field/arith_adx.h"
#include "vouch/field/fma.h"
#include "vouch/field/ifma.h"

namespace vouch {
namespace {

using F = Bn254Fr;
constexpr const char* forms[] = {"portable", "adx", "avx2", "avx512-ifma"};

std::vector<F> sample(std::size_t n) {
  InsecureTestRng rng(n);
  std::vector<F> v(n);
  F x(rng.next());
  for (F& y : v) y = x, x = x * x + F(3);
  return v;
}

template <class G>
void plain_products(u64 count) {
  G x[4] = {G(3), G(5), G(7), G(11)}, y = G(13);
  for (u64 i = 0; i < count / 4; i++)
    for (G& z : x) z *= y;
  benchmark::DoNotOptimize(x);
}

}  // namespace

#ifdef VOUCH_HAS_IFMA
VOUCH_TARGET_BEGIN(VOUCH_TARGET_IFMA)
namespace ifma {
namespace {
// Of a factor known beforehand, as a transform's are.
void packed_products(u64 count) {
  using P = Bn254FrParams;
  const auto w = Fixed52<P>::of(Fixed52<P>::F(7));
  Loose8<P, 5, 5> x[4];
  for (auto& z : x)
    for (V& limb : z.limb) limb = splat(12345);
  for (u64 i = 0; i < count / 32; i++)
    for (auto& z : x) z = mul_fixed(z, w);
  benchmark::DoNotOptimize(x);
}
}  // namespace
}  // namespace ifma
VOUCH_TARGET_END
#endif

#ifdef VOUCH_HAS_FMA
VOUCH_TARGET_BEGIN(VOUCH_TARGET_AVX2_FMA)
namespace fma_avx2 {
namespace {
void packed_products(u64 count) {
  const Bn254Fr seven[lanes * vectors] = {Bn254Fr(7)};
  const auto y = fma::Digits51::centred(seven[0].montgomery(), Bn254Fr::modulus);
  Pack x;
  for (int h = 0; h < vectors; h++) {
    V w[4];
    load_columns(w, [&](int k) { return seven + lanes * h + k; });
    x.v[h] = split<Bn254FrParams, 0, 1>(w);
  }
  for (u64 i = 0; i < count / (lanes * vectors); i++) x = mul<Bn254FrParams>(x, y);
  benchmark::DoNotOptimize(x);
}
}  // namespace
}  // namespace fma_avx2
VOUCH_TARGET_END
#endif

namespace {

// Processor time of all threads, in nanoseconds.
double cpu_ns() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) * 1e9 + double(t.tv_nsec);
}

// Nanoseconds per product, the best of several tries.
double product_ns(int form) {
  constexpr u64 count = 1 << 16;
  double best = 1e9;
  for (int k = 0; k < 60; k++) {
    const double start = cpu_ns();
    switch (form) {
#ifdef VOUCH_HAS_IFMA
      case 3:
        ifma::packed_products(count);
        break;
#endif
#ifdef VOUCH_HAS_FMA
      case 2:
        fma_avx2::packed_products(count);
        break;
#endif
#ifdef VOUCH_HAS_ADX
      case 1:
        plain_products<Prime<Bn254FrParams, AdxArith>>(count);
        break;
#endif
      default:
        plain_products<Bn254Fr>(count);
    }
    best = std::min(best, (cpu_ns() - start) / count);
  }
  return best;
}

// Nanoseconds to copy n elements, the best of several tries.
double copy_ns(std::size_t n) {
  std::vector<F> from(n), to(n);
  double best = 1e18;
  for (int k = 0; k < 9; k++) {
    const double start = cpu_ns();
    std::memcpy(static_cast<void*>(to.data()), from.data(), n * sizeof(F));
    benchmark::DoNotOptimize(to.data());
    best = std::min(best, cpu_ns() - start);
  }
  return best;
}

std::unique_ptr<Backend> open(benchmark::State& state, int form, int threads) {
  auto backend = open_backend("cpu", {.threads = threads, .instructions = forms[form]});
  if (backend.ok()) return std::move(backend).value();
  state.SkipWithError(backend.error().what.c_str());
  return nullptr;
}

// Runs `body` as the benchmark asks, keeping the least processor time of a run.
template <class Body>
void measure(benchmark::State& state, int form, double products, double butterflies, double copies,
             Body body) {
  double best = 1e18;
  for (auto _ : state) {
    const double start = cpu_ns();
    if (!body().ok()) return state.SkipWithError("failed");
    best = std::min(best, cpu_ns() - start);
  }
  state.counters["cpu_ms"] = best * 1e-6;
  state.counters["ns_per_butterfly"] = best / butterflies;
  state.counters["limit_share"] = products * product_ns(form) / best;
  state.counters["copy_share"] = copies * copy_ns(std::size_t(1) << state.range(1)) / best;
}

// Args: form, log n, threads.
void transform(benchmark::State& state) {
  const int form = int(state.range(0)), log_n = int(state.range(1)), threads = int(state.range(2));
  const auto backend = open(state, form, threads);
  if (!backend) return;
  auto v = sample(std::size_t(1) << log_n);
  const double butterflies = double(v.size()) / 2 * log_n;
  measure(state, form, butterflies, butterflies, 2, [&] { return backend->ntt(v, Direction::forward); });
}

// What the quotient says that its six transforms took.
struct TransformsTime final : Progress {
  double least = 1e9;
  void timing(std::string_view name, double seconds) override {
    if (name == "transforms") least = std::min(least, seconds);
  }
};

// Four records to a row, as dense as a Poseidon circuit, words of full size.
void quotient(benchmark::State& state) {
  const int form = int(state.range(0)), log_n = int(state.range(1)), threads = int(state.range(2));
  const auto backend = open(state, form, threads);
  if (!backend) return;
  const std::size_t n = std::size_t(1) << log_n;
  const auto words = sample(n);
  std::vector<std::uint8_t> records(44 * 4 * n);
  InsecureTestRng rng(9);
  for (std::size_t i = 0; i < 4 * n; i++) {
    const std::uint32_t head[3] = {std::uint32_t(i >> 1 & 1), std::uint32_t(i / 4),
                                   std::uint32_t(rng.next() % n)};
    std::memcpy(&records[44 * i], head, 12);
    std::memcpy(&records[44 * i + 12], &words[i % n], 32);
  }
  const auto* witness = reinterpret_cast<const std::uint8_t*>(words.data());
  std::vector<UInt<4>> h(n);
  // Six transforms, three scalings, A B twice; three sweeps over three arrays.
  TransformsTime time;
  measure(state, form, double(n) * (3 * log_n + 5), 3 * double(n) * log_n, 9,
          [&] { return backend->groth16_quotient({records.data(), 4 * n, witness, n, log_n}, h, &time); });
  state.counters["transforms_ms"] = time.least * 1e3;
}

void sizes(benchmark::internal::Benchmark* b) {
  for (int form = 0; form < int(std::size(forms)); form++)
    for (const int log_n : {14, 16, 18, 20})
      for (const int threads : {1, 2}) b->Args({form, log_n, threads});
  b->ArgNames({"form", "log_n", "threads"})
      ->Unit(benchmark::kMillisecond)
      ->MeasureProcessCPUTime()
      ->UseRealTime();
}
BENCHMARK(transform)->Apply(sizes);
BENCHMARK(quotient)->Apply(sizes);

}  // namespace
}  // namespace vouch
