// The probes compute what they say, and their rates are plausible.
#include "vouch/backend/gpu/rates.h"

#include <gtest/gtest.h>

#include "vouch/backend/gpu/test_devices.h"
#include "vouch/field/fields.h"
#include "vouch/field/prime31.h"

namespace vouch::gpu {
namespace {

using u32 = std::uint32_t;

class Rates : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto opened = open_test_device(GetParam());
    if (!opened.ok()) GTEST_SKIP() << "NOT RUN: " << opened.error().what;
    device_ = std::move(opened).value();
  }
  std::unique_ptr<Device> device_;
};

// A probe whose products the compiler has left out would promise a device that does not exist.
TEST_P(Rates, TheProductsAreMade) {
  struct Params {
    u32 rounds, y;
  };
  constexpr u32 items = 512, rounds = 3;
  const BabyBear y(31);
  const Buffer out = device_->allocate(items * 4).value();
  Batch batch;
  batch.launch("probe_products31", items / 256, 256, 0, {&out}, Params{rounds, y.montgomery()});
  ASSERT_TRUE(device_->run(batch).ok());
  std::vector<u32> sums(items);
  ASSERT_TRUE(device_->download({reinterpret_cast<std::uint8_t*>(sums.data()), items * 4}, out, 0).ok());
  for (u32 i = 0; i < items; i++) {
    BabyBear sum = BabyBear::zero();
    for (u32 c = 0; c < 8; c++) sum += BabyBear::raw(8 * i + c) * y.pow(16 * rounds);
    ASSERT_EQ(sums[i], sum.montgomery()) << i;
  }
}

TEST_P(Rates, TheLongProductsAreMade) {
  struct Params {
    u32 rounds, y;
  };
  constexpr u32 items = 256, rounds = 2;
  const Bn254Fr y = Bn254Fr::raw({{0, 0, 0, u64(5) << 32}});
  const Buffer out = device_->allocate(items * 32).value();
  Batch batch;
  batch.launch("probe_products254", 1, items, 0, {&out}, Params{rounds, 5});
  ASSERT_TRUE(device_->run(batch).ok());
  std::vector<Bn254Fr> sums(items);
  ASSERT_TRUE(device_->download({reinterpret_cast<std::uint8_t*>(sums.data()), items * 32}, out, 0).ok());
  for (u32 i = 0; i < items; i++) {
    const Bn254Fr both = Bn254Fr::raw(UInt<4>::of(2 * i)) + Bn254Fr::raw(UInt<4>::of(2 * i + 1));
    ASSERT_EQ(sums[i], both * y.pow(UInt<1>::of(4 * rounds))) << i;
  }
}

TEST_P(Rates, ArePlausible) {
  auto copied = copy_rate(*device_, 1 << 16), products = product31_rate(*device_, 1e-4);
  ASSERT_TRUE(copied.ok()) << copied.error().what;
  ASSERT_TRUE(products.ok()) << products.error().what;
  EXPECT_GT(copied.value(), 1e4);
  EXPECT_LT(copied.value(), 1e14);
  EXPECT_GT(products.value(), 1e4);
  EXPECT_LT(products.value(), 1e15);
  products = product254_rate(*device_, 1e-4);
  ASSERT_TRUE(products.ok()) << products.error().what;
  EXPECT_GT(products.value(), 1e3);
  EXPECT_LT(products.value(), 1e13);
}

INSTANTIATE_TEST_SUITE_P(Devices, Rates, testing::Values(VOUCH_TEST_DEVICES),
                         [](const auto& i) { return i.param; });

}  // namespace
}  // namespace vouch::gpu
