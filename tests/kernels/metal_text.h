// The kernels' Metal text, executed: a Device over the functions that a C++ compiler makes of it with the
// stand-in for <metal_stdlib>. Each work-item of a group is a fiber that changes at threadgroup_barrier, so
// that barriers are where the text has them, not where the host dialect splits it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "vouch/backend/gpu/device.h"
#include "vouch/kernels/list.h"

namespace vouch::metal_text {

// One work-item of a kernel; local is null for a kernel without local memory.
using Call = void (*)(void* const* buffers, const std::uint32_t* params, void* local, std::uint32_t lid,
                      std::uint32_t group, std::uint32_t group_size, std::uint32_t groups);
struct Kernel {
  const char* name;
  Call call;
};
// One table per module, ended by an entry with no name: metal_module.cc, compiled once for each.
#define VOUCH_MODULE(module, list) extern const Kernel module##_kernels[];
VOUCH_KERNEL_MODULES(VOUCH_MODULE)
#undef VOUCH_MODULE

Result<std::unique_ptr<gpu::Device>> open_device();

}  // namespace vouch::metal_text
