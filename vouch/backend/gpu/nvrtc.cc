// Calls NVRTC. Its few entry points are declared here: no CUDA header is needed to build.
#include "vouch/backend/gpu/nvrtc.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "vouch/backend/gpu/library.h"

namespace vouch::gpu {
namespace {

using Program = struct OpaqueProgram*;
constexpr int invalid_option =
    5;  // NVRTC_ERROR_INVALID_OPTION: among others an architecture it does not know

struct Api {
  const char* (*error_string)(int) = nullptr;
  int (*version)(int*, int*) = nullptr;
  int (*create)(Program*, const char* text, const char* name, int headers, const char* const*,
                const char* const*) = nullptr;
  int (*destroy)(Program*) = nullptr;
  int (*compile)(Program, int count, const char* const* options) = nullptr;
  int (*log_size)(Program, std::size_t*) = nullptr;
  int (*log)(Program, char*) = nullptr;
  int (*cubin_size)(Program, std::size_t*) = nullptr;
  int (*cubin)(Program, char*) = nullptr;
  int (*ptx_size)(Program, std::size_t*) = nullptr;
  int (*ptx)(Program, char*) = nullptr;

  bool load() {
    void* lib = open_library({"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"});
    if (!lib) return false;
    bool all = true;
    all = find_function(lib, "nvrtcGetErrorString", error_string) && all;
    all = find_function(lib, "nvrtcVersion", version) && all;
    all = find_function(lib, "nvrtcCreateProgram", create) && all;
    all = find_function(lib, "nvrtcDestroyProgram", destroy) && all;
    all = find_function(lib, "nvrtcCompileProgram", compile) && all;
    all = find_function(lib, "nvrtcGetProgramLogSize", log_size) && all;
    all = find_function(lib, "nvrtcGetProgramLog", log) && all;
    all = find_function(lib, "nvrtcGetCUBINSize", cubin_size) && all;
    all = find_function(lib, "nvrtcGetCUBIN", cubin) && all;
    all = find_function(lib, "nvrtcGetPTXSize", ptx_size) && all;
    all = find_function(lib, "nvrtcGetPTX", ptx) && all;
    return all;
  }
};

const Api* api() {
  return loaded_api<Api>();
}

// The text that a pair of size and copy calls gives.
std::string fetch(Program program, int (*size_of)(Program, std::size_t*), int (*copy)(Program, char*)) {
  std::size_t size = 0;
  if (size_of(program, &size) || size == 0) return "";
  std::string out(size, '\0');
  return copy(program, out.data()) ? "" : out;
}

struct Attempt {
  int error = 0;
  std::string image, log;
};
Attempt compile_for(const Api& nvrtc, const std::string& text, const std::string& architecture,
                    bool virtual_one) {
  Attempt result;
  Program program = nullptr;
  result.error = nvrtc.create(&program, text.c_str(), "kernels.cu", 0, nullptr, nullptr);
  if (result.error) return result;
  const std::string option = "--gpu-architecture=" + architecture;
  const char* const options[] = {option.c_str(), "-DGK_USE_PTX", "-std=c++17"};
  result.error = nvrtc.compile(program, int(std::size(options)), options);
  result.log = fetch(program, nvrtc.log_size, nvrtc.log);
  if (!result.error)
    result.image = virtual_one ? fetch(program, nvrtc.ptx_size, nvrtc.ptx)
                               : fetch(program, nvrtc.cubin_size, nvrtc.cubin);
  nvrtc.destroy(&program);
  return result;
}

}  // namespace

std::string nvrtc_version() {
  int major = 0, minor = 0;
  if (!api() || api()->version(&major, &minor)) return "";
  return std::to_string(major) + "." + std::to_string(minor);
}

Result<std::string> nvrtc_compile(const std::string& text, int major, int minor) {
  if (!api())
    return Error{Code::unsupported,
                 "this build carries no PTX (build it with Clang) and libnvrtc is not on this machine"};
  const std::string number = std::to_string(major) + std::to_string(minor);
  Attempt attempt = compile_for(*api(), text, "sm_" + number, false);
  // The driver turns the PTX of an older architecture into code for a newer device.
  if (attempt.error == invalid_option) attempt = compile_for(*api(), text, "compute_75", true);
  if (!attempt.error && !attempt.image.empty()) return std::move(attempt.image);
  return Error{Code::device, std::string("NVRTC ") + nvrtc_version() +
                                 " cannot compile the kernels: " + api()->error_string(attempt.error) + ": " +
                                 std::string(attempt.log.c_str()).substr(0, 400)};
}

}  // namespace vouch::gpu
