// The choice of a plan: see msm_plan.h.
#include "vouch/backend/gpu/msm_plan.h"

#include <algorithm>

namespace vouch::gpu {
namespace {

// A scalar is below 2^254, a half below 2^127 in magnitude; the highest window has a bit of room for the
// carry.
u32 windows_of(u32 halves, u32 c) {
  return (halves == 2 ? 127 : 254) / c + 1;
}

constexpr u32 widest = 20;

}  // namespace

std::array<u32, 8> MsmPlan::offset() const {
  std::array<u32, 8> sum{};
  for (u32 w = 0; w + 1 < used; w++) {
    const u32 bit = w * c + c - 1;
    sum[bit / 32] |= u32(1) << (bit % 32);
  }
  return sum;
}

MsmPlan plan_msm(const MsmShape& shape, u32 halves, u32 c, u32 per_set) {
  MsmPlan plan;
  plan.n = u32(shape.count), plan.halves = halves, plan.c = c, plan.constant = shape.constant;
  plan.used = windows_of(halves, c);
  plan.sets = (plan.used + per_set - 1) / per_set;
  plan.per_set = (plan.used + plan.sets - 1) / plan.sets;
  plan.keys = plan.sets << (c - 1);
  plan.len = u32(std::clamp<std::size_t>(plan.entries() >> 16, 16, 256));
  plan.items = u32((plan.entries() + plan.len - 1) / plan.len);
  plan.run = std::min(plan.buckets(), u32(32));
  return plan;
}

double products_of(const MsmPlan& plan, const MsmShape& shape) {
  // Products of an addition of an affine point, and of two sums (msm_xyzz.inc.h, msm_complete.inc.h); three
  // of Fq make one of Fq2.
  const double g1 = double(shape.g1), g2 = double(shape.g2);
  const double one = plan.constant ? 11 * g1 + 39 * g2 : 10 * g1 + 30 * g2,
               two = plan.constant ? 12 * g1 + 42 * g2 : 14 * g1 + 42 * g2;
  double products = double(plan.entries()) * one + 2 * double(plan.keys) * two;
  if (plan.halves == 2) products += double(plan.n) * plan.per_set * (g1 + 2 * g2);
  return products;
}

MsmPlan plan_msm(const MsmShape& shape) {
  MsmPlan best;
  double least = 1e300;
  const auto consider = [&](u32 halves, u32 c, u32 per_set) {
    const MsmPlan plan = plan_msm(shape, halves, c, per_set);
    const double sorted = double(plan.entries()) * (8 + 20.0 * plan.passes()) / 64;
    const double cost = products_of(plan, shape) + sorted;
    if (cost < least) least = cost, best = plan;
  };
  for (u32 c = 2; c <= widest; c++) {
    consider(2, c, 1);
    for (u32 per_set = 1; per_set <= std::min(shape.most_tables, windows_of(1, c)); per_set++)
      consider(1, c, per_set);
  }
  return best;
}

}  // namespace vouch::gpu
