// What the kernels over 31-bit fields cost at least, for reports: words that must come from or go to device
// memory once, and products of base elements that the text writes out. Tables that stay in caches, and
// reductions of sums of products, are not counted.
#pragma once

#include <algorithm>
#include <bit>

#include "vouch/backend/gpu/device.h"
#include "vouch/field/ext31.h"
#include "vouch/hash/poseidon2.h"

namespace vouch::gpu::cost {

inline constexpr std::uint64_t digest_bytes = 32;

inline Cost sum(const Cost& a, const Cost& b) {
  return {a.bytes + b.bytes, a.products + b.products};
}

// A Montgomery product is three multiplications, two of them its reduction. Where products are added up
// before they are reduced, each counts as a third of one.
constexpr std::uint64_t products_of(std::uint64_t multiplications) {
  return multiplications / 3;
}

// ---- extensions: multiplications of one product of elements, each coefficient reduced once (a trinomial has
// 2 D - 1 of them), and D - 1 products by w where w is neither 2 nor 3

template <class F, int D>
constexpr std::uint64_t ext_multiplications() {
  const u32 w = F::Params::binomial(D);  // 0: a trinomial
  return D * D + 2 * (w == 0 ? 2 * D - 1 : D) + (w > 3 ? 3 * (D - 1) : 0);
}

// ---- Poseidon2 (poseidon2.inc.h): x^7 takes 4 products, x^3 takes 2; the internal diagonal has W - 9
// entries that are no sum or half

template <class F, int W>
constexpr std::uint64_t permutation_products(std::uint64_t internal_rounds) {
  const std::uint64_t sbox = poseidon2_alpha<F> == 7 ? 4 : 2;
  return 8 * W * sbox + internal_rounds * (sbox + W - 9);
}
template <class F, int W>
std::uint64_t permutation_products(const Poseidon2<F, W>& permutation) {
  return permutation_products<F, W>(permutation.internal().size());
}

// ---- transforms (ntt31.inc.h) of columns of 2^log_n

// `levels` levels in registers for 2^levels elements: butterflies but those by 1, the twist with its chain of
// powers, and (outside local memory) the root it begins with.
constexpr std::uint64_t radix_products(int levels, bool twisted) {
  const std::uint64_t r = std::uint64_t(1) << levels;
  const std::uint64_t butterflies = std::uint64_t(levels) * (r / 2) - (r - 1);
  if (!twisted) return butterflies;
  return butterflies + (r - 1) + (r > 5 ? r - 5 : 0) + (levels == 1 ? 0 : levels == 2 ? 2 : 3);
}
// words_read: of the source, all columns together.
inline Cost ntt_pass(int log_n, u32 words, int levels, std::uint64_t words_read) {
  const std::uint64_t elements = std::uint64_t(words) << log_n;
  return {4 * (words_read + elements), (elements >> levels) * (radix_products(levels, true) + 1)};
}
inline Cost ntt_tail(int log_n, u32 words, int s, std::uint64_t words_read) {
  const std::uint64_t elements = std::uint64_t(words) << log_n, fours = std::uint64_t(s / 4);
  const std::uint64_t single = std::uint64_t(s % 4) * elements / 2;
  const std::uint64_t in_registers =
      fours == 0 ? 0
                 : elements / 16 * (fours * radix_products(4, false)) +
                       elements / 16 * (fours - 1) * (radix_products(4, true) - radix_products(4, false));
  return {4 * (words_read + elements), single + in_registers};
}

// ---- hashing (merkle31*.inc.h)

inline Cost leaves(std::uint64_t rows, u32 words, u32 rate, std::uint64_t products,
                   std::uint64_t kept_digests) {
  return {rows * words * 4 + kept_digests * digest_bytes, rows * ((words + rate - 1) / rate) * products};
}
inline Cost nodes(std::uint64_t children_read, std::uint64_t made, std::uint64_t kept,
                  std::uint64_t products) {
  return {(children_read + kept) * digest_bytes, made * products};
}

}  // namespace vouch::gpu::cost
