// The libraries of GPU makers, found at run time, so that a binary starts where there are none. They are
// never closed: their threads may outlive whoever asked.
#pragma once

#include <dlfcn.h>

#include <initializer_list>
#include <optional>

namespace vouch::gpu {

// The first of these that is there, or null.
inline void* open_library(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL)) return library;
  return nullptr;
}

// Points slot, a function pointer, at what the library calls `name`; false if it has no such function.
template <class Function>
bool find_function(void* library, const char* name, Function& slot) {
  slot = reinterpret_cast<Function>(::dlsym(library, name));
  return slot != nullptr;
}

// An Api whose load() found everything, tried once; else null.
template <class Api>
const Api* loaded_api() {
  static const std::optional<Api> api = [] {
    Api a;
    return a.load() ? std::optional<Api>(a) : std::nullopt;
  }();
  return api ? &*api : nullptr;
}

}  // namespace vouch::gpu
