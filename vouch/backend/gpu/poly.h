// WHIR's operations on a device: nothing crosses but f once, and then claims, round polynomials, roots,
// openings and the final values.
#pragma once

#include <memory>

#include "vouch/backend/gpu/device.h"
#include "vouch/backend/poly.h"

namespace vouch::gpu {

template <class F, int D>
struct PolyWork {
  bool fused = true;  // false: DeviceMode::operations; the device is then one that takes launches one by one
  std::unique_ptr<PolyOps<F, D>> grinder = nullptr;  // searches for proof of work; null: the device does
  std::shared_ptr<const DeviceUse> use = nullptr;    // what use() tells
};

// Instantiated for BabyBear and KoalaBear, degrees 4 and 5. Instances and codewords of one PolyOps may be
// used from several threads; they take turns on the device.
template <class F, int D>
std::unique_ptr<PolyOps<F, D>> make_poly(std::unique_ptr<Device> device, PolyWork<F, D> work = {});
// The same as options say: mode and account.
template <class F, int D>
Result<std::unique_ptr<PolyOps<F, D>>> make_poly(std::unique_ptr<Device> device,
                                                 const BackendOptions& options);

}  // namespace vouch::gpu
