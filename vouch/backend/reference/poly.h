// The WHIR operations in their plainest form: what every other backend is compared with.
#pragma once

#include "vouch/backend/poly.h"

namespace vouch::reference {

template <class F, int D>
std::unique_ptr<PolyOps<F, D>> open_poly();

// out[j] = sum_i in[i] w^(i j), w the primitive root of order in.size() (a power of two).
template <class F>
std::vector<F> dft(std::vector<F> in);

}  // namespace vouch::reference
