// The kernels as PTX, compiled when vouch was: a new GPU needs only its driver.
#pragma once

#include <string_view>

#include "vouch/kernels/text.h"

namespace vouch::gpu {

// What cmake/ptx.cmake writes into the build, ended by an entry with no name.
struct PtxFile {
  const char* module;
  const char* begin;
  const char* end;  // a NUL is here
};
extern const PtxFile ptx_files[];

// A module's PTX, followed by a NUL; "" where the build had no Clang that writes PTX.
inline std::string_view embedded_ptx(kernels::Module module) {
  for (const PtxFile* f = ptx_files; f->module; f++)
    if (std::string_view(f->module) == kernels::name_of(module))
      return {f->begin, std::size_t(f->end - f->begin)};
  return {};
}

}  // namespace vouch::gpu
