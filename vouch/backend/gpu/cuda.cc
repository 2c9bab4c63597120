// CUDA: NVIDIA GPUs through the driver API, opened at run time, so that a binary starts where there is no
// driver.
//
// Kernels come as PTX built ahead (the driver makes and keeps the device's code), else from NVRTC and our own
// cache. The device's primary context is current only inside a call, so threads and devices do not disturb
// one another. All work goes through one stream; a batch is submitted whole and waited for once.
#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "vouch/backend/gpu/cuda_api.h"
#include "vouch/backend/gpu/device.h"
#include "vouch/backend/gpu/image_cache.h"
#include "vouch/backend/gpu/images.h"
#include "vouch/backend/gpu/library.h"
#include "vouch/backend/gpu/nvrtc.h"
#include "vouch/core/parallel.h"
#include "vouch/kernels/text.h"

namespace vouch::gpu {
namespace {

// The driver, initialised; error says why there is none.
struct Driver {
  cu::Api api;
  std::optional<Error> error;
  int version = 0;
};

std::string name_of(const cu::Api& api, cu::Result e) {
  const char* name = nullptr;
  return api.error_name(e, &name) == 0 && name ? name : "CUDA error " + std::to_string(e);
}

Driver start_driver() {
  Driver d;
  void* lib = open_library({"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"});
  if (!lib) {
    d.error = Error{Code::unsupported, "cuda: no NVIDIA driver on this machine (libcuda.so.1)"};
    return d;
  }
  const auto get = [&](auto& slot, const char* symbol) {
    if (!find_function(lib, symbol, slot) && !d.error)
      d.error =
          Error{Code::unsupported, std::string("cuda: the NVIDIA driver is too old: it has no ") + symbol};
  };
#define VOUCH_CU(member, symbol, parameters) get(d.api.member, symbol);
  VOUCH_CU_FUNCTIONS(VOUCH_CU)
#undef VOUCH_CU
  if (d.error) return d;
  if (const cu::Result e = d.api.init(0))
    d.error = Error{Code::unsupported, "cuda: cuInit: " + name_of(d.api, e)};
  else
    d.api.driver_version(&d.version);
  return d;
}

// Never destroyed: a device may live in a static that is.
const Driver& driver() {
  static const Driver* const started = new Driver(start_driver());
  return *started;
}

std::size_t device_count() {
  int count = 0;
  if (driver().error || driver().api.device_count(&count)) return 0;
  return std::size_t(count);
}

int attribute(cu::Device device, int which) {
  int value = 0;
  driver().api.device_attribute(&value, which, device);
  return value;
}

DeviceInfo describe(cu::Device device, std::size_t index) {
  DeviceInfo info;
  char name[256] = {};
  std::size_t memory = 0;
  driver().api.device_name(name, sizeof name - 1, device);
  driver().api.device_memory(&memory, device);
  const int version = driver().version;
  info.id = "cuda:" + std::to_string(index);
  info.name = name;
  info.driver = "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10) +
                ", sm_" + std::to_string(attribute(device, cu::attribute_major)) +
                std::to_string(attribute(device, cu::attribute_minor));
  info.memory = info.largest_buffer = memory;
  info.units = static_cast<std::uint32_t>(attribute(device, cu::attribute_multiprocessors));
  info.gpu = true;
  return info;
}

// Transfers from this size on go through pinned memory in chunks, one being copied while another is on the
// bus.
constexpr std::size_t staged_from = std::size_t(1) << 20;
constexpr std::size_t slot_bytes = std::size_t(4) << 20;

void copy_in_parallel(void* to, const void* from, std::size_t n) {
  parallel_for(n, std::size_t(1) << 19, [&](std::size_t begin, std::size_t end) {
    std::memcpy(static_cast<std::uint8_t*>(to) + begin, static_cast<const std::uint8_t*>(from) + begin,
                end - begin);
  });
}

class CudaDevice final : public Device {
 public:
  CudaDevice(const cu::Api& api, cu::Device device, std::size_t index)
      : api_(api), device_(device), info_(describe(device, index)) {}
  ~CudaDevice() override;
  Status start();
  DeviceInfo info() const override { return info_; }

 protected:
  Status do_upload(const Buffer& to, std::size_t offset, Bytes from) override;
  Status do_download(std::span<std::uint8_t> to, const Buffer& from, std::size_t offset) override;
  Status do_clear(const Buffer& buffer) override;
  Result<std::uint64_t> do_allocate(std::size_t bytes) override;
  void do_free(std::uint64_t handle) noexcept override;
  Status do_run(std::span<const Launch> launches, std::vector<LaunchTime>* times) override {
    return do_run_and_read(launches, {}, times);
  }
  Status do_run_and_read(std::span<const Launch> launches, std::span<const Readback> reads,
                         std::vector<LaunchTime>* times) override;

 private:
  struct Slot {  // pinned memory; busy: a transfer recorded in `done` may still read or write it
    void* memory = nullptr;
    cu::Event done = nullptr;
    bool busy = false;
  };

  // Makes the context current for the duration of a call.
  class Current {
   public:
    explicit Current(const CudaDevice& d) : api_(d.api_), error_(d.api_.context_push(d.context_)) {}
    ~Current() {
      cu::Context old = nullptr;
      if (!error_) api_.context_pop(&old);
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;
    cu::Result error() const { return error_; }

   private:
    const cu::Api& api_;
    cu::Result error_;
  };

  Error fault(const std::string& call, cu::Result e) const {
    return {e == cu::out_of_memory ? Code::out_of_memory : Code::device,
            info_.id + " (" + info_.name + "): " + call + ": " + vouch::gpu::name_of(api_, e)};
  }
  Status check(const char* call, cu::Result e) const { return e ? Status(fault(call, e)) : ok(); }
  Status wait() { return check("cuStreamSynchronize", api_.stream_wait(stream_)); }

  bool have_slots();
  Status settle(Slot& slot);
  Status upload_staged(cu::Pointer to, Bytes from);
  Status download_staged(std::span<std::uint8_t> to, cu::Pointer from);
  Result<std::string> image_of(kernels::Module module);
  Status load(kernels::Module module);
  Result<cu::Function> function(const char* kernel);
  Status submit(std::span<const Launch> launches, std::span<const cu::Function> functions,
                std::span<const cu::Event> events);
  Status launch(const Launch& launch, cu::Function function);

  const cu::Api& api_;
  cu::Device device_;
  DeviceInfo info_;
  cu::Context context_ = nullptr;
  cu::Stream stream_ = nullptr;
  Slot slots_[2];
  std::map<kernels::Module, cu::Module> modules_;
  std::map<std::string, cu::Function> functions_;
};

CudaDevice::~CudaDevice() {
  if (!context_) return;
  {
    const Current current(*this);
    if (stream_) api_.stream_wait(stream_);
    for (Slot& slot : slots_) {
      if (slot.done) api_.event_destroy(slot.done);
      if (!slot.memory) continue;
      wipe(slot.memory, slot_bytes);  // a witness went through it
      api_.host_free(slot.memory);
    }
    for (auto& [module, loaded] : modules_) api_.module_unload(loaded);
    if (stream_) api_.stream_destroy(stream_);
  }
  api_.context_release(device_);
}

Status CudaDevice::start() {
  VOUCH_CHECK(check("cuDevicePrimaryCtxRetain", api_.context_retain(&context_, device_)));
  const Current current(*this);
  VOUCH_CHECK(check("cuCtxPushCurrent", current.error()));
  return check("cuStreamCreate", api_.stream_create(&stream_, cu::stream_non_blocking));
}

Result<std::uint64_t> CudaDevice::do_allocate(std::size_t bytes) {
  const Current current(*this);
  VOUCH_CHECK(check("cuCtxPushCurrent", current.error()));
  cu::Pointer p = 0;
  const cu::Result e = api_.allocate(&p, bytes);
  if (e) return fault("cuMemAlloc of " + std::to_string(bytes) + " bytes", e);
  return p;
}

void CudaDevice::do_free(std::uint64_t handle) noexcept {
  const Current current(*this);
  api_.free(handle);
}

// Without pinned memory transfers still work, through the driver's own copy.
bool CudaDevice::have_slots() {
  for (Slot& slot : slots_) {
    if (!slot.memory && api_.host_allocate(&slot.memory, slot_bytes, cu::host_portable))
      slot.memory = nullptr;
    if (!slot.done && api_.event_create(&slot.done, cu::event_no_timing)) slot.done = nullptr;
    if (!slot.memory || !slot.done) return false;
  }
  return true;
}

Status CudaDevice::settle(Slot& slot) {
  if (!slot.busy) return ok();
  slot.busy = false;
  return check("cuEventSynchronize", api_.event_wait(slot.done));
}

Status CudaDevice::upload_staged(cu::Pointer to, Bytes from) {
  for (std::size_t at = 0, i = 0; at < from.size(); at += slot_bytes, i++) {
    Slot& slot = slots_[i % 2];
    const std::size_t n = std::min(slot_bytes, from.size() - at);
    VOUCH_CHECK(settle(slot));
    copy_in_parallel(slot.memory, from.data() + at, n);
    VOUCH_CHECK(check("cuMemcpyHtoDAsync", api_.upload(to + at, slot.memory, n, stream_)));
    slot.busy = true;
    VOUCH_CHECK(check("cuEventRecord", api_.event_record(slot.done, stream_)));
  }
  return ok();
}

Status CudaDevice::download_staged(std::span<std::uint8_t> to, cu::Pointer from) {
  const std::size_t chunks = (to.size() + slot_bytes - 1) / slot_bytes;
  const auto size_of = [&](std::size_t i) { return std::min(slot_bytes, to.size() - i * slot_bytes); };
  // Step i starts chunk i, then copies out chunk i - 1.
  for (std::size_t i = 0; i <= chunks; i++) {
    if (i < chunks) {
      Slot& slot = slots_[i % 2];
      VOUCH_CHECK(settle(slot));
      VOUCH_CHECK(
          check("cuMemcpyDtoHAsync", api_.download(slot.memory, from + i * slot_bytes, size_of(i), stream_)));
      slot.busy = true;
      VOUCH_CHECK(check("cuEventRecord", api_.event_record(slot.done, stream_)));
    }
    if (i > 0) {
      Slot& slot = slots_[(i - 1) % 2];
      VOUCH_CHECK(settle(slot));
      copy_in_parallel(to.data() + (i - 1) * slot_bytes, slot.memory, size_of(i - 1));
    }
  }
  return ok();
}

// A copy from pageable memory has left that memory when the call returns; the stream keeps the order.
Status CudaDevice::do_upload(const Buffer& to, std::size_t offset, Bytes from) {
  const Current current(*this);
  VOUCH_CHECK(check("cuCtxPushCurrent", current.error()));
  if (from.size() >= staged_from && have_slots()) return upload_staged(to.handle() + offset, from);
  return check("cuMemcpyHtoDAsync", api_.upload(to.handle() + offset, from.data(), from.size(), stream_));
}

Status CudaDevice::do_download(std::span<std::uint8_t> to, const Buffer& from, std::size_t offset) {
  const Current current(*this);
  VOUCH_CHECK(check("cuCtxPushCurrent", current.error()));
  if (to.size() >= staged_from && have_slots()) return download_staged(to, from.handle() + offset);
  VOUCH_CHECK(
      check("cuMemcpyDtoHAsync", api_.download(to.data(), from.handle() + offset, to.size(), stream_)));
  return wait();
}

Status CudaDevice::do_clear(const Buffer& buffer) {
  const Current current(*this);
  VOUCH_CHECK(check("cuCtxPushCurrent", current.error()));
  VOUCH_CHECK(check("cuMemsetD32Async", api_.fill(buffer.handle(), 0, buffer.size() / 4, stream_)));
  return wait();
}

// An image of the build, else what NVRTC makes of the text, from the cache where it is there.
Result<std::string> CudaDevice::image_of(kernels::Module module) {
  const int major = attribute(device_, cu::attribute_major), minor = attribute(device_, cu::attribute_minor);
  const std::string_view ahead = choose_image(kernel_images, module, major, minor);
  if (!ahead.empty()) return std::string(ahead);
  const std::string text = kernels::render_text(module);
  const std::string key = std::string("nvrtc ") + nvrtc_version() + " " + info_.name + " " + info_.driver +
                          " " + kernels::name_of(module) + " " + std::to_string(text.size()) + " " +
                          std::to_string(fingerprint(text));
  const ImageCache cache(ImageCache::default_folder());
  if (auto image = cache.find(key)) return std::move(*image);
  VOUCH_TRY(std::string image, nvrtc_compile(text, major, minor));
  cache.store(key, image);
  return image;
}

Status CudaDevice::load(kernels::Module module) {
  if (modules_.count(module)) return ok();
  VOUCH_TRY(const std::string image, image_of(module));
  std::string log(8192, '\0');
  int options[] = {cu::jit_error_log_buffer, cu::jit_error_log_size};
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size() - 1)};
  cu::Module loaded = nullptr;
  const cu::Result e = api_.module_load(&loaded, image.c_str(), 2, options, values);
  if (e)
    return fault(std::string("cuModuleLoadDataEx of ") + kernels::name_of(module) + " (" +
                     std::string(log.c_str()).substr(0, 400) + ")",
                 e);
  modules_[module] = loaded;
  return ok();
}

// A module is loaded when its first kernel is launched.
Result<cu::Function> CudaDevice::function(const char* kernel) {
  const auto found = functions_.find(kernel);
  if (found != functions_.end()) return found->second;
  const std::optional<kernels::Module> module = kernels::module_of(kernel);
  if (!module) return Error{Code::internal, std::string("no kernel ") + kernel};
  VOUCH_CHECK(load(*module));
  cu::Function f = nullptr;
  const cu::Result e = api_.module_function(&f, modules_[*module], kernel);
  if (e) return fault(std::string("cuModuleGetFunction of ") + kernel, e);
  return functions_[kernel] = f;
}

Status CudaDevice::launch(const Launch& launch, cu::Function function) {
  std::vector<cu::Pointer> buffers = launch.buffers;
  std::vector<std::uint32_t> params = launch.params;
  std::vector<void*> arguments;
  for (cu::Pointer& buffer : buffers) arguments.push_back(&buffer);
  arguments.push_back(params.data());
  const cu::Result e = api_.launch(function, launch.groups, 1, 1, launch.group_size, 1, 1, launch.local_bytes,
                                   stream_, arguments.data(), nullptr);
  return e ? Status(fault(std::string("cuLaunchKernel of ") + launch.kernel, e)) : ok();
}

// events: none, or one more than launches; launch i runs between events i and i + 1.
Status CudaDevice::submit(std::span<const Launch> launches, std::span<const cu::Function> functions,
                          std::span<const cu::Event> events) {
  if (!events.empty()) VOUCH_CHECK(check("cuEventRecord", api_.event_record(events[0], stream_)));
  for (std::size_t i = 0; i < launches.size(); i++) {
    VOUCH_CHECK(launch(launches[i], functions[i]));
    if (!events.empty()) VOUCH_CHECK(check("cuEventRecord", api_.event_record(events[i + 1], stream_)));
  }
  return ok();
}

Status CudaDevice::do_run_and_read(std::span<const Launch> launches, std::span<const Readback> reads,
                                   std::vector<LaunchTime>* times) {
  const Current current(*this);
  VOUCH_CHECK(check("cuCtxPushCurrent", current.error()));
  std::vector<cu::Function>
      functions;  // all of them before the first launch: a batch runs whole or not at all
  for (const Launch& launch : launches) {
    VOUCH_TRY(functions.emplace_back(), function(launch.kernel));
  }
  std::vector<cu::Event> events;
  Status status = ok();
  for (std::size_t i = 0; times && status.ok() && i <= launches.size(); i++) {
    cu::Event event = nullptr;
    status = check("cuEventCreate", api_.event_create(&event, cu::event_default));
    if (status.ok()) events.push_back(event);
  }
  if (status.ok()) status = submit(launches, functions, events);
  for (const Readback& read : reads)
    if (status.ok())
      status = check("cuMemcpyDtoHAsync", api_.download(read.to.data(), read.from->handle() + read.offset,
                                                        read.to.size(), stream_));
  const Status done = wait();  // also after a failed launch: nothing may still run when buffers are freed
  if (status.ok()) status = done;
  for (std::size_t i = 0; i < launches.size() && times && status.ok(); i++) {
    float milliseconds = 0;
    status = check("cuEventElapsedTime", api_.event_elapsed(&milliseconds, events[i], events[i + 1]));
    times->push_back({launches[i].kernel, double(milliseconds) * 1e-3});
  }
  for (cu::Event event : events) api_.event_destroy(event);
  return status;
}

}  // namespace

std::vector<DeviceInfo> list_cuda() {
  std::vector<DeviceInfo> all;
  for (std::size_t i = 0; i < device_count(); i++) {
    cu::Device device = 0;
    if (driver().api.device_get(&device, int(i)) == 0) all.push_back(describe(device, i));
  }
  return all;
}

Result<std::unique_ptr<Device>> open_cuda(std::size_t index) {
  if (driver().error) return *driver().error;
  if (index >= device_count())
    return Error{Code::unsupported, "cuda:" + std::to_string(index) +
                                        ": devices of CUDA here: " + std::to_string(device_count())};
  cu::Device device = 0;
  if (const cu::Result e = driver().api.device_get(&device, int(index)))
    return Error{Code::device,
                 "cuda:" + std::to_string(index) + ": cuDeviceGet: " + name_of(driver().api, e)};
  auto opened = std::make_unique<CudaDevice>(driver().api, device, index);
  VOUCH_CHECK(opened->start());
  return std::unique_ptr<Device>(std::move(opened));
}

}  // namespace vouch::gpu
