// SmallRng: xoshiro256++ seeded by SplitMix64, the generator from which Plonky3's tests draw hash constants.
// Reproducible, not secret.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace vouch {

class SmallRng {
 public:
  explicit constexpr SmallRng(std::uint64_t seed) {
    for (std::uint64_t& word : s_) {
      std::uint64_t z = seed += 0x9E3779B97F4A7C15;
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
      word = z ^ (z >> 31);
    }
  }

  constexpr std::uint64_t next() {
    const std::uint64_t result = std::rotl(s_[0] + s_[3], 23) + s_[0];
    const std::uint64_t t = s_[1] << 17;
    s_[2] ^= s_[0], s_[3] ^= s_[1], s_[1] ^= s_[2], s_[0] ^= s_[3], s_[2] ^= t;
    s_[3] = std::rotl(s_[3], 45);
    return result;
  }

  // A uniform field element: 31 bits, redrawn until below the modulus, taken as the Montgomery form.
  template <class F>
  constexpr F draw() {
    for (;;) {
      const std::uint32_t v = static_cast<std::uint32_t>(next() >> 33);
      if (v < F::modulus) return F::raw(v);
    }
  }

 private:
  std::array<std::uint64_t, 4> s_{};
};

}  // namespace vouch
