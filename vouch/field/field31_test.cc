// Laws of the 31-bit fields and their extensions, and known answers computed by Plonky3.
#include <gtest/gtest.h>

#include <vector>

#include "vouch/core/rng.h"
#include "vouch/field/ext31.h"
#include "vouch/field/prime31.h"

namespace vouch {
namespace {

template <class F>
F random_base(InsecureTestRng& rng) {
  return F(static_cast<std::uint32_t>(rng.next()));
}
// Zero, one, the ends of the range in both representations, then random ones.
template <class F>
std::vector<F> samples(int count) {
  constexpr std::uint32_t p = F::modulus;
  std::vector<F> v = {F::zero(), F::one(), -F::one(), F::raw(1), F::raw(p - 1), F(2), F(p / 2), F(p / 2 + 1)};
  InsecureTestRng rng(p);
  while (int(v.size()) < count) v.push_back(random_base<F>(rng));
  return v;
}
template <class E>
std::vector<E> ext_samples(int count) {
  using F = typename E::Base;
  std::vector<E> v = {E::zero(), E::one(), -E::one(), E::x()};
  E ends;
  for (F& c : ends.c) c = F::raw(F::modulus - 1);  // the largest unreduced sums
  v.push_back(ends);
  InsecureTestRng rng(E::degree);
  while (int(v.size()) < count) {
    E e;
    for (F& c : e.c) c = random_base<F>(rng);
    v.push_back(e);
  }
  return v;
}

template <class T>
void check_ring_laws(const std::vector<T>& v) {
  for (const T& a : v) {
    EXPECT_EQ(a + T::zero(), a);
    EXPECT_EQ(a * T::one(), a);
    EXPECT_EQ(a - a, T::zero());
    EXPECT_EQ(a + (-a), T::zero());
    EXPECT_EQ(a.dbl(), a + a);
    EXPECT_EQ(a.square(), a * a);
    EXPECT_EQ(a.pow(5), a * a * a * a * a);
    EXPECT_EQ(a * a.inverse(), a.is_zero() ? T::zero() : T::one());
    for (const T& b : v) {
      EXPECT_EQ(a + b, b + a);
      EXPECT_EQ(a * b, b * a);
      EXPECT_EQ(a - b, -(b - a));
      const T& c = v[v.size() - 1];
      EXPECT_EQ((a + b) + c, a + (b + c));
      EXPECT_EQ((a * b) * c, a * (b * c));
      EXPECT_EQ(a * (b + c), a * b + a * c);
    }
  }
}

template <class F>
class Field31Test : public testing::Test {};
using Fields = testing::Types<BabyBear, KoalaBear>;
TYPED_TEST_SUITE(Field31Test, Fields);

TYPED_TEST(Field31Test, RingLaws) {
  check_ring_laws(samples<TypeParam>(24));
}

TYPED_TEST(Field31Test, AgreesWithPlainIntegers) {
  using F = TypeParam;
  constexpr std::uint64_t p = F::modulus;
  for (const F a : samples<F>(40)) {
    EXPECT_EQ(F(a.to_int()), a);
    EXPECT_LT(a.montgomery(), p);
    EXPECT_EQ(a.halve().dbl(), a);
    for (const F b : samples<F>(40)) {
      const std::uint64_t x = a.to_int(), y = b.to_int();
      EXPECT_EQ((a + b).to_int(), (x + y) % p);
      EXPECT_EQ((a - b).to_int(), (x + p - y) % p);
      EXPECT_EQ((a * b).to_int(), x * y % p);
    }
  }
  EXPECT_EQ(F(0xFFFFFFFF).to_int(), 0xFFFFFFFF % p);
  EXPECT_EQ(F::raw(std::uint32_t((std::uint64_t(1) << 32) % p)), F::one());
}

TYPED_TEST(Field31Test, RootsOfUnityHaveTheirOrder) {
  using F = TypeParam;
  for (int k = 1; k <= F::two_adicity(); k++) {
    EXPECT_EQ(F::root_of_unity(k).pow(std::uint64_t(1) << (k - 1)), -F::one());
    EXPECT_EQ(F::root_of_unity(k).square(), F::root_of_unity(k - 1));
  }
}

template <class E>
class Ext31Test : public testing::Test {};
using Extensions = testing::Types<BabyBear4, BabyBear5, KoalaBear4, KoalaBear5>;
TYPED_TEST_SUITE(Ext31Test, Extensions);

TYPED_TEST(Ext31Test, RingLaws) {
  check_ring_laws(ext_samples<TypeParam>(16));
}

TYPED_TEST(Ext31Test, DefiningPolynomial) {
  using E = TypeParam;
  using F = typename E::Base;
  if (E::binomial)
    EXPECT_EQ(E::x().pow(E::degree), E(F(E::binomial)));
  else
    EXPECT_EQ(E::x().pow(5), E::one() - E::x().square());
}

TYPED_TEST(Ext31Test, BaseFieldOperations) {
  using E = TypeParam;
  using F = typename E::Base;
  for (const E& a : ext_samples<E>(12))
    for (const F b : samples<F>(12)) {
      EXPECT_EQ(a * b, a * E(b));
      EXPECT_EQ(b * a, a * E(b));
      EXPECT_EQ(a + b, a + E(b));
      EXPECT_EQ(a - b, a - E(b));
    }
}

TYPED_TEST(Ext31Test, FrobeniusIsThePowerMap) {
  using E = TypeParam;
  using F = typename E::Base;
  for (const E& a : ext_samples<E>(10)) {
    EXPECT_EQ(a.frobenius(), a.pow(F::modulus));
    EXPECT_EQ(a.frobenius(2), a.frobenius().frobenius());
    EXPECT_EQ(a.frobenius(E::degree), a);
  }
}

template <class E>
E coefficients(std::initializer_list<std::uint32_t> values) {
  E e;
  int i = 0;
  for (const std::uint32_t v : values) e.c[i++] = typename E::Base(v);
  return e;
}

TEST(Ext31KnownAnswer, ProductsAndInversesOfPlonky3) {
  const auto check = [](auto a, auto b, auto product, auto inverse) {
    EXPECT_EQ(a * b, product);
    EXPECT_EQ(a.inverse(), inverse);
  };
  using B4 = BabyBear4;
  using B5 = BabyBear5;
  using K4 = KoalaBear4;
  using K5 = KoalaBear5;
  check(coefficients<B4>({2, 3, 4, 5}), coefficients<B4>({5, 8, 11, 14}),
        coefficients<B4>({1396, 1252, 836, 118}),
        coefficients<B4>({1978066213, 1165676887, 197107873, 480882568}));
  check(coefficients<K4>({2, 3, 4, 5}), coefficients<K4>({5, 8, 11, 14}),
        coefficients<K4>({388, 364, 276, 118}),
        coefficients<K4>({600739889, 525647403, 1392125542, 685433241}));
  check(coefficients<B5>({2, 3, 4, 5, 6}), coefficients<B5>({5, 8, 11, 14, 17}),
        coefficients<B5>({430, 439, 404, 322, 190}),
        coefficients<B5>({354567810, 996109133, 1919732999, 1591983089, 284912711}));
  check(coefficients<K5>({2, 3, 4, 5, 6}), coefficients<K5>({5, 8, 11, 14, 17}),
        coefficients<K5>({118, 235, 127, 16, 21}),
        coefficients<K5>({1100477755, 440901793, 1971620975, 1501744855, 511697555}));
}

}  // namespace
}  // namespace vouch
