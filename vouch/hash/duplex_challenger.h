// DuplexChallenger<F>: Fiat-Shamir challenges from a duplex sponge over Poseidon2 of width 16, rate 8.
//
// The number of absorbed elements is added to the first capacity element, so inputs of different length never
// collide. Outputs are handed out from the end of the rate, and any new input discards the ones left.
#pragma once

#include <array>
#include <cstdint>

#include "vouch/hash/poseidon2.h"

namespace vouch {

template <class F>
class DuplexChallenger {
 public:
  using Permutation = Poseidon2<F, 16>;
  using State = typename Permutation::State;
  static constexpr int rate = 8;

  explicit DuplexChallenger(const Permutation& permutation = Permutation::standard())  // must outlive this
      : permutation_(&permutation) {}

  void observe(F x) {
    outputs_ = 0;
    state_[std::size_t(inputs_++)] = x;
    if (inputs_ == rate) duplex();
  }

  F draw() {
    if (inputs_ > 0 || outputs_ == 0) duplex();
    return state_[std::size_t(--outputs_)];
  }

  // The low bits of one draw: slightly biased, for grinding only.
  std::uint32_t draw_bits(int bits) { return draw().to_int() & low(bits); }

  // `bits` uniform bits: draws at or above the largest multiple of 2^bits are rejected. Nothing is drawn for
  // 0. Above the field's own limit the bits are put together from two halves.
  std::uint32_t draw_uniform_bits(int bits) {
    if (bits == 0) return 0;
    if (bits > F::two_adicity()) {
      const std::uint32_t first = draw_uniform_bits(bits / 2);
      return first | draw_uniform_bits(bits - bits / 2) << (bits / 2);
    }
    for (;;) {
      const std::uint32_t x = draw().to_int();
      if (x < (F::modulus & ~low(bits))) return x & low(bits);
    }
  }

  // The sponge as it will be permuted once one more element has been put at `position`: a witness w is right
  // for `bits` if the last rate element of permute(state with w) has that many low zero bits.
  struct Candidate {
    State state;
    int position;
  };
  Candidate candidate() const {
    Candidate c{state_, inputs_};
    for (int i = inputs_; i < rate; i++) c.state[std::size_t(i)] = F::zero();
    c.state[rate] += F(std::uint32_t(inputs_ + 1));
    return c;
  }

  const Permutation& permutation() const { return *permutation_; }

 private:
  static constexpr std::uint32_t low(int bits) { return std::uint32_t((std::uint64_t(1) << bits) - 1); }

  // Inputs are written straight into the rate: it holds nothing else once outputs have been discarded.
  void duplex() {
    if (inputs_ > 0) {
      for (int i = inputs_; i < rate; i++) state_[std::size_t(i)] = F::zero();
      state_[rate] += F(std::uint32_t(inputs_));
    }
    inputs_ = 0;
    permutation_->permute(state_);
    outputs_ = rate;
  }

  const Permutation* permutation_;
  State state_{};
  int inputs_ = 0;
  int outputs_ = 0;
};

}  // namespace vouch
