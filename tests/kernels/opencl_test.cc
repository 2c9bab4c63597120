// The OpenCL device over a stand-in for its library: what it says, and what is left, when a call fails.
#include <gtest/gtest.h>

#include "fake_opencl.h"
#include "stand_in.h"
#include "vouch/backend/gpu/device.h"

namespace vouch::gpu {
namespace {

constexpr int allocation_failed = -4, out_of_resources = -5, build_failed = -11, invalid_context = -34;

const StandIn fake{"libOpenCL.so.1", "fake_opencl_"};

class OpenCl : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(fake.entry<long()>("live")) << "this program must find the stand-in, not a driver";
    fake.fail_at(0, 0);
  }
};

struct ZeroParams {
  std::uint32_t n, per_group;
};

// Every kind of call.
Status use(Device& device) {
  std::uint8_t bytes[64] = {1};
  VOUCH_TRY(const Buffer buffer, device.allocate(64));
  VOUCH_CHECK(device.upload(buffer, 0, bytes));
  Batch batch;
  for (int i = 0; i < 2; i++) batch.launch("msm_zero", 1, 64, 0, {&buffer}, ZeroParams{4, 0});
  batch.read(bytes, buffer, 0);
  std::vector<LaunchTime> times;
  VOUCH_CHECK(device.run(batch, &times));
  EXPECT_EQ(times.size(), 2u);
  EXPECT_NEAR(times.at(0).seconds, 2e-6, 1e-12);
  VOUCH_CHECK(device.clear(buffer));
  VOUCH_CHECK(device.download(bytes, buffer, 0));
  EXPECT_EQ(bytes[0], 0);
  return ok();
}

TEST_F(OpenCl, SaysUnderWhichDriver) {
  const std::vector<DeviceInfo> all = list_opencl();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].driver, "OpenCL 1.2 FAKE, driver 7.31");  // an update is another driver
}

TEST_F(OpenCl, EveryCallThatFailsIsNamedAndNothingIsLeft) {
  const auto open_and_use = []() -> Status {
    VOUCH_TRY(const auto device, open_opencl(0));
    return use(*device);
  };
  ASSERT_TRUE(open_and_use().ok());
  const long calls = fake.number("calls");
  EXPECT_GT(calls, 12);
  for (long n = 1; n <= calls; n++) {
    fake.fail_at(n, invalid_context);
    const Status failed = open_and_use();
    ASSERT_FALSE(failed.ok()) << n;
    EXPECT_EQ(failed.error().code, Code::device) << failed.error().what;
    EXPECT_EQ(failed.error().what.find("opencl:0 (a fake): "), 0u) << failed.error().what;
    EXPECT_NE(failed.error().what.find("OpenCL error -34"), std::string::npos) << failed.error().what;
    EXPECT_EQ(fake.number("live"), 0) << n;
  }
}

// Many drivers give memory to a buffer when it is first used: whoever holds memory that is not needed has to
// be told that this is what is missing.
TEST_F(OpenCl, MemoryMayBeMissingLater) {
  auto device = std::move(open_opencl(0)).value();
  ASSERT_TRUE(use(*device).ok());  // what is compiled stays
  fake.fail_at(0, 0);
  ASSERT_TRUE(use(*device).ok());
  const long calls = fake.number("calls");
  for (long n = 1; n <= calls; n++) {
    fake.fail_at(n, allocation_failed);
    const Status failed = use(*device);
    ASSERT_FALSE(failed.ok()) << n;
    EXPECT_EQ(failed.error().code, Code::out_of_memory) << failed.error().what;
  }
  fake.fail_at(1, out_of_resources);  // of a buffer that is made: memory
  EXPECT_EQ(device->allocate(64).error().code, Code::out_of_memory);
  fake.fail_at(2, out_of_resources);  // of what runs: anything
  EXPECT_EQ(use(*device).error().code, Code::device);
}

TEST_F(OpenCl, TheCompilersWordsAreToldHoweverMany) {
  for (const long length : {0L, 100'000L}) {
    fake.entry<void(long)>("log")(length);
    auto device = std::move(open_opencl(0)).value();
    const Buffer buffer = std::move(device->allocate(64)).value();
    Batch batch;
    batch.launch("msm_zero", 1, 64, 0, {&buffer}, ZeroParams{4, 0});
    fake.fail_at(2, build_failed);
    const Status failed = device->run(batch);
    ASSERT_FALSE(failed.ok());
    EXPECT_NE(failed.error().what.find("cannot build the kernels of groth16: the cause"), std::string::npos)
        << failed.error().what;
    EXPECT_LT(failed.error().what.size(), 600u);
  }
}

}  // namespace
}  // namespace vouch::gpu
