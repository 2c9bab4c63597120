// The endomorphism psi of BN254's twist: Frobenius carried over from the curve above Fq12.
//
// psi satisfies psi^2 - t psi + p = 0 on the whole twist (t = 6x^2 + 1, the trace) and is multiplication by p
// on G2.
#pragma once

#include "vouch/curve/curves.h"
#include "vouch/field/tower.h"

namespace vouch {

// BN254 is the Barreto-Naehrig curve of this x: p = 36x^4 + 36x^3 + 24x^2 + 6x + 1, r = p - 6x^2.
inline constexpr u64 bn254_x = 4965661367192848881;

template <class Arith>
constexpr AffinePoint<Bn254G2With<Arith>> psi(const AffinePoint<Bn254G2With<Arith>>& a) {
  const auto& t = Bn254Tower<Arith>::frobenius[0];
  return {a.x.conjugate() * t[2], a.y.conjugate() * t[3]};
}
template <class Arith>
constexpr XyzzPoint<Bn254G2With<Arith>> psi(const XyzzPoint<Bn254G2With<Arith>>& a) {
  const auto& t = Bn254Tower<Arith>::frobenius[0];
  return {a.x.conjugate() * t[2], a.y.conjugate() * t[3], a.zz.conjugate(), a.zzz.conjugate()};
}

}  // namespace vouch
