// --timings on a device: its account of a proof, kernel by kernel.
#pragma once

#include "vouch/backend/backend.h"
#include "vouch/cli/app.h"

namespace vouch::cli {

// What each kernel took by the device's clock, and how near it came to the device's copy and product rates.
// Nothing if there is no account. product_bits: of the elements whose products were counted.
void report_device_use(Context& context, DeviceUse use, int product_bits);

}  // namespace vouch::cli
