// The declared generators are on their curves and have the declared order.
#include "vouch/curve/curves.h"

#include <gtest/gtest.h>

namespace vouch {
namespace {

template <class C>
void check_generator() {
  const auto g = C::generator();
  EXPECT_TRUE(g.on_curve());
  const auto p = C::Xyzz::from(g);
  EXPECT_TRUE(p.mul_vartime(Bn254Fr::modulus).is_infinity());
  EXPECT_FALSE(p.dbl().is_infinity());
  EXPECT_TRUE(p.dbl().to_affine().on_curve());
  EXPECT_EQ((p.dbl() + g).to_affine(), p.mul_vartime(UInt<1>::of(3)).to_affine());
}

TEST(Curves, G1Generator) {
  check_generator<Bn254G1>();
}
TEST(Curves, G2Generator) {
  check_generator<Bn254G2>();
}

}  // namespace
}  // namespace vouch
