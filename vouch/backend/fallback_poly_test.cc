// WHIR's operations on a place that fails at any one of its calls: with the processor standing in, the same
// answers all the same, and one warning.
#include "vouch/backend/fallback_poly.h"

#include <gtest/gtest.h>

#include <array>

#include "vouch/core/rng.h"

namespace vouch {
namespace {

using F = BabyBear;
constexpr int D = 4;
using E = Ext31<F, D>;

// What is to go wrong: the call with that number, counted from 1 over all objects of one Flaky.
struct Plan {
  std::size_t failing_call = 0;
  bool lasting = false;
  std::size_t wrong_round = 0;  // from 1: this sumcheck round is answered wrongly
  std::size_t calls = 0, rounds = 0;

  Status count() {
    calls++;
    const bool fails = failing_call && (calls == failing_call || (lasting && calls > failing_call));
    if (fails) return Error{Code::device, "call " + std::to_string(calls) + " was made to fail"};
    return ok();
  }
};

class FlakyCodeword final : public Codeword<F> {
 public:
  FlakyCodeword(std::unique_ptr<Codeword<F>> inner, Plan& plan) : inner_(std::move(inner)), plan_(plan) {}
  std::span<const Digest<F>> cap() const override { return inner_->cap(); }
  std::size_t rows() const override { return inner_->rows(); }
  std::size_t row_words() const override { return inner_->row_words(); }
  std::uint64_t permutations() const override { return inner_->permutations(); }
  Result<Opening> open(std::span<const std::size_t> indices) const override {
    VOUCH_CHECK(plan_.count());
    return inner_->open(indices);
  }

 private:
  std::unique_ptr<Codeword<F>> inner_;
  Plan& plan_;
};

class FlakyInstance final : public PolyInstance<F, D> {
 public:
  FlakyInstance(std::unique_ptr<PolyInstance<F, D>> inner, Plan& plan)
      : inner_(std::move(inner)), plan_(plan) {}
  int variables() const override { return inner_->variables(); }
  const PolyTimes& times() const override { return inner_->times(); }
  Result<std::unique_ptr<Codeword<F>>> encode(const EncodeShape& shape, const MerkleHash<F>& hash) override {
    VOUCH_CHECK(plan_.count());
    VOUCH_TRY(auto codeword, inner_->encode(shape, hash));
    return std::unique_ptr<Codeword<F>>(new FlakyCodeword(std::move(codeword), plan_));
  }
  Result<std::vector<E>> claim(const ClaimBatch<E>& batch) override {
    VOUCH_CHECK(plan_.count());
    return inner_->claim(batch);
  }
  Status combine(std::span<const E> c) override {
    VOUCH_CHECK(plan_.count());
    return inner_->combine(c);
  }
  Status add_powers(std::span<const F> z, std::span<const E> c) override {
    VOUCH_CHECK(plan_.count());
    return inner_->add_powers(z, c);
  }
  Result<Round> round() override {
    VOUCH_CHECK(plan_.count());
    VOUCH_TRY(Round round, inner_->round());
    if (++plan_.rounds == plan_.wrong_round) round.at_zero += E::one();
    return round;
  }
  Status fold(const E& r) override {
    VOUCH_CHECK(plan_.count());
    return inner_->fold(r);
  }
  Result<std::vector<E>> values() override {
    VOUCH_CHECK(plan_.count());
    return inner_->values();
  }

 private:
  std::unique_ptr<PolyInstance<F, D>> inner_;
  Plan& plan_;
};

class FlakyOps final : public PolyOps<F, D> {
 public:
  explicit FlakyOps(Plan& plan) : inner_(open_poly<F, D>("cpu", {.threads = 1}).value()), plan_(plan) {}
  Backend::Info info() const override { return {"flaky:0", "a fake", 1, true}; }
  Result<std::unique_ptr<PolyInstance<F, D>>> start(std::vector<F> f, FoldOrder order, int rounds) override {
    VOUCH_CHECK(plan_.count());
    VOUCH_TRY(auto instance, inner_->start(std::move(f), order, rounds));
    return std::unique_ptr<PolyInstance<F, D>>(new FlakyInstance(std::move(instance), plan_));
  }
  Result<F> grind(const GrindJob<F>& job) override {
    VOUCH_CHECK(plan_.count());
    return inner_->grind(job);
  }

 private:
  std::unique_ptr<PolyOps<F, D>> inner_;
  Plan& plan_;
};

template <class T>
void keep(std::vector<std::uint32_t>& all, const T& elements) {
  for (const auto& e : elements)
    for (const F c : e.c) all.push_back(c.montgomery());
}
void keep(std::vector<std::uint32_t>& all, std::span<const Digest<F>> digests) {
  for (const auto& digest : digests)
    for (const F c : digest) all.push_back(c.montgomery());
}

// The calls of a small proof; every answer, in order.
Result<std::vector<std::uint32_t>> work(PolyOps<F, D>& ops, FoldOrder order) {
  InsecureTestRng rng(3);
  const auto base = [&] { return F(std::uint32_t(rng.next() >> 34)); };
  const auto ext = [&] { return E{{base(), base(), base(), base()}}; };
  std::vector<std::uint32_t> all;
  std::vector<F> f(std::size_t(1) << 6);
  for (F& x : f) x = base();
  VOUCH_TRY(const auto poly, ops.start(f, order, 2));
  VOUCH_TRY(auto codeword, poly->encode({.fold = 2, .log_inv_rate = 1}, {}));
  keep(all, codeword->cap());
  const std::size_t indices[] = {1, 6};
  for (int step = 0; step < 2; step++) {
    std::vector<E> point;
    for (int i = 0; i < poly->variables(); i++) point.push_back(ext());
    const Slot whole{0, 0};
    VOUCH_TRY(const auto sums, poly->claim({point, false, {&whole, 1}}));
    keep(all, sums);
    const E c[] = {ext(), ext()};
    VOUCH_CHECK(poly->combine({c, 1}));
    const F z[] = {base(), base()};
    VOUCH_CHECK(poly->add_powers(z, c));
    for (int i = 0; i < 2; i++) {
      VOUCH_TRY(const auto round, poly->round());
      keep(all, std::array{round.at_zero, round.leading});
      VOUCH_CHECK(poly->fold(ext()));
    }
    VOUCH_TRY(auto next, poly->encode({.fold = 1, .log_inv_rate = 2}, {}));
    keep(all, next->cap());
    VOUCH_TRY(const auto opening, codeword->open(indices));  // of the one before, as a proof does
    for (const F x : opening.rows) all.push_back(x.montgomery());
    keep(all, std::span<const Digest<F>>(opening.siblings));
    codeword = std::move(next);
  }
  GrindJob<F> job;
  job.permutation = &Poseidon2<F, 16>::standard();
  job.bits = 4;
  VOUCH_TRY(const F witness, ops.grind(job));
  all.push_back(witness.montgomery());
  VOUCH_TRY(const auto values, poly->values());
  keep(all, values);
  return all;
}

struct Outcome {
  Result<std::vector<std::uint32_t>> answers;
  Plan seen;
  std::vector<std::string> warnings;
};
Outcome run(Plan plan, FoldOrder order) {
  std::vector<std::string> warnings;
  const auto ops =
      with_fallback<F, D>(std::make_unique<FlakyOps>(plan), open_poly<F, D>("cpu", {.threads = 1}).value(),
                          [&](const std::string& what) { warnings.push_back(what); });
  auto answers = work(*ops, order);
  return {std::move(answers), plan, std::move(warnings)};
}

TEST(FallbackPoly, EveryCall) {
  for (const FoldOrder order : {FoldOrder::prefix, FoldOrder::suffix}) {
    Outcome sound = run({}, order);
    ASSERT_TRUE(sound.answers.ok());
    EXPECT_TRUE(sound.warnings.empty());
    EXPECT_GT(sound.seen.calls, 20u);
    for (std::size_t n = 1; n <= sound.seen.calls; n++)
      for (const bool lasting : {false, true}) {
        Outcome outcome = run({.failing_call = n, .lasting = lasting}, order);
        ASSERT_TRUE(outcome.answers.ok()) << n << ": " << outcome.answers.error().what;
        EXPECT_EQ(outcome.answers.value(), sound.answers.value()) << n;
        ASSERT_EQ(outcome.warnings.size(), lasting ? 2u : 1u) << n;
        EXPECT_EQ(outcome.warnings[0].find("flaky:0 (a fake): "), 0u) << outcome.warnings[0];
        EXPECT_NE(outcome.warnings[0].find("call " + std::to_string(n) + " was"), std::string::npos);
        EXPECT_NE(outcome.warnings[0].find("once more"), std::string::npos);
        if (lasting)
          EXPECT_EQ(outcome.seen.calls, n + 1) << "the device is asked once more and not again";
        else
          EXPECT_GT(outcome.seen.calls, sound.seen.calls) << "the device goes on";
      }
  }
}

TEST(FallbackPoly, AWrongAnswerBeforeTheFailureIsNoticed) {
  Outcome sound = run({}, FoldOrder::prefix);
  Outcome outcome = run({.failing_call = sound.seen.calls, .wrong_round = 1}, FoldOrder::prefix);
  ASSERT_FALSE(outcome.answers.ok());
  EXPECT_EQ(outcome.answers.error().code, Code::device);
  EXPECT_NE(outcome.answers.error().what.find("a sumcheck round wrongly"), std::string::npos);
}

}  // namespace
}  // namespace vouch
