// The self-test of a device when it is opened, and what has passed it: a device under the same driver with
// the same kernel text is tested once, not at every start.
#pragma once

#include <functional>

#include "vouch/backend/gpu/device.h"
#include "vouch/backend/gpu/image_cache.h"

namespace vouch::gpu {

// `what`: the operations, and everything of theirs that `test` depends on. Passed tests are kept in `passed`;
// failed ones are not. Error: Code::device, with the device's id.
Status self_test(const DeviceInfo& device, const std::string& what, const std::function<Status()>& test,
                 const ImageCache& passed = ImageCache(ImageCache::default_folder()));

}  // namespace vouch::gpu
