// Self-tests of devices, once: see trial.h.
#include "vouch/backend/gpu/trial.h"

#include "vouch/backend/gpu/backend.h"
#include "vouch/backend/gpu/open_device.h"
#include "vouch/backend/gpu/poly.h"
#include "vouch/backend/known_answers.h"
#include "vouch/core/version.h"
#include "vouch/kernels/embedded.h"

namespace vouch::gpu {

std::uint64_t kernel_fingerprint() {
  std::string all;
  for (const kernels::EmbeddedFile* file = kernels::embedded_files; file->name; file++)
    all.append(file->data, file->size);
  return fingerprint(all);
}

Status self_test(const DeviceInfo& device, const std::string& what, const std::function<Status()>& test,
                 const PassedTests& passed) {
  const std::string key = "self-test of " + what + " on " + device.name + " under " + device.driver + " by " +
                          version() + " " + std::to_string(passed.text());
  if (passed.kept.find(key)) return ok();
  VOUCH_CHECK(test());
  passed.kept.store(key, "passed");
  return ok();
}

Status test_groth16(const DeviceInfo& device, const OpenDevice& open, const BackendOptions& options,
                    const PassedTests& passed) {
  const std::string what = std::string("Groth16") + (options.constant_work ? " of constant work" : "") +
                           (options.device_tables ? " with tables" : "");
  const auto test = [&]() -> Status {
    VOUCH_TRY(auto own, open());
    VOUCH_TRY(const auto backend, make_backend(std::move(own), {.device_tables = options.device_tables,
                                                                .constant_work = options.constant_work}));
    return check_known_answers(*backend);
  };
  return self_test(device, what, test, passed);
}

template <class F, int D>
Status test_whir(const DeviceInfo& device, const OpenDevice& open, const BackendOptions& options,
                 const PassedTests& passed) {
  const std::string what = "WHIR over " + std::string(F::Params::name) + ", degree " + std::to_string(D) +
                           ", mode " + std::to_string(int(options.device_mode));
  const auto test = [&]() -> Status {
    VOUCH_TRY(auto own, open());
    const SelfTest extent = own->info().gpu ? SelfTest::every_kernel : SelfTest::brief;
    VOUCH_TRY(const auto ops, (make_poly<F, D>(std::move(own), {.device_mode = options.device_mode})));
    return check_known_answers(*ops, extent);
  };
  return self_test(device, what, test, passed);
}
template DeviceTest test_whir<BabyBear, 4>;
template DeviceTest test_whir<BabyBear, 5>;
template DeviceTest test_whir<KoalaBear, 4>;
template DeviceTest test_whir<KoalaBear, 5>;

Result<std::unique_ptr<Device>> open_tested(const std::string& name, const BackendOptions& options,
                                            DeviceTest* test) {
  VOUCH_TRY(auto device, open_device(name));
  const DeviceInfo info = device->info();
  const Status tested = test(info, [&] { return open_device(name); }, options, {});
  if (tested.ok()) return device;
  const std::string failure = info.id + ": the self-test failed: " + tested.error().what;
  if (!options.warn) return Error{Code::device, failure};
  options.warn(failure + "; the processor does what it was to do");
  return std::unique_ptr<Device>();
}

}  // namespace vouch::gpu
