// Which backends exist.
#include "vouch/backend/backend.h"
#include "vouch/backend/cpu/cpu.h"
#include "vouch/backend/gpu/backend.h"
#include "vouch/backend/reference/reference.h"

namespace vouch {
namespace {

// "opencl:1" is the device with index 1 of the driver "opencl"; "opencl" alone is the first.
Result<std::unique_ptr<Backend>> open_device(const std::string& name) {
  const std::size_t colon = name.find(':');
  const std::string driver = name.substr(0, colon),
                    number = colon == name.npos ? "0" : name.substr(colon + 1);
  for (const gpu::DeviceDriver& d : gpu::drivers()) {
    if (d.name != driver) continue;
    if (number.empty() || number.size() > 3 || number.find_first_not_of("0123456789") != number.npos)
      return Error{Code::invalid_argument, "backend: '" + name + "': the device index is not a number"};
    VOUCH_TRY(auto device, d.open(std::stoul(number)));
    return std::unique_ptr<Backend>(std::make_unique<gpu::GpuBackend>(std::move(device)));
  }
  return Error{Code::invalid_argument,
               "backend: '" + name + "' is not one of auto, cpu, reference, opencl:N, cuda:N"};
}

}  // namespace

Result<std::unique_ptr<Backend>> open_backend(const std::string& name, const BackendOptions& options) {
  if (options.threads < 0)
    return Error{Code::invalid_argument, "threads: " + std::to_string(options.threads) + " is negative"};
  if (name == "reference") return std::unique_ptr<Backend>(std::make_unique<ReferenceBackend>());
  if (name == "auto" || name == "cpu") {
    VOUCH_TRY(const Instructions form, choose_instructions(options.instructions));
    return std::unique_ptr<Backend>(std::make_unique<CpuBackend>(options.threads, form));
  }
  return open_device(name);
}

}  // namespace vouch
