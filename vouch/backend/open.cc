// Which backends exist.
#include "vouch/backend/backend.h"
#include "vouch/backend/cpu/cpu.h"
#include "vouch/backend/fallback.h"
#include "vouch/backend/gpu/backend.h"
#include "vouch/backend/gpu/choose.h"
#include "vouch/backend/gpu/open_device.h"
#include "vouch/backend/gpu/trial.h"
#include "vouch/backend/known_answers.h"
#include "vouch/backend/reference/reference.h"

namespace vouch {
namespace {

// The processor stands in for the device where failures are to be told and not to be errors.
Result<std::unique_ptr<Backend>> with_fallback(std::unique_ptr<Backend> device,
                                               const BackendOptions& options) {
  if (!options.warn) return device;
  VOUCH_TRY(auto cpu, open_backend("cpu", options));
  return std::unique_ptr<Backend>(
      std::make_unique<FallbackBackend>(std::move(device), std::move(cpu), options.warn));
}

// By a backend of its own, so that the caller's accounts hold the caller's work only.
Status self_tested(const std::string& name, const gpu::DeviceInfo& info, const BackendOptions& options) {
  const std::string what = std::string("Groth16") + (options.constant_work ? " of constant work" : "") +
                           (options.device_tables ? " with tables" : "");
  return gpu::self_test(info, what, [&]() -> Status {
    VOUCH_TRY(auto device, gpu::open_device(name));
    VOUCH_TRY(const auto backend,
              gpu::make_backend(std::move(device), {.device_tables = options.device_tables,
                                                    .constant_work = options.constant_work}));
    return check_known_answers(*backend);
  });
}

}  // namespace

Result<std::unique_ptr<Backend>> open_backend(const std::string& name, const BackendOptions& options) {
  if (options.threads < 0)
    return Error{Code::invalid_argument, "threads: " + std::to_string(options.threads) + " is negative"};
  if (name == "reference")
    return std::unique_ptr<Backend>(std::make_unique<ReferenceBackend>(options.constant_work));
  if (name == "auto" && options.instructions == "auto") {
    VOUCH_TRY(auto gpu, gpu::choose_gpu(options));
    if (gpu) return with_fallback(std::move(gpu), options);
  }
  if (name == "auto" || name == "cpu") {
    VOUCH_TRY(const Instructions form, choose_instructions(options.instructions));
    return std::unique_ptr<Backend>(
        std::make_unique<CpuBackend>(options.threads, form, options.constant_work));
  }
  VOUCH_TRY(auto device, gpu::open_device(name));
  if (const Status tested = self_tested(name, device->info(), options); !tested.ok()) {
    if (!options.warn) return tested.error();
    options.warn(tested.error().what + "; the processor does what it was to do");
    return open_backend("cpu", options);
  }
  VOUCH_TRY(auto backend, gpu::make_backend(std::move(device), options));
  return with_fallback(std::move(backend), options);
}

}  // namespace vouch
