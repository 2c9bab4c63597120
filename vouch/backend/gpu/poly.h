// WHIR's operations on a device: nothing crosses but f once, and then claims, round polynomials, roots,
// openings and the final values.
#pragma once

#include <memory>

#include "vouch/backend/gpu/device.h"
#include "vouch/backend/poly.h"

namespace vouch::gpu {

// Instantiated for BabyBear and KoalaBear, degrees 4 and 5. Instances and codewords of one PolyOps may be
// used from several threads; they take turns on the device.
template <class F, int D>
std::unique_ptr<PolyOps<F, D>> make_poly(std::unique_ptr<Device> device);

}  // namespace vouch::gpu
