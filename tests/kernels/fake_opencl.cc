// A stand-in for libOpenCL.so.1 with one GPU: memory is the host's, kernels are built and launched in name
// only. Whatever a driver may refuse can be refused, which no driver at hand does when asked.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "fake_opencl.h"

#include <CL/cl.h>

#include <cstring>
#include <string>
#include <vector>

namespace {

long calls = 0, failing = 0, live = 0, log_length = 0;
cl_int failure = CL_SUCCESS;

cl_int called() {
  return ++calls == failing ? failure : CL_SUCCESS;
}

using Memory = std::vector<unsigned char>;
Memory& memory_of(cl_mem m) {
  return *reinterpret_cast<Memory*>(m);
}

// A handle of any kind, or null with the error.
template <class Handle>
Handle make(cl_int* error, std::size_t bytes = 1) {
  const cl_int e = called();
  if (error) *error = e;
  if (e) return nullptr;
  live++;
  return reinterpret_cast<Handle>(new Memory(bytes));
}
template <class Handle>
cl_int release(Handle h) {
  delete reinterpret_cast<Memory*>(h);
  live--;
  return CL_SUCCESS;
}

cl_int give(const std::string& text, std::size_t room, void* to, std::size_t* size) {
  if (size) *size = text.size() + 1;
  if (to && room <= text.size()) return CL_INVALID_VALUE;
  if (to) std::memcpy(to, text.c_str(), text.size() + 1);
  return CL_SUCCESS;
}
template <class T>
cl_int give(T value, void* to) {
  std::memcpy(to, &value, sizeof value);
  return CL_SUCCESS;
}

}  // namespace

extern "C" {

void fake_opencl_fail_at(long call, int error) {
  calls = 0, failing = call, failure = error;
}
long fake_opencl_calls() {
  return calls;
}
long fake_opencl_live() {
  return live;
}
void fake_opencl_log(long n) {
  log_length = n;
}

cl_int clGetPlatformIDs(cl_uint, cl_platform_id* to, cl_uint* count) {
  if (to) *to = reinterpret_cast<cl_platform_id>(&calls);
  if (count) *count = 1;
  return CL_SUCCESS;
}
cl_int clGetPlatformInfo(cl_platform_id, cl_platform_info, std::size_t room, void* to, std::size_t* size) {
  return give("fake", room, to, size);
}
cl_int clGetDeviceIDs(cl_platform_id, cl_device_type, cl_uint, cl_device_id* to, cl_uint* count) {
  if (to) *to = reinterpret_cast<cl_device_id>(&calls);
  if (count) *count = 1;
  return CL_SUCCESS;
}
cl_int clGetDeviceInfo(cl_device_id, cl_device_info what, std::size_t room, void* to, std::size_t* size) {
  if (what == CL_DEVICE_NAME) return give("a fake", room, to, size);
  if (what == CL_DEVICE_VERSION) return give("OpenCL 1.2 FAKE", room, to, size);
  if (what == CL_DRIVER_VERSION) return give("7.31", room, to, size);
  if (what == CL_DEVICE_TYPE) return give(cl_device_type(CL_DEVICE_TYPE_GPU), to);
  if (what == CL_DEVICE_MAX_COMPUTE_UNITS) return give(cl_uint(4), to);
  return give(cl_ulong(1) << 30, to);
}
cl_context clCreateContext(const cl_context_properties*, cl_uint, const cl_device_id*,
                           void (*)(const char*, const void*, std::size_t, void*), void*, cl_int* error) {
  return make<cl_context>(error);
}
cl_int clReleaseContext(cl_context c) {
  return release(c);
}
cl_command_queue clCreateCommandQueue(cl_context, cl_device_id, cl_command_queue_properties, cl_int* error) {
  return make<cl_command_queue>(error);
}
cl_int clReleaseCommandQueue(cl_command_queue q) {
  return release(q);
}
cl_program clCreateProgramWithSource(cl_context, cl_uint, const char**, const std::size_t*, cl_int* error) {
  return make<cl_program>(error);
}
cl_int clBuildProgram(cl_program, cl_uint, const cl_device_id*, const char*, void (*)(cl_program, void*),
                      void*) {
  return called();
}
cl_int clGetProgramBuildInfo(cl_program, cl_device_id, cl_program_build_info, std::size_t room, void* to,
                             std::size_t* size) {
  return give("the cause" + std::string(std::size_t(log_length), '.'), room, to, size);
}
cl_int clReleaseProgram(cl_program p) {
  return release(p);
}
cl_kernel clCreateKernel(cl_program, const char*, cl_int* error) {
  return make<cl_kernel>(error);
}
cl_int clReleaseKernel(cl_kernel k) {
  return release(k);
}
cl_int clSetKernelArg(cl_kernel, cl_uint, std::size_t, const void*) {
  return called();
}
cl_mem clCreateBuffer(cl_context, cl_mem_flags, std::size_t bytes, void*, cl_int* error) {
  return make<cl_mem>(error, bytes);
}
cl_int clReleaseMemObject(cl_mem m) {
  return release(m);
}
cl_int clEnqueueWriteBuffer(cl_command_queue, cl_mem m, cl_bool, std::size_t offset, std::size_t n,
                            const void* from, cl_uint, const cl_event*, cl_event*) {
  const cl_int e = called();
  if (!e) std::memcpy(memory_of(m).data() + offset, from, n);
  return e;
}
cl_int clEnqueueReadBuffer(cl_command_queue, cl_mem m, cl_bool, std::size_t offset, std::size_t n, void* to,
                           cl_uint, const cl_event*, cl_event*) {
  const cl_int e = called();
  if (!e) std::memcpy(to, memory_of(m).data() + offset, n);
  return e;
}
cl_int clEnqueueFillBuffer(cl_command_queue, cl_mem m, const void*, std::size_t, std::size_t offset,
                           std::size_t n, cl_uint, const cl_event*, cl_event*) {
  const cl_int e = called();
  if (!e) std::memset(memory_of(m).data() + offset, 0, n);
  return e;
}
cl_int clEnqueueNDRangeKernel(cl_command_queue, cl_kernel, cl_uint, const std::size_t*, const std::size_t*,
                              const std::size_t*, cl_uint, const cl_event*, cl_event* event) {
  if (const cl_int e = called()) return e;
  if (event) *event = reinterpret_cast<cl_event>(new Memory(1)), live++;
  return CL_SUCCESS;
}
cl_int clFinish(cl_command_queue) {
  return called();
}
cl_int clReleaseEvent(cl_event e) {
  return release(e);
}
cl_int clGetEventProfilingInfo(cl_event, cl_profiling_info what, std::size_t, void* to, std::size_t*) {
  return give(cl_ulong(what == CL_PROFILING_COMMAND_END ? 3000 : 1000), to);
}
}
