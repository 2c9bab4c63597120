// FaultyDevice: another device, made to fail on purpose, that keeps account of its buffers. For tests.
#pragma once

#include "vouch/backend/gpu/passing.h"

namespace vouch::gpu {

// What is to go wrong, and what was seen. Outlives the device, so that it can be asked afterwards.
struct FaultPlan {
  std::size_t failing_call = 0;    // from 1: this call of allocate, upload, download, clear or run; 0: none
  bool lasting = false;            // and every call after it, as when a device is lost
  std::size_t wrong_download = 0;  // from 1: a bit of what this one brings is flipped, without an error
  std::uint64_t memory = 0;        // what the device has; 0: what the other one has

  std::size_t calls = 0, downloads = 0, live_buffers = 0;
  std::uint64_t uploaded = 0, live_bytes = 0, peak_bytes = 0;
  // A hash of what each buffer held when it was freed, in that order. (Designated initializers want the {}.)
  std::vector<std::uint64_t> left = {};  // NOLINT(readability-redundant-member-init)
};

class FaultyDevice final : public PassingDevice {
 public:
  FaultyDevice(std::unique_ptr<Device> device, std::shared_ptr<FaultPlan> plan)
      : PassingDevice(std::move(device)), plan_(std::move(plan)) {}

  DeviceInfo info() const override {
    DeviceInfo info = PassingDevice::info();
    if (plan_->memory) info.memory = info.largest_buffer = plan_->memory;
    return info;
  }

 protected:
  Status do_upload(const Buffer& to, std::size_t offset, Bytes from) override;
  Status do_download(std::span<std::uint8_t> to, const Buffer& from, std::size_t offset) override;
  Status do_clear(const Buffer& buffer) override;
  Result<std::uint64_t> do_allocate(std::size_t bytes) override;
  void do_free(std::uint64_t handle) noexcept override;
  Status do_run(std::span<const Launch> launches, std::vector<LaunchTime>* times) override;

 private:
  Status count(const char* call, Code code);

  std::shared_ptr<FaultPlan> plan_;
};

}  // namespace vouch::gpu
