// What cmake/kernels.cmake writes into the build: the kernel files as bytes, ended by an entry with no name.
#pragma once

#include <cstddef>

namespace vouch::kernels {

struct EmbeddedFile {
  const char* name;
  const char* data;
  std::size_t size;
};
extern const EmbeddedFile embedded_files[];

}  // namespace vouch::kernels
