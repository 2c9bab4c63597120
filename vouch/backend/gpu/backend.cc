// What the operations of GpuBackend share.
#include "vouch/backend/gpu/backend.h"

#include <algorithm>

#include "vouch/backend/gpu/kernel_cost.h"

namespace vouch::gpu {

Status KernelTimes::run(Device& device, const Batch& batch) {
  std::vector<LaunchTime> times;
  std::vector<Launch> launches = batch.launches();
  for (Launch& launch : launches) launch.cost = cost_of(launch);
  VOUCH_CHECK(device.run(Batch(launches), &times));
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

std::shared_ptr<void> GpuBackend::hold(std::vector<Bytes> ranges) {
  const std::scoped_lock turn(turn_);
  resident_.hold(ranges);
  return std::shared_ptr<void>(this, [this, ranges = std::move(ranges)](void*) {
    const std::scoped_lock again(turn_);
    resident_.release(ranges);
  });
}

}  // namespace vouch::gpu
