// WHIR's operations in every mode of a device: the same answers; and when any one call of the device fails,
// the same answers by the processor with one warning, no buffer left over.
#include <gtest/gtest.h>

#include <array>

#include "vouch/backend/fallback_poly.h"
#include "vouch/backend/gpu/faulty.h"
#include "vouch/backend/gpu/metered.h"
#include "vouch/backend/gpu/poly.h"
#include "vouch/core/rng.h"

namespace vouch::gpu {
namespace {

using F = BabyBear;
constexpr int D = 4;
using E = Ext31<F, D>;
constexpr DeviceMode modes[] = {DeviceMode::operations, DeviceMode::fused, DeviceMode::fused_grind};

// Every word that a small proof sees, in order.
class Answers {
 public:
  void add(std::span<const F> x) {
    for (const F c : x) words.push_back(c.montgomery());
  }
  void add(std::span<const E> x) {
    for (const E& e : x) add(std::span<const F>(e.c));
  }
  void add(std::span<const Digest<F>> x) {
    for (const auto& d : x) add(std::span<const F>(d));
  }
  std::vector<u32> words;
};

Status sumcheck(PolyInstance<F, D>& poly, int rounds, InsecureTestRng& rng, Answers& all) {
  for (int i = 0; i < rounds; i++) {
    VOUCH_TRY(const auto round, poly.round());
    all.add(std::array{round.at_zero, round.leading});
    VOUCH_CHECK(poly.fold(E(F(u32(rng.next() >> 34)))));
  }
  return ok();
}

Result<std::vector<u32>> work(PolyOps<F, D>& ops, FoldOrder order) {
  InsecureTestRng rng(3);
  const auto base = [&] { return F(u32(rng.next() >> 34)); };
  Answers all;
  std::vector<F> f(std::size_t(1) << 7);
  for (F& x : f) x = base();
  VOUCH_TRY(const auto poly, ops.start(f, order, 2));
  VOUCH_TRY(auto codeword, poly->encode({.fold = 2, .log_inv_rate = 1, .dropped_layers = 1}, {}));
  all.add(codeword->cap());
  const std::size_t indices[] = {1, 6, 63};
  for (int step = 0; step < 2; step++) {
    std::vector<E> point(std::size_t(poly->variables()));
    for (E& x : point) x = E{{base(), base(), base(), base()}};
    const Slot whole{0, 0};
    VOUCH_TRY(const auto sums, poly->claim({point, step == 1, {&whole, 1}}));
    all.add(sums);
    const E c[] = {E(base()), E(base())};
    VOUCH_CHECK(poly->combine({c, 1}));
    const F z[] = {base(), base()};
    VOUCH_CHECK(poly->add_powers(z, c));
    VOUCH_CHECK(sumcheck(*poly, 2, rng, all));
    VOUCH_TRY(auto next, poly->encode({.fold = 1, .log_inv_rate = 2, .cap_height = 1}, {}));
    all.add(next->cap());
    VOUCH_TRY(const auto opening, codeword->open({indices, step == 0 ? 3u : 2u}));
    all.add(opening.rows);
    all.add(std::span<const Digest<F>>(opening.siblings));
    codeword = std::move(next);
  }
  GrindJob<F> job;
  job.permutation = &Poseidon2<F, 16>::standard();
  job.bits = 4;
  VOUCH_TRY(const F witness, ops.grind(job));
  all.add(std::span<const F>(&witness, 1));
  VOUCH_TRY(const auto values, poly->values());
  all.add(values);
  return all.words;
}

std::unique_ptr<PolyOps<F, D>> cpu() {
  return open_poly<F, D>("cpu", {.threads = 1}).value();
}
std::unique_ptr<PolyOps<F, D>> on(std::unique_ptr<Device> device, DeviceMode mode, bool account = false) {
  BackendOptions options;
  options.threads = 1, options.device_mode = mode, options.device_account = account;
  return make_poly<F, D>(std::move(device), options).value();
}

TEST(PolyModes, GiveTheSameAnswersInFewerSubmissions) {
  for (const FoldOrder order : {FoldOrder::prefix, FoldOrder::suffix}) {
    const auto expected = work(*cpu(), order);
    ASSERT_TRUE(expected.ok());
    std::vector<DeviceUse> uses;
    for (const DeviceMode mode : modes) {
      const auto ops = on(open_host(0).value(), mode, true);
      auto answers = work(*ops, order);
      ASSERT_TRUE(answers.ok()) << answers.error().what;
      EXPECT_EQ(answers.value(), Result(expected).value()) << int(mode);
      uses.push_back(ops->use());
    }
    const auto ground = [](const DeviceUse& use) {
      return std::any_of(use.kernels.begin(), use.kernels.end(),
                         [](const KernelUse& k) { return k.kernel == "bb_grind"; });
    };
    EXPECT_FALSE(ground(uses[0]) || ground(uses[1]));
    EXPECT_TRUE(ground(uses[2]));
    EXPECT_EQ(uses[1].submissions + 1, uses[2].submissions);
    EXPECT_GT(uses[0].submissions, 2 * uses[1].submissions);
    EXPECT_GT(uses[2].product_rate, 0);
  }
}

// What launches say they cost, on the whole: the permutations of leaves and trees, and words of the codeword.
TEST(PolyModes, KeepAccountOfEveryKernel) {
  const auto ops = on(open_host(0).value(), DeviceMode::operations, true);
  const auto poly = ops->start(std::vector<F>(1 << 10, F(3)), FoldOrder::prefix, 2).value();
  const auto codeword = poly->encode({.fold = 3, .log_inv_rate = 1}, {}).value();
  std::uint64_t hashed = 0, transformed = 0;
  for (const KernelUse& k : ops->use().kernels) {
    if (k.kernel.find("_p16_") != std::string::npos) hashed += k.products;
    if (k.kernel.find("_ntt_") != std::string::npos) transformed += k.bytes;
    EXPECT_GT(k.launches, 0u);
  }
  // 13 internal rounds of 4 + 7 products, 8 external ones of 16 * 4.
  EXPECT_EQ(hashed, codeword->permutations() * (8 * 16 * 4 + 13 * 11));
  EXPECT_EQ(transformed, 4 * ((1 << 10) + (1 << 11)));  // one launch reads f and writes the codeword
  EXPECT_GE(ops->use().peak_bytes, 4u * ((1 << 10) + (1 << 11)));
}

struct Outcome {
  Result<std::vector<u32>> answers;
  FaultPlan seen;
  std::vector<std::string> warnings;
};
Outcome run(const FaultPlan& fault, DeviceMode mode, FoldOrder order) {
  const auto plan = std::make_shared<FaultPlan>(fault);
  std::vector<std::string> warnings;
  auto device = std::make_unique<FaultyDevice>(open_host(0).value(), plan);
  auto ops = with_fallback<F, D>(on(std::move(device), mode), cpu(),
                                 [&](const std::string& what) { warnings.push_back(what); });
  auto answers = work(*ops, order);
  ops.reset();
  return {std::move(answers), *plan, std::move(warnings)};
}

void fail_at_every_call(DeviceMode mode, FoldOrder order) {
  Outcome sound = run({}, mode, order);
  ASSERT_TRUE(sound.answers.ok());
  EXPECT_TRUE(sound.warnings.empty());
  EXPECT_EQ(sound.seen.live_buffers, 0u);
  EXPECT_GT(sound.seen.calls, 40u);
  for (std::size_t n = 1; n <= sound.seen.calls; n++)
    for (const bool lasting : {false, true}) {
      Outcome outcome = run({.failing_call = n, .lasting = lasting}, mode, order);
      ASSERT_TRUE(outcome.answers.ok()) << n << ": " << outcome.answers.error().what;
      EXPECT_EQ(outcome.answers.value(), sound.answers.value()) << n;
      ASSERT_EQ(outcome.warnings.size(), lasting ? 2u : 1u) << n;
      EXPECT_NE(outcome.warnings[0].find("call " + std::to_string(n) + " ("), std::string::npos);
      EXPECT_EQ(outcome.seen.live_buffers, 0u) << n;
      // A second try, too, has to do with the memory that the work takes.
      EXPECT_LE(outcome.seen.peak_bytes, sound.seen.peak_bytes) << n;
    }
}

TEST(PolyFault, EveryCallInEveryMode) {
  for (const DeviceMode mode : modes)
    for (const FoldOrder order : {FoldOrder::prefix, FoldOrder::suffix}) {
      SCOPED_TRACE(testing::Message() << "mode " << int(mode) << ", order " << int(order));
      fail_at_every_call(mode, order);
    }
}

}  // namespace
}  // namespace vouch::gpu
