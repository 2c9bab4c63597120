// An account of what a device is asked: see metered.h.
#include "vouch/backend/gpu/metered.h"

#include <algorithm>

namespace vouch::gpu {

std::uint64_t MeteredDevice::keep_counted(Buffer buffer) {
  bytes_ += buffer.size();
  use_->peak_bytes = std::max(use_->peak_bytes, bytes_);
  return keep(std::move(buffer));
}

Result<std::uint64_t> MeteredDevice::do_allocate(std::size_t bytes) {
  VOUCH_TRY(Buffer buffer, device().allocate(bytes));
  return keep_counted(std::move(buffer));
}

Result<std::uint64_t> MeteredDevice::do_allocate_for_kernels(std::size_t bytes) {
  VOUCH_TRY(Buffer buffer, device().allocate_for_kernels(bytes));
  return keep_counted(std::move(buffer));
}

Result<std::uint64_t> MeteredDevice::do_import(Bytes from, std::size_t) {
  VOUCH_TRY(Buffer buffer, device().import(from));
  use_->uploads++;
  return keep_counted(std::move(buffer));
}

void MeteredDevice::do_free(std::uint64_t handle) noexcept {
  bytes_ -= passed(handle).size();
  PassingDevice::do_free(handle);
}

Status MeteredDevice::do_upload(const Buffer& to, std::size_t offset, Bytes from) {
  use_->uploads++;
  return PassingDevice::do_upload(to, offset, from);
}

Status MeteredDevice::do_download(std::span<std::uint8_t> to, const Buffer& from, std::size_t offset) {
  use_->downloads++;
  return PassingDevice::do_download(to, from, offset);
}

Status MeteredDevice::submit(std::span<const Launch> launches, std::span<const Readback> reads,
                             std::vector<LaunchTime>* wanted) {
  std::vector<LaunchTime> times;
  Batch batch(launches);
  for (const Readback& read : reads) batch.read(read.to, passed(read.from->handle()), read.offset);
  VOUCH_CHECK(device().run(batch, &times));
  use_->submissions++;
  for (std::size_t i = 0; i < launches.size(); i++) {
    const std::string_view name = launches[i].kernel;
    auto kernel = std::find_if(use_->kernels.begin(), use_->kernels.end(),
                               [&](const KernelUse& k) { return k.kernel == name; });
    if (kernel == use_->kernels.end()) kernel = use_->kernels.insert(kernel, {std::string(name)});
    kernel->launches++;
    kernel->bytes += launches[i].cost.bytes;
    kernel->products += launches[i].cost.products;
    if (i < times.size()) kernel->seconds += times[i].seconds;
  }
  if (wanted) wanted->insert(wanted->end(), times.begin(), times.end());
  return ok();
}

Status MeteredDevice::do_run(std::span<const Launch> launches, std::vector<LaunchTime>* times) {
  if (!one_by_one_) return submit(launches, {}, times);
  for (const Launch& launch : launches) VOUCH_CHECK(submit({&launch, 1}, {}, times));
  return ok();
}

Status MeteredDevice::do_run_and_read(std::span<const Launch> launches, std::span<const Readback> reads,
                                      std::vector<LaunchTime>* times) {
  if (one_by_one_) return Device::do_run_and_read(launches, reads, times);
  return submit(launches, reads, times);
}

}  // namespace vouch::gpu
