// A device by the name a user gives it.
#pragma once

#include "vouch/backend/gpu/device.h"

namespace vouch::gpu {

// "opencl:1" is the device with index 1 of the driver "opencl"; "opencl" alone is the first.
Result<std::unique_ptr<Device>> open_device(const std::string& name);

}  // namespace vouch::gpu
