// The C++ interface: what it refuses, prescribed points, strictness, and that every choice verifies.
#include <gtest/gtest.h>

#include <random>

#include "vouch/whir/memory.h"
#include "vouch/whir/whir.h"

namespace vouch::whir {
namespace {

#define ASSERT_OK(r) ASSERT_TRUE((r).ok()) << (r).error().what

Statement small_statement() {
  Statement s;
  s.params.folding = Folding::constant(2);
  s.params.security = 30;
  s.params.pow_bits = 4;
  s.tables = {{7, 2}, {5, 1}};
  s.schedule = {{{{0, 1}, {1}}, {{1}, {}}}, {{{0}, {0}}}};
  return s;
}

struct ProvedRun {
  whir::Setup setup;
  std::vector<std::vector<std::vector<std::uint32_t>>> values;
  std::vector<Table> tables;
  Cap cap;
  Proof proof;

  static Result<ProvedRun> make(const Statement& s, const std::vector<PointWords>* points = nullptr,
                                std::uint64_t memory = 0, const std::string& backend = "auto") {
    VOUCH_TRY(whir::Setup setup, whir::Setup::create(s));
    ProvedRun r{setup, {}, {}, {}, {}};
    std::mt19937 rng(3);
    for (const TableShape& t : s.tables) {
      r.values.emplace_back(t.width);
      for (auto& column : r.values.back()) {
        for (std::size_t i = 0; i < std::size_t(1) << t.log_rows; i++)
          column.push_back(rng() % modulus(s.params.field));
      }
    }
    for (const auto& t : r.values) r.tables.emplace_back(t.begin(), t.end());
    ProverOptions options;
    options.memory = memory;
    options.backend = backend;
    VOUCH_TRY(Prover prover, Prover::create(r.setup, options));
    Transcript t = r.setup.start();
    VOUCH_TRY(r.cap, prover.commit(r.tables, t));
    if (points)
      for (const PointWords& p : *points) t.observe(p);
    VOUCH_TRY(r.proof, points ? prover.open_at(*points, t) : prover.open(t));
    return r;
  }
  Status check(const Proof& p, Strictness strictness = Strictness::strict) const {
    Transcript t = setup.start();
    return verify(setup, cap, p, t, {strictness, "auto"});
  }
};

TEST(WhirProver, AcceptsItsOwnProofAndTellsThePoints) {
  auto run = ProvedRun::make(small_statement());
  ASSERT_OK(run);
  const ProvedRun& r = run.value();
  Transcript t = r.setup.start();
  std::vector<PointWords> points;
  const Status s = verify(r.setup, r.cap, r.proof, t, {}, &points);
  ASSERT_OK(s);
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0].size(), 7u * 5);
  EXPECT_EQ(points[2].size(), 5u * 5);
}

TEST(WhirProver, PrescribedPoints) {
  const Statement s = small_statement();
  std::vector<PointWords> points = {Words(7 * 5, 11), Words(7 * 5, 12), Words(5 * 5, 13)};
  auto run = ProvedRun::make(s, &points);
  ASSERT_OK(run);
  const ProvedRun& r = run.value();
  auto check = [&](const std::vector<PointWords>& claimed) {
    Transcript t = r.setup.start();
    t.observe(r.cap);
    for (const PointWords& p : claimed) t.observe(p);
    return verify_at(r.setup, r.cap, r.proof, claimed, t);
  };
  const Status good = check(points);
  ASSERT_OK(good);
  std::vector<PointWords> other = points;
  other[1][0] = 14;
  EXPECT_FALSE(check(other).ok());
  other.pop_back();
  EXPECT_EQ(check(other).error().code, Code::invalid_argument);
  EXPECT_FALSE(ProvedRun::make(s, &other).ok());
  // The value is the column's multilinear extension: at a corner it is the entry itself.
  std::vector<PointWords> corner = {Words(7 * 5, 0), Words(7 * 5, 0), Words(5 * 5, 0)};
  auto at_zero = ProvedRun::make(s, &corner);
  ASSERT_OK(at_zero);
  EXPECT_EQ(at_zero.value().proof.evals[0].current[0], BabyBear(r.values[0][0][0]).montgomery());
  EXPECT_EQ(at_zero.value().proof.evals[0].next[0], BabyBear(r.values[0][1][1]).montgomery());
}

TEST(WhirProver, RefusesWhatDoesNotFit) {
  auto setup = whir::Setup::create(small_statement());
  ASSERT_OK(setup);
  auto prover = Prover::create(setup.value());
  ASSERT_OK(prover);
  Transcript t = setup.value().start();
  EXPECT_EQ(prover.value().open(t).error().code, Code::invalid_argument);
  std::vector<std::uint32_t> a(128), b(128), c(32);
  const auto commit = [&](std::vector<Table> tables) { return prover.value().commit(tables, t); };
  EXPECT_NE(commit({{a, b}}).error().what.find("1 tables given"), std::string::npos);
  EXPECT_NE(commit({{a}, {c}}).error().what.find("1 columns"), std::string::npos);
  EXPECT_NE(commit({{a, c}, {c}}).error().what.find("32 values"), std::string::npos);
  b[77] = modulus(FieldId::baby_bear);
  EXPECT_NE(commit({{a, b}, {c}}).error().what.find("column 1 row 77"), std::string::npos);
}

TEST(WhirProver, RefusesGrindingWithoutAWitness) {
  Statement s = small_statement();
  s.params.degree = 4;
  s.params.security = 100;
  s.params.pow_bits = 40;
  auto setup = whir::Setup::create(s);
  ASSERT_OK(setup);
  ASSERT_GE(setup.value().config().max_pow_bits(), 28);
  auto prover = Prover::create(setup.value());
  ASSERT_FALSE(prover.ok());
  EXPECT_EQ(prover.error().code, Code::unsupported);
  EXPECT_NE(prover.error().what.find("degree 5"), std::string::npos);
}

TEST(WhirProver, GrindingCanBeCancelled) {
  Statement s = small_statement();
  s.params.security = 60;
  s.params.pow_bits = 27;
  auto setup = whir::Setup::create(s);
  ASSERT_OK(setup);
  ASSERT_GT(setup.value().config().max_pow_bits(), 20);
  const std::atomic<bool> cancel = true;
  ProverOptions options;
  options.cancel = &cancel;
  auto prover = Prover::create(setup.value(), options);
  ASSERT_OK(prover);
  std::vector<std::uint32_t> a(128), b(128), c(32);
  const std::vector<Table> tables = {{a, b}, {c}};
  Transcript t = setup.value().start();
  ASSERT_TRUE(prover.value().commit(tables, t).ok());
  auto proof = prover.value().open(t);
  ASSERT_FALSE(proof.ok());
  EXPECT_EQ(proof.error().code, Code::rejected);
}

// What upstream accepts and a strict verifier does not.
TEST(WhirVerifier, StrictAndCompatible) {
  Statement s = small_statement();
  s.tables = {{8, 1}};
  s.schedule = {{{{0}, {}}}};
  s.params.pow_bits = 0;
  s.params.folding = Folding::constant(4);
  auto run = ProvedRun::make(s);
  ASSERT_OK(run);
  const ProvedRun& r = run.value();
  ASSERT_TRUE(r.check(r.proof).ok());
  const auto only_compatible = [&](const char* what, const Proof& p) {
    EXPECT_EQ(r.check(p).error().code, Code::rejected) << what;
    EXPECT_TRUE(r.check(p, Strictness::compatible).ok()) << what;
  };
  Proof p = r.proof;
  p.final_pow_witness = 1;
  only_compatible("unused final witness", p);
  p = r.proof;
  p.sumcheck.pow_witnesses = {1, 2, 3};
  only_compatible("unused sumcheck witnesses", p);

  s.tables = {{4, 1}};
  auto whole = ProvedRun::make(s);
  ASSERT_OK(whole);
  ASSERT_EQ(whole.value().setup.config().final_sumcheck_rounds, 0);
  p = whole.value().proof;
  p.final_sumcheck = SumcheckProof{};
  EXPECT_FALSE(whole.value().check(p).ok());
  EXPECT_TRUE(whole.value().check(p, Strictness::compatible).ok());
}

TEST(WhirVerifier, RefusesElementsThatAreNotReduced) {
  auto run = ProvedRun::make(small_statement());
  ASSERT_OK(run);
  Proof p = run.value().proof;
  p.evals[0].current[0] += modulus(FieldId::baby_bear);
  EXPECT_NE(run.value().check(p).error().what.find("modulus"), std::string::npos);
}

// A larger protocol may have observed something before; both sides must agree on it.
TEST(WhirVerifier, TranscriptBeforeCounts) {
  auto run = ProvedRun::make(small_statement());
  ASSERT_OK(run);
  Transcript t = run.value().setup.start();
  t.observe_int(1);
  EXPECT_FALSE(verify(run.value().setup, run.value().cap, run.value().proof, t).ok());
}

// A budget changes what is kept, not what comes out.
TEST(WhirMemory, BudgetGivesTheSameProof) {
  Statement s = small_statement();
  s.tables = {{14, 1}};
  s.schedule = {{{{0}, {}}}};
  auto free = ProvedRun::make(s);
  ASSERT_OK(free);
  const MemoryPlan all = plan_memory(free.value().setup);
  const MemoryPlan tight = plan_memory(free.value().setup, all.peak - all.peak / 5);
  EXPECT_LT(tight.peak, all.peak);
  EXPECT_TRUE(tight.within_budget);
  EXPECT_FALSE(plan_memory(free.value().setup, 1000).within_budget);
  auto small = ProvedRun::make(s, nullptr, all.peak - all.peak / 5);
  ASSERT_OK(small);
  EXPECT_EQ(small.value().proof, free.value().proof);
  EXPECT_EQ(small.value().cap, free.value().cap);
}

// On a device the plan is a bound for its memory, and a budget, or buffers of a bounded size, make it hash
// lower layers again: the same proof in less.
TEST(WhirMemory, HoldsOnADevice) {
  for (const Layout layout : {Layout::prefix, Layout::suffix}) {
    Statement s = small_statement();
    s.params.layout = layout;
    s.tables = {{15, 1}};
    s.schedule = {{{{0}, {}}}};
    auto on_cpu = ProvedRun::make(s);
    ASSERT_OK(on_cpu);
    const ProvedRun& r = on_cpu.value();
    std::uint64_t before = ~std::uint64_t(0);
    const std::uint64_t whole = plan_memory(r.setup).peak;
    for (const std::uint64_t budget : {std::uint64_t(0), whole - whole / 5, whole - whole / 3}) {
      const MemoryPlan plan = plan_memory(r.setup, budget);
      ProverOptions options;
      options.backend = "host", options.memory = budget, options.device_account = true;
      auto prover = Prover::create(r.setup, options);
      ASSERT_OK(prover);
      Transcript t = r.setup.start();
      auto cap = prover.value().commit(r.tables, t);
      ASSERT_OK(cap);
      auto proof = prover.value().open(t);
      ASSERT_OK(proof);
      EXPECT_EQ(cap.value(), r.cap);
      EXPECT_EQ(proof.value(), r.proof);
      const std::uint64_t peak = prover.value().stats().device.peak_bytes;
      std::printf("  %s layout, budget %llu: planned %llu, measured %llu bytes of the device\n",
                  layout == Layout::prefix ? "prefix" : "suffix", (unsigned long long)budget,
                  (unsigned long long)plan.peak, (unsigned long long)peak);
      constexpr std::uint64_t tables = 300 << 10;  // roots, constants, what steps take and give
      EXPECT_LE(peak, plan.peak + tables);
      EXPECT_GE(peak + peak / 2, plan.peak);
      EXPECT_LT(peak, before);
      before = peak;
    }
  }
}

TEST(WhirMemory, NoBufferIsLargerThanADeviceAllows) {
  Params p;
  p.folding = Folding::constant(1);
  auto setup = whir::Setup::create({p, {{22, 1}}, {{{{0}, {}}}}});
  ASSERT_OK(setup);
  const MemoryPlan all = plan_memory(setup.value());
  EXPECT_EQ(all.largest,
            ((std::uint64_t(2) << 22) - 1) * 32);  // the first tree: 2^22 leaves and what is above
  const MemoryPlan bounded = plan_memory(setup.value(), MemoryBudget{0, all.largest - 1});
  EXPECT_LT(bounded.largest, all.largest);
  EXPECT_EQ(bounded.dropped_layers[0], 1);
  EXPECT_TRUE(bounded.within_budget);
  // The second codeword, 2^21 rows of two elements, can not be smaller.
  const std::uint64_t codeword = (std::uint64_t(1) << 21) * 2 * 20;
  EXPECT_EQ(plan_memory(setup.value(), MemoryBudget{0, 1}).largest, codeword);
  EXPECT_TRUE(plan_memory(setup.value(), MemoryBudget{0, codeword}).within_budget);
  EXPECT_FALSE(plan_memory(setup.value(), MemoryBudget{0, codeword - 1}).within_budget);
}

TEST(WhirMemory, ProofSizeBoundHolds) {
  for (const int arity : {2, 4}) {
    Statement s = small_statement();
    s.params.hashing.arity = arity;
    auto run = ProvedRun::make(s);
    ASSERT_OK(run);
    const std::size_t bytes = to_postcard(run.value().proof, {FieldId::baby_bear, 5}).size();
    EXPECT_LE(bytes, proof_size_bound(run.value().setup));
    EXPECT_GE(bytes + bytes / 3, proof_size_bound(run.value().setup));
  }
}

// Every combination of field, degree, layout, tree and soundness, on the fast backend and the plain one.
TEST(WhirProver, EveryCombinationVerifies) {
  for (const FieldId field : {FieldId::baby_bear, FieldId::koala_bear})
    for (const int degree : {4, 5})
      for (const Layout layout : {Layout::prefix, Layout::suffix})
        for (const auto& [leaf, arity, cap] : {std::tuple{16, 2, 0}, {24, 2, 2}, {16, 4, 1}, {24, 4, 0}}) {
          Statement s = small_statement();
          s.params.field = field;
          s.params.degree = degree;
          s.params.layout = layout;
          s.params.hashing = {leaf, arity, cap, {}};
          auto run = ProvedRun::make(s), plain = ProvedRun::make(s, nullptr, 0, "reference");
          ASSERT_OK(run);
          ASSERT_OK(plain);
          const Status accepted = run.value().check(run.value().proof);
          ASSERT_OK(accepted);
          EXPECT_EQ(run.value().cap, plain.value().cap);
          EXPECT_EQ(run.value().proof, plain.value().proof);
        }
}

}  // namespace
}  // namespace vouch::whir
