// The operating system's randomness, and a reproducible generator for tests.
#include "vouch/core/rng.h"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

namespace vouch {

Status OsRng::fill(std::span<std::uint8_t> out) {
  // getentropy gives all it is asked for, up to 256 bytes a call; Linux and macOS have it.
  while (!out.empty()) {
    const std::size_t n = std::min<std::size_t>(out.size(), 256);
    if (getentropy(out.data(), n) != 0)
      return Error{Code::io, std::string("the system's random generator failed: ") + std::strerror(errno)};
    out = out.subspan(n);
  }
  return ok();
}

std::uint64_t InsecureTestRng::next() {
  std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

Status InsecureTestRng::fill(std::span<std::uint8_t> out) {
  for (std::size_t i = 0; i < out.size(); i++) out[i] = static_cast<std::uint8_t>(next() >> 56);
  return ok();
}

}  // namespace vouch
