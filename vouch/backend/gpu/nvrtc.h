// NVRTC: NVIDIA's compiler as a library, for builds that carry no image of the kernels. Opened at run time.
#pragma once

#include <string>

#include "vouch/core/result.h"

namespace vouch::gpu {

// "12.4", or "" where there is no such library.
std::string nvrtc_version();

// CUDA C++ to machine code for compute capability `major`.`minor`; PTX when this NVRTC is older than the
// device.
Result<std::string> nvrtc_compile(const std::string& text, int major, int minor);

}  // namespace vouch::gpu
