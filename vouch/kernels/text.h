// The kernel text as a device's compiler gets it: constants derived from the declared fields, then a module's
// entry file with its includes expanded.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "vouch/kernels/list.h"

namespace vouch::kernels {

// A unit of compilation: entry file NAME.h, kernels VOUCH_KERNELS_NAME of list.h.
enum class Module {
#define VOUCH_MODULE(name, list) name,
  VOUCH_KERNEL_MODULES(VOUCH_MODULE)
#undef VOUCH_MODULE
};
std::span<const Module> all_modules();
const char* name_of(Module);
std::span<const char* const> kernels_of(Module);
// The module that holds a kernel.
std::optional<Module> module_of(std::string_view kernel);

// "#define FR_N0 0x..." and so on, for every field that the module's text names.
std::string render_constants(Module);

// The whole text: constants and kernels. The same for OpenCL, CUDA and Metal.
std::string render_text(Module);

}  // namespace vouch::kernels
