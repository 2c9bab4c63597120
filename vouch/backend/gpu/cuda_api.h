// The entry points of NVIDIA's driver (libcuda) that the CUDA device uses, declared here so that no CUDA
// header is needed to build. Their shapes are the driver API's; its handles are opaque pointers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vouch::gpu::cu {

using Result = int;  // CUresult; 0 is success
using Device = int;
using Pointer = std::uint64_t;
using Context = struct OpaqueContext*;
using Module = struct OpaqueModule*;
using Function = struct OpaqueFunction*;
using Stream = struct OpaqueStream*;
using Event = struct OpaqueEvent*;

inline constexpr Result out_of_memory = 2;
inline constexpr int attribute_multiprocessors = 16, attribute_major = 75, attribute_minor = 76;
inline constexpr int jit_error_log_buffer = 5, jit_error_log_size = 6;
inline constexpr unsigned stream_non_blocking = 1, host_portable = 1, event_default = 0, event_no_timing = 2;

// X(member, symbol, parameters)
#define VOUCH_CU_FUNCTIONS(X)                                                                          \
  X(init, "cuInit", (unsigned flags))                                                                  \
  X(driver_version, "cuDriverGetVersion", (int* version))                                              \
  X(error_name, "cuGetErrorName", (cu::Result, const char** name))                                     \
  X(device_count, "cuDeviceGetCount", (int* count))                                                    \
  X(device_get, "cuDeviceGet", (cu::Device*, int ordinal))                                             \
  X(device_name, "cuDeviceGetName", (char* name, int size, cu::Device))                                \
  X(device_memory, "cuDeviceTotalMem_v2", (std::size_t* bytes, cu::Device))                            \
  X(device_attribute, "cuDeviceGetAttribute", (int* value, int attribute, cu::Device))                 \
  X(context_retain, "cuDevicePrimaryCtxRetain", (cu::Context*, cu::Device))                            \
  X(context_release, "cuDevicePrimaryCtxRelease_v2", (cu::Device))                                     \
  X(context_push, "cuCtxPushCurrent_v2", (cu::Context))                                                \
  X(context_pop, "cuCtxPopCurrent_v2", (cu::Context*))                                                 \
  X(stream_create, "cuStreamCreate", (cu::Stream*, unsigned flags))                                    \
  X(stream_destroy, "cuStreamDestroy_v2", (cu::Stream))                                                \
  X(stream_wait, "cuStreamSynchronize", (cu::Stream))                                                  \
  X(module_load, "cuModuleLoadDataEx",                                                                 \
    (cu::Module*, const void* image, unsigned count, int* options, void** values))                     \
  X(module_unload, "cuModuleUnload", (cu::Module))                                                     \
  X(module_function, "cuModuleGetFunction", (cu::Function*, cu::Module, const char* name))             \
  X(allocate, "cuMemAlloc_v2", (cu::Pointer*, std::size_t bytes))                                      \
  X(free, "cuMemFree_v2", (cu::Pointer))                                                               \
  X(host_allocate, "cuMemHostAlloc", (void**, std::size_t bytes, unsigned flags))                      \
  X(host_free, "cuMemFreeHost", (void*))                                                               \
  X(upload, "cuMemcpyHtoDAsync_v2", (cu::Pointer to, const void* from, std::size_t bytes, cu::Stream)) \
  X(download, "cuMemcpyDtoHAsync_v2", (void* to, cu::Pointer from, std::size_t bytes, cu::Stream))     \
  X(fill, "cuMemsetD32Async", (cu::Pointer, unsigned value, std::size_t words, cu::Stream))            \
  X(launch, "cuLaunchKernel",                                                                          \
    (cu::Function, unsigned groups, unsigned, unsigned, unsigned group_size, unsigned, unsigned,       \
     unsigned local_bytes, cu::Stream, void** arguments, void** extra))                                \
  X(event_create, "cuEventCreate", (cu::Event*, unsigned flags))                                       \
  X(event_destroy, "cuEventDestroy_v2", (cu::Event))                                                   \
  X(event_record, "cuEventRecord", (cu::Event, cu::Stream))                                            \
  X(event_wait, "cuEventSynchronize", (cu::Event))                                                     \
  X(event_elapsed, "cuEventElapsedTime", (float* milliseconds, cu::Event from, cu::Event to))

struct Api {
#define VOUCH_CU(member, symbol, parameters) cu::Result(*member) parameters = nullptr;
  VOUCH_CU_FUNCTIONS(VOUCH_CU)
#undef VOUCH_CU
};

}  // namespace vouch::gpu::cu
