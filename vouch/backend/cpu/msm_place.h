// Entries of windows placed by bucket, by counting: done once for all sums over the same scalars.
#pragma once

#include <span>

#include "vouch/backend/cpu/msm_digits.h"
#include "vouch/backend/cpu/scratch.h"
#include "vouch/core/bytes.h"

namespace vouch {

// Which points one job has, as its scalar vector numbers them.
struct MsmPoints {
  std::size_t count = 0;
  std::size_t skip = 0;              // scalar i belongs to point i - skip
  bool partial = false;              // some scalars have no point
  const u64* at_infinity = nullptr;  // one bit per point, or null if no point is at infinity

  bool all() const { return !partial && at_infinity == nullptr; }
  bool has(u32 point) const {  // a scalar below skip wraps to a large number
    const u32 i = point < count ? point : 0;
    return (point < count) & !(at_infinity != nullptr && at_infinity[i / 64] >> (i % 64) & 1);
  }
};

// Refs by window and bucket. A ref is a scalar's number, or a point's, with MsmDigits::negative where the
// point is to be subtracted. Bucket b of a window has the digits low + b - 1; bucket 0 has what no sum takes.
// For one thread at a time; keeps its memory between calls, and wipes it at the end.
class MsmPlacement {
 public:
  MsmPlacement() = default;
  MsmPlacement(const MsmPlacement&) = delete;
  MsmPlacement& operator=(const MsmPlacement&) = delete;

  // Digits in [low, high), refs to scalars.
  void place(std::span<const MsmEntries> windows, u32 low, u32 high);
  // Of `all`, which has refs to scalars, what has a point; refs to points.
  void keep(const MsmPlacement& all, const MsmPoints& points);

  std::size_t windows() const { return windows_; }
  u32 low() const { return low_; }
  std::size_t buckets() const { return buckets_; }  // of a window, with bucket 0
  std::span<const u32> refs() const { return {refs_.data(), size_}; }
  // Where the refs of bucket b of window w end: at [w buckets() + b].
  std::span<const u32> ends() const { return {ends_.data(), windows_ * buckets_}; }

 private:
  void shape(std::size_t windows, u32 low, std::size_t buckets, std::size_t size);

  Scratch<u32> refs_, ends_;
  std::size_t size_ = 0, ends_size_ = 0;  // of refs_ and ends_: the most there was
  std::size_t windows_ = 0, buckets_ = 0;
  u32 low_ = 0;
};

}  // namespace vouch
