// What "auto" is: a GPU where one is present, computes rightly and is expected to be faster, else the
// processor.
//
// The model: the caller knows roughly how long the work would take one thread of the processor, which makes
// thread_products a second. A device's rate of products is measured when it is opened;
// kernels reach about a third of it, and opening costs a fixed time. So work below a third of a second never
// opens a device, and a device has to promise a third off to be taken.
#pragma once

#include "vouch/backend/backend.h"
#include "vouch/backend/gpu/device.h"

namespace vouch::gpu {

// Products a second in a kernel that does nothing else, memory traffic included.
Result<double> measure_products(Device& device);

struct ChooseBy {
  std::span<const DeviceDriver> drivers;
  Result<double> (*measure)(Device&);
};

// A backend on the device chosen, or null: the processor. options.warn is told of a GPU that is refused;
// without it, that is the error.
Result<std::unique_ptr<Backend>> choose_gpu(const BackendOptions& options,
                                            const ChooseBy& by = {drivers(), measure_products});

}  // namespace vouch::gpu
