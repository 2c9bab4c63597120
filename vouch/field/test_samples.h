// Elements for the tests of packed forms: the ends of the range, words of all ones, and random ones.
#pragma once

#include <vector>

#include "vouch/core/rng.h"
#include "vouch/field/prime.h"

namespace vouch {

template <class F>
std::vector<F> samples() {
  UInt<4> top = F::modulus;
  sub(top, UInt<4>::of(1));
  std::vector<F> v{F::zero(),   F::one(),  F::raw(UInt<4>::of(1)),
                   F::raw(top), -F::one(), F::raw(F::modulus >> 1)};
  for (int i = 0; i < 4; i++) {  // words of all ones
    UInt<4> ones;
    for (int j = 0; j <= i; j++) ones.limb[j] = j == 3 ? F::modulus.limb[3] - 1 : ~u64(0);
    v.push_back(F::raw(ones));
  }
  InsecureTestRng rng(7);
  while (v.size() < 64) {
    UInt<4> x;
    for (u64& limb : x.limb) limb = rng.next();
    x.limb[3] >>= 2;
    if (x < F::modulus) v.push_back(F::raw(x));
  }
  return v;
}

}  // namespace vouch
