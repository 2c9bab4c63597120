// PassingDevice: passes everything on to another device. A base for those that watch, or disturb, on the way.
//
// What a device need not have (import, buffers for kernels, answers in the same submission) comes to it as
// the calls that Device makes of it, unless a derived class passes that on, too.
#pragma once

#include <map>

#include "vouch/backend/gpu/device.h"

namespace vouch::gpu {

class PassingDevice : public Device {
 public:
  explicit PassingDevice(std::unique_ptr<Device> device) : device_(std::move(device)) {}
  DeviceInfo info() const override { return device_->info(); }

 protected:
  Device& device() { return *device_; }
  // The other device's buffer of the same handle.
  const Buffer& passed(std::uint64_t handle) const { return buffers_.at(handle); }
  std::uint64_t keep(Buffer buffer) {
    const std::uint64_t handle = buffer.handle();
    buffers_[handle] = std::move(buffer);
    return handle;
  }

  Result<std::uint64_t> do_allocate(std::size_t bytes) override {
    VOUCH_TRY(Buffer buffer, device_->allocate(bytes));
    return keep(std::move(buffer));
  }
  void do_free(std::uint64_t handle) noexcept override { buffers_.erase(handle); }
  Status do_upload(const Buffer& to, std::size_t offset, Bytes from) override {
    return device_->upload(passed(to.handle()), offset, from);
  }
  Status do_download(std::span<std::uint8_t> to, const Buffer& from, std::size_t offset) override {
    return device_->download(to, passed(from.handle()), offset);
  }
  Status do_clear(const Buffer& buffer) override { return device_->clear(passed(buffer.handle())); }
  Status do_run(std::span<const Launch> launches, std::vector<LaunchTime>* times) override {
    return device_->run(Batch(launches), times);
  }

 private:
  std::unique_ptr<Device> device_;
  std::map<std::uint64_t, Buffer> buffers_;  // of device_, by the handle that both devices use
};

}  // namespace vouch::gpu
