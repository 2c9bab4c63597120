// Sums by group, size, form and threads, and the sums of a whole synthetic proof, dense and sparse.
//
// of_limit is the share of the time that the products alone would take at the rate that `product` shows, six
// products of the field an addition (on G2 an Fq2 product counts as 3 of Fq, a square as 2: 17); measured in
// the same run, on one thread.
#include <benchmark/benchmark.h>

#include <chrono>

#include "vouch/backend/cpu/instructions.h"
#include "vouch/backend/cpu/msm.h"
#include "vouch/backend/cpu/msm_sample.h"
#include "vouch/backend/cpu/msm_tree.h"
#include "vouch/backend/cpu/scratch.h"
#include "vouch/field/arith_adx.h"
#include "vouch/field/fma.h"
#include "vouch/field/ifma.h"

namespace vouch {
namespace {

using namespace msm_sample;

constexpr int largest = 20;

// Points and scalars, made when a benchmark that runs needs so many.
template <class C>
const std::vector<typename C::Affine>& points(std::size_t n) {
  static std::vector<typename C::Affine> made;
  if (made.size() < n) {
    Random random(1);
    made = scattered<C>(n, random);
  }
  return made;
}
const UInt<4>* scalars(std::size_t n, bool dense) {
  static std::vector<UInt<4>> made[2];
  std::vector<UInt<4>>& s = made[dense];
  if (s.size() < n) {
    Random random(2);
    s.clear();
    for (std::size_t i = 0; i < n; i++) {
      // Sparse is like the witness of a hash of bits: 3 % full scalars, 2 % of up to 35 bits, the rest 0 and
      // 1.
      const u64 kind = dense ? 0 : random.next() % 100;
      s.push_back(kind < 3   ? random.scalar()
                  : kind < 5 ? UInt<4>::of(random.next() >> 29)
                             : UInt<4>::of(random.next() & 1));
    }
  }
  return s.data();
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Seconds per product where products need not wait for one another.
template <class F>
double scalar_product_seconds() {
  constexpr std::size_t chains = 4, rounds = 200000;
  F x[chains] = {F(3), F(5), F(7), F(11)};
  double best = 1;
  for (int turn = 0; turn < 5; turn++) {
    const double begin = seconds_now();
    for (std::size_t i = 0; i < rounds; i++)
      for (F& a : x) a = a * a;
    benchmark::DoNotOptimize(x);
    best = std::min(best, (seconds_now() - begin) / double(rounds * chains));
  }
  return best;
}

#ifdef VOUCH_HAS_IFMA
VOUCH_TARGET_BEGIN(VOUCH_TARGET_IFMA)
__attribute__((noinline)) double packed_product_seconds() {
  using ifma::Packed8;
  constexpr std::size_t chains = 4, rounds = 100000;
  Packed8<Bn254FqParams, 2> x[chains];
  for (std::size_t c = 0; c < chains; c++)
    for (auto& limb : x[c].limb) limb = ifma::splat(12345 + c);
  double best = 1;
  for (int turn = 0; turn < 5; turn++) {
    const double begin = seconds_now();
    for (std::size_t i = 0; i < rounds; i++)
      for (auto& a : x) a = ifma::mul(a, a).tight();
    benchmark::DoNotOptimize(x);
    best = std::min(best, (seconds_now() - begin) / double(8 * rounds * chains));
  }
  return best;
}
VOUCH_TARGET_END
#endif

#ifdef VOUCH_HAS_FMA
VOUCH_TARGET_BEGIN(VOUCH_TARGET_AVX2_FMA)
__attribute__((noinline)) void fma_products(fma_avx2::Pack (&x)[4]) {
  for (auto& a : x) a = fma_avx2::mul<Bn254FqParams>(a, a);
}
__attribute__((noinline)) double fma_product_seconds() {
  constexpr std::size_t rounds = 50000;
  fma_avx2::Pack x[4];
  for (auto& a : x)
    for (auto& v : a.v)
      for (auto& limb : v.limb) limb = fma_avx2::splat(12345.0);
  double best = 1;
  for (int turn = 0; turn < 5; turn++) {
    const double begin = seconds_now();
    for (std::size_t i = 0; i < rounds; i++) fma_products(x);
    benchmark::DoNotOptimize(x);
    best = std::min(best, (seconds_now() - begin) / double(4 * fma_avx2::vectors * fma_avx2::lanes * rounds));
  }
  return best;
}
VOUCH_TARGET_END
#endif

double product_seconds(Instructions form) {
#ifdef VOUCH_HAS_FMA
  if (form == Instructions::avx2) return fma_product_seconds();
#endif
#ifdef VOUCH_HAS_IFMA
  if (form == Instructions::avx512_ifma) return packed_product_seconds();
#endif
#ifdef VOUCH_HAS_ADX
  if (form == Instructions::adx) return scalar_product_seconds<Prime<Bn254FqParams, AdxArith>>();
#endif
  return scalar_product_seconds<Bn254Fq>();
}

void run(benchmark::State& state, const MsmSet& set, Instructions form, int count, double products = 0) {
  const Threads threads(count);
  Progress progress;
  MsmCounts counts;
  const double begin = seconds_now();
  for (auto _ : state)
    threads.run([&] { benchmark::DoNotOptimize(cpu_msm(set, threads, form, progress, &counts).ok()); });
  const double seconds = seconds_now() - begin;
  state.counters["additions"] = double(counts.additions) / double(state.iterations());
  state.counters["lanes_used"] = double(counts.additions) / double(counts.lanes);
  state.counters["steps"] = double(counts.steps) / double(state.iterations());
  if (products == 0 || count != 1) return;
  const double product = product_seconds(form);
  state.counters["ns_product"] = 1e9 * product;
  state.counters["ns_addition"] = 1e9 * seconds / double(counts.additions);
  state.counters["of_limit"] = products * product * double(counts.additions) / seconds;
}

MsmJob job(const void* points, const UInt<4>* scalars, std::size_t count) {
  return {static_cast<const u8*>(points), reinterpret_cast<const u8*>(scalars), count};
}

// A, B1, L and H over G1 and B2 over G2; L leaves out two public wires, half of B's points are at infinity.
void run_proof(benchmark::State& state, bool dense, Instructions form, int count) {
  const std::size_t n = std::size_t(1) << 18;
  const UInt<4>* const witness = scalars(n, dense);
  const auto& g1 = points<Bn254G1>(n);
  std::vector<Bn254G1::Affine> b1(g1.begin(), g1.begin() + std::ptrdiff_t(n));
  std::vector<Bn254G2::Affine> b2(points<Bn254G2>(n).begin(), points<Bn254G2>(n).begin() + std::ptrdiff_t(n));
  for (std::size_t i = 0; i < n; i += 2) b1[i] = {}, b2[i] = {};
  const UInt<4>* const dense_scalars = scalars(n, true);
  const std::vector<UInt<4>> h(std::reverse_iterator(dense_scalars + n),
                               std::reverse_iterator(dense_scalars));
  MsmSet set;
  set.g1 = {job(g1.data(), witness, n), job(b1.data(), witness, n), job(&g1[2], witness + 2, n - 2),
            job(g1.data(), h.data(), n)};
  set.g2 = {job(b2.data(), witness, n)};
  run(state, set, form, count);
}

[[maybe_unused]] const bool registered = [] {
  for (const Instructions form : forms_here()) {
    for (const int threads : {1, 2}) {
      const std::string suffix = std::string("/") + name_of(form) + "/threads:" + std::to_string(threads);
      const auto add = [&](const std::string& name, auto f) {
        benchmark::RegisterBenchmark((name + suffix).c_str(), f)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
      };
      for (int log_n = 10; log_n <= largest; log_n += 2) {
        const std::size_t n = std::size_t(1) << log_n;
        add("msm/g1/2^" + std::to_string(log_n), [=](benchmark::State& state) {
          MsmSet set;
          set.g1 = {job(points<Bn254G1>(n).data(), scalars(n, true), n)};
          run(state, set, form, threads, 6);
        });
        add("msm/g1/aligned/2^" + std::to_string(log_n), [=](benchmark::State& state) {
          const Scratch<Bn254G1::Affine> aligned(n);  // in large pages
          std::copy_n(points<Bn254G1>(n).data(), n, aligned.data());
          MsmSet set;
          set.g1 = {job(aligned.data(), scalars(n, true), n)};
          run(state, set, form, threads, 6);
        });
        add("msm/g2/2^" + std::to_string(log_n), [=](benchmark::State& state) {
          MsmSet set;
          set.g2 = {job(points<Bn254G2>(n).data(), scalars(n, true), n)};
          run(state, set, form, threads, 17);
        });
      }
      add("msm/proof/dense/2^18", [=](benchmark::State& s) { run_proof(s, true, form, threads); });
      add("msm/proof/sparse/2^18", [=](benchmark::State& s) { run_proof(s, false, form, threads); });
    }
  }
  return true;
}();

}  // namespace
}  // namespace vouch
