// Which backends exist.
#include "vouch/backend/backend.h"
#include "vouch/backend/cpu/cpu.h"
#include "vouch/backend/fallback.h"
#include "vouch/backend/gpu/backend.h"
#include "vouch/backend/gpu/choose.h"
#include "vouch/backend/gpu/trial.h"
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
  VOUCH_TRY(auto device, gpu::open_tested(name, options, gpu::test_groth16));
  if (!device) return open_backend("cpu", options);
  VOUCH_TRY(auto backend, gpu::make_backend(std::move(device), options));
  return with_fallback(std::move(backend), options);
}

}  // namespace vouch
