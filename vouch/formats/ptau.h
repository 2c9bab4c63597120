// .ptau: powers of tau. Only what `vouch info` tells: which curve, how many powers, ready for a second phase
// or not.
#pragma once

#include <string>

#include "vouch/core/bytes.h"
#include "vouch/core/result.h"

namespace vouch::formats {

struct Ptau {
  std::string curve;
  std::uint32_t power = 0;           // for circuits of up to 2^power constraints
  std::uint32_t ceremony_power = 0;  // of the ceremony it was cut from
  std::uint32_t contribution_count = 0;
  bool prepared = false;  // has the Lagrange sections that a setup needs
};

// Checks the container and the header.
Result<Ptau> parse_ptau(const std::string& name, Bytes file);

}  // namespace vouch::formats
