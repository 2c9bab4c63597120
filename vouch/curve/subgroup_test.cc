// Membership by psi equals multiplication by r, one by one and in batches, and faults are named.
#include "vouch/curve/subgroup.h"

#include <gtest/gtest.h>

#include <vector>

#include "vouch/curve/endomorphism.h"

namespace vouch {
namespace {

using G2 = Bn254G2::Affine;
using Sum = Bn254G2::Xyzz;

// y with y^2 = a, if there is one; p = 3 mod 4.
std::optional<Bn254Fq> root(const Bn254Fq& a) {
  auto e = Bn254Fq::modulus;
  add(e, UInt<4>::of(1));
  const Bn254Fq y = a.pow(e >> 2);
  return y.square() == a ? std::optional(y) : std::nullopt;
}
// In Fq2: with n the root of the norm, c0^2 = (a.c0 + n) / 2.
std::optional<Bn254Fq2> root(const Bn254Fq2& a) {
  const Bn254Fq half = Bn254Fq(2).inverse();
  const auto n = root(a.c0.square() + a.c1.square());
  if (!n) return std::nullopt;
  auto c0 = root((a.c0 + *n) * half);
  if (!c0) c0 = root((a.c0 - *n) * half);
  if (!c0 || c0->is_zero()) return std::nullopt;
  const Bn254Fq2 y{*c0, a.c1 * half * c0->inverse()};
  return y.square() == a ? std::optional(y) : std::nullopt;
}

// Points of the twist, of which one in 2p - r is in the subgroup.
G2 random_twist_point(InsecureTestRng& rng) {
  for (;;) {
    const Bn254Fq2 x{Bn254Fq(rng.next()) * Bn254Fq(rng.next()), Bn254Fq(rng.next())};
    if (const auto y = root(x.square() * x + Bn254G2::b())) return {x, *y};
  }
}
G2 random_member(InsecureTestRng& rng) {
  return Sum::from(Bn254G2::generator())
      .mul_vartime(UInt<4>{{rng.next(), rng.next(), rng.next(), 0}})
      .to_affine();
}
bool naive_in_subgroup(const G2& p) {
  return Sum::from(p).mul_vartime(Bn254Fr::modulus).is_infinity();
}
// 2p - r: multiplying by it lands in the subgroup.
UInt<4> cofactor() {
  auto h = Bn254Fq::modulus;
  add(h, Bn254Fq::modulus);
  sub(h, Bn254Fr::modulus);
  return h;
}
UInt<4> divided(UInt<4> a, u64 d) {
  u64 remainder = 0;
  for (int i = 4; i-- > 0;) {
    const u128 x = u128(remainder) << 64 | a.limb[i];
    a.limb[i] = u64(x / d), remainder = u64(x % d);
  }
  EXPECT_EQ(remainder, 0u);
  return a;
}
// A point whose order is the smallest prime factor of the cofactor: the hardest one to notice in a random
// sum.
G2 small_order_point(InsecureTestRng& rng) {
  for (;;) {
    const auto p = Sum::from(random_twist_point(rng)).mul_vartime(Bn254Fr::modulus);
    const auto q = p.mul_vartime(divided(cofactor(), 10069));
    if (!q.is_infinity()) return q.to_affine();
  }
}

Bytes bytes_of(const std::vector<G2>& points) {
  return {reinterpret_cast<const std::uint8_t*>(points.data()), points.size() * sizeof(G2)};
}

TEST(Subgroup, EqualsMultiplicationByR) {
  InsecureTestRng rng(1);
  EXPECT_TRUE(in_subgroup(G2::infinity()));
  EXPECT_TRUE(in_subgroup(Bn254G2::generator()));
  for (int i = 0; i < 16; i++) {
    const G2 in = random_member(rng), out = random_twist_point(rng), small = small_order_point(rng);
    ASSERT_TRUE(out.on_curve() && small.on_curve());
    EXPECT_TRUE(in_subgroup(in) && naive_in_subgroup(in));
    EXPECT_FALSE(in_subgroup(out) || naive_in_subgroup(out));
    EXPECT_FALSE(in_subgroup(small) || naive_in_subgroup(small));
    const G2 sum = (Sum::from(in) + small).to_affine();
    EXPECT_FALSE(in_subgroup(sum) || naive_in_subgroup(sum));
    const G2 cleared = Sum::from(out).mul_vartime(cofactor()).to_affine();
    EXPECT_TRUE(in_subgroup(cleared) && naive_in_subgroup(cleared));
  }
}

// psi^2 - t psi + p = 0 on the whole twist: what the fast check rests on.
TEST(Subgroup, PsiHasTraceT) {
  InsecureTestRng rng(2);
  auto trace = Bn254Fq::modulus;  // p + 1 - r
  add(trace, UInt<4>::of(1));
  sub(trace, Bn254Fr::modulus);
  for (int i = 0; i < 4; i++) {
    const Sum p = Sum::from(random_twist_point(rng));
    EXPECT_EQ(psi(psi(p)) + p.mul_vartime(Bn254Fq::modulus), psi(p).mul_vartime(trace));
  }
}

TEST(Subgroup, TablesOfG1) {
  std::vector<Bn254G1::Affine> points;
  auto p = Bn254G1::Xyzz::from(Bn254G1::generator());
  for (int i = 0; i < 5000; i++, p = p.dbl())
    points.push_back(i % 7 ? p.to_affine() : Bn254G1::Affine::infinity());
  const auto find = [&] {
    return find_bad_g1({reinterpret_cast<const std::uint8_t*>(points.data()), points.size() * 64});
  };
  EXPECT_FALSE(find().has_value());
  EXPECT_FALSE(find_bad_g1({}).has_value());
  points[4321].y += Bn254Fq(1);
  ASSERT_TRUE(find().has_value());
  EXPECT_EQ(find()->index, 4321u);
  EXPECT_EQ(find()->fault, PointFault::off_curve);
  auto high = points[1234].x.montgomery();
  add(high, Bn254Fq::modulus);
  points[1234].x = Bn254Fq::raw(high);
  ASSERT_TRUE(find().has_value());
  EXPECT_EQ(find()->index, 1234u);
  EXPECT_EQ(find()->fault, PointFault::not_canonical);
}

TEST(Subgroup, TablesOfG2) {
  InsecureTestRng rng(3);
  std::vector<G2> members;
  for (int i = 0; i < 64; i++) members.push_back(i % 9 ? random_member(rng) : G2::infinity());
  for (const std::size_t n : {std::size_t(100), (std::size_t(1) << 13) + 77}) {  // one by one; in blocks
    std::vector<G2> points;
    for (std::size_t i = 0; i < n; i++) points.push_back(members[rng.next() % members.size()]);
    const auto find = [&] { return find_bad_g2(bytes_of(points), rng).value(); };
    EXPECT_FALSE(find().has_value());
    for (const std::size_t at : {n - 1, std::size_t(33)}) {
      points[at] = small_order_point(rng);
      const auto bad = find();
      ASSERT_TRUE(bad.has_value());
      EXPECT_EQ(bad->index, at);
      EXPECT_EQ(bad->fault, PointFault::outside_subgroup);
    }
    points[7].x.c1 += Bn254Fq(1);
    EXPECT_EQ(find()->index, 7u);
    EXPECT_EQ(find()->fault, PointFault::off_curve);
  }
}

}  // namespace
}  // namespace vouch
