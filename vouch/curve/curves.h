// Every curve group the library knows. To add one: its field, b, generator and order here.
//
// Arith is the form of field arithmetic (field/prime.h); all forms share one memory layout.
#pragma once

#include "vouch/curve/group.h"
#include "vouch/field/ext.h"
#include "vouch/field/fields.h"

namespace vouch {

// BN254 G1: y^2 = x^3 + 3 over Fq, of prime order r (cofactor 1). EIP-196.
template <class Arith>
struct Bn254G1With {
  using Field = Prime<Bn254FqParams, Arith>;
  using Affine = AffinePoint<Bn254G1With>;
  using Xyzz = XyzzPoint<Bn254G1With>;
  static constexpr Field b() { return Field(3); }
  static constexpr Affine generator() { return {Field(1), Field(2)}; }
};

// BN254 G2: y^2 = x^3 + 3 / (9 + u) over Fq2, the D-type sextic twist; the group is the subgroup of order r.
// EIP-197.
template <class Arith>
struct Bn254G2With {
  using Base = Prime<Bn254FqParams, Arith>;
  using Field = Quadratic<Base>;
  using Affine = AffinePoint<Bn254G2With>;
  using Xyzz = XyzzPoint<Bn254G2With>;
  static constexpr Field xi() { return {Base(9), Base(1)}; }
  static constexpr Field b() {
    constexpr Field value = xi().inverse() * Base(3);
    return value;
  }
  static constexpr Affine generator() {
    constexpr auto fq = [](const UInt<4>& x) { return Base::from_int(x); };
    return {{fq(hex<4>("0x1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed")),
             fq(hex<4>("0x198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2"))},
            {fq(hex<4>("0x12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa")),
             fq(hex<4>("0x090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b"))}};
  }
};

using Bn254G1 = Bn254G1With<PortableArith>;
using Bn254G2 = Bn254G2With<PortableArith>;

}  // namespace vouch
