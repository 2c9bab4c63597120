// The estimate by which a device is chosen: near to what was measured, and growing with the work.
#include "vouch/whir/cost.h"

#include <gtest/gtest.h>

namespace vouch::whir {
namespace {

double seconds(int n, int fold, int rate, int degree = 5) {
  Params p;
  p.folding = Folding::constant(fold);
  p.log_inv_rate = rate;
  p.degree = degree;
  p.security = degree == 4 ? 90 : 100;
  return estimated_seconds(Setup::create({p, {{n, 1}}, {{{{0}, {}}}}}).value());
}

// bench/results/whir-idle-2026-11-30.md, one thread: within a third.
TEST(WhirCost, IsNearToWhatWasMeasured) {
  struct Row {
    int n, fold, rate, degree;
    double milliseconds;
  };
  for (const Row& r :
       {Row{18, 1, 1, 5, 235.1}, Row{18, 4, 1, 5, 48.7}, Row{20, 1, 1, 5, 818.8}, Row{20, 1, 2, 5, 1658.9},
        Row{20, 2, 1, 5, 458.2}, Row{20, 4, 1, 5, 201.4}, Row{20, 4, 2, 5, 371.9}, Row{18, 1, 1, 4, 198.1},
        Row{20, 1, 1, 4, 732.1}, Row{20, 2, 2, 4, 635.6}, Row{20, 4, 1, 4, 228.9}}) {
    const double ratio = seconds(r.n, r.fold, r.rate, r.degree) * 1e3 / r.milliseconds;
    EXPECT_GT(ratio, 0.67) << r.n << "/" << r.fold << "/" << r.rate << " degree " << r.degree;
    EXPECT_LT(ratio, 1.5) << r.n << "/" << r.fold << "/" << r.rate << " degree " << r.degree;
  }
}

TEST(WhirCost, GrowsWithTheWork) {
  EXPECT_GT(seconds(20, 4, 1), 1.5 * seconds(19, 4, 1));
  EXPECT_GT(seconds(20, 4, 2), seconds(20, 4, 1));
  EXPECT_LT(seconds(10, 4, 1), 0.05);
}

}  // namespace
}  // namespace vouch::whir
