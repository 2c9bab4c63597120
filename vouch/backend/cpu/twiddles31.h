// Twiddles<F>: the roots of unity of a decimation-in-time transform, in the one order that serves every size.
//
// The transform splits f mod (X^(2m) - z^2) into f mod (X^m - z) and f mod (X^m + z). At level L block b has
// z = root(b), root(b) = w^rev(b) with w of order 2^(L+1) and rev over L bits: that does not depend on L. And
// root(b * 2^j + c) = root(b * 2^j) * root(c) for c < 2^j. Block b of the last level but `log_block` starts
// from last(b) = root(b * 2^(log_block - 1)), from which the roots of its levels follow by squaring.
#pragma once

#include <cstddef>
#include <vector>

namespace vouch {

template <class F>
class Twiddles {
 public:
  // Serves roots below 2^log_roots and last(b) below 2^log_last.
  Twiddles(int log_roots, int log_last, int log_block)
      : roots_(powers(log_roots, 2)), last_(powers(log_last, 1 + log_block)) {}

  const F* roots() const { return roots_.data(); }
  const F* last() const { return last_.data(); }
  bool serves(int log_roots, int log_last) const {
    return roots_.size() >> log_roots != 0 && last_.size() >> log_last != 0;
  }

 private:
  // t[2^j + c] = t[c] * w, w of order 2^(j + first).
  static std::vector<F> powers(int log_size, int first) {
    std::vector<F> t = {F::one()};
    t.reserve(std::size_t(1) << log_size);
    for (int j = 0; j < log_size; j++) {
      const F w = F::root_of_unity(j + first);
      for (std::size_t c = 0; c < std::size_t(1) << j; c++) t.push_back(t[c] * w);
    }
    return t;
  }
  std::vector<F> roots_, last_;
};

}  // namespace vouch
