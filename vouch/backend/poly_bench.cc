// Times of WHIR's operations: one thread, per instruction set, field and degree. Hashing also as permutations
// per second, against which the arithmetic limit can be held.
#include <benchmark/benchmark.h>

#include "vouch/backend/poly.h"
#include "vouch/core/rng.h"

namespace vouch {
namespace {

template <class F>
std::vector<F> random_base(std::size_t n) {
  InsecureTestRng rng(n);
  std::vector<F> f(n);
  for (F& x : f) x = F(static_cast<std::uint32_t>(rng.next()));
  return f;
}
template <class E>
std::vector<E> random_point(int n) {
  const auto c = random_base<typename E::Base>(std::size_t(n) * E::degree);
  std::vector<E> p(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < c.size(); i++) p[i / E::degree].c[i % E::degree] = c[i];
  return p;
}

template <class F, int D>
struct Bench {
  using E = Ext31<F, D>;
  std::unique_ptr<PolyOps<F, D>> ops;
  std::unique_ptr<PolyInstance<F, D>> instance;

  // f in the extension if `folded`: then one more variable to start with.
  Bench(const std::string& form, int n, bool folded) {
    ops = open_poly<F, D>("cpu", {.threads = 1, .instructions = form}).value();
    if (folded) n++;
    instance = ops->start(random_base<F>(std::size_t(1) << n), FoldOrder::prefix, 1).value();
    if (folded) (void)instance->fold(random_point<E>(1)[0]).ok();
  }
};

template <class F, int D>
void encode(benchmark::State& state, const std::string& form, int n, int fold, int rate, bool folded) {
  Bench<F, D> b(form, n, folded);
  double permutations = 0;
  for (auto _ : state) {
    const auto code = b.instance->encode({fold, rate, 0, 0}, {}).value();
    permutations = double(code->permutations());
  }
  const PolyTimes& t = b.instance->times();
  state.counters["ntt_ms"] = t.encode * 1e3 / double(state.iterations());
  state.counters["hash_ms"] = t.hash * 1e3 / double(state.iterations());
  state.counters["ns/perm"] = t.hash * 1e9 / double(state.iterations()) / permutations;
}
template <class F, int D>
void claim(benchmark::State& state, const std::string& form, int n, bool folded) {
  Bench<F, D> b(form, n, folded);
  const auto point = random_point<Ext31<F, D>>(n);
  const Slot whole{};
  for (auto _ : state) benchmark::DoNotOptimize(b.instance->claim({point, false, {&whole, 1}}).value());
}
template <class F, int D>
void combine(benchmark::State& state, const std::string& form, int n) {
  Bench<F, D> b(form, n, true);
  const auto point = random_point<Ext31<F, D>>(n);
  const Slot whole{};
  for (auto _ : state) {
    state.PauseTiming();
    benchmark::DoNotOptimize(b.instance->claim({point, false, {&whole, 1}}).value());
    state.ResumeTiming();
    (void)b.instance->combine(std::span(point).first(1)).ok();
  }
}
template <class F, int D>
void powers(benchmark::State& state, const std::string& form, int n, int count) {
  Bench<F, D> b(form, n, true);
  const auto z = random_base<F>(std::size_t(count));
  const auto c = random_point<Ext31<F, D>>(count);
  for (auto _ : state) (void)b.instance->add_powers(z, c).ok();
}
template <class F, int D>
void sumcheck(benchmark::State& state, const std::string& form, int n) {
  const auto r = random_point<Ext31<F, D>>(n);
  for (auto _ : state) {
    state.PauseTiming();
    Bench<F, D> b(form, n, true);
    state.ResumeTiming();
    for (int i = 0; i < 4; i++) {
      benchmark::DoNotOptimize(b.instance->round().value());
      (void)b.instance->fold(r[std::size_t(i)]).ok();
    }
  }
}

template <class F, int D>
void add(const std::string& form) {
  const std::string name = form + "/" + F::Params::name + std::to_string(D) + "/";
  const auto reg = [&](const std::string& what, auto fn) {
    benchmark::RegisterBenchmark((name + what).c_str(), fn)->Unit(benchmark::kMillisecond);
  };
  for (const int fold : {1, 4}) {
    const std::string shape = "fold:" + std::to_string(fold) + "/rate:1";
    reg("encode_base/n:20/" + shape, [=](auto& s) { encode<F, D>(s, form, 20, fold, 1, false); });
    reg("encode_ext/n:17/" + shape, [=](auto& s) { encode<F, D>(s, form, 17, fold, 1, true); });
  }
  reg("claim_base/n:20", [=](auto& s) { claim<F, D>(s, form, 20, false); });
  reg("claim_ext/n:18", [=](auto& s) { claim<F, D>(s, form, 18, true); });
  reg("combine/n:18", [=](auto& s) { combine<F, D>(s, form, 18); });
  reg("powers/n:18/count:90", [=](auto& s) { powers<F, D>(s, form, 18, 90); });
  reg("four_rounds/n:18", [=](auto& s) { sumcheck<F, D>(s, form, 18); });
}

const bool registered = [] {
  for (const std::string& form : poly_instructions()) {
    add<BabyBear, 4>(form);
    add<BabyBear, 5>(form);
    add<KoalaBear, 5>(form);
  }
  return true;
}();

}  // namespace
}  // namespace vouch
