// Poseidon2 over a 31-bit field, widths 16, 24 and 32: the permutation, its constants, the leaf sponge and
// the compression function. Nothing is tabled: the published constants come from the Grain generator when
// first used.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "vouch/field/prime31.h"
#include "vouch/hash/smallrng.h"

namespace vouch {

// Number of field elements in a digest.
inline constexpr int digest_size = 8;
template <class F>
using Digest = std::array<F, digest_size>;

template <class F>
inline constexpr int poseidon2_alpha = 0;  // the smallest exponent that is a permutation of F
template <>
inline constexpr int poseidon2_alpha<BabyBear> = 7;
template <>
inline constexpr int poseidon2_alpha<KoalaBear> = 3;

namespace detail {
// The diagonal: nine small values shared by all, then signed inverse powers of two: k is 2^-k, -k is -2^-k.
template <class F, int W>
constexpr std::array<int, W - 9> diagonal_exponents() {
  constexpr bool bb = poseidon2_alpha<F> == 7;
  if constexpr (bb && W == 16) return {8, 2, 3, 27, -8, -4, -27};
  if constexpr (bb && W == 24) return {8, 2, 3, 4, 7, 9, 27, -8, -2, -3, -4, -5, -6, -7, -27};
  if constexpr (bb && W == 32)
    return {8, 2, 3, 4, 5, 6, 7, 9, 10, 12, 27, -8, -2, -3, -4, -5, -6, -7, -9, -10, -12, -14, -27};
  if constexpr (!bb && W == 16) return {8, 3, 24, -8, -3, -4, -24};
  if constexpr (!bb && W == 24) return {8, 2, 3, 4, 5, 6, 24, -8, -3, -4, -5, -6, -7, -9, -24};
  if constexpr (!bb && W == 32)
    return {8, 2, 3, 4, 5, 6, 10, 12, 14, 16, 24, -8, -3, -4, -5, -6, -7, -9, -10, -12, -14, -16, -24};
}

template <class F, int W>
constexpr std::array<F, W> poseidon2_diagonal() {
  std::array<F, W> d{};
  const F one = F::one(), two(2), three(3), four(4);
  const std::array<F, 9> head = {-two, one, two, one.halve(), three, four, -one.halve(), -three, -four};
  for (std::size_t i = 0; i < 9; i++) d[i] = head[i];
  constexpr auto tail = diagonal_exponents<F, W>();
  for (std::size_t i = 9; i < W; i++) {
    const int k = tail[i - 9];
    const F power = two.pow(std::uint64_t(k < 0 ? -k : k)).inverse();
    d[i] = k < 0 ? -power : power;
  }
  return d;
}
}  // namespace detail

template <class F, int W>
class Poseidon2 {
 public:
  static_assert(W == 16 || W == 24 || W == 32);
  static constexpr int width = W;
  static constexpr int half_full_rounds = 4;
  static constexpr int partial_rounds();
  using State = std::array<F, W>;

  // The published constants; built once, at first use.
  static const Poseidon2& standard();
  // Constants drawn from a seeded generator: initial rounds, terminal rounds, internal rounds. Several
  // permutations made from one generator continue its stream.
  static Poseidon2 from_rng128(SmallRng& rng);

  void permute(State& x) const;

  const std::array<State, half_full_rounds>& initial() const { return initial_; }
  const std::array<State, half_full_rounds>& terminal() const { return terminal_; }
  std::span<const F> internal() const { return internal_; }
  // d of the internal matrix J + diag(d), J all ones.
  static constexpr const State& diagonal() { return diagonal_; }

 private:
  static constexpr State diagonal_ = detail::poseidon2_diagonal<F, W>();
  std::array<State, half_full_rounds> initial_{}, terminal_{};
  std::vector<F> internal_;
};

template <class F, int W>
constexpr int Poseidon2<F, W>::partial_rounds() {
  if (poseidon2_alpha<F> == 7) return W == 16 ? 13 : W == 24 ? 21 : 30;
  return W == 16 ? 20 : W == 24 ? 23 : 31;
}

// Overwrite-mode sponge without padding: a short last block leaves the rest of the rate as it was.
template <class F, int W>
Digest<F> sponge_hash(const Poseidon2<F, W>& permutation, std::span<const F> input) {
  constexpr std::size_t rate = W - digest_size;
  typename Poseidon2<F, W>::State state{};
  for (std::size_t i = 0; i < input.size(); i += rate) {
    for (std::size_t j = 0; j < rate && i + j < input.size(); j++) state[j] = input[i + j];
    permutation.permute(state);
  }
  Digest<F> digest;
  for (int i = 0; i < digest_size; i++) digest[i] = state[i];
  return digest;
}

// Truncated permutation of up to W/8 digests; missing ones are zero.
template <class F, int W>
Digest<F> compress(const Poseidon2<F, W>& permutation, std::span<const Digest<F>> children) {
  typename Poseidon2<F, W>::State state{};
  for (std::size_t i = 0; i < children.size(); i++)
    for (int j = 0; j < digest_size; j++) state[i * digest_size + j] = children[i][j];
  permutation.permute(state);
  Digest<F> digest;
  for (int i = 0; i < digest_size; i++) digest[i] = state[i];
  return digest;
}

}  // namespace vouch
