// Proof of work on every device that is present against the reference: the same, smallest, witness.
#include "vouch/backend/gpu/grind.h"

#include <gtest/gtest.h>

#include "vouch/backend/gpu/test_devices.h"
#include "vouch/backend/reference/poly.h"
#include "vouch/core/rng.h"

namespace vouch::gpu {
namespace {

class GrindTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto opened = open_test_device(GetParam());
    if (!opened.ok()) GTEST_SKIP() << "NOT RUN: " << opened.error().what;
    device_ = std::move(opened).value();
  }

  template <class F>
  GrindJob<F> job(int i) {
    GrindJob<F> job;
    job.permutation = &Poseidon2<F, 16>::standard();
    for (F& x : job.state) x = F(static_cast<u32>(rng_.next() >> 32));
    job.position = i % 8;
    job.bits = 1 + i % 12;  // batches have 1024 candidates or more: some searches need several
    return job;
  }

  template <class F>
  void smallest_witness() {
    Tables31<F> tables(*device_, turn_);
    int beyond = 0;
    constexpr bool thorough = VOUCH_TEST_LOG >= 12;  // devices that interpret their kernels search less
    for (int i = 0; i < (thorough ? 36 : 11); i += thorough ? 1 : 5) {
      const GrindJob<F> one = job<F>(i);
      const F expected = reference::open_poly<F, 4>()->grind(one).value();
      auto found = gpu_grind(tables, one);
      ASSERT_TRUE(found.ok()) << found.error().what;
      EXPECT_EQ(expected, found.value()) << one.bits << " bits at " << one.position;
      beyond += expected.to_int() >= 1u << std::max(10, one.bits);
    }
    if (thorough) {
      EXPECT_GT(beyond, 0) << "no search took a second batch: not all was tested";
    }
  }

  InsecureTestRng rng_{5};
  std::unique_ptr<Device> device_;
  std::mutex turn_;
};

TEST_P(GrindTest, SmallestWitnessBabyBear) {
  smallest_witness<BabyBear>();
}
TEST_P(GrindTest, SmallestWitnessKoalaBear) {
  smallest_witness<KoalaBear>();
}

TEST_P(GrindTest, EndsWhenCancelled) {
  Tables31<BabyBear> tables(*device_, turn_);
  GrindJob<BabyBear> one = job<BabyBear>(0);
  one.bits = 27;
  const std::atomic<bool> cancelled = true;
  one.cancel = &cancelled;
  EXPECT_EQ(gpu_grind(tables, one).error().code, Code::rejected);
}

INSTANTIATE_TEST_SUITE_P(Devices, GrindTest, testing::Values(VOUCH_TEST_DEVICES),
                         [](const auto& i) { return i.param; });

}  // namespace
}  // namespace vouch::gpu
