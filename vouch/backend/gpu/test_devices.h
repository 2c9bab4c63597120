// The devices that parity tables run on, for tests: each driver's first device. tests/kernels runs the same
// tables on devices of its own: it defines VOUCH_TEST_DEVICES and open_test_device.
#pragma once

#include <memory>
#include <string>

#include "vouch/backend/gpu/device.h"

#ifndef VOUCH_TEST_LOG
#define VOUCH_TEST_LOG 12  // the largest transform of a table
#endif

namespace vouch::gpu {

#ifdef VOUCH_TEST_DEVICES
Result<std::unique_ptr<Device>> open_test_device(const std::string& name);
#else
#define VOUCH_TEST_DEVICES "host", "opencl", "cuda"
inline Result<std::unique_ptr<Device>> open_test_device(const std::string& name) {
  for (const DeviceDriver& driver : drivers())
    if (driver.name == name) return driver.open(0);
  return Error{Code::unsupported, name + ": no such driver in this build"};
}
#endif

}  // namespace vouch::gpu
