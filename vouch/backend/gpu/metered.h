// MeteredDevice: another device with an account of what it is asked: launches and their cost by kernel,
// submissions, transfers, memory. It can also hand launches over one at a time, each with a wait of its own,
// to show what recording them into one submission is worth.
#pragma once

#include "vouch/backend/gpu/passing.h"
#include "vouch/backend/poly.h"

namespace vouch::gpu {

class MeteredDevice final : public PassingDevice {
 public:
  // use: filled from now on; may be read whenever the device is not in use, and outlives it.
  MeteredDevice(std::unique_ptr<Device> device, std::shared_ptr<DeviceUse> use, bool one_by_one = false)
      : PassingDevice(std::move(device)), use_(std::move(use)), one_by_one_(one_by_one) {}

 protected:
  Result<std::uint64_t> do_allocate(std::size_t bytes) override;
  Result<std::uint64_t> do_allocate_for_kernels(std::size_t bytes) override;
  Result<std::uint64_t> do_import(Bytes from, std::size_t rounded) override;
  void do_free(std::uint64_t handle) noexcept override;
  Status do_upload(const Buffer& to, std::size_t offset, Bytes from) override;
  Status do_download(std::span<std::uint8_t> to, const Buffer& from, std::size_t offset) override;
  Status do_run(std::span<const Launch> launches, std::vector<LaunchTime>* times) override;
  Status do_run_and_read(std::span<const Launch> launches, std::span<const Readback> reads,
                         std::vector<LaunchTime>* times) override;

 private:
  std::uint64_t keep_counted(Buffer buffer);
  Status submit(std::span<const Launch> launches, std::span<const Readback> reads,
                std::vector<LaunchTime>* wanted);

  std::shared_ptr<DeviceUse> use_;
  bool one_by_one_;
  std::uint64_t bytes_ = 0;  // allocated now
};

}  // namespace vouch::gpu
