// The search for proof of work on a device, in batches sized by the work expected.
#pragma once

#include "vouch/backend/gpu/tables31.h"
#include "vouch/backend/poly.h"

namespace vouch::gpu {

// The smallest witness, as on every backend. The caller holds the turn of the tables' device.
template <class F>
Result<F> gpu_grind(Tables31<F>& tables, const GrindJob<F>& job);

}  // namespace vouch::gpu
