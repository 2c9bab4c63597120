// Sums by group, size, form and threads, and the sums of a whole synthetic proof, dense and sparse.
#include <benchmark/benchmark.h>

#include "vouch/backend/cpu/msm.h"
#include "vouch/backend/cpu/msm_sample.h"

namespace vouch {
namespace {

using namespace msm_sample;

constexpr int largest = 18;

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

void run(benchmark::State& state, const MsmSet& set, Instructions form, int count) {
  const Threads threads(count);
  Progress progress;
  for (auto _ : state)
    threads.run([&] { benchmark::DoNotOptimize(cpu_msm(set, threads, form, progress).ok()); });
}

MsmJob job(const void* points, const UInt<4>* scalars, std::size_t count) {
  return {static_cast<const u8*>(points), reinterpret_cast<const u8*>(scalars), count};
}

// A, B1, L and H over G1 and B2 over G2; L leaves out two public wires, half of B's points are at infinity.
void run_proof(benchmark::State& state, bool dense, Instructions form, int count) {
  const Samples& s = samples();
  const std::size_t n = s.g1.size();
  const UInt<4>* witness = dense ? s.dense.data() : s.sparse.data();
  auto b1 = s.g1;
  auto b2 = s.g2;
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
          run(state, set, form, threads);
        });
        add("msm/g2/2^" + std::to_string(log_n), [=](benchmark::State& state) {
          MsmSet set;
          set.g2 = {job(samples().g2.data(), samples().dense.data(), n)};
          run(state, set, form, threads);
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
