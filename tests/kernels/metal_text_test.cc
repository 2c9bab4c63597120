// The parity tables on executed Metal text.
#include "metal_text.h"

#include "vouch/backend/gpu/test_devices.h"

namespace vouch::gpu {
Result<std::unique_ptr<Device>> open_test_device(const std::string&) {
  return metal_text::open_device();
}
}  // namespace vouch::gpu
