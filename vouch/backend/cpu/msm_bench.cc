// Sums by group, size, form and threads, and the sums of a whole synthetic proof, dense and sparse.
//
// of_limit is the share of the time that the products alone would take at the rate that `product` shows, six
// products of the field an addition (on G2 an Fq2 product counts as 3 of Fq, a square as 2: 17); measured in
// the same run, on one thread.
#include <benchmark/benchmark.h>

#include <chrono>

#include "vouch/backend/cpu/msm.h"
#include "vouch/backend/cpu/msm_sample.h"
#include "vouch/backend/cpu/msm_tree.h"
#include "vouch/field/arith_adx.h"
#include "vouch/field/ifma.h"

namespace vouch {
namespace {

using namespace msm_sample;

constexpr int largest = 20;

struct Samples {
  std::vector<Bn254G1::Affine> g1;
  std::vector<Bn254G2::Affine> g2;
  std::vector<UInt<4>> dense, sparse;
};

const Samples& samples() {
  static const Samples s = [] {
    Samples made;
    const std::size_t n = std::size_t(1) << largest;
    Random random(1);
    made.g1 = scattered<Bn254G1>(n, random);
    made.g2 = scattered<Bn254G2>(n, random);
    for (std::size_t i = 0; i < n; i++) {
      made.dense.push_back(random.scalar());
      // Like the witness of a hash of bits: 3 % full scalars, 2 % of up to 35 bits, the rest 0 and 1.
      const u64 kind = random.next() % 100;
      made.sparse.push_back(kind < 3   ? random.scalar()
                            : kind < 5 ? UInt<4>::of(random.next() >> 29)
                                       : UInt<4>::of(random.next() & 1));
    }
    return made;
  }();
  return s;
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

double product_seconds(Instructions form) {
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
  const Samples& s = samples();
  const std::size_t n = std::size_t(1) << 18;
  const UInt<4>* witness = dense ? s.dense.data() : s.sparse.data();
  std::vector<Bn254G1::Affine> b1(s.g1.begin(), s.g1.begin() + std::ptrdiff_t(n));
  std::vector<Bn254G2::Affine> b2(s.g2.begin(), s.g2.begin() + std::ptrdiff_t(n));
  for (std::size_t i = 0; i < n; i += 2) b1[i] = {}, b2[i] = {};
  std::vector<UInt<4>> h(s.dense.rbegin(), s.dense.rend());
  MsmSet set;
  set.g1 = {job(s.g1.data(), witness, n), job(b1.data(), witness, n), job(&s.g1[2], witness + 2, n - 2),
            job(s.g1.data(), h.data(), n)};
  set.g2 = {job(b2.data(), witness, n)};
  run(state, set, form, count);
}

[[maybe_unused]] const bool registered = [] {
  for (const Instructions form : forms_here()) {
    for (const int threads : {1, 2}) {
      const std::string suffix = std::string("/") +
                                 (form == Instructions::portable ? "portable"
                                  : form == Instructions::adx    ? "adx"
                                                                 : "avx512_ifma") +
                                 "/threads:" + std::to_string(threads);
      const auto add = [&](const std::string& name, auto f) {
        benchmark::RegisterBenchmark((name + suffix).c_str(), f)
            ->Unit(benchmark::kMillisecond)
            ->UseRealTime();
      };
      for (int log_n = 10; log_n <= largest; log_n += 2) {
        const std::size_t n = std::size_t(1) << log_n;
        add("msm/g1/2^" + std::to_string(log_n), [=](benchmark::State& state) {
          MsmSet set;
          set.g1 = {job(samples().g1.data(), samples().dense.data(), n)};
          run(state, set, form, threads, 6);
        });
        add("msm/g2/2^" + std::to_string(log_n), [=](benchmark::State& state) {
          MsmSet set;
          set.g2 = {job(samples().g2.data(), samples().dense.data(), n)};
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
