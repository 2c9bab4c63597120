// The CUDA device over the stand-in for NVIDIA's driver: what is submitted, what is waited for, what is left
// when a call fails. That its results are right is the parity table's business, which this program runs too.
#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "fake_cuda.h"
#include "stand_in.h"
#include "vouch/backend/gpu/backend.h"
#include "vouch/backend/gpu/test_devices.h"
#include "vouch/core/rng.h"

namespace vouch::gpu {

Result<std::unique_ptr<Device>> open_test_device(const std::string&) {
  return open_cuda(0);
}

namespace {

constexpr int out_of_memory = 2, illegal_address = 700;

const StandIn fake{"libcuda.so.1", "fake_cuda_"};

class Cuda : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(fake.entry<long()>("live")) << "this program must find the stand-in, not a driver";
    fake.fail_at(0, 0);
  }
};

struct ZeroParams {
  std::uint32_t n, per_group;
};
std::vector<std::uint8_t> sample(std::size_t n) {
  InsecureTestRng rng{n};
  std::vector<std::uint8_t> bytes(n);
  for (std::uint8_t& b : bytes) b = std::uint8_t(rng.next());
  return bytes;
}

TEST_F(Cuda, DescribesItsDevices) {
  const std::vector<DeviceInfo> all = list_cuda();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].id, "cuda:1");
  EXPECT_EQ(all[1].name, "PTX machine 1");
  EXPECT_EQ(all[0].driver, "CUDA 12.4, sm_120");
  EXPECT_EQ(all[0].units, 4u);
  EXPECT_EQ(open_cuda(2).error().what, "cuda:2: devices of CUDA here: 2");
}

TEST_F(Cuda, TransfersOfEverySizeComeBack) {
  auto device = std::move(open_cuda(0)).value();
  for (const std::size_t n :
       {std::size_t(4), std::size_t(1000), std::size_t(1) << 20, (std::size_t(4) << 20) - 4,
        std::size_t(4) << 20, (std::size_t(13) << 20) + 20}) {
    const Buffer buffer = std::move(device->allocate(n + 16)).value();
    const std::vector<std::uint8_t> in = sample(n);
    std::vector<std::uint8_t> copy = in, out(n);
    ASSERT_TRUE(device->upload(buffer, 16, copy).ok());
    std::fill(copy.begin(), copy.end(), std::uint8_t(0));  // the caller's memory is his again
    ASSERT_TRUE(device->download(out, buffer, 16).ok());
    EXPECT_EQ(in, out) << n;
    ASSERT_TRUE(device->clear(buffer).ok());
    ASSERT_TRUE(device->download(out, buffer, 16).ok());
    EXPECT_EQ(out, std::vector<std::uint8_t>(n)) << n;
  }
}

TEST_F(Cuda, ABatchIsSubmittedWholeAndWaitedForOnce) {
  auto device = std::move(open_cuda(0)).value();
  const Buffer buffer = std::move(device->allocate(4096)).value();
  Batch batch;
  for (int i = 0; i < 5; i++) batch.launch("msm_zero", 4, 256, 0, {&buffer}, ZeroParams{1024, 0});
  ASSERT_TRUE(device->run(batch).ok());
  const long waits = fake.number("waits"), launches = fake.number("launches");
  std::vector<LaunchTime> times;
  std::vector<std::uint8_t> out(64, 7), end(8, 7);  // what is read back comes with the same wait
  batch.read(out, buffer, 0);
  batch.read(end, buffer, 4088);
  ASSERT_TRUE(device->run(batch, &times).ok());
  EXPECT_EQ(out, std::vector<std::uint8_t>(64));
  EXPECT_EQ(end, std::vector<std::uint8_t>(8));
  EXPECT_EQ(fake.number("waits") - waits, 1);
  EXPECT_EQ(fake.number("launches") - launches, 5);
  ASSERT_EQ(times.size(), 5u);
  EXPECT_STREQ(times[0].kernel, "msm_zero");
  EXPECT_GT(times[0].seconds, 0);
}

TEST_F(Cuda, AnUnknownKernelRunsNothing) {
  auto device = std::move(open_cuda(0)).value();
  const Buffer buffer = std::move(device->allocate(4096)).value();
  const long launches = fake.number("launches");
  Batch batch;
  batch.launch("msm_zero", 4, 256, 0, {&buffer}, ZeroParams{1024, 0});
  batch.launch("no_such_kernel", 4, 256, 0, {&buffer}, ZeroParams{1024, 0});
  EXPECT_EQ(device->run(batch).error().what, "no kernel no_such_kernel");
  EXPECT_EQ(fake.number("launches"), launches);
}

TEST_F(Cuda, AKernelThatLeavesItsMemoryIsAnErrorThatNamesCallAndDevice) {
  auto device = std::move(open_cuda(0)).value();
  const Buffer buffer = std::move(device->allocate(4096)).value();
  Batch batch;
  batch.launch("msm_zero", 5, 256, 0, {&buffer}, ZeroParams{1025, 0});
  const Status status = device->run(batch);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, Code::device);
  EXPECT_EQ(status.error().what, "cuda:0 (PTX machine 0): cuStreamSynchronize: CUDA_ERROR_LAUNCH_FAILED");
}

TEST_F(Cuda, MoreMemoryThanThereIsIsSaid) {
  auto device = std::move(open_cuda(1)).value();
  const auto buffer = device->allocate(std::size_t(3) << 30);
  ASSERT_FALSE(buffer.ok());
  EXPECT_EQ(buffer.error().code, Code::out_of_memory);
  EXPECT_EQ(buffer.error().what,
            "cuda:1 (PTX machine 1): cuMemAlloc of 3221225472 bytes: CUDA_ERROR_OUT_OF_MEMORY");
}

TEST_F(Cuda, TwoDevicesInTwoThreadsDoNotDisturbOneAnother) {
  {
    std::vector<std::unique_ptr<Device>> devices;
    for (std::size_t i = 0; i < 3; i++) devices.push_back(std::move(open_cuda(i % 2)).value());
    std::vector<std::thread> threads;
    for (auto& device : devices)
      threads.emplace_back([&device] {
        for (int round = 0; round < 20; round++) {
          const Buffer buffer = std::move(device->allocate(1 << 12)).value();
          const std::vector<std::uint8_t> in = sample(1 << 12);
          std::vector<std::uint8_t> out(in.size());
          EXPECT_TRUE(device->upload(buffer, 0, in).ok());
          Batch batch;
          batch.launch("msm_zero", 1, 256, 0, {&buffer}, ZeroParams{256, 0});
          EXPECT_TRUE(device->run(batch).ok());
          EXPECT_TRUE(device->download(out, buffer, 0).ok());
          EXPECT_TRUE(std::all_of(out.begin(), out.begin() + 1024, [](std::uint8_t b) { return b == 0; }));
          EXPECT_TRUE(std::equal(out.begin() + 1024, out.end(), in.begin() + 1024));
        }
      });
    for (std::thread& t : threads) t.join();
  }
  EXPECT_EQ(fake.number("live"), 0);
}

// A whole operation: open, transform, compare. Returns whether it succeeded; a success must be right.
Status transform_once(const std::vector<Bn254Fr>& in, const std::vector<Bn254Fr>& expected) {
  VOUCH_TRY(auto device, open_cuda(0));
  GpuBackend backend(std::move(device));
  std::vector<Bn254Fr> values = in;
  VOUCH_CHECK(backend.ntt(values, Direction::forward, Bn254Fr::one()));
  EXPECT_EQ(values, expected);
  return ok();
}

TEST_F(Cuda, EveryCallMayFailAndNothingIsLeft) {
  InsecureTestRng rng{5};
  std::vector<Bn254Fr> in(64);
  for (Bn254Fr& x : in) x = Bn254Fr(rng.next());
  std::vector<Bn254Fr> expected = in;
  auto reference = std::move(open_backend("reference")).value();
  ASSERT_TRUE(reference->ntt(expected, Direction::forward, Bn254Fr::one()).ok());
  ASSERT_TRUE(transform_once(in, expected).ok());
  const long calls = fake.number("calls") - 1;  // the last is the destructor's, which has nobody to tell
  ASSERT_GT(calls, 10);
  for (const int error : {illegal_address, out_of_memory})
    for (long n = 1; n <= calls; n++) {
      fake.fail_at(n, error);
      const Status status = transform_once(in, expected);
      ASSERT_FALSE(status.ok()) << "call " << n << " failed and nobody noticed";
      EXPECT_EQ(status.error().code, error == out_of_memory ? Code::out_of_memory : Code::device);
      EXPECT_NE(status.error().what.find(": cu"), std::string::npos) << status.error().what;
      fake.fail_at(0, 0);
      EXPECT_EQ(fake.number("live"), 0) << "after call " << n << ": " << status.error().what;
    }
}

}  // namespace
}  // namespace vouch::gpu
