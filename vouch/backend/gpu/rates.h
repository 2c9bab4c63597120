// What a device can do at best, measured on it: its kernels are set against this.
#pragma once

#include "vouch/backend/gpu/device.h"

namespace vouch::gpu {

// Seconds of a batch by the device's own events, else (a device that tells no times) by the clock.
Result<double> device_seconds(Device& device, const Batch& batch);

// Bytes moved a second, read and written, by a copy of `bytes` from one buffer to another; the best of some
// runs. Choose more than the device's caches hold.
Result<double> copy_rate(Device& device, std::size_t bytes);

// A copy of this size does not fit the caches of any device there is.
std::size_t copied_bytes(const DeviceInfo& device);

// Montgomery products a second, of 31-bit elements, in chains that stay in registers. launch_seconds: how
// long a launch should be at least, so that starting it does not count.
Result<double> product31_rate(Device& device, double launch_seconds = 2e-3);

// The same of 254-bit elements.
Result<double> product254_rate(Device& device, double launch_seconds = 2e-3);

}  // namespace vouch::gpu
