// A stand-in for a driver's library, which the device opened by its name: asked through entries of its own.
#pragma once

#include <dlfcn.h>

#include <string>

namespace vouch::gpu {

struct StandIn {
  const char* library;
  const char* prefix;  // of its own entries' names

  template <class F>
  F* entry(const std::string& name) const {
    void* const lib = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
    return reinterpret_cast<F*>(lib ? ::dlsym(lib, (prefix + name).c_str()) : nullptr);
  }
  long number(const std::string& name) const {  // -1: this library is no stand-in
    const auto ask = entry<long()>(name);
    return ask ? ask() : -1;
  }
  void fail_at(long call, int error) const { entry<void(long, int)>("fail_at")(call, error); }
};

}  // namespace vouch::gpu
