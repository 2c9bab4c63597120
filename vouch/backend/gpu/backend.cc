// What the operations of GpuBackend share.
#include "vouch/backend/gpu/backend.h"

#include <algorithm>

#include "vouch/backend/gpu/kernel_cost.h"
#include "vouch/backend/gpu/metered.h"
#include "vouch/backend/gpu/rates.h"

namespace vouch::gpu {

Status KernelTimes::run(Device& device, const Batch& batch) {
  std::vector<LaunchTime> times;
  std::vector<Launch> launches = batch.launches();
  for (Launch& launch : launches) launch.cost = cost_of(launch);
  Batch counted(launches);
  for (const Readback& read : batch.reads()) counted.read(read.to, *read.from, read.offset);
  VOUCH_CHECK(device.run(counted, &times));
  for (const LaunchTime& one : times) {
    const auto at = std::find_if(sums_.begin(), sums_.end(), [&](const LaunchTime& sum) {
      return std::string_view(sum.kernel) == one.kernel;
    });
    if (at == sums_.end())
      sums_.push_back(one);
    else
      at->seconds += one.seconds;
  }
  return ok();
}

void KernelTimes::report(Progress& progress) const {
  for (const LaunchTime& sum : sums_)
    progress.timing(std::string("  on the device: ") + sum.kernel, sum.seconds);
}

Backend::Info GpuBackend::info() const {
  const DeviceInfo d = device_->info();
  return {d.id, d.name, static_cast<int>(d.units), true};
}

DeviceUse GpuBackend::use() const {
  const std::scoped_lock turn(turn_);
  return use_ ? *use_ : DeviceUse{};
}

Result<std::unique_ptr<Backend>> make_backend(std::unique_ptr<Device> device, const BackendOptions& options) {
  std::shared_ptr<DeviceUse> use;
  if (options.device_account) {
    use = std::make_shared<DeviceUse>();
    VOUCH_TRY(use->copy_rate, copy_rate(*device, copied_bytes(device->info())));
    VOUCH_TRY(use->product_rate, product254_rate(*device));
    device = std::make_unique<MeteredDevice>(std::move(device), use);
  }
  return std::unique_ptr<Backend>(std::make_unique<GpuBackend>(
      std::move(device), options.device_memory, options.constant_work, options.device_tables, use));
}

std::shared_ptr<void> GpuBackend::hold(const std::vector<Bytes>& ranges) {
  const std::scoped_lock turn(turn_);
  resident_.hold(ranges);
  return std::shared_ptr<void>(this, [this, ranges](void*) {
    const std::scoped_lock again(turn_);
    resident_.release(ranges);
  });
}

}  // namespace vouch::gpu
