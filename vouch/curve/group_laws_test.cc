// The group laws on G1 and G2 in every form of arithmetic, and two tiny curves through the same templates, on
// which every pair of points and every scalar is compared with the chord-and-tangent rule on plain integers.
#include <gtest/gtest.h>

#include <vector>

#include "vouch/core/cpu_features.h"
#include "vouch/core/rng.h"
#include "vouch/curve/complete.h"
#include "vouch/curve/curves.h"
#include "vouch/curve/straus.h"
#include "vouch/field/arith_adx.h"

namespace vouch {
namespace {

// The same point by another representative: X l^2, Y l^3, ZZ l^2, ZZZ l^3.
template <class C>
XyzzPoint<C> rescaled(const XyzzPoint<C>& p, const typename C::Field& l) {
  const auto l2 = l.square(), l3 = l2 * l;
  return {p.x * l2, p.y * l3, p.zz * l2, p.zzz * l3};
}

template <class C>
class GroupLaws : public testing::Test {};
#ifdef VOUCH_HAS_ADX
using Groups = testing::Types<Bn254G1With<PortableArith>, Bn254G2With<PortableArith>, Bn254G1With<AdxArith>,
                              Bn254G2With<AdxArith>>;
template <class C>
bool runs_here() {
  using F = typename C::Field;
  constexpr bool adx = std::is_same_v<F, typename Bn254G1With<AdxArith>::Field> ||
                       std::is_same_v<F, typename Bn254G2With<AdxArith>::Field>;
  return !adx || (cpu_features().bmi2 && cpu_features().adx);
}
#else
using Groups = testing::Types<Bn254G1With<PortableArith>, Bn254G2With<PortableArith>>;
template <class C>
bool runs_here() {
  return true;
}
#endif
TYPED_TEST_SUITE(GroupLaws, Groups);

template <class C>
std::vector<XyzzPoint<C>> points() {
  using Sum = XyzzPoint<C>;
  const Sum g = Sum::from(C::generator());
  std::vector<Sum> v{Sum::infinity(),
                     g,
                     -g,
                     g.dbl(),
                     g.dbl() + C::generator(),
                     -g.dbl(),
                     rescaled(g, C::Field::one().dbl())};
  InsecureTestRng rng(1);
  while (v.size() < 16)
    v.push_back(g.mul_vartime(UInt<4>{{rng.next(), rng.next(), rng.next(), rng.next() >> 3}}));
  return v;
}

TYPED_TEST(GroupLaws, Addition) {
  using C = TypeParam;
  if (!runs_here<C>()) GTEST_SKIP() << "this processor lacks the instructions";
  const auto v = points<C>();
  const auto o = XyzzPoint<C>::infinity();
  for (const auto& a : v) {
    const auto flat = a.to_affine();
    EXPECT_TRUE(flat.on_curve());
    EXPECT_TRUE(XyzzPoint<C>::from(flat) == a);
    EXPECT_TRUE(a + o == a && o + a == a && a + AffinePoint<C>::infinity() == a && o + flat == a);
    EXPECT_TRUE((a + -a).is_infinity() && (a + -flat).is_infinity());
    EXPECT_TRUE(a + a == a.dbl() && a + flat == a.dbl());
    EXPECT_EQ((-a).to_affine(), -flat);
    for (const auto& b : v) {
      EXPECT_TRUE(a + b == b + a);
      EXPECT_TRUE(a + b == a + b.to_affine());
      EXPECT_TRUE((a + b).to_affine().on_curve());
      EXPECT_TRUE((a + b) + -b == a);
      for (const auto& c : v) EXPECT_TRUE((a + b) + c == a + (b + c));
    }
  }
}

// The complete formulas against those above, on every pair and several representatives of infinity.
TYPED_TEST(GroupLaws, CompleteAddition) {
  using C = TypeParam;
  using Complete = CompletePoint<C>;
  if (!runs_here<C>()) GTEST_SKIP() << "this processor lacks the instructions";
  const auto v = points<C>();
  const auto l = C::Field::one().dbl() + C::Field::one();
  const auto complete = [&](const XyzzPoint<C>& p) {
    const auto flat = p.to_affine();
    return p.is_infinity() ? Complete{{}, l, {}} : Complete{flat.x * l, flat.y * l, l};
  };
  for (const auto& a : v) {
    const Complete sum = complete(a);
    EXPECT_EQ(sum.to_affine(), a.to_affine());
    EXPECT_EQ(sum.is_infinity(), a.is_infinity());
    EXPECT_EQ(sum.dbl().to_affine(), a.dbl().to_affine());
    EXPECT_EQ((Complete::infinity() + a.to_affine()).to_affine(), a.to_affine());
    EXPECT_EQ((Complete::infinity() + sum).to_affine(), a.to_affine());
    for (const auto& b : v) {
      EXPECT_EQ((sum + complete(b)).to_affine(), (a + b).to_affine());
      EXPECT_EQ((sum + b.to_affine()).to_affine(), (a + b).to_affine());
    }
  }
}

TYPED_TEST(GroupLaws, Multiplication) {
  using C = TypeParam;
  if (!runs_here<C>()) GTEST_SKIP() << "this processor lacks the instructions";
  const auto& r = Bn254Fr::modulus;
  const auto shifted = [&](u64 k, bool up) {
    auto x = r;
    if (up) add(x, UInt<4>::of(k));
    if (!up) sub(x, UInt<4>::of(k));
    return x;
  };
  for (const auto& a : points<C>()) {
    EXPECT_TRUE(a.mul_vartime(UInt<4>::of(0)).is_infinity());
    EXPECT_TRUE(a.mul_vartime(r).is_infinity());
    EXPECT_TRUE(a.mul_vartime(shifted(1, false)) == -a);
    EXPECT_TRUE(a.mul_vartime(shifted(1, true)) == a);
    auto sum = XyzzPoint<C>::infinity();
    for (u64 k = 0; k < 20; k++, sum += a) EXPECT_TRUE(a.mul_vartime(UInt<1>::of(k)) == sum);
    const u64 m = 0xfedcba9876543210, n = 0x0123456789abcdef;
    EXPECT_TRUE(a.mul_vartime(UInt<1>::of(m)).mul_vartime(UInt<1>::of(n)) ==
                a.mul_vartime(UInt<2>{{u64(u128(m) * n), u64(u128(m) * n >> 64)}}));
  }
}

TYPED_TEST(GroupLaws, StrausEqualsOneByOne) {
  using C = TypeParam;
  if (!runs_here<C>()) GTEST_SKIP() << "this processor lacks the instructions";
  InsecureTestRng rng(2);
  const auto some = points<C>();
  for (const std::size_t n : {0, 1, 2, 17, 300}) {
    std::vector<AffinePoint<C>> p;
    std::vector<UInt<4>> k;
    auto expected = XyzzPoint<C>::infinity();
    for (std::size_t i = 0; i < n; i++) {
      p.push_back(some[rng.next() % some.size()].to_affine());
      k.push_back(i % 3 ? UInt<4>::of(i % 5) : UInt<4>{{rng.next(), rng.next(), rng.next(), rng.next()}});
      expected += XyzzPoint<C>::from(p[i]).mul_vartime(k[i]);
    }
    EXPECT_TRUE((straus_vartime<C, 4>(p, k)) == expected) << n;
  }
}

struct TinyParams {
  static constexpr auto modulus = hex<1>("0x2b");
  [[maybe_unused]] static constexpr u64 generator = 3;
};
// y^2 = x^3 + B over 43 elements. B = 7: 31 points, a prime. B = 1: 36 points, with three of order two.
template <u64 B>
struct TinyCurve {
  using Field = Prime<TinyParams>;
  static constexpr Field b() { return Field(B); }
};

// The chord-and-tangent rule with integers mod 43; x < 0 is infinity.
struct PlainPoint {
  int x = -1, y = 0;
  bool operator==(const PlainPoint&) const = default;
};
constexpr int p = 43;
int mod(int a) {
  return (a % p + p) % p;
}
int inverse(int a) {
  int i = 1;
  while (mod(a * i) != 1) i++;
  return i;
}
PlainPoint plain_sum(const PlainPoint& a, const PlainPoint& b) {
  if (a.x < 0) return b;
  if (b.x < 0) return a;
  if (a.x == b.x && mod(a.y + b.y) == 0) return {};
  const int slope =
      a.x == b.x ? mod(3 * a.x * a.x * inverse(mod(2 * a.y))) : mod(mod(b.y - a.y) * inverse(mod(b.x - a.x)));
  const int x = mod(slope * slope - a.x - b.x);
  return {x, mod(slope * (a.x - x) - a.y)};
}

template <class C>
class TinyGroup {
 public:
  using F = typename C::Field;
  static AffinePoint<C> affine(const PlainPoint& a) {
    return a.x < 0 ? AffinePoint<C>::infinity() : AffinePoint<C>{F(u64(a.x)), F(u64(a.y))};
  }
  static PlainPoint plain(const AffinePoint<C>& a) {
    if (a.is_infinity()) return {};
    return {int(a.x.to_int().limb[0]), int(a.y.to_int().limb[0])};
  }

  TinyGroup() {
    points.push_back({});
    for (int x = 0; x < p; x++)
      for (int y = 0; y < p; y++)
        if (affine({x, y}).on_curve() && (x || y)) points.push_back({x, y});
  }
  std::vector<PlainPoint> points;
};

template <class C>
void check_every_pair(std::size_t order) {
  using G = TinyGroup<C>;
  using Sum = XyzzPoint<C>;
  const G group;
  ASSERT_EQ(group.points.size(), order);
  for (const auto& a : group.points) {
    EXPECT_EQ(mod(a.y * a.y), a.x < 0 ? 0 : mod(a.x * a.x * a.x + int(C::b().to_int().limb[0])));
    const auto flat = G::affine(a);
    const Sum sum = Sum::from(flat);
    EXPECT_EQ(G::plain(sum.dbl().to_affine()), plain_sum(a, a));
    EXPECT_EQ(G::plain(-flat), (PlainPoint{a.x, a.x < 0 ? 0 : mod(-a.y)}));
    for (const auto& b : group.points) {
      const auto expected = plain_sum(a, b);
      EXPECT_EQ(G::plain((sum + G::affine(b)).to_affine()), expected);
      for (u64 l = 1; l < p; l++) {  // every representative of a, and one in step of b
        const Sum other = rescaled(sum, typename G::F(l)),
                  b_other = rescaled(Sum::from(G::affine(b)), typename G::F(l * l % p + 1));
        EXPECT_EQ(other == b_other, a == b);
        EXPECT_EQ(G::plain((other + G::affine(b)).to_affine()), expected);
        EXPECT_EQ(G::plain((other + b_other).to_affine()), expected);
      }
    }
  }
}

template <class C>
void check_every_scalar() {
  using G = TinyGroup<C>;
  const G group;
  const u64 order = group.points.size();
  for (const auto& a : group.points) {
    const auto sum = XyzzPoint<C>::from(G::affine(a));
    PlainPoint expected;
    for (u64 k = 0; k <= 2 * order; k++, expected = plain_sum(expected, a)) {
      EXPECT_EQ(G::plain(sum.mul_vartime(UInt<1>::of(k)).to_affine()), expected);
      const std::vector<AffinePoint<C>> two{G::affine(a), G::affine(group.points[k % order])};
      const std::vector<UInt<1>> scalars{UInt<1>::of(k), UInt<1>::of(1)};
      EXPECT_EQ(G::plain(straus_vartime<C, 1>(two, scalars).to_affine()),
                plain_sum(expected, group.points[k % order]));
    }
    EXPECT_TRUE(sum.mul_vartime(UInt<1>::of(order)).is_infinity());
  }
}

TEST(TinyCurve, OfPrimeOrder) {
  check_every_pair<TinyCurve<7>>(31);
  check_every_scalar<TinyCurve<7>>();
}
TEST(TinyCurve, WithPointsOfOrderTwo) {
  check_every_pair<TinyCurve<1>>(36);
  check_every_scalar<TinyCurve<1>>();
}

}  // namespace
}  // namespace vouch
