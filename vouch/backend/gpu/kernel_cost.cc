// Counts per launch: see kernel_cost.h. Parameters are in the order of the structs of vouch/kernels.
#include "vouch/backend/gpu/kernel_cost.h"

#include <bit>
#include <string_view>

#include "vouch/field/fields.h"

namespace vouch::gpu {
namespace {

struct KernelCost {
  double bytes = 0, products = 0;
};

// Of the points that a kernel adds: products of an addition of an affine point, of two sums, of a doubling;
// bytes of a sum.
struct GroupCost {
  double affine, full, doubling, sum, point;
};
constexpr GroupCost xyzz[2] = {{10, 14, 9, 128, 64}, {30, 42, 27, 256, 128}};
constexpr GroupCost complete[2] = {{11, 12, 8, 96, 64}, {39, 42, 27, 192, 128}};

KernelCost of_transforms(std::string_view kernel, const Launch& l) {
  const auto& p = l.params;
  if (kernel == "fr_ntt_head" || kernel == "fr_ntt_tail") {  // log_n, s0, k, first, scale, join
    const double elements = double(l.groups) * double(u64(1) << p[2]), butterflies = elements * p[2] / 2;
    if (kernel == "fr_ntt_head") return {elements * (p[4] ? 96 : 64), butterflies + (p[4] ? elements : 0)};
    return {elements * (p[5] ? 128 : 64), butterflies + (p[5] ? 2 * elements : 0)};
  }
  const double rows = p[0];
  if (kernel == "fr_join") return {128 * rows, 2 * rows};
  if (kernel == "fr_gather") return {96 * rows, rows};
  if (kernel == "fr_scale") return {96 * rows, rows};
  return {};
}

KernelCost of_sort(std::string_view kernel, const Launch& l) {
  const auto& p = l.params;
  if (kernel == "msm_recode") return {64.0 * p[0], 0};
  if (kernel == "msm_split") return {64.0 * p[0], 1.0 * p[0]};  // 144 products of words, a field's has 136
  if (kernel == "msm_digits") return {4.0 * p[0] * p[1] + 8.0 * p[0] * p[4] * p[5], 0};
  if (kernel == "msm_zero") return {4.0 * p[0], 0};
  if (kernel == "msm_scan") return {12.0 * p[0], 0};
  const double entries = double(l.groups / p[1]) * p[0],
               counts = double(u64(l.groups) << p[3]);  // size, tiles, shift, bits
  if (kernel == "msm_sort_count") return {4 * entries + 4 * counts, 0};
  if (kernel == "msm_sort_place") return {20 * entries + 4 * counts, 0};
  return {};
}

KernelCost of_sums(std::string_view step, const Launch& l, const GroupCost& g) {
  const auto& p = l.params;
  if (step == "accumulate")  // items, len, entries, per_set, buckets, n
    return {p[2] * (8 + g.point) + double(p[2] / p[3]) * p[4] * g.sum, p[2] * g.affine};
  const double items = p[0], len = p[1];  // items, len, slots, final
  if (step == "merge") return {p[2] * (g.sum + 4), p[2] * g.full};
  if (step == "fold") return {(items * len + items) * g.sum, items * len * g.full};
  double products = items * ((2 * len + 1) * g.full + (31 - std::countl_zero(p[2])) * g.doubling);
  for (u32 t = 0; t < p[0]; t++) products += std::popcount(t * p[1] & (p[2] - 1)) * g.full;
  return {(items * len + items) * g.sum, products};
}

KernelCost of_tables(std::string_view step, const Launch& l, int g2) {
  const auto& p = l.params;
  if (step == "images") return {p[0] * 2 * xyzz[g2].point, p[0] * (g2 ? 2.0 : 1.0)};
  const double f = g2 ? 3 : 1, made = double(p[2]) * (p[3] - 1);  // n, first, count, tables, doublings
  const double inversion = 254 + std::popcount(Bn254Fq::modulus.limb[0] - 2) +
                           std::popcount(Bn254Fq::modulus.limb[1]) + std::popcount(Bn254Fq::modulus.limb[2]) +
                           std::popcount(Bn254Fq::modulus.limb[3]) + (g2 ? 4 : 0);
  return {made * 3 * xyzz[g2].point + made * 3 * xyzz[g2].point,
          made * (p[4] * xyzz[g2].doubling + 7 * f) + p[2] * inversion};
}

KernelCost count(const Launch& l) {
  const std::string_view kernel = l.kernel;
  const auto after = [&](std::string_view prefix) { return kernel.substr(prefix.size()); };
  if (kernel.starts_with("fr_")) return of_transforms(kernel, l);
  if (kernel.starts_with("msm_g1_")) return of_sums(after("msm_g1_"), l, xyzz[0]);
  if (kernel.starts_with("msm_g2_")) return of_sums(after("msm_g2_"), l, xyzz[1]);
  if (kernel.starts_with("msmc_g1_")) return of_sums(after("msmc_g1_"), l, complete[0]);
  if (kernel.starts_with("msmc_g2_")) return of_sums(after("msmc_g2_"), l, complete[1]);
  if (kernel.starts_with("msmt_g1_")) return of_tables(after("msmt_g1_"), l, 0);
  if (kernel.starts_with("msmt_g2_")) return of_tables(after("msmt_g2_"), l, 1);
  if (kernel.starts_with("msm_")) return of_sort(kernel, l);
  return {};
}

}  // namespace

Cost cost_of(const Launch& launch) {
  const KernelCost cost = count(launch);
  return {u64(cost.bytes), u64(cost.products)};
}

}  // namespace vouch::gpu
