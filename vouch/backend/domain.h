// The evaluation domains of Groth16: powers of two of the scalar field and the coset that its quotient is
// taken on.
#pragma once

#include <cstddef>
#include <cstdint>

#include "vouch/field/fields.h"

namespace vouch {

// What the coefficients are multiplied by, so that a transform of size 2^log_n gives values at the odd 2n-th
// roots of unity. The largest domain has no 2n-th root; snarkjs shifts by 25 there.
constexpr Bn254Fr quotient_shift(int log_n) {
  return log_n < Bn254Fr::two_adicity() ? Bn254Fr::root_of_unity(log_n + 1) : Bn254Fr(25);
}

// The low `bits` bits of x in reverse order.
constexpr std::size_t reverse_bits(std::size_t x, int bits) {
  std::uint64_t y = x;
  y = (y >> 1 & 0x5555555555555555u) | (y & 0x5555555555555555u) << 1;
  y = (y >> 2 & 0x3333333333333333u) | (y & 0x3333333333333333u) << 2;
  y = (y >> 4 & 0x0f0f0f0f0f0f0f0fu) | (y & 0x0f0f0f0f0f0f0f0fu) << 4;
  y = (y >> 8 & 0x00ff00ff00ff00ffu) | (y & 0x00ff00ff00ff00ffu) << 8;
  y = (y >> 16 & 0x0000ffff0000ffffu) | (y & 0x0000ffff0000ffffu) << 16;
  y = y >> 32 | y << 32;
  return bits == 0 ? 0 : std::size_t(y >> (64 - bits));
}

}  // namespace vouch
