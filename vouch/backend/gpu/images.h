// The kernels as compiled when vouch was: PTX, which NVIDIA's driver turns into code for any of its GPUs, and
// where the build had ptxas also machine code, which starts at once.
#pragma once

#include <span>
#include <string_view>

#include "vouch/kernels/text.h"

namespace vouch::gpu {

struct KernelImage {
  const char* module;
  int architecture;  // 75: machine code for compute capability 7.5; 0: PTX
  const char* begin;
  const char* end;  // a NUL is here
};

// What cmake/images.cmake writes into the build, ended by an entry with no name.
extern const KernelImage kernel_images[];

// Machine code runs on its own capability and later ones of the same major number: the best such, else PTX,
// else
// "" (the build had no Clang that writes PTX). table: ended as kernel_images is.
inline std::string_view choose_image(const KernelImage* table, kernels::Module module, int major, int minor) {
  const KernelImage* best = nullptr;
  for (const KernelImage* i = table; i->module; i++) {
    if (std::string_view(i->module) != kernels::name_of(module)) continue;
    const bool runs =
        i->architecture == 0 || (i->architecture / 10 == major && i->architecture % 10 <= minor);
    if (runs && (!best || i->architecture > best->architecture)) best = i;
  }
  return best ? std::string_view(best->begin, std::size_t(best->end - best->begin)) : std::string_view();
}

}  // namespace vouch::gpu
