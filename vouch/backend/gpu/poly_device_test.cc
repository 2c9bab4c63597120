// Every WHIR operation on every device present, against the reference (gpu/codeword_test.cc and grind_test.cc
// have encoding and grinding in more shapes), and instances that share a device.
#include <thread>

#include "vouch/backend/gpu/poly.h"
#include "vouch/backend/gpu/test_devices.h"
#include "vouch/backend/test_poly.h"

namespace vouch::gpu {
namespace {

// A device whose instructions are executed one by one (tests/kernels) is slow.
constexpr bool executed = VOUCH_TEST_LOG < 12;

class PolyParity : public testing::TestWithParam<std::string> {
 protected:
  // f(reference or a cpu, device) for every field and degree.
  template <class Fn>
  void on_every_field(const std::string& against, Fn f) {
    on_field<BabyBear, 4>(against, f), on_field<KoalaBear, 5>(against, f);
    if (executed) return;
    on_field<BabyBear, 5>(against, f), on_field<KoalaBear, 4>(against, f);
  }

 private:
  template <class F, int D, class Fn>
  void on_field(const std::string& against, Fn& f) {
    SCOPED_TRACE(std::string(F::Params::name) + std::to_string(D));
    auto device = open_test_device(GetParam());
    if (!device.ok() && device.error().code == Code::unsupported)
      GTEST_SKIP() << "NOT RUN: " << device.error().what;
    ASSERT_TRUE(device.ok()) << device.error().what;
    const auto plain = open_poly<F, D>(against).value();
    const auto fast = make_poly<F, D>(std::move(device).value());
    f(*plain, *fast);
  }
};

TEST_P(PolyParity, Encode) {
  on_every_field("reference",
                 [](auto& plain, auto& fast) { compare_encoding(plain, fast, executed ? 3 : 8); });
}
TEST_P(PolyParity, ClaimsAndRounds) {
  on_every_field("reference",
                 [](auto& plain, auto& fast) { compare_claims_and_rounds(plain, fast, executed ? 5 : 12); });
}
TEST_P(PolyParity, ClaimsOnManyColumns) {
  on_every_field("reference", [](auto& plain, auto& fast) { compare_many_columns(plain, fast); });
}
TEST_P(PolyParity, Large) {
  if (executed) GTEST_SKIP() << "NOT RUN: too large for a device that is itself executed";
  on_every_field("cpu", [](auto& plain, auto& fast) { compare_large(plain, fast); });
}
TEST_P(PolyParity, InstancesTakeTurns) {
  on_every_field("reference", []<class F, int D>(PolyOps<F, D>& plain, PolyOps<F, D>& fast) {
    std::vector<std::thread> threads;
    for (std::uint64_t seed = 1; seed <= 3; seed++)
      threads.emplace_back([&, seed] {
        Pair<F, D> pair(plain, fast, 6, FoldOrder::suffix, 2, seed);
        pair.claims({Slot{}}, 6, true);
        pair.combine();
        pair.rounds(2);
        pair.encode({1, 1, 0, 0}, {});
        pair.powers(3);
        pair.rounds(3);
      });
    for (std::thread& t : threads) t.join();
  });
}

INSTANTIATE_TEST_SUITE_P(Devices, PolyParity, testing::Values(VOUCH_TEST_DEVICES),
                         [](const auto& i) { return i.param; });

}  // namespace
}  // namespace vouch::gpu
