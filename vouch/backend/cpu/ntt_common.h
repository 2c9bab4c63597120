// What every form of the transforms shares: the twiddle table's memory, powers, and domains too small to be
// cut.
#pragma once

#include <cstddef>
#include <utility>

#include "vouch/backend/cpu/scratch.h"
#include "vouch/backend/domain.h"

namespace vouch {

template <class F>
struct Table {
  explicit Table(std::size_t count) : size(count), data(count) {}
  std::size_t size;
  Scratch<F> data;
};

template <class F>
F power_of(const F& x, std::size_t e) {
  return x.pow(UInt<1>::of(e));
}

// out[j] = sum_i in[i] (shift root^j)^i in place, for a few values.
template <class F>
void small_transform(F* values, int log_n, const F& root, const F& shift) {
  const std::size_t n = std::size_t(1) << log_n;
  F power = F::one();
  for (std::size_t i = 0; i < n; i++, power *= shift) values[i] *= power;
  for (std::size_t i = 0; i < n; i++)
    if (const std::size_t j = reverse_bits(i, log_n); i < j) std::swap(values[i], values[j]);
  for (std::size_t half = 1; half < n; half *= 2) {
    const F w = power_of(root, n / (2 * half));
    for (std::size_t block = 0; block < n; block += 2 * half) {
      power = F::one();
      for (std::size_t j = block; j < block + half; j++, power *= w) {
        const F even = values[j], odd = values[j + half] * power;
        values[j] = even + odd;
        values[j + half] = even - odd;
      }
    }
  }
}

// The quotient of a and b, whose row i is at place -i, as plain integers in a; c is working memory.
template <class F>
void small_quotient(F* a, F* b, F* c, int log_n, const F& shift) {
  const std::size_t n = std::size_t(1) << log_n;
  const F root = F::root_of_unity(log_n), over_n = F(n).inverse();
  for (std::size_t i = 0; i < n; i++) c[i] = a[i] * b[i];
  for (F* values : {a, b, c}) {
    small_transform(values, log_n, root, F::one());
    for (std::size_t i = 0; i < n; i++) values[i] *= over_n;
    small_transform(values, log_n, root, shift);
  }
  for (std::size_t i = 0; i < n; i++) a[i] = F::raw((a[i] * b[i] - c[i]).to_int());
}

}  // namespace vouch
