// The self-test of a device before it is used, and what has passed it: a device under the same driver with
// the same kernel text is tested once, not at every start.
#pragma once

#include <functional>

#include "vouch/backend/backend.h"
#include "vouch/backend/gpu/device.h"
#include "vouch/backend/gpu/image_cache.h"

namespace vouch::gpu {

std::uint64_t kernel_fingerprint();

// Where passed tests are kept, and what tells the kernel text they were of from another.
struct PassedTests {
  ImageCache kept = ImageCache(ImageCache::default_folder());
  std::uint64_t (*text)() = kernel_fingerprint;
};

// `what`: the operations, and everything of theirs that `test` depends on. Passed tests are kept, failed ones
// are not. Error: the test's.
Status self_test(const DeviceInfo& device, const std::string& what, const std::function<Status()>& test,
                 const PassedTests& passed);

using OpenDevice = std::function<Result<std::unique_ptr<Device>>()>;
using DeviceTest = Status(const DeviceInfo& device, const OpenDevice& open, const BackendOptions& options,
                          const PassedTests& passed);

// A device's operations against known answers, as the options ask for them. By a device of the test's own, so
// that the caller's accounts hold the caller's work only.
DeviceTest test_groth16;
// Instantiated for BabyBear and KoalaBear, degrees 4 and 5.
template <class F, int D>
Status test_whir(const DeviceInfo& device, const OpenDevice& open, const BackendOptions& options,
                 const PassedTests& passed);

// The device of that name, tested. Null where the test failed and options.warn has been told that the
// processor does its work; without anyone to tell, that is the error.
Result<std::unique_ptr<Device>> open_tested(const std::string& name, const BackendOptions& options,
                                            DeviceTest* test);

}  // namespace vouch::gpu
