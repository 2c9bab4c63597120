// AdxArith gives the bits of PortableArith, on random values and where carries and the last subtraction turn.
#include "vouch/field/arith_adx.h"

#include <gtest/gtest.h>

#include <vector>

#include "vouch/core/cpu_features.h"
#include "vouch/core/rng.h"
#include "vouch/field/fields.h"

namespace vouch {
namespace {

#ifdef VOUCH_HAS_ADX

template <class Params>
void compare() {
  using Plain = Prime<Params>;
  using Fast = Prime<Params, AdxArith>;
  using Int = typename Plain::Int;
  if (!cpu_features().bmi2 || !cpu_features().adx) GTEST_SKIP() << "this processor has no ADX";

  std::vector<Int> values;
  for (u64 k = 0; k < 3; k++) {
    Int top = Plain::modulus, r1 = Plain::r1;
    sub(top, Int::of(k + 1));
    add(r1, Int::of(k));
    values.insert(values.end(), {Int::of(k), top, r1, Plain::modulus >> int(k + 1)});
  }
  for (int i = 0; i < 4; i++) {  // single limbs of all ones and of one
    Int ones, one;
    ones.limb[i] = i == 3 ? Plain::modulus.limb[3] - 1 : ~u64(0);
    one.limb[i] = 1;
    values.insert(values.end(), {ones, one});
  }
  InsecureTestRng rng(1);
  while (values.size() < 200) {
    Int x;
    for (u64& limb : x.limb) limb = rng.next();
    x.limb[3] >>= Plain::spare_bits;
    if (x < Plain::modulus) values.push_back(x);
  }
  for (const Int& a : values) {
    ASSERT_LT(a, Plain::modulus);
    EXPECT_EQ(Fast::raw(a).square().montgomery(), Plain::raw(a).square().montgomery());
    EXPECT_EQ((-Fast::raw(a)).montgomery(), (-Plain::raw(a)).montgomery());
    for (const Int& b : values) {
      const Plain pa = Plain::raw(a), pb = Plain::raw(b);
      const Fast fa = Fast::raw(a), fb = Fast::raw(b);
      ASSERT_EQ((fa * fb).montgomery(), (pa * pb).montgomery());
      ASSERT_EQ((fa + fb).montgomery(), (pa + pb).montgomery());
      ASSERT_EQ((fa - fb).montgomery(), (pa - pb).montgomery());
      ASSERT_LT((fa * fb).montgomery(), Plain::modulus);
    }
  }
}

TEST(AdxArith, Bn254Fr) {
  compare<Bn254FrParams>();
}
TEST(AdxArith, Bn254Fq) {
  compare<Bn254FqParams>();
}

#endif

// A modulus that fills its limbs: the general form keeps the carry that the others may drop.
struct FullParams {
  static constexpr auto modulus =
      hex<4>("0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f");
  [[maybe_unused]] static constexpr u64 generator = 3;
};
TEST(PortableArith, FullWidthModulus) {
  using F = Prime<FullParams>;
  static_assert(F::spare_bits == 0);
  UInt<4> top = F::modulus;
  sub(top, UInt<4>::of(1));
  const F minus_one = F::from_int(top);
  EXPECT_EQ(minus_one * minus_one, F::one());
  EXPECT_EQ(minus_one + F::one(), F::zero());
  EXPECT_EQ(F::zero() - F::one(), minus_one);
  EXPECT_EQ(minus_one + minus_one, -F(2));
  for (u64 k = 2; k < 100; k++) {
    EXPECT_EQ(F(k).inverse() * F(k), F::one());
    EXPECT_EQ((minus_one * F(k)).inverse() * (minus_one * F(k)), F::one());
  }
}

}  // namespace
}  // namespace vouch
