// The halves of scalars: they give the scalar back, keep their bound, and multiply points as the scalar does.
#include "vouch/curve/glv.h"

#include <gtest/gtest.h>

#include <vector>

#include "vouch/core/rng.h"

namespace vouch {
namespace {

Bn254Fr value(const GlvHalf& h) {
  const Bn254Fr m = Bn254Fr::from_int(detail::wide(h.magnitude));
  return h.negative ? -m : m;
}

// Ends and middles of the range, and around multiples of the eigenvalue and of the basis, where rounding
// turns.
template <class Glv>
std::vector<UInt<4>> scalars() {
  std::vector<UInt<4>> v;
  const auto around = [&](const Bn254Fr& x) {
    for (u64 k = 0; k < 3; k++)
      v.push_back((x + Bn254Fr(k)).to_int()), v.push_back((x - Bn254Fr(k)).to_int());
  };
  around(Bn254Fr::zero());
  around(Bn254Fr::from_int(Bn254Fr::modulus >> 1));
  for (u64 k = 1; k < 100; k++) around(Glv::eigenvalue() * Bn254Fr(k));
  for (const u128 x : {Glv::lattice.a1, Glv::lattice.a2, Glv::lattice.b1, Glv::lattice.b2}) {
    around(Bn254Fr::from_int(detail::wide(x)));
    around(Bn254Fr::from_int(detail::wide(x)) * Bn254Fr(2).inverse());
    around(Bn254Fr::from_int(detail::wide(x)) * Glv::eigenvalue() * Bn254Fr(2).inverse());
  }
  InsecureTestRng rng(1);
  for (int i = 0; i < 20000; i++)
    v.push_back((Bn254Fr(rng.next()) * Bn254Fr(rng.next()).inverse() + Bn254Fr(rng.next())).to_int());
  return v;
}

template <class Glv>
void expect_halves() {
  u128 largest = 0;
  for (const UInt<4>& k : scalars<Glv>()) {
    const GlvHalves h = glv_split<Glv>(k);
    ASSERT_TRUE(value(h.k1) + value(h.k2) * Glv::eigenvalue() == Bn254Fr::from_int(k));
    largest = std::max({largest, h.k1.magnitude, h.k2.magnitude});
  }
  EXPECT_LT(largest >> 64, u64(1) << 63);
  EXPECT_GT(largest >> 64, u64(1) << 61);  // or the scalars above are too easy
}

TEST(Glv, HalvesGiveTheScalarBack) {
  expect_halves<GlvG1>();
  expect_halves<GlvG2>();
}

// e P by the endomorphism and by doubling and adding.
TEST(Glv, EndomorphismsMultiplyByTheEigenvalue) {
  InsecureTestRng rng(2);
  for (int i = 0; i < 10; i++) {
    const UInt<4> k = UInt<4>::of(rng.next());
    const auto p = Bn254G1::Xyzz::from(Bn254G1::generator()).mul_vartime(k).to_affine();
    const auto q = Bn254G2::Xyzz::from(Bn254G2::generator()).mul_vartime(k).to_affine();
    EXPECT_TRUE(phi(p) == Bn254G1::Xyzz::from(p).mul_vartime(GlvG1::eigenvalue().to_int()).to_affine());
    EXPECT_TRUE(psi(q) == Bn254G2::Xyzz::from(q).mul_vartime(GlvG2::eigenvalue().to_int()).to_affine());
  }
}

}  // namespace
}  // namespace vouch
