// What "auto" is: a GPU where one is present, computes rightly and is expected to be faster, else the
// processor.
//
// The model: the caller knows roughly how long the work would take one thread of the processor, which makes
// thread_products a second. A device's rate of products is measured when it is opened;
// kernels reach about a third of it, and opening costs a fixed time. So work below a third of a second never
// opens a device, and a device has to promise a third off to be taken. Products are those of the proof
// system's field. A device with less memory than the work needs is not opened.
#pragma once

#include <optional>

#include "vouch/backend/backend.h"
#include "vouch/backend/gpu/device.h"
#include "vouch/backend/gpu/trial.h"
#include "vouch/backend/poly.h"

namespace vouch::gpu {

// Products a second in a kernel that does nothing else, memory traffic included.
Result<double> measure_products(Device& device);

struct ChooseBy {
  std::span<const DeviceDriver> drivers;
  Result<double> (*measure)(Device&);
  PassedTests passed = {};
};

// The first GPU there is, for who asks what it could do; never loads a driver that has none.
std::optional<DeviceInfo> first_gpu(std::span<const DeviceDriver> from = drivers());

// A backend on the device chosen, or null: the processor. options.warn is told of a GPU that is refused;
// without it, that is the error.
Result<std::unique_ptr<Backend>> choose_gpu(const BackendOptions& options,
                                            const ChooseBy& by = {drivers(), measure_products});

// The same for WHIR, by products of 31 bits. Instantiated for BabyBear and KoalaBear, degrees 4 and 5.
Result<double> measure_products31(Device& device);
template <class F, int D>
Result<std::unique_ptr<PolyOps<F, D>>> choose_poly(const BackendOptions& options,
                                                   const ChooseBy& by = {drivers(), measure_products31});

}  // namespace vouch::gpu
