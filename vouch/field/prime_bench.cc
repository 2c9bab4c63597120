// Nanoseconds per operation of every form of 254-bit arithmetic: a chain (latency) and four chains at once
// (throughput).
#include <benchmark/benchmark.h>

#include "vouch/core/cpu_features.h"
#include "vouch/field/arith_adx.h"
#include "vouch/field/fields.h"
#include "vouch/field/ifma.h"

namespace vouch {
namespace {

struct Mul {
  template <class F>
  static F apply(const F& x, const F& y) {
    return x * y;
  }
};
struct Square {
  template <class F>
  static F apply(const F& x, const F&) {
    return x.square();
  }
};
struct Add {
  template <class F>
  static F apply(const F& x, const F& y) {
    return x + y;
  }
};
struct Sub {
  template <class F>
  static F apply(const F& x, const F& y) {
    return x - y;
  }
};

template <class F, class Op, int chains, bool needs_adx>
void run(benchmark::State& state) {
  if (needs_adx && !(cpu_features().bmi2 && cpu_features().adx))
    return state.SkipWithError("this processor has no ADX");
  F x[chains], y = F(7).inverse();
  for (int i = 0; i < chains; i++) x[i] = F(u64(i) + 3).inverse();
  constexpr int steps = 256;
  for (auto _ : state) {
    for (int s = 0; s < steps; s++)
      for (int i = 0; i < chains; i++) x[i] = Op::apply(x[i], y);
    benchmark::DoNotOptimize(x);
  }
  const double count = double(state.iterations()) * steps * chains;
  state.counters["per_op"] =
      benchmark::Counter(count, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

#define VOUCH_FORM(Params, Arith, adx)                                                              \
  BENCHMARK(run<Prime<Params, Arith>, Mul, 1, adx>)->Name(#Params "/" #Arith "/mul/latency");       \
  BENCHMARK(run<Prime<Params, Arith>, Mul, 4, adx>)->Name(#Params "/" #Arith "/mul/throughput");    \
  BENCHMARK(run<Prime<Params, Arith>, Square, 1, adx>)->Name(#Params "/" #Arith "/sqr/latency");    \
  BENCHMARK(run<Prime<Params, Arith>, Square, 4, adx>)->Name(#Params "/" #Arith "/sqr/throughput"); \
  BENCHMARK(run<Prime<Params, Arith>, Add, 4, adx>)->Name(#Params "/" #Arith "/add/throughput");    \
  BENCHMARK(run<Prime<Params, Arith>, Sub, 4, adx>)->Name(#Params "/" #Arith "/sub/throughput")

VOUCH_FORM(Bn254FqParams, PortableArith, false);
#ifdef VOUCH_HAS_ADX
VOUCH_FORM(Bn254FqParams, AdxArith, true);
#endif

}  // namespace

#ifdef VOUCH_HAS_IFMA
VOUCH_TARGET_BEGIN(VOUCH_TARGET_IFMA)
namespace ifma {
namespace {

// Steps of `chains` independent packed operations; eight elements each.
template <int chains, bool squares>
void steps(V (&state)[chains][5], int count) {
  using X = Packed8<Bn254FqParams, 2>;
  X x[chains], y = X::splat_limbs(Limbs52::of(Bn254Fq(7).montgomery()));
  for (int i = 0; i < chains; i++)
    for (int k = 0; k < 5; k++) x[i].limb[k] = state[i][k];
  for (int s = 0; s < count; s++)
    for (int i = 0; i < chains; i++) x[i] = squares ? sqr(x[i]).tight() : mul(x[i], y).tight();
  for (int i = 0; i < chains; i++)
    for (int k = 0; k < 5; k++) state[i][k] = x[i].limb[k];
}

template <int chains, bool squares>
void run_packed(benchmark::State& state) {
  if (!cpu_features().avx512_ifma) return state.SkipWithError("this processor has no AVX-512 IFMA");
  alignas(64) V words[chains][5] = {};
  constexpr int count = 256;
  for (auto _ : state) {
    steps<chains, squares>(words, count);
    benchmark::DoNotOptimize(words);
  }
  const double total = double(state.iterations()) * count * chains * 8;
  state.counters["per_op"] =
      benchmark::Counter(total, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(run_packed<1, false>)->Name("Bn254FqParams/Packed8/mul/latency");
BENCHMARK(run_packed<4, false>)->Name("Bn254FqParams/Packed8/mul/throughput");
BENCHMARK(run_packed<1, true>)->Name("Bn254FqParams/Packed8/sqr/latency");
BENCHMARK(run_packed<4, true>)->Name("Bn254FqParams/Packed8/sqr/throughput");

}  // namespace
}  // namespace ifma
VOUCH_TARGET_END
#endif

}  // namespace vouch
