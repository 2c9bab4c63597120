// The choice of a device: see choose.h.
#include "vouch/backend/gpu/choose.h"

#include <cstdio>
#include <functional>

#include "vouch/backend/gpu/backend.h"
#include "vouch/backend/gpu/poly.h"
#include "vouch/backend/gpu/rates.h"
#include "vouch/core/parallel.h"

namespace vouch::gpu {
namespace {

constexpr double reached = 1.0 / 3;     // of the rate measured
constexpr double opening = 0.15;        // seconds: driver, kernels, upload of the tables
constexpr double least_work = 1.0 / 3;  // seconds on the processor
constexpr double required_gain = 1.5;

// What one proof system needs to know.
struct Work {
  double thread_products;  // a second, of one thread of a processor
  DeviceTest* test;
  // Makes what computes on the device; the result is the caller's.
  std::function<Status(std::unique_ptr<Device>)> take;
};

std::string too_small(const BackendOptions& options, const DeviceInfo& info) {
  const bool memory = options.work_memory > room_of(info.memory);
  return "the work needs " + std::to_string(memory ? options.work_memory : options.work_buffer) + " bytes " +
         (memory ? "of its memory" : "in one buffer") + ", and it has room for " +
         std::to_string(memory ? room_of(info.memory) : info.largest_buffer);
}

std::string told(double seconds) {
  char text[32];
  (void)std::snprintf(text, sizeof text, seconds < 1 ? "%.0f ms" : "%.1f s",
                      seconds < 1 ? seconds * 1e3 : seconds);
  return text;
}
void explain(const BackendOptions& options, const std::string& what) {
  if (options.explain) options.explain(what);
}

enum class Search : std::uint8_t { goes_on, ends };

// Takes the device, unless it is sound but not fast enough.
Result<Search> try_gpu(const DeviceDriver& driver, std::size_t index, const DeviceInfo& info,
                       const BackendOptions& options, const ChooseBy& by, const Work& work,
                       double on_processor, std::string& refused) {
  const std::string name = info.id + " (" + info.name + ")";
  if (options.work_memory > room_of(info.memory) || options.work_buffer > info.largest_buffer) {
    if (options.warn)  // no fault of the device, so never an error
      options.warn(name + " is not used: " + too_small(options, info));
    refused = name + " is too small";
    return Search::goes_on;
  }
  VOUCH_TRY(auto device, driver.open(index));
  VOUCH_TRY(const double products, by.measure(*device));
  const double on_device = opening + options.work_seconds * work.thread_products / (products * reached);
  const std::string times = told(on_device) + " there, about " + told(on_processor) + " on the processor";
  if (on_device * required_gain > on_processor) {
    refused = name + " does not promise enough: about " + times;
    return Search::goes_on;
  }
  VOUCH_CHECK(work.test(info, [&] { return driver.open(index); }, options, by.passed));
  VOUCH_CHECK(work.take(std::move(device)));
  explain(options, name + ": about " + times);
  return Search::ends;
}

// Calls f(driver, index, info) for every GPU until it ends the search.
template <class Fn>
Status each_gpu(std::span<const DeviceDriver> drivers, Fn f) {
  for (const DeviceDriver& driver : drivers) {
    if (driver.may_have_gpu && !driver.may_have_gpu()) continue;
    const std::vector<DeviceInfo> devices = driver.list();
    for (std::size_t i = 0; i < devices.size(); i++) {
      if (!devices[i].gpu) continue;
      VOUCH_TRY(const Search search, f(driver, i, devices[i]));
      if (search == Search::ends) return ok();
    }
  }
  return ok();
}

Status choose(const BackendOptions& options, const ChooseBy& by, const Work& work) {
  const double on_processor = options.work_seconds / Threads(options.threads).count();
  if (on_processor < least_work) {
    explain(options, options.work_seconds > 0
                         ? "the processor: about " + told(on_processor) + " of work, too little for a device"
                         : "the processor: how much work it is is not known");
    return ok();
  }
  std::string refused = "no GPU is here that a driver of vouch can use";
  bool found = false;
  VOUCH_CHECK(each_gpu(
      by.drivers, [&](const DeviceDriver& driver, std::size_t i, const DeviceInfo& info) -> Result<Search> {
        auto taken = try_gpu(driver, i, info, options, by, work, on_processor, refused);
        found = taken.ok() && taken.value() == Search::ends;
        if (taken.ok() || !options.warn) return taken;
        refused = info.id + " (" + info.name + ") is not used: " + taken.error().what;
        options.warn(refused);
        return Search::goes_on;
      }));
  if (!found) explain(options, "the processor: " + refused);
  return ok();
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

Result<double> measure_products31(Device& device) {
  return product31_rate(device);
}

std::optional<DeviceInfo> first_gpu(std::span<const DeviceDriver> from) {
  std::optional<DeviceInfo> found;
  (void)each_gpu(from, [&](const DeviceDriver&, std::size_t, const DeviceInfo& info) -> Result<Search> {
    found = info;
    return Search::ends;
  });
  return found;
}

Result<std::unique_ptr<Backend>> choose_gpu(const BackendOptions& options, const ChooseBy& by) {
  std::unique_ptr<Backend> chosen;
  const auto take = [&](std::unique_ptr<Device> device) -> Status {
    VOUCH_TRY(chosen, make_backend(std::move(device), options));
    return ok();
  };
  VOUCH_CHECK(choose(options, by, {thread_products, test_groth16, take}));
  return chosen;
}

template <class F, int D>
Result<std::unique_ptr<PolyOps<F, D>>> choose_poly(const BackendOptions& options, const ChooseBy& by) {
  std::unique_ptr<PolyOps<F, D>> chosen;
  const auto take = [&](std::unique_ptr<Device> device) -> Status {
    VOUCH_TRY(chosen, (make_poly<F, D>(std::move(device), options)));
    return ok();
  };
  VOUCH_CHECK(choose(options, by, {thread_products31, test_whir<F, D>, take}));
  return chosen;
}

#define VOUCH_CHOOSE(F, D) \
  template Result<std::unique_ptr<PolyOps<F, D>>> choose_poly<F, D>(const BackendOptions&, const ChooseBy&);
VOUCH_CHOOSE(BabyBear, 4)
VOUCH_CHOOSE(BabyBear, 5)
VOUCH_CHOOSE(KoalaBear, 4)
VOUCH_CHOOSE(KoalaBear, 5)
#undef VOUCH_CHOOSE

}  // namespace vouch::gpu
