// Placement of tables.
#include "vouch/whir/stacking.h"

#include <gtest/gtest.h>

#include <set>

namespace vouch::whir {
namespace {

TEST(WhirStacking, LargerFirstThenLaterFirst) {
  auto s = stack({{6, 2}, {8, 1}, {7, 3}, {8, 1}}, 3);
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s.value().variables, 10);  // 128 + 256 + 384 + 256 = 2^10 cells
  std::vector<std::size_t> order;
  for (const Placement& p : s.value().order) order.push_back(p.table);
  EXPECT_EQ(order, (std::vector<std::size_t>{3, 1, 2, 0}));
  EXPECT_EQ(s.value().of(1).first_block, 1u);
  EXPECT_EQ(s.value().of(0).arity, 6);
}

TEST(WhirStacking, SmallTablesAreRaisedToTheFirstFold) {
  auto s = stack({{2, 1}, {9, 1}}, 4);
  ASSERT_TRUE(s.ok());
  EXPECT_EQ(s.value().of(0).arity, 4);
  EXPECT_EQ(s.value().variables, 10);
}

// Every cell of every column has a place of its own, in both layouts.
TEST(WhirStacking, PlacesAreDisjoint) {
  const std::vector<TableShape> shapes = {{3, 2}, {5, 3}, {4, 1}, {5, 1}};
  auto s = stack(shapes, 1);
  ASSERT_TRUE(s.ok());
  for (const Layout layout : {Layout::prefix, Layout::suffix}) {
    std::set<std::uint64_t> used;
    std::size_t cells = 0;
    for (std::size_t t = 0; t < shapes.size(); t++)
      for (std::uint32_t j = 0; j < shapes[t].width; j++) {
        const Placement& at = s.value().of(t);
        const std::uint64_t v = at.selector(j, layout);
        for (std::uint64_t x = 0; x < std::uint64_t(1) << at.arity; x++, cells++)
          used.insert(layout == Layout::prefix ? x << at.selector_bits | v : v << at.arity | x);
      }
    EXPECT_EQ(used.size(), cells);
    EXPECT_LT(*used.rbegin(), std::uint64_t(1) << s.value().variables);
  }
}

TEST(WhirStacking, Refuses) {
  EXPECT_FALSE(stack({}, 1).ok());
  EXPECT_FALSE(stack({{3, 0}}, 1).ok());
  EXPECT_FALSE(stack({{41, 1}}, 1).ok());
  EXPECT_FALSE(stack({{-1, 1}}, 1).ok());
  EXPECT_FALSE(stack({{40, 1}, {40, 1}}, 1).ok());
  EXPECT_FALSE(stack({{30, 1000000000}}, 1).ok());
  EXPECT_FALSE(check_schedule({{3, 2}}, {{{{2}, {}}}}).ok());
  EXPECT_FALSE(check_schedule({{3, 2}}, {{{{}, {7}}}}).ok());
  EXPECT_FALSE(check_schedule({{3, 2}}, {}).ok());
  EXPECT_TRUE(check_schedule({{3, 2}}, {{{{1, 0}, {1}}}}).ok());
}

}  // namespace
}  // namespace vouch::whir
