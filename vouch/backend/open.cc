// Which backends exist.
#include "vouch/backend/backend.h"
#include "vouch/backend/cpu/cpu.h"
#include "vouch/backend/reference/reference.h"

namespace vouch {

Result<std::unique_ptr<Backend>> open_backend(const std::string& name, const BackendOptions& options) {
  if (options.threads < 0)
    return Error{Code::invalid_argument, "threads: " + std::to_string(options.threads) + " is negative"};
  if (name == "reference") return std::unique_ptr<Backend>(std::make_unique<ReferenceBackend>());
  if (name == "auto" || name == "cpu") {
    VOUCH_TRY(const Instructions form, choose_instructions(options.instructions));
    return std::unique_ptr<Backend>(std::make_unique<CpuBackend>(options.threads, form));
  }
  return Error{Code::invalid_argument, "backend: '" + name + "' is not one of auto, cpu, reference"};
}

}  // namespace vouch
