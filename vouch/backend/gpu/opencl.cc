// OpenCL: the device behind any ICD (GPUs of every maker, PoCL on a processor). The library is opened at run
// time, so that a binary starts where there is none.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "vouch/backend/gpu/device.h"
#include "vouch/backend/gpu/library.h"
#include "vouch/kernels/text.h"

namespace vouch::gpu {
namespace {

// The entry points used, by name from the ICD loader.
#define VOUCH_CL_FUNCTIONS(X)  \
  X(clGetPlatformIDs)          \
  X(clGetPlatformInfo)         \
  X(clGetDeviceIDs)            \
  X(clGetDeviceInfo)           \
  X(clCreateContext)           \
  X(clReleaseContext)          \
  X(clCreateCommandQueue)      \
  X(clReleaseCommandQueue)     \
  X(clCreateProgramWithSource) \
  X(clBuildProgram)            \
  X(clGetProgramBuildInfo)     \
  X(clReleaseProgram)          \
  X(clCreateKernel)            \
  X(clReleaseKernel)           \
  X(clSetKernelArg)            \
  X(clCreateBuffer)            \
  X(clReleaseMemObject)        \
  X(clEnqueueWriteBuffer)      \
  X(clEnqueueReadBuffer)       \
  X(clEnqueueFillBuffer)       \
  X(clEnqueueNDRangeKernel)    \
  X(clFinish)                  \
  X(clReleaseEvent)            \
  X(clGetEventProfilingInfo)

struct Api {
#define VOUCH_CL(name) decltype(&::name) name = nullptr;
  VOUCH_CL_FUNCTIONS(VOUCH_CL)
#undef VOUCH_CL

  bool load() {
    void* lib = open_library({"libOpenCL.so.1", "/System/Library/Frameworks/OpenCL.framework/OpenCL"});
    if (!lib) return false;
    bool all = true;
#define VOUCH_CL(name) all = find_function(lib, #name, name) && all;
    VOUCH_CL_FUNCTIONS(VOUCH_CL)
#undef VOUCH_CL
    return all;
  }
};

const Api* api() {
  return loaded_api<Api>();
}

struct Place {
  cl_platform_id platform;
  cl_device_id device;
};

std::vector<Place> places() {
  std::vector<Place> all;
  const Api* cl = api();
  cl_uint count = 0;
  if (!cl || cl->clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS) return all;
  std::vector<cl_platform_id> platforms(count);
  cl->clGetPlatformIDs(count, platforms.data(), nullptr);
  for (cl_platform_id platform : platforms) {
    cl_uint devices = 0;
    if (cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &devices) != CL_SUCCESS) continue;
    std::vector<cl_device_id> ids(devices);
    cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, devices, ids.data(), nullptr);
    for (cl_device_id id : ids) all.push_back({platform, id});
  }
  return all;
}

std::string text_of(cl_device_id device, cl_device_info what) {
  char text[512] = {};
  api()->clGetDeviceInfo(device, what, sizeof text - 1, text, nullptr);
  return text;
}
template <class T>
T number_of(cl_device_id device, cl_device_info what) {
  T value{};
  api()->clGetDeviceInfo(device, what, sizeof value, &value, nullptr);
  return value;
}

DeviceInfo describe(const Place& place, std::size_t index) {
  DeviceInfo info;
  info.id = "opencl:" + std::to_string(index);
  info.name = text_of(place.device, CL_DEVICE_NAME);
  info.driver =
      text_of(place.device, CL_DEVICE_VERSION) + ", driver " + text_of(place.device, CL_DRIVER_VERSION);
  info.memory = number_of<cl_ulong>(place.device, CL_DEVICE_GLOBAL_MEM_SIZE);
  info.largest_buffer = number_of<cl_ulong>(place.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  info.units = number_of<cl_uint>(place.device, CL_DEVICE_MAX_COMPUTE_UNITS);
  info.gpu = (number_of<cl_device_type>(place.device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU) != 0;
  return info;
}

class OpenClDevice final : public Device {
 public:
  OpenClDevice(const Api& cl, const Place& place, std::size_t index)
      : cl_(cl), device_(place.device), info_(describe(place, index)) {}
  ~OpenClDevice() override {
    for (auto& [name, kernel] : kernels_) cl_.clReleaseKernel(kernel);
    for (auto& [module, program] : programs_) cl_.clReleaseProgram(program);
    if (queue_) cl_.clReleaseCommandQueue(queue_);
    if (context_) cl_.clReleaseContext(context_);
  }

  Status start() {
    cl_int e = 0;
    context_ = cl_.clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &e);
    if (e) return fault("cannot create a context", e);
    queue_ = cl_.clCreateCommandQueue(context_, device_, CL_QUEUE_PROFILING_ENABLE, &e);
    if (e) return fault("cannot create a queue", e);
    return ok();
  }

  DeviceInfo info() const override { return info_; }

 protected:
  Result<std::uint64_t> do_allocate(std::size_t bytes) override {
    VOUCH_CHECK(check_size(info_, bytes));
    cl_int e = 0;
    cl_mem m = cl_.clCreateBuffer(context_, CL_MEM_READ_WRITE, bytes, nullptr, &e);
    if (!e) return reinterpret_cast<std::uint64_t>(m);
    Error failed = fault("cannot allocate " + std::to_string(bytes) + " bytes", e);
    if (e == CL_OUT_OF_RESOURCES) failed.code = Code::out_of_memory;
    return failed;
  }
  void do_free(std::uint64_t handle) noexcept override { cl_.clReleaseMemObject(memory(handle)); }

  Status do_upload(const Buffer& to, std::size_t offset, Bytes from) override {
    const cl_int e = cl_.clEnqueueWriteBuffer(queue_, memory(to.handle()), CL_TRUE, offset, from.size(),
                                              from.data(), 0, nullptr, nullptr);
    return e ? Status(fault("upload failed", e)) : ok();
  }
  Status do_download(std::span<std::uint8_t> to, const Buffer& from, std::size_t offset) override {
    const cl_int e = cl_.clEnqueueReadBuffer(queue_, memory(from.handle()), CL_TRUE, offset, to.size(),
                                             to.data(), 0, nullptr, nullptr);
    return e ? Status(fault("download failed", e)) : ok();
  }
  Status do_clear(const Buffer& buffer) override {
    const cl_uint zero = 0;
    cl_int e = cl_.clEnqueueFillBuffer(queue_, memory(buffer.handle()), &zero, sizeof zero, 0, buffer.size(),
                                       0, nullptr, nullptr);
    if (!e) e = cl_.clFinish(queue_);
    return e ? Status(fault("clearing memory failed", e)) : ok();
  }

  Status do_run(std::span<const Launch> launches, std::vector<LaunchTime>* times) override {
    return do_run_and_read(launches, {}, times);
  }
  Status do_run_and_read(std::span<const Launch> launches, std::span<const Readback> reads,
                         std::vector<LaunchTime>* times) override {
    std::vector<cl_event> events;
    Status status = enqueue(launches, times ? &events : nullptr);
    for (const Readback& read : reads) {
      if (!status.ok()) break;
      const cl_int e = cl_.clEnqueueReadBuffer(queue_, memory(read.from->handle()), CL_FALSE, read.offset,
                                               read.to.size(), read.to.data(), 0, nullptr, nullptr);
      if (e) status = fault("download failed", e);
    }
    const cl_int e =
        cl_.clFinish(queue_);  // also after a failed launch: nothing may still run when buffers are freed
    if (status.ok() && e) status = fault("the device failed", e);
    for (std::size_t i = 0; i < events.size(); i++) {
      cl_ulong start = 0, end = 0;
      cl_.clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr);
      cl_.clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
      times->push_back({launches[i].kernel, double(end - start) * 1e-9});
      cl_.clReleaseEvent(events[i]);
    }
    return status;
  }

 private:
  static cl_mem memory(std::uint64_t handle) { return reinterpret_cast<cl_mem>(handle); }
  // Many drivers give a buffer its memory when it is first used, so that any call may find none.
  Error fault(const std::string& what, cl_int code) const {
    return {code == CL_MEM_OBJECT_ALLOCATION_FAILURE ? Code::out_of_memory : Code::device,
            info_.id + " (" + info_.name + "): " + what + " (OpenCL error " + std::to_string(code) + ")"};
  }

  // A module is compiled when its first kernel is launched.
  Result<cl_program> program(kernels::Module module) {
    const auto found = programs_.find(module);
    if (found != programs_.end()) return found->second;
    const std::string text = kernels::render_text(module), name = kernels::name_of(module);
    const char* data = text.data();
    const std::size_t size = text.size();
    cl_int e = 0;
    cl_program built = cl_.clCreateProgramWithSource(context_, 1, &data, &size, &e);
    if (e) return fault("cannot load the kernels of " + name, e);
    e = cl_.clBuildProgram(built, 1, &device_, "-cl-std=CL1.2", nullptr, nullptr);
    if (!e) return programs_[module] = built;
    std::size_t length = 0;
    cl_.clGetProgramBuildInfo(built, device_, CL_PROGRAM_BUILD_LOG, 0, nullptr, &length);
    std::string log(length, '\0');
    cl_.clGetProgramBuildInfo(built, device_, CL_PROGRAM_BUILD_LOG, length, log.data(), nullptr);
    cl_.clReleaseProgram(built);
    return fault("cannot build the kernels of " + name + ": " + std::string(log.c_str()).substr(0, 400), e);
  }

  Result<cl_kernel> kernel(const char* name) {
    const auto found = kernels_.find(name);
    if (found != kernels_.end()) return found->second;
    const std::optional<kernels::Module> module = kernels::module_of(name);
    if (!module) return Error{Code::internal, std::string("no kernel ") + name};
    VOUCH_TRY(cl_program built, program(*module));
    cl_int e = 0;
    cl_kernel k = cl_.clCreateKernel(built, name, &e);
    if (e) return fault(std::string("no kernel ") + name, e);
    kernels_[name] = k;
    return k;
  }

  Status enqueue(std::span<const Launch> launches, std::vector<cl_event>* events) {
    for (const Launch& launch : launches) {
      VOUCH_TRY(cl_kernel k, kernel(launch.kernel));
      cl_uint index = 0;
      cl_int e = 0;
      for (const std::uint64_t handle : launch.buffers) {
        const cl_mem m = memory(handle);
        e = e ? e : cl_.clSetKernelArg(k, index++, sizeof m, &m);
      }
      e = e ? e : cl_.clSetKernelArg(k, index++, launch.params.size() * 4, launch.params.data());
      if (launch.local_bytes) e = e ? e : cl_.clSetKernelArg(k, index++, launch.local_bytes, nullptr);
      if (e) return fault(std::string("bad argument of ") + launch.kernel, e);
      const std::size_t local = launch.group_size, global = local * launch.groups;
      cl_event event = nullptr;
      e = cl_.clEnqueueNDRangeKernel(queue_, k, 1, nullptr, &global, &local, 0, nullptr,
                                     events ? &event : nullptr);
      if (e) return fault(std::string("cannot launch ") + launch.kernel, e);
      if (events) events->push_back(event);
    }
    return ok();
  }

  const Api& cl_;
  cl_device_id device_;
  DeviceInfo info_;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  std::map<kernels::Module, cl_program> programs_;
  std::map<std::string, cl_kernel> kernels_;
};

}  // namespace

// Listing loads every vendor's driver, which for PoCL takes 20 ms and 40 MiB. It has no GPU, so where its is
// the only driver registered, there is none.
bool opencl_may_have_gpu() {
  if (std::getenv("OCL_ICD_VENDORS") || std::getenv("OCL_ICD_FILENAMES")) return true;
  std::error_code failed;
  std::filesystem::directory_iterator vendors("/etc/OpenCL/vendors", failed);
  if (failed) return true;  // not how this system registers drivers
  for (const auto& entry : vendors)
    if (entry.path().filename().string().rfind("pocl", 0) != 0) return true;
  return false;
}

std::vector<DeviceInfo> list_opencl() {
  std::vector<DeviceInfo> all;
  const std::vector<Place> found = places();
  for (std::size_t i = 0; i < found.size(); i++) all.push_back(describe(found[i], i));
  return all;
}

Result<std::unique_ptr<Device>> open_opencl(std::size_t index) {
  if (!api())
    return Error{Code::unsupported,
                 "opencl: no OpenCL library on this machine (install a driver's ICD, or pocl-opencl-icd)"};
  const std::vector<Place> found = places();
  if (index >= found.size())
    return Error{Code::unsupported, "opencl:" + std::to_string(index) +
                                        ": devices of OpenCL here: " + std::to_string(found.size())};
  auto device = std::make_unique<OpenClDevice>(*api(), found[index], index);
  VOUCH_CHECK(device->start());
  return std::unique_ptr<Device>(std::move(device));
}

}  // namespace vouch::gpu
