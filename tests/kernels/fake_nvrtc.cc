// A stand-in for libnvrtc.so.12: "compiles" by giving the file FAKE_NVRTC_PTX, which Clang made of the same
// text.
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

namespace {
long compilations = 0;
bool fails() {
  return std::getenv("FAKE_NVRTC_FAILS") != nullptr;
}
std::string image() {
  std::ifstream in(FAKE_NVRTC_PTX, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
int give(const std::string& text, char* to) {
  std::memcpy(to, text.c_str(), text.size() + 1);
  return 0;
}
constexpr int compilation_failed = 6;
}  // namespace

extern "C" {
long fake_nvrtc_compilations() {
  return compilations;
}
const char* nvrtcGetErrorString(int e) {
  return e == compilation_failed ? "NVRTC_ERROR_COMPILATION" : "NVRTC_SUCCESS";
}
int nvrtcVersion(int* major, int* minor) {
  return *major = 12, *minor = 4, 0;
}
int nvrtcCreateProgram(void** program, const char* text, const char*, int, const char* const*,
                       const char* const*) {
  *program = new std::string(text);
  return 0;
}
int nvrtcDestroyProgram(void** program) {
  delete static_cast<std::string*>(*program);
  return 0;
}
int nvrtcCompileProgram(void* program, int count, const char* const* options) {
  compilations++;
  bool architecture = false, chains = false;
  for (int i = 0; i < count; i++) {
    architecture = architecture || std::strcmp(options[i], "--gpu-architecture=sm_120") == 0;
    chains = chains || std::strcmp(options[i], "-DGK_USE_PTX") == 0;
  }
  const bool whole = static_cast<std::string*>(program)->find("GK_PRELUDE_H") != std::string::npos;
  return fails() || !architecture || !chains || !whole ? compilation_failed : 0;
}
int nvrtcGetProgramLogSize(void*, std::size_t* size) {
  return *size = std::strlen("kernels.cu(1): error") + 1, 0;
}
int nvrtcGetProgramLog(void*, char* log) {
  return give("kernels.cu(1): error", log);
}
int nvrtcGetCUBINSize(void*, std::size_t* size) {
  return *size = image().size() + 1, 0;
}
int nvrtcGetCUBIN(void*, char* to) {
  return give(image(), to);
}
int nvrtcGetPTXSize(void*, std::size_t* size) {
  return *size = image().size() + 1, 0;
}
int nvrtcGetPTX(void*, char* to) {
  return give(image(), to);
}
}
