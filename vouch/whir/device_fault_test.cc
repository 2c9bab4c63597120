// A whole WHIR proof on a device that fails at any one of its calls, once or from then on: with the processor
// standing in, the same proof and a warning; without, an error that names the device. No buffer is left over.
#include <gtest/gtest.h>

#include "vouch/backend/fallback_poly.h"
#include "vouch/backend/gpu/faulty.h"
#include "vouch/backend/gpu/poly.h"
#include "vouch/whir/whir.h"

namespace vouch::whir {
namespace {

using gpu::FaultPlan;

struct Outcome {
  Result<Proof> proof = Error{Code::internal, "not run"};
  FaultPlan seen;
  std::vector<std::string> warnings;
};

class WhirFault : public testing::Test {
 protected:
  static whir::Setup small_setup() {
    Statement s;
    s.params.folding = Folding::constant(2);
    s.params.security = 30;
    s.params.pow_bits = 4;
    s.tables = {{6, 1}};
    s.schedule = {{{{0}, {}}}};
    return std::move(whir::Setup::create(s)).value();
  }
  Result<Proof> prove(Result<Prover> prover) const {
    if (!prover.ok()) return prover.error();
    const Table table = {values_};
    Transcript t = setup_.start();
    const auto cap = prover.value().commit({&table, 1}, t);
    return cap.ok() ? prover.value().open(t) : Result<Proof>(cap.error());
  }
  Outcome prove(const FaultPlan& fault, bool fallback) const {
    const auto plan = std::make_shared<FaultPlan>(fault);
    Outcome outcome;
    auto ops = gpu::make_poly<BabyBear, 5>(
        std::make_unique<gpu::FaultyDevice>(std::move(gpu::open_host(0)).value(), plan));
    if (fallback)
      ops = with_fallback<BabyBear, 5>(std::move(ops),
                                       std::move(open_poly<BabyBear, 5>("cpu", {.threads = 1})).value(),
                                       [&](const std::string& what) { outcome.warnings.push_back(what); });
    outcome.proof = prove(Prover::create_on<BabyBear, 5>(setup_, std::move(ops)));
    outcome.seen = *plan;
    return outcome;
  }

  const whir::Setup setup_ = small_setup();
  std::vector<std::uint32_t> values_ = [] {
    std::vector<std::uint32_t> f(64);
    for (std::uint32_t i = 0; i < f.size(); i++) f[i] = i * i + 3;
    return f;
  }();
};

TEST_F(WhirFault, EveryCall) {
  const Outcome sound = prove({}, true);
  const auto expected = prove(Prover::create(setup_, {.threads = 1, .backend = "cpu"}));
  ASSERT_TRUE(sound.proof.ok() && expected.ok());
  EXPECT_TRUE(Result<Proof>(sound.proof).value() == Result<Proof>(expected).value());
  EXPECT_TRUE(sound.warnings.empty());
  EXPECT_GT(sound.seen.calls, 40u);
  for (std::size_t n = 1; n <= sound.seen.calls; n++)
    for (const bool lasting : {false, true}) {
      SCOPED_TRACE("call " + std::to_string(n));
      const Outcome saved = prove({.failing_call = n, .lasting = lasting}, true);
      ASSERT_TRUE(saved.proof.ok()) << saved.proof.error().what;
      EXPECT_TRUE(Result<Proof>(saved.proof).value() == Result<Proof>(expected).value());
      EXPECT_EQ(saved.seen.live_buffers, 0u);
      ASSERT_EQ(saved.warnings.size(), lasting ? 2u : 1u);
      EXPECT_NE(saved.warnings[0].find("was made to fail"), std::string::npos) << saved.warnings[0];
      const Outcome failed = prove({.failing_call = n, .lasting = lasting}, false);
      ASSERT_FALSE(failed.proof.ok());
      EXPECT_NE(failed.proof.error().what.find("was made to fail"), std::string::npos)
          << failed.proof.error().what;
      EXPECT_EQ(failed.seen.live_buffers, 0u);
    }
}

}  // namespace
}  // namespace vouch::whir
