// Self-tests of devices, once: see trial.h.
#include "vouch/backend/gpu/trial.h"

#include "vouch/core/version.h"
#include "vouch/kernels/embedded.h"

namespace vouch::gpu {
namespace {

std::uint64_t kernel_fingerprint() {
  std::string all;
  for (const kernels::EmbeddedFile* file = kernels::embedded_files; file->name; file++)
    all.append(file->data, file->size);
  return fingerprint(all);
}

}  // namespace

Status self_test(const DeviceInfo& device, const std::string& what, const std::function<Status()>& test,
                 const ImageCache& passed) {
  const std::string key = "self-test of " + what + " on " + device.name + " under " + device.driver + " by " +
                          version() + " " + std::to_string(kernel_fingerprint());
  if (passed.find(key)) return ok();
  if (const Status s = test(); !s.ok())
    return Error{Code::device, device.id + ": the self-test failed: " + s.error().what};
  passed.store(key, "passed");
  return ok();
}

}  // namespace vouch::gpu
