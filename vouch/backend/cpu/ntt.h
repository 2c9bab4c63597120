// Transforms over the scalar field on all cores, and the quotient of Groth16 made of six of them.
#pragma once

#include <memory>
#include <span>

#include "vouch/backend/backend.h"
#include "vouch/backend/cpu/instructions.h"

namespace vouch {

// Both run on the cores of the arena they are called in, and may be called by several threads at once.
class CpuNtt {
 public:
  virtual ~CpuNtt() = default;
  // As Backend::ntt and Backend::groth16_quotient.
  virtual void transform(std::span<Bn254Fr> values, int log_n, Direction, const Bn254Fr& shift) = 0;
  virtual void quotient(const QuotientInput& input, std::span<UInt<4>> h, Progress& progress) = 0;
};

std::unique_ptr<CpuNtt> open_cpu_ntt(Instructions form);

}  // namespace vouch
