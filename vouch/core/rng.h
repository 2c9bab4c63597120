// Randomness as an argument: an Rng is what a prover draws its blinders from.
#pragma once

#include <cstdint>
#include <span>

#include "vouch/core/result.h"

namespace vouch {

class Rng {
 public:
  virtual ~Rng() = default;
  // Fills all of `out` or fails; never a short read.
  virtual Status fill(std::span<std::uint8_t> out) = 0;
};

// The operating system's generator (getentropy). The only source a product build uses.
class OsRng final : public Rng {
 public:
  Status fill(std::span<std::uint8_t> out) override;
};

// SplitMix64: reproducible and not secret. For tests and benchmarks only.
class InsecureTestRng final : public Rng {
 public:
  explicit InsecureTestRng(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  Status fill(std::span<std::uint8_t> out) override;

 private:
  std::uint64_t state_;
};

}  // namespace vouch
