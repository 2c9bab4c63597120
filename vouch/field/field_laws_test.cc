// The laws of a field, on every 254-bit field, every extension of the tower and every form of arithmetic,
// with values where carries and final subtractions turn; and on a tiny field, every pair of elements against
// plain integers.
#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

#include "vouch/core/cpu_features.h"
#include "vouch/core/rng.h"
#include "vouch/field/arith_adx.h"
#include "vouch/field/fields.h"
#include "vouch/field/tower.h"

namespace vouch {
namespace {

template <class F>
inline constexpr bool is_prime_field = requires { F::modulus; };

// 0, 1, -1, 2, -2, R, values around R, around half the modulus and around the modulus in both
// representations, single limbs of ones; then random ones.
template <class F>
std::vector<F> prime_samples(std::size_t count) {
  using Int = typename F::Int;
  std::vector<F> v{F::zero(), F::one(), -F::one(), F(2), -F(2), F::raw(F::r2), F(~u64(0))};
  const auto below = [](const Int& a, u64 k) {
    Int x = a;
    sub(x, Int::of(k));
    return x;
  };
  for (u64 k = 1; k <= 3; k++)
    for (const Int& x : {below(F::modulus, k), below(F::r1, k), below(F::modulus >> 1, k), Int::of(k)})
      v.push_back(F::raw(x)), v.push_back(F::from_int(x));
  for (int i = 0; i < F::limbs; i++) {
    Int x;
    x.limb[std::size_t(i)] = i + 1 < F::limbs ? ~u64(0) : F::modulus.limb[std::size_t(i)] - 1;
    v.push_back(F::raw(x));
  }
  InsecureTestRng rng(F::modulus.limb[0]);
  while (v.size() < count) {
    F x;
    for (int i = 0; i < F::limbs; i++) x = x * F::raw(F::r2) + F(rng.next());
    v.push_back(x);
  }
  v.resize(count);
  return v;
}

// Coefficients from the samples of the field below: each edge alone in each place, then mixtures.
template <class F>
std::vector<F> samples(std::size_t count);
template <class F, class Make>
std::vector<F> extension_samples(std::size_t count, int coefficients, Make&& make) {
  using Below = std::remove_cvref_t<decltype(F{}.c0)>;
  const auto below = samples<Below>(40);
  std::vector<F> v{F::zero(), F::one(), -F::one()};
  for (int i = 0; i < coefficients; i++)
    for (std::size_t k = 1; k < 8; k++)
      v.push_back(make([&](int at) { return at == i ? below[k] : Below::zero(); }));
  InsecureTestRng rng{u64(coefficients)};
  while (v.size() < count) v.push_back(make([&](int) { return below[rng.next() % below.size()]; }));
  v.resize(count);
  return v;
}
template <class F>
std::vector<F> samples(std::size_t count) {
  if constexpr (is_prime_field<F>)
    return prime_samples<F>(count);
  else if constexpr (requires { F{}.c2; })
    return extension_samples<F>(count, 3, [](auto&& c) { return F{c(0), c(1), c(2)}; });
  else
    return extension_samples<F>(count, 2, [](auto&& c) { return F{c(0), c(1)}; });
}

template <class F>
bool arithmetic_runs_here() {
#ifdef VOUCH_HAS_ADX
  if constexpr (!is_prime_field<F>)
    return arithmetic_runs_here<std::remove_cvref_t<decltype(F{}.c0)>>();
  else if constexpr (std::is_same_v<F, Prime<typename F::Params, AdxArith>>)
    return cpu_features().bmi2 && cpu_features().adx;
#endif
  return true;
}

template <class F>
class FieldLaws : public testing::Test {};

template <class Arith>
using Fr = Prime<Bn254FrParams, Arith>;
template <class Arith>
using Fq = Prime<Bn254FqParams, Arith>;
template <class Arith>
using Fq2 = Quadratic<Fq<Arith>>;
template <class Arith>
using Fq6 = Cubic<Bn254Tower<Arith>>;
template <class Arith>
using Fq12 = Dodecic<Bn254Tower<Arith>>;
using P = PortableArith;
#ifdef VOUCH_HAS_ADX
using A = AdxArith;
using Fields = testing::Types<Fr<P>, Fq<P>, Fq2<P>, Fq6<P>, Fq12<P>, Fr<A>, Fq<A>, Fq2<A>, Fq6<A>, Fq12<A>>;
#else
using Fields = testing::Types<Fr<P>, Fq<P>, Fq2<P>, Fq6<P>, Fq12<P>>;
#endif
TYPED_TEST_SUITE(FieldLaws, Fields);

TYPED_TEST(FieldLaws, OneElement) {
  using F = TypeParam;
  if (!arithmetic_runs_here<F>()) GTEST_SKIP() << "this processor lacks the instructions";
  for (const F& a : samples<F>(80)) {
    EXPECT_EQ(a + F::zero(), a);
    EXPECT_EQ(a - F::zero(), a);
    EXPECT_EQ(F::zero() - a, -a);
    EXPECT_EQ(a * F::one(), a);
    EXPECT_EQ(a * F::zero(), F::zero());
    EXPECT_TRUE((a - a).is_zero());
    EXPECT_TRUE((a + -a).is_zero());
    EXPECT_EQ(-(-a), a);
    EXPECT_EQ(a.dbl(), a + a);
    EXPECT_EQ(a.square(), a * a);
    EXPECT_EQ(a.pow(UInt<1>::of(0)), F::one());
    EXPECT_EQ(a.pow(UInt<1>::of(11)), a * a.square() * a.square().square().square());
    EXPECT_EQ(a * a.inverse(), a.is_zero() ? F::zero() : F::one());
  }
}

TYPED_TEST(FieldLaws, TwoAndThreeElements) {
  using F = TypeParam;
  if (!arithmetic_runs_here<F>()) GTEST_SKIP() << "this processor lacks the instructions";
  const auto v = samples<F>(48);
  for (std::size_t i = 0; i < v.size(); i++) {
    for (std::size_t j = 0; j < v.size(); j++) {
      const F &a = v[i], &b = v[j], &c = v[(5 * i + 7 * j + 3) % v.size()];
      EXPECT_EQ(a + b, b + a);
      EXPECT_EQ(a * b, b * a);
      EXPECT_EQ(a - b, -(b - a));
      EXPECT_EQ((a + b) - b, a);
      EXPECT_EQ((a + b) + c, a + (b + c));
      EXPECT_EQ((a * b) * c, a * (b * c));
      EXPECT_EQ(a * (b + c), a * b + a * c);
      EXPECT_EQ((a * b).is_zero(), a.is_zero() || b.is_zero());
      EXPECT_EQ((a + b).square() - (a - b).square(), (a * b).dbl().dbl());
    }
  }
}

template <class F>
class PrimeLaws : public testing::Test {};
#ifdef VOUCH_HAS_ADX
using Primes = testing::Types<Fr<P>, Fq<P>, Fr<A>, Fq<A>>;
#else
using Primes = testing::Types<Fr<P>, Fq<P>>;
#endif
TYPED_TEST_SUITE(PrimeLaws, Primes);

// The twin of the Montgomery product: double and add on plain integers, reduced at every step.
template <class F>
typename F::Int naive_product(const typename F::Int& a, const typename F::Int& b) {
  typename F::Int r;
  const auto add_reduced = [](typename F::Int& x, const typename F::Int& y) {
    if (add(x, y) || x >= F::modulus) sub(x, F::modulus);
  };
  for (int i = b.bit_length(); i-- > 0;) {
    const auto copy = r;
    add_reduced(r, copy);
    if (b.bit(i)) add_reduced(r, a);
  }
  return r;
}

TYPED_TEST(PrimeLaws, EqualsPlainIntegers) {
  using F = TypeParam;
  if (!arithmetic_runs_here<F>()) GTEST_SKIP() << "this processor lacks the instructions";
  const auto v = samples<F>(48);
  for (const F& a : v) {
    EXPECT_LT(a.to_int(), F::modulus);
    EXPECT_EQ(F::from_int(a.to_int()), a);
    for (const F& b : v) {
      EXPECT_EQ((a * b).to_int(), naive_product<F>(a.to_int(), b.to_int()));
      EXPECT_LT((a * b).montgomery(), F::modulus);  // fully reduced, so equality may compare limbs
      EXPECT_LT((a + b).montgomery(), F::modulus);
      EXPECT_LT((a - b).montgomery(), F::modulus);
    }
  }
}

TYPED_TEST(PrimeLaws, Constants) {
  using F = TypeParam;
  if (!arithmetic_runs_here<F>()) GTEST_SKIP() << "this processor lacks the instructions";
  EXPECT_EQ(F(5).pow(F::modulus), F(5));  // Fermat
  EXPECT_EQ(u64(F::neg_inv * F::modulus.limb[0]), ~u64(0));
  const int k = F::two_adicity();
  EXPECT_EQ(F::root_of_unity(0), F::one());
  EXPECT_EQ(F::root_of_unity(1), -F::one());
  for (int i = 1; i <= k; i++) EXPECT_EQ(F::root_of_unity(i).square(), F::root_of_unity(i - 1));
}

template <class Arith>
class TowerLaws : public testing::Test {};
#ifdef VOUCH_HAS_ADX
using Forms = testing::Types<P, A>;
#else
using Forms = testing::Types<P>;
#endif
TYPED_TEST_SUITE(TowerLaws, Forms);

TYPED_TEST(TowerLaws, ShortProductsEqualFullOnes) {
  using T = Bn254Tower<TypeParam>;
  using F2 = Fq2<TypeParam>;
  using F6 = Fq6<TypeParam>;
  using F12 = Fq12<TypeParam>;
  if (!arithmetic_runs_here<F2>()) GTEST_SKIP() << "this processor lacks the instructions";
  const auto twos = samples<F2>(40);
  for (const F2& a : twos) EXPECT_EQ(T::mul_by_xi(a), a * T::xi());
  const auto sixes = samples<F6>(40);
  const auto twelves = samples<F12>(60);
  const F6 v{F2::zero(), F2::one(), F2::zero()};
  for (std::size_t i = 0; i < sixes.size(); i++) {
    const F2 &b0 = twos[i], &b1 = twos[(3 * i + 1) % 40], &b2 = twos[(7 * i + 2) % 40];
    EXPECT_EQ(sixes[i].mul_by_v(), sixes[i] * v);
    EXPECT_EQ(sixes[i].mul_by_01(b0, b1), sixes[i] * (F6{b0, b1, F2::zero()}));
    EXPECT_EQ(sixes[i] * b0, sixes[i] * (F6{b0, F2::zero(), F2::zero()}));
    const F12 line{{b0, F2::zero(), F2::zero()}, {b1, b2, F2::zero()}};
    EXPECT_EQ(twelves[i].mul_by_034(b0, b1, b2), twelves[i] * line);
  }
  EXPECT_EQ(v * v * v, (F6{T::xi(), F2::zero(), F2::zero()}));
  const F12 w{F6::zero(), F6::one()};
  EXPECT_EQ(w * w, (F12{v, F6::zero()}));
}

TYPED_TEST(TowerLaws, FrobeniusIsAnAutomorphism) {
  using F2 = Fq2<TypeParam>;
  using F12 = Fq12<TypeParam>;
  if (!arithmetic_runs_here<F2>()) GTEST_SKIP() << "this processor lacks the instructions";
  const auto v = samples<F12>(60);
  for (std::size_t i = 30; i + 1 < v.size(); i++) {
    for (int k = 1; k <= 3; k++) {
      EXPECT_EQ((v[i] * v[i + 1]).frobenius(k), v[i].frobenius(k) * v[i + 1].frobenius(k));
      EXPECT_EQ((v[i] + v[i + 1]).frobenius(k), v[i].frobenius(k) + v[i + 1].frobenius(k));
    }
    EXPECT_EQ(v[i].frobenius(1).frobenius(1), v[i].frobenius(2));
    EXPECT_EQ(v[i].frobenius(3).frobenius(3), v[i].conjugate());
  }
  const F2 a{Fq<TypeParam>(3), Fq<TypeParam>(5)};
  EXPECT_EQ(a.pow(Bn254Fq::modulus), a.conjugate());
}

// A field of 43 elements through the same template: everything there is.
struct TinyParams {
  static constexpr auto modulus = hex<1>("0x2b");
  [[maybe_unused]] static constexpr u64 generator = 3;
};
TEST(TinyField, EveryPair) {
  using F = Prime<TinyParams>;
  constexpr u64 p = 43;
  static_assert(F::two_adicity() == 1);
  for (u64 a = 0; a < p; a++) {
    EXPECT_EQ(F(a).to_int(), UInt<1>::of(a));
    EXPECT_EQ((-F(a)).to_int(), UInt<1>::of((p - a) % p));
    EXPECT_EQ(F(a).square(), F(a * a % p));
    EXPECT_EQ(F(a).inverse() * F(a), a ? F::one() : F::zero());
    EXPECT_EQ(F(a).inverse().is_zero(), a == 0);
    for (u64 b = 0; b < p; b++) {
      EXPECT_EQ(F(a) + F(b), F((a + b) % p));
      EXPECT_EQ(F(a) - F(b), F((a + p - b) % p));
      EXPECT_EQ(F(a) * F(b), F(a * b % p));
      EXPECT_EQ(F(a) == F(b), a == b);
    }
  }
  // Its quadratic extension (-1 is not a square, 43 = 3 mod 4): every element has the right inverse and
  // square.
  using F2 = Quadratic<F>;
  for (u64 a = 0; a < p; a++) {
    for (u64 b = 0; b < p; b++) {
      const F2 x{F(a), F(b)};
      EXPECT_EQ(x.square(), x * x);
      EXPECT_EQ(x * x.conjugate(), (F2{F((a * a + b * b) % p), F(0)}));
      EXPECT_EQ(x * x.inverse(), x.is_zero() ? F2::zero() : F2::one());
      EXPECT_EQ(x.pow(UInt<1>::of(p)), x.conjugate());
    }
  }
}

}  // namespace
}  // namespace vouch
