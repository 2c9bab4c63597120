// How a sum on a device is cut up. A plan depends on counts and memory only, never on scalars.
//
// Three things trade against each other. Wider windows: fewer entries, more buckets to reduce. Halves
// (glv.h): a scalar becomes two of half the length over P and phi(P), as many entries and half as many
// buckets, for n products that make the phi(P). Tables: windows that take multiples 2^(c sets j) P from a
// table share one set of buckets, for memory and for doublings that only a key that stays is worth.
// Halves with tables are never better than more tables in the same memory.
// bench/results/device-counts-2026-11-30.md has the numbers.
#pragma once

#include <array>
#include <cstddef>

#include "vouch/field/uint.h"

namespace vouch::gpu {

struct MsmShape {
  std::size_t count = 0;       // scalars
  std::size_t g1 = 1, g2 = 0;  // sums over them
  u32 most_tables = 1;         // multiples of a point, itself counted, that may be kept
  bool constant = false;       // complete additions
};

struct MsmPlan {
  u32 n = 0;
  u32 halves = 1;   // 2: scalars are split
  u32 c = 2;        // bits of a window
  u32 used = 0;     // windows of a scalar or a half
  u32 sets = 0;     // of buckets
  u32 per_set = 1;  // windows that share a set
  u32 keys = 0;     // buckets
  u32 len = 0;      // entries summed by one work-item
  u32 items = 0;    // work-items that sum entries
  u32 run = 0;      // buckets reduced by one work-item
  bool constant = false;

  std::size_t entries() const { return std::size_t(n) * halves * sets * per_set; }
  std::size_t per_set_entries() const { return std::size_t(n) * halves * per_set; }
  u32 buckets() const { return u32(1) << (c - 1); }  // of a set
  u32 tables() const { return halves * per_set; }
  std::size_t sum_bytes(bool g2) const { return std::size_t(g2 ? 64 : 32) * (constant ? 3 : 4); }
  // 2^(c-1) in every window but the highest.
  std::array<u32, 8> offset() const;

  // The radix sort of entries by digit: c bits in passes of at most six.
  static constexpr u32 sort_size = 64, sort_each = 32, scan_size = 2048;
  u32 passes() const { return (c + 5) / 6; }
  u32 pass_bits(u32 pass) const { return c / passes() + (pass < c % passes() ? 1 : 0); }
  u32 tiles() const { return u32((per_set_entries() + sort_size * sort_each - 1) / (sort_size * sort_each)); }
  std::size_t counts(u32 bits) const { return (std::size_t(sets) * tiles()) << bits; }
};

// The cheapest plan by products, a byte counting as a product's 64th.
MsmPlan plan_msm(const MsmShape& shape);
// One of its candidates, for tests and tables.
MsmPlan plan_msm(const MsmShape& shape, u32 halves, u32 c, u32 per_set);
double products_of(const MsmPlan& plan, const MsmShape& shape);

}  // namespace vouch::gpu
