// What prover and verifier do alike around the queries of a codeword (sections 4 and 10).
#pragma once

#include <algorithm>

#include "vouch/whir/multilinear.h"
#include "vouch/whir/transcript.h"

namespace vouch::whir {

// QUERIES: min(queries, 2^log_domain) distinct indices, ascending.
inline std::vector<std::size_t> draw_distinct(int log_domain, int queries, Transcript& t) {
  const std::size_t wanted = std::min(std::size_t(queries), std::size_t(1) << log_domain);
  std::vector<std::size_t> sorted;
  while (sorted.size() < wanted) {
    const std::size_t x = t.query(log_domain);
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), x);
    if (at == sorted.end() || *at != x) sorted.insert(at, x);
  }
  return sorted;
}

// The multilinear extension of one row of 2^point.size() entries at the challenges it is folded by, the first
// coordinate of `point` belonging to the most significant bit of the column.
template <class E>
E fold_row(std::span<const Word> row, bool extension, std::span<const E> point) {
  std::vector<E> entries(std::size_t(1) << point.size());
  for (std::size_t i = 0; i < entries.size(); i++)
    entries[i] = extension ? ext_at<E>(row, i) : E(E::Base::raw(row[i]));
  for (std::size_t i = 0, half = entries.size() / 2; i < point.size(); i++, half /= 2)
    for (std::size_t j = 0; j < half; j++) entries[j] += (entries[j + half] - entries[j]) * point[i];
  return entries[0];
}

}  // namespace vouch::whir
