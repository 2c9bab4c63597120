// Parameter derivation: the errors, the article's grid, the texts.
#include "vouch/whir/params.h"

#include <gtest/gtest.h>

namespace vouch::whir {
namespace {

Params params(int degree, int fold, int rate) {
  Params p;
  p.degree = degree;
  p.folding = Folding::constant(fold);
  p.log_inv_rate = rate;
  return p;
}

void expect_error(const Params& p, int n, const std::string& part) {
  const auto c = derive(p, n);
  ASSERT_FALSE(c.ok()) << part;
  EXPECT_EQ(c.error().code, Code::invalid_argument);
  EXPECT_NE(c.error().what.find(part), std::string::npos) << c.error().what;
}

TEST(WhirParams, ArticleGrid) {
  struct {
    int n;
    std::vector<int> folds, rates;
  } const grid[] = {{20, {1, 2, 4}, {1, 2, 3}}, {22, {1, 2, 3, 4, 6}, {1, 2, 3}}, {24, {1, 2, 3, 4, 6}, {1}}};
  for (const int degree : {4, 5})
    for (const bool metal : {false, true}) {
      int within = 0, all = 0;
      for (const auto& g : grid)
        for (int k : g.folds)
          for (int r : g.rates) {
            Params p = params(degree, k, r);
            if (metal) {
              auto rates = metal_rates(p.folding, g.n, r);
              ASSERT_TRUE(rates.ok());
              p.round_rates = rates.value();
            }
            all++;
            within += derive(p, g.n).ok();
          }
      EXPECT_EQ(all, 29);
      EXPECT_EQ(within, degree == 5 ? 29 : metal ? 18 : 13);
    }
}

TEST(WhirParams, DegreeFiveNeedsNoFoldGrinding) {
  auto c = derive(params(5, 4, 1), 20);
  ASSERT_TRUE(c.ok());
  EXPECT_EQ(c.value().fold_pow_bits, 0);
  for (const RoundConfig& r : c.value().rounds) EXPECT_EQ(r.fold_pow_bits, 0);
}

TEST(WhirParams, ErrorsNameTheParameter) {
  expect_error(params(4, 4, 1), 20, "PowBitsExceedBudget");
  expect_error(params(5, 4, 1), 0, "number of variables");
  expect_error(params(5, 0, 1), 10, "folding factor 0");
  expect_error(params(5, 11, 1), 10, "exceeds the 10 variables");
  expect_error(params(5, 1, 9), 20, "needs a domain of 2^28");
  expect_error(params(6, 4, 1), 20, "extension degree");
  Params p = params(5, 3, 1);
  p.round_rates = {3, 3, 3, 3};
  expect_error(p, 12, "4 later rates for 1 rounds");
  p.round_rates = {5};
  expect_error(p, 12, "not in 1 to 4");
  p.round_rates = {0};
  expect_error(p, 12, "not in 1 to 4");
  p.round_rates.clear();
  p.folding = Folding::per_round({3, 2});
  expect_error(p, 12, "leave 7 variables");
  p.folding = Folding::per_round({3, 3, 1});
  expect_error(p, 12, "only 2 of the 3");
  p.folding = Folding::per_round({5, 8});
  expect_error(p, 12, "exceeds the 7 variables left");
  p.hashing.arity = 3;
  p.folding = Folding::constant(3);
  expect_error(p, 12, "2 or 4 children");
}

TEST(WhirParams, KoalaBearHasASmallerDomain) {
  Params p = params(5, 1, 4);
  ASSERT_TRUE(derive(p, 22).ok());
  p.field = FieldId::koala_bear;
  expect_error(p, 22, "KoalaBear");
}

TEST(WhirParams, FoldingTexts) {
  for (const Folding& f :
       {Folding::constant(4), Folding::from_second_round(3, 2), Folding::per_round({3, 2, 2})}) {
    auto back = parse_folding(to_string(f));
    ASSERT_TRUE(back.ok()) << to_string(f);
    EXPECT_EQ(back.value().factors, f.factors);
    EXPECT_EQ(back.value().rule, f.rule);
  }
  for (const char* bad :
       {"", "Constant", "Constant()", "Constant(4", "Constant(a)", "Constant(4,)", "Constant(-1)",
        "PerRound(3, 2)", "PerRound([])", "PerRound([3,,2])", "Constant(99999999999)"})
    EXPECT_FALSE(parse_folding(bad).ok()) << bad;
}

TEST(WhirParams, SeparatorExample) {
  Params p = params(4, 2, 1);
  p.security = 32;
  p.pow_bits = 0;
  auto c = derive(p, 8);
  ASSERT_TRUE(c.ok());
  const auto s = domain_separator(p, c.value());
  EXPECT_EQ(s[0], 0x01050000u);
  EXPECT_EQ(s[1], 8u);
}

}  // namespace
}  // namespace vouch::whir
