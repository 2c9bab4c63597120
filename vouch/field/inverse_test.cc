#include "vouch/field/inverse.h"

#include <gtest/gtest.h>

#include <random>

#include "vouch/field/fields.h"

namespace vouch {
namespace {

template <class F>
void check(const F& x) {
  EXPECT_TRUE(inverse_vartime(x) == x.inverse());
}

template <class F>
void check_field() {
  check(F::zero());
  for (u64 i = 1; i < 40; i++) {
    check(F(i));
    check(-F(i));
    check(F::raw(UInt<4>::of(i)));
    UInt<4> top = F::modulus;
    sub(top, UInt<4>::of(i));
    check(F::raw(top));
  }
  for (int bit = 0; bit < 254; bit++) {
    UInt<4> x;
    x.limb[bit / 64] = u64(1) << (bit % 64);
    if (x < F::modulus) check(F::raw(x));
  }
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; i++) {
    UInt<4> x{{random(), random(), random(), random() >> 2}};
    if (x < F::modulus) check(F::raw(x));
  }
}

TEST(InverseVartime, EqualsThePower) {
  check_field<Bn254Fr>();
  check_field<Bn254Fq>();
  const Quadratic<Bn254Fq> x{Bn254Fq(3), -Bn254Fq(5)};
  EXPECT_TRUE(inverse_vartime(x) == x.inverse());
}

}  // namespace
}  // namespace vouch
