// Closed forms against tables.
#include "vouch/whir/multilinear.h"

#include <gtest/gtest.h>

#include "vouch/core/rng.h"
#include "vouch/field/ext31.h"
#include "vouch/whir/queries.h"

namespace vouch::whir {
namespace {

template <class E>
class WhirMultilinear : public testing::Test {
 protected:
  using F = typename E::Base;
  E random() {
    E x;
    for (F& c : x.c) c = F(std::uint32_t(rng_.next()));
    return x;
  }
  Point<E> point(int n) {
    Point<E> p;
    while (p.size() < std::size_t(n)) p.push_back(random());
    return p;
  }
  static E bit(std::size_t x, int n, int i) { return (x >> (n - 1 - i) & 1) ? E::one() : E::zero(); }
  static Point<E> corner(std::size_t x, int n) {
    Point<E> p;
    for (int i = 0; i < n; i++) p.push_back(bit(x, n, i));
    return p;
  }
  InsecureTestRng rng_{7};
};
using Extensions = testing::Types<BabyBear4, BabyBear5, KoalaBear4, KoalaBear5>;
TYPED_TEST_SUITE(WhirMultilinear, Extensions);

TYPED_TEST(WhirMultilinear, WeightsAgreeWithTheirTables) {
  using E = TypeParam;
  using F = typename E::Base;
  constexpr int n = 4;
  const Point<E> y = this->point(n), r = this->point(n);
  const F z(12345);
  std::vector<E> eq_table, next_table(16), powers;
  for (std::size_t x = 0; x < 16; x++) {
    eq_table.push_back(eq<E>(y, this->corner(x, n)));
    powers.push_back(E(z.pow(x)));
  }
  for (std::size_t x = 0; x < 16; x++) next_table[std::min<std::size_t>(x + 1, 15)] += eq_table[x];
  EXPECT_EQ((evaluate<E, E>(eq_table, r)), (eq<E>(y, r)));
  EXPECT_EQ((evaluate<E, E>(next_table, r)), (next_weight<E>(y, r)));
  EXPECT_EQ((evaluate<E, E>(powers, r)), (power_weight<E>(z, r)));
  for (std::size_t x = 0; x < 16; x++) EXPECT_EQ((eq_bits<E>(x, r)), (eq<E>(this->corner(x, n), r)));
}

TYPED_TEST(WhirMultilinear, ExpandAndFoldRow) {
  using E = TypeParam;
  const E y = this->random();
  const Point<E> p = expand(y, 3);
  EXPECT_EQ(p[2], y);
  EXPECT_EQ(p[1], y * y);
  EXPECT_EQ(p[0], y.pow(4));
  Words row;
  std::vector<E> values;
  for (int i = 0; i < 8; i++) values.push_back(this->random()), append(row, values.back());
  EXPECT_EQ((fold_row<E>(row, true, p)), (evaluate<E, E>(values, p)));
}

// The round polynomial h with h(0), h(1) = claim - h(0) and leading coefficient: next_claim is h(r).
TYPED_TEST(WhirMultilinear, NextClaim) {
  using E = TypeParam;
  const E a = this->random(), b = this->random(), c = this->random(), r = this->random();  // a + b X + c X^2
  EXPECT_EQ(next_claim(a + a + b + c, a, c, r), a + b * r + c * r * r);
}

}  // namespace
}  // namespace vouch::whir
