// The choice of a device: see choose.h.
#include "vouch/backend/gpu/choose.h"

#include "vouch/backend/gpu/backend.h"
#include "vouch/backend/known_answers.h"
#include "vouch/core/parallel.h"

namespace vouch::gpu {
namespace {

constexpr double reached = 1.0 / 3;     // of the rate measured
constexpr double opening = 0.15;        // seconds: driver, kernels, upload of the tables
constexpr double least_work = 1.0 / 3;  // seconds on the processor
constexpr double required_gain = 1.5;

// Null: sound, but not fast enough.
Result<std::unique_ptr<Backend>> try_gpu(const DeviceDriver& driver, std::size_t index,
                                         const BackendOptions& options, const ChooseBy& by,
                                         double on_processor) {
  VOUCH_TRY(auto device, driver.open(index));
  VOUCH_TRY(const double products, by.measure(*device));
  const double on_device = opening + options.work_seconds * thread_products / (products * reached);
  if (on_device * required_gain > on_processor) return std::unique_ptr<Backend>();
  std::unique_ptr<Backend> backend = std::make_unique<GpuBackend>(std::move(device), options.device_memory);
  VOUCH_CHECK(check_known_answers(*backend));
  return backend;
}

}  // namespace

Result<double> measure_products(Device& device) {
  struct Params {
    std::uint32_t rows, log_n;
  };
  constexpr std::uint32_t log_n = 20, n = 1u << log_n;
  VOUCH_TRY(const Buffer x, device.allocate(std::size_t(32) << log_n));
  VOUCH_TRY(const Buffer y, device.allocate(std::size_t(32) << log_n));
  VOUCH_CHECK(device.clear(x));
  VOUCH_CHECK(device.clear(y));
  Batch batch;
  batch.launch("fr_scale", n / 256, 256, 0, {&x, &y}, Params{n, log_n});
  VOUCH_CHECK(device.run(batch));  // the first loads the kernel
  const Stopwatch clock;
  VOUCH_CHECK(device.run(batch));
  return n / std::max(clock.seconds(), 1e-6);
}

Result<std::unique_ptr<Backend>> choose_gpu(const BackendOptions& options, const ChooseBy& by) {
  const double on_processor = options.work_seconds / Threads(options.threads).count();
  if (on_processor < least_work) return std::unique_ptr<Backend>();
  for (const DeviceDriver& driver : by.drivers) {
    if (driver.may_have_gpu && !driver.may_have_gpu()) continue;
    const std::vector<DeviceInfo> devices = driver.list();
    for (std::size_t i = 0; i < devices.size(); i++) {
      if (!devices[i].gpu) continue;
      auto backend = try_gpu(driver, i, options, by, on_processor);
      if (backend.ok() && backend.value()) return backend;
      if (backend.ok()) continue;
      if (!options.warn) return backend.error();
      options.warn(devices[i].id + " (" + devices[i].name + ") is not used: " + backend.error().what);
    }
  }
  return std::unique_ptr<Backend>();
}

}  // namespace vouch::gpu
