// One window's sum for one job: buckets filled by affine additions that share inversions, then weighted.
//
// An affine addition costs 6 products once 1 / (x2 - x1) is known, and n inversions cost one inversion and 3n
// products. A segment's entries come sorted by digit. They are paired inside their digit, all pairs of a
// round are added in batches, and the halves are paired again; a point left over in a round goes to the
// digit's bucket. So no two additions of a batch touch the same point, whatever the scalars are. A segment is
// small enough that its points stay in the second-level cache, and the buckets are walked in order.
//
// E is one form of arithmetic on one curve: E::Curve for the few scalar sums, E::add_pairs for a batch
// (msm_pairs_text.h), E::copy for a single point. Points between the rounds are in E's own form ("work form":
// the size of an affine point, all bytes zero at infinity), which E::from_work leaves. "Source" points are as
// the caller stores them, and a ref to one may carry MsmDigits::negative.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "vouch/backend/cpu/msm_digits.h"
#include "vouch/backend/cpu/msm_pairs.h"
#include "vouch/core/buffer.h"
#include "vouch/core/bytes.h"

namespace vouch {

// The points of one job, as its scalar vector numbers them.
struct MsmPoints {
  const u8* points = nullptr;
  std::size_t count = 0;
  std::size_t skip = 0;              // scalar i belongs to point i - skip
  bool partial = false;              // some scalars have no point
  const u64* at_infinity = nullptr;  // one bit per point, or null if no point is at infinity

  bool has(u32 point) const {  // a scalar below skip wraps to a large number
    return point < count && (at_infinity == nullptr || !(at_infinity[point / 64] >> (point % 64) & 1));
  }
};

// For one thread at a time; keeps its buffers between calls.
template <class E>
class MsmKernel {
 public:
  using Xyzz = typename E::Curve::Xyzz;
  static constexpr std::size_t point_bytes = sizeof(typename E::Curve::Affine);

  // The sum of digit * point over the segments' entries; digits below `buckets`.
  Xyzz sum(const MsmPoints& points, std::span<const MsmSegment> segments, std::size_t buckets);

 private:
  static constexpr std::size_t batch = 2048;  // additions that share an inversion
  static constexpr std::size_t segment = std::size_t(1) << MsmSegment::log_size;
  static constexpr std::size_t max_lines = 1024;  // rows and columns of the weighted sum
  struct alignas(64) Work {                       // a point in work form
    u8 bytes[point_bytes];
    bool is_infinity() const {
      u64 any = 0;
      for (std::size_t i = 0; i < point_bytes; i += 8) any |= load_le<u64>(bytes + i);
      return any == 0;
    }
  };
  static_assert(sizeof(Work) == point_bytes);
  struct Pairs {  // to be added, and the slots of their sums; room for padding the last batch
    std::vector<u32> a = std::vector<u32>(segment + 64), b = a, out = a;
  };

  std::size_t collect(const MsmPoints& points, const MsmSegment& segment);
  template <bool source>
  void add_items(std::size_t count);
  template <bool source>
  std::size_t add_round(std::size_t count, u32 area);
  template <bool source>
  std::size_t fill_empty_slots(std::size_t singles);
  template <bool source_a, bool source_b>
  void add_pairs(Pairs& pairs, std::size_t count);
  std::size_t drop_infinity(std::size_t count);
  Xyzz weighted_sum(u32 first, std::size_t count);
  Xyzz running_sum(u32 first, std::size_t count) const;

  bool occupied(u32 slot) const { return occupied_[slot / 64] >> (slot % 64) & 1; }

  // Slots: buckets by digit, then lines, then two areas for the sums of a round, one for sums that nobody
  // wants, and the scratch of add_pairs. One buffer, so that a huge page holds most of it.
  Buffer<Work> slots_;
  std::vector<u64> occupied_;  // one bit per bucket and line: it holds a finite point
  u32 lines_ = 0, lines_used_ = 0, areas_[2] = {}, unused_ = 0, scratch_ = 0;
  const u8* source_ = nullptr;
  // Items: point refs_[i] is to be added to slot targets_[i]; equal targets are neighbours.
  std::vector<u32> refs_ = std::vector<u32>(segment + 1), targets_ = refs_, next_targets_ = refs_;
  Pairs pairs_, singles_;       // points with the same target; points and their target
  bool infinity_seen_ = false;  // a sum since the last drop_infinity is at infinity
  // Scalars whose points are to be fetched into the cache meanwhile.
  const u8* ahead_base_ = nullptr;
  const u32 *ahead_ = nullptr, *ahead_end_ = nullptr;
};

template <class E>
typename MsmKernel<E>::Xyzz MsmKernel<E>::sum(const MsmPoints& points, std::span<const MsmSegment> segments,
                                              std::size_t buckets) {
  lines_ = u32(buckets), lines_used_ = 0;
  areas_[0] = u32(buckets + max_lines), areas_[1] = u32(areas_[0] + segment / 2);
  unused_ = u32(areas_[1] + segment / 4);
  scratch_ = unused_ + 1;
  const std::size_t slots = scratch_ + E::scratch_bytes * batch / point_bytes;
  if (slots_.size() < slots) slots_ = Buffer<Work>(slots);
  occupied_.assign((buckets + max_lines + 63) / 64, 0);
  source_ = points.points;
  const auto scalar_zero = reinterpret_cast<std::uintptr_t>(points.points) - points.skip * point_bytes;
  ahead_base_ = reinterpret_cast<const u8*>(scalar_zero);
  for (std::size_t s = 0; s < segments.size(); s++) {
    ahead_ = ahead_end_ = nullptr;
    if (s + 1 < segments.size())
      ahead_ = segments[s + 1].index, ahead_end_ = ahead_ + segments[s + 1].entries;
    add_items<true>(collect(points, segments[s]));
  }
  ahead_ = ahead_end_ = nullptr;
  return weighted_sum(0, buckets);
}

// The segment's entries as items: refs to points, with the bucket of their digit for a target.
template <class E>
std::size_t MsmKernel<E>::collect(const MsmPoints& points, const MsmSegment& segment) {
  constexpr u32 entry_mask = (u32(1) << MsmSegment::log_size) - 1;
  const bool all = !points.partial && points.at_infinity == nullptr;
  std::size_t count = 0;
  for (std::size_t i = 0; i < segment.count; i++) {
    const u32 key = segment.keys[i], entry = segment.index[key & entry_mask];
    const u32 point = (entry & ~MsmDigits::negative) - u32(points.skip);
    refs_[count] = point | ((entry ^ key << (31 - MsmSegment::log_size)) & MsmDigits::negative);
    targets_[count] = key >> (MsmSegment::log_size + 1);
    count += all || points.has(point);
  }
  return count;
}

template <class E>
template <bool source>
void MsmKernel<E>::add_items(std::size_t count) {
  count = add_round<source>(count, areas_[0]);
  for (int area = 1;; area ^= 1) {
    if (infinity_seen_) count = drop_infinity(count);
    if (count == 0) return;
    count = add_round<false>(count, areas_[area]);
  }
}

// Adds neighbours with the same target into the area, and those left over to the target. The sums in the area
// are the items of the next round; returns how many they are.
template <class E>
template <bool source>
std::size_t MsmKernel<E>::add_round(std::size_t count, u32 area) {
  std::size_t pairs = 0, singles = 0;
  u32 previous = ~u32(0);
  bool second = false;  // of a pair
  targets_[count] = ~u32(0);
  for (std::size_t i = 0; i < count; i++) {  // without branches: what comes next is random
    const u32 target = targets_[i];
    second = (target == previous) & !second;
    const bool more = targets_[i + 1] == target;
    pairs_.a[pairs] = singles_.a[singles] = refs_[i];
    pairs_.b[pairs] = refs_[i + 1];
    pairs_.out[pairs] = area + u32(pairs);
    next_targets_[pairs] = singles_.b[singles] = target;
    pairs += !second & more;
    singles += !second & !more;
    previous = target;
  }
  singles = fill_empty_slots<source>(singles);
  if (!source && pairs + singles <= batch) {  // both are sums in work form: one inversion for all
    std::copy_n(singles_.a.begin(), singles, pairs_.a.begin() + std::ptrdiff_t(pairs));
    std::copy_n(singles_.b.begin(), singles, pairs_.b.begin() + std::ptrdiff_t(pairs));
    std::copy_n(singles_.out.begin(), singles, pairs_.out.begin() + std::ptrdiff_t(pairs));
    add_pairs<source, source>(pairs_, pairs + singles);
  } else {
    add_pairs<source, source>(pairs_, pairs);
    add_pairs<source, false>(singles_, singles);
  }
  for (std::size_t i = 0; i < pairs; i++) refs_[i] = area + u32(i);
  std::swap(targets_, next_targets_);
  return pairs;
}

// Copies the singles whose target is empty, and keeps the others.
template <class E>
template <bool source>
std::size_t MsmKernel<E>::fill_empty_slots(std::size_t singles) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < singles; i++) {
    const u32 slot = singles_.b[i];
    __builtin_prefetch(slots_[slot].bytes, 1, 2);
    if (occupied(slot)) {
      singles_.a[kept] = singles_.a[i];
      singles_.b[kept] = singles_.out[kept] = slot;
      kept++;
    } else {
      E::template copy<source>(source ? source_ : slots_[0].bytes, singles_.a[i], slots_[slot].bytes);
      occupied_[slot / 64] |= u64(1) << (slot % 64);
    }
  }
  return kept;
}

template <class E>
template <bool source_a, bool source_b>
void MsmKernel<E>::add_pairs(Pairs& pairs, std::size_t count) {
  if (count == 0) return;
  const std::size_t padded = (count + E::width - 1) / E::width * E::width;
  for (std::size_t i = count; i < padded; i++) {
    pairs.a[i] = pairs.a[count - 1], pairs.b[i] = pairs.b[count - 1];
    pairs.out[i] = unused_;
  }
  for (std::size_t begin = 0, end; begin < padded; begin = end) {
    end = std::min(padded, begin + batch);
    PairBatch one;
    one.base_a = source_a ? source_ : slots_[0].bytes, one.a = &pairs.a[begin];
    one.base_b = source_b ? source_ : slots_[0].bytes, one.b = &pairs.b[begin];
    one.base_out = slots_[0].bytes, one.out = &pairs.out[begin];
    one.count = end - begin;
    one.scratch = slots_[scratch_].bytes;
    // A segment takes about one addition per entry: at two a pair, the next one's points are there in time.
    one.ahead_base = ahead_base_, one.ahead = ahead_;
    one.ahead_count = std::min<std::size_t>(2 * one.count, std::size_t(ahead_end_ - ahead_));
    ahead_ += one.ahead_count;
    if (E::template add_pairs<source_a, source_b>(one)) infinity_seen_ = true;
  }
}

// Forgets sums at infinity, among the first `count` items and in the buckets and lines. Returns how many
// items are left.
template <class E>
std::size_t MsmKernel<E>::drop_infinity(std::size_t count) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; i++) {
    if (slots_[refs_[i]].is_infinity()) continue;
    refs_[kept] = refs_[i];
    targets_[kept++] = targets_[i];
  }
  for (u32 slot = 0; slot < lines_ + lines_used_; slot++)
    if (occupied(slot) && slots_[slot].is_infinity()) occupied_[slot / 64] &= ~(u64(1) << (slot % 64));
  infinity_seen_ = false;
  return kept;
}

// The sum of i * slot[first + i], i < count. In rows of 2^k, with i = 2^k row + column, it is 2^k times the
// weighted sum of the rows' sums, plus the weighted sum of the columns' sums: two additions per slot, all of
// them shared-inversion additions, and the same again for the few rows and columns.
template <class E>
typename MsmKernel<E>::Xyzz MsmKernel<E>::weighted_sum(u32 first, std::size_t count) {
  if (count <= 32) return running_sum(first, count);
  int log_width = 1;
  while ((count >> (2 * log_width)) > 1) log_width++;
  const std::size_t width = std::size_t(1) << log_width, rows = (count + width - 1) / width;
  const u32 lines = lines_ + lines_used_;
  lines_used_ += u32(rows + width);
  std::size_t items = 0;
  const auto add_line = [&](u32 line, std::size_t begin, std::size_t end, std::size_t step) {
    if (items + std::max(width, rows) > segment) {
      add_items<false>(items);
      items = 0;
    }
    for (std::size_t i = begin; i < end; i += step) {
      refs_[items] = first + u32(i), targets_[items] = line;
      items += occupied(first + u32(i));
    }
  };
  for (std::size_t row = 0; row < rows; row++)
    add_line(lines + u32(row), row * width, std::min(count, (row + 1) * width), 1);
  for (std::size_t column = 0; column < width; column++)
    add_line(lines + u32(rows + column), column, count, width);
  add_items<false>(items);

  Xyzz sum = weighted_sum(lines, rows);
  for (int i = 0; i < log_width; i++) sum = sum.dbl();
  return sum + weighted_sum(lines + u32(rows), width);
}

template <class E>
typename MsmKernel<E>::Xyzz MsmKernel<E>::running_sum(u32 first, std::size_t count) const {
  Xyzz sum = Xyzz::infinity(), total = Xyzz::infinity();
  for (std::size_t i = count; i-- > 1;) {
    if (occupied(first + u32(i))) total += E::from_work(slots_[first + i].bytes);
    sum += total;
  }
  return sum;
}

}  // namespace vouch
