// The kernel text as a device's compiler gets it: constants derived from the declared fields, then kernels.h
// with its includes expanded.
#pragma once

#include <string>

namespace vouch::kernels {

// "#define FR_N0 0x..." and so on, for every field that kernel text names.
std::string render_constants();

// The whole text: constants and kernels. The same for OpenCL, CUDA and Metal.
std::string render_text();

}  // namespace vouch::kernels
