// A metered device asks of the device below exactly what it is asked itself, and counts it.
#include "vouch/backend/gpu/metered.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "vouch/backend/gpu/backend.h"

namespace vouch::gpu {
namespace {

// Writes down what is asked of it, with what a buffer is for: a device may keep those for kernels elsewhere.
class WatchedDevice final : public PassingDevice {
 public:
  explicit WatchedDevice(std::vector<std::string>& calls)
      : PassingDevice(std::move(open_host(0)).value()), calls_(&calls) {}

 protected:
  Result<std::uint64_t> do_allocate(std::size_t bytes) override {
    calls_->push_back("allocate " + std::to_string(bytes));
    return PassingDevice::do_allocate(bytes);
  }
  Result<std::uint64_t> do_allocate_for_kernels(std::size_t bytes) override {
    calls_->push_back("allocate for kernels " + std::to_string(bytes));
    return PassingDevice::do_allocate(bytes);
  }
  Result<std::uint64_t> do_import(Bytes from, std::size_t rounded) override {
    calls_->push_back("import " + std::to_string(from.size()));
    VOUCH_TRY(const std::uint64_t handle, PassingDevice::do_allocate(rounded));
    VOUCH_CHECK(device().upload(passed(handle), 0, from));
    return handle;
  }
  Status do_upload(const Buffer& to, std::size_t offset, Bytes from) override {
    calls_->push_back("upload " + std::to_string(from.size()));
    return PassingDevice::do_upload(to, offset, from);
  }
  Status do_download(std::span<std::uint8_t> to, const Buffer& from, std::size_t offset) override {
    calls_->push_back("download " + std::to_string(to.size()));
    return PassingDevice::do_download(to, from, offset);
  }
  Status do_clear(const Buffer& buffer) override {
    calls_->push_back(buffer.for_kernels() ? "clear, for kernels" : "clear");
    return PassingDevice::do_clear(buffer);
  }
  Status do_run(std::span<const Launch> launches, std::vector<LaunchTime>* times) override {
    calls_->push_back("run " + std::to_string(launches.size()));
    return PassingDevice::do_run(launches, times);
  }
  Status do_run_and_read(std::span<const Launch> launches, std::span<const Readback> reads,
                         std::vector<LaunchTime>* times) override {
    calls_->push_back("run and read " + std::to_string(launches.size()) + " " + std::to_string(reads.size()));
    Batch batch(launches);
    for (const Readback& read : reads) batch.read(read.to, passed(read.from->handle()), read.offset);
    return device().run(batch, times);
  }

 private:
  std::vector<std::string>* calls_;
};

struct Params {
  std::uint32_t n, per_group;
};

// Every kind of call, once.
void ask(Device& device) {
  const std::vector<std::uint8_t> ones(64, 1);
  std::vector<std::uint8_t> seen(64), read(8);
  const Buffer shared = std::move(device.allocate(64)).value();
  const Buffer hidden = std::move(device.allocate_for_kernels(1024)).value();
  const Buffer key = std::move(device.import(ones)).value();
  EXPECT_TRUE(hidden.for_kernels());
  ASSERT_TRUE(device.upload(shared, 0, ones).ok());
  EXPECT_FALSE(device.upload(hidden, 0, ones).ok());
  Batch batch;
  batch.launch("msm_zero", 1, 64, 0, {&hidden}, Params{256, 0}, {1024, 0});
  ASSERT_TRUE(device.run(batch).ok());
  batch.launch("msm_zero", 1, 64, 0, {&shared}, Params{1, 0}, {4, 3});
  batch.read(read, shared, 0);
  ASSERT_TRUE(device.run(batch).ok());
  EXPECT_EQ(read, (std::vector<std::uint8_t>{0, 0, 0, 0, 1, 1, 1, 1}));
  ASSERT_TRUE(device.download(seen, key, 0).ok());
  EXPECT_EQ(seen, ones);
  ASSERT_TRUE(device.clear(hidden).ok());
}

TEST(MeteredDevice, PassesEveryCallOnAsItIsAndCountsIt) {
  std::vector<std::string> plain, metered;
  {
    WatchedDevice device(plain);
    ask(device);
  }
  const auto use = std::make_shared<DeviceUse>();
  {
    MeteredDevice device(std::make_unique<WatchedDevice>(metered), use);
    ask(device);
  }
  EXPECT_EQ(metered, plain);
  EXPECT_EQ(plain,
            (std::vector<std::string>{"allocate 64", "allocate for kernels 1024", "import 64", "upload 64",
                                      "run 1", "run and read 2 1", "download 64", "clear, for kernels"}));
  EXPECT_EQ(use->peak_bytes, 64u + 1024 + 64);
  EXPECT_EQ(use->uploads, 2u);
  EXPECT_EQ(use->downloads, 1u);
  EXPECT_EQ(use->submissions, 2u);
  ASSERT_EQ(use->kernels.size(), 1u);
  EXPECT_EQ(use->kernels[0].launches, 3u);
  EXPECT_EQ(use->kernels[0].bytes, 1024u + 1024 + 4);
  EXPECT_EQ(use->kernels[0].products, 3u);
}

TEST(MeteredDevice, OneByOneEveryLaunchIsASubmission) {
  std::vector<std::string> calls;
  const auto use = std::make_shared<DeviceUse>();
  MeteredDevice device(std::make_unique<WatchedDevice>(calls), use, true);
  ask(device);
  EXPECT_EQ(use->submissions, 3u);
  EXPECT_EQ(use->downloads, 2u);
  EXPECT_EQ(std::count(calls.begin(), calls.end(), "run 1"), 3);
}

// Runs nothing, so that large shapes are counted in no time.
class IdleDevice final : public PassingDevice {
 public:
  IdleDevice() : PassingDevice(std::move(open_host(0)).value()) {}

 protected:
  Status do_run(std::span<const Launch>, std::vector<LaunchTime>*) override { return ok(); }
  Status do_run_and_read(std::span<const Launch>, std::span<const Readback>,
                         std::vector<LaunchTime>*) override {
    return ok();
  }
};

TEST(MeteredDevice, AQuotientIsAFewLaunchesAndOneWait) {
  const int log_n = 18;
  const std::size_t n = std::size_t(1) << log_n;
  const std::vector<std::uint8_t> records(44 * 3), witness(32);
  const QuotientInput input{records.data(), 3, witness.data(), 1, log_n};
  std::vector<UInt<4>> h(n);
  const auto use = std::make_shared<DeviceUse>();
  GpuBackend backend(std::make_unique<MeteredDevice>(std::make_unique<IdleDevice>(), use));
  ASSERT_TRUE(backend.groth16_quotient(input, h).ok());
  EXPECT_EQ(use->submissions, 1u);
  EXPECT_EQ(use->downloads, 0u);
  std::uint64_t launches = 0;
  for (const KernelUse& kernel : use->kernels) launches += kernel.launches;
  EXPECT_EQ(launches, 6u);
}

}  // namespace
}  // namespace vouch::gpu
