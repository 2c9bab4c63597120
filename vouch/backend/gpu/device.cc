// What all devices share: ownership of buffers, the bounds of a launch, the list of drivers.
#include "vouch/backend/gpu/device.h"

namespace vouch::gpu {

Buffer::~Buffer() {
  if (device_) device_->do_free(handle_);
}

Result<Buffer> Device::allocate(std::size_t bytes) {
  const std::size_t rounded = bytes < 16 ? 16 : (bytes + 15) / 16 * 16;
  VOUCH_TRY(const std::uint64_t handle, do_allocate(rounded));
  return Buffer(this, handle, rounded);
}

Status Device::run(const Batch& batch, std::vector<LaunchTime>* times) {
  for (const Launch& launch : batch.launches()) {
    const std::string name = launch.kernel;
    if (launch.groups == 0 || launch.group_size == 0 || launch.group_size > max_group_size)
      return Error{Code::internal, "kernel " + name + ": a group must have 1 to 256 work-items"};
    if (launch.local_bytes > max_local_bytes)
      return Error{Code::internal, "kernel " + name + ": more than 32 KiB of local memory"};
  }
  return do_run(batch.launches(), times);
}

std::span<const DeviceDriver> drivers() {
  static const DeviceDriver all[] = {{"opencl", list_opencl, open_opencl}, {"host", list_host, open_host}};
  return all;
}

}  // namespace vouch::gpu
