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
  struct Run {  // `count` consecutive points that go to one slot
    u32 slot, count;
  };
  struct Queue {  // pairs waiting to be added, and where their sums go
    std::vector<u32> a = std::vector<u32>(batch), b = std::vector<u32>(batch);
    std::vector<u8*> out = std::vector<u8*>(batch);
    std::size_t pending = 0;
  };

  void collect(const MsmPoints& points, const MsmSegment& segment);
  template <bool source>
  void add_runs();
  template <bool source_a, bool source_b>
  void push(Queue& queue, u32 a, u32 b, u32 out);
  template <bool source_a, bool source_b>
  void flush(Queue& queue);
  template <bool source>
  void add_to_slot(u32 ref, u32 slot);
  void drop_infinity(u32 first);
  Xyzz weighted_sum(u32 first, std::size_t count);
  Xyzz running_sum(u32 first, std::size_t count) const;

  bool occupied(u32 slot) const { return occupied_[slot / 64] >> (slot % 64) & 1; }

  // Slots: buckets by digit, then lines, then two areas for the sums of a round.
  std::vector<Work> slots_;
  std::vector<u64> occupied_;  // one bit per bucket and line: it holds a finite point
  u32 lines_ = 0, lines_used_ = 0, areas_[2] = {};
  const u8* source_ = nullptr;
  std::vector<u32> refs_ = std::vector<u32>(segment);
  std::vector<Run> runs_ = std::vector<Run>(segment + 1);
  std::size_t run_count_ = 0;
  Queue source_pairs_, mixed_pairs_, work_pairs_;
  bool infinity_seen_ = false;  // a sum since the last drop_infinity is at infinity
  // Scalars whose points are to be fetched into the cache meanwhile.
  const u8* ahead_base_ = nullptr;
  const u32 *ahead_ = nullptr, *ahead_end_ = nullptr;
  std::vector<Work> scratch_ = std::vector<Work>(E::scratch_bytes * batch / point_bytes);
};

template <class E>
typename MsmKernel<E>::Xyzz MsmKernel<E>::sum(const MsmPoints& points, std::span<const MsmSegment> segments,
                                              std::size_t buckets) {
  lines_ = u32(buckets), lines_used_ = 0;
  areas_[0] = u32(buckets + max_lines), areas_[1] = u32(areas_[0] + segment / 2);
  slots_.resize(std::max(slots_.size(), areas_[1] + segment / 4));
  occupied_.assign((buckets + max_lines + 63) / 64, 0);
  source_ = points.points;
  const auto scalar_zero = reinterpret_cast<std::uintptr_t>(points.points) - points.skip * point_bytes;
  ahead_base_ = reinterpret_cast<const u8*>(scalar_zero);
  for (std::size_t s = 0; s < segments.size(); s++) {
    ahead_ = ahead_end_ = nullptr;
    if (s + 1 < segments.size())
      ahead_ = segments[s + 1].index, ahead_end_ = ahead_ + segments[s + 1].entries;
    collect(points, segments[s]);
    add_runs<true>();
  }
  ahead_ = ahead_end_ = nullptr;
  return weighted_sum(0, buckets);
}

// The segment's entries as refs to points, and the runs of equal digits.
template <class E>
void MsmKernel<E>::collect(const MsmPoints& points, const MsmSegment& segment) {
  constexpr u32 entry_mask = (u32(1) << MsmSegment::log_size) - 1;
  const bool all = !points.partial && points.at_infinity == nullptr;
  u32* ref = refs_.data();
  Run* run = runs_.data();  // one before the current run
  u32 last = 0;             // no entry has digit zero
  for (std::size_t i = 0; i < segment.count; i++) {
    const u32 key = segment.keys[i], entry = segment.index[key & entry_mask];
    const u32 point = (entry & ~MsmDigits::negative) - u32(points.skip);
    if (!all && !points.has(point)) continue;
    *ref++ = point | ((entry ^ key << (31 - MsmSegment::log_size)) & MsmDigits::negative);
    const u32 digit = key >> (MsmSegment::log_size + 1);
    const bool next = digit != last;
    run += next;
    *run = {digit, next ? 1 : run->count + 1};
    last = digit;
  }
  run_count_ = std::size_t(run - runs_.data());
}

// Adds the points of refs_ to the slots of the runs runs_[1 .. run_count_].
template <class E>
template <bool source>
void MsmKernel<E>::add_runs() {
  Queue& pairs = source ? source_pairs_ : work_pairs_;
  u32 next = areas_[0];
  const u32* ref = refs_.data();
  std::size_t live = 0;
  for (std::size_t r = 1; r <= run_count_; r++) {
    const Run run = runs_[r];
    for (u32 i = 0; i + 1 < run.count; i += 2) push<source, source>(pairs, ref[i], ref[i + 1], next++);
    if (run.count % 2 != 0) add_to_slot<source>(ref[run.count - 1], run.slot);
    ref += run.count;
    runs_[live] = {run.slot, run.count / 2};
    live += run.count >= 2;
  }
  flush<source, source>(pairs);
  if (source) flush<true, false>(mixed_pairs_);
  run_count_ = live;
  int area = 0;
  for (;; area ^= 1) {
    if (infinity_seen_) drop_infinity(areas_[area]);
    if (run_count_ == 0) return;
    u32 from = areas_[area];
    next = areas_[area ^ 1];
    live = 0;
    for (std::size_t r = 0; r < run_count_; r++) {
      const Run run = runs_[r];
      for (u32 i = 0; i + 1 < run.count; i += 2)
        push<false, false>(work_pairs_, from + i, from + i + 1, next++);
      if (run.count % 2 != 0) add_to_slot<false>(from + run.count - 1, run.slot);
      from += run.count;
      runs_[live] = {run.slot, run.count / 2};
      live += run.count >= 2;
    }
    flush<false, false>(work_pairs_);
    run_count_ = live;
  }
}

template <class E>
template <bool source_a, bool source_b>
void MsmKernel<E>::push(Queue& queue, u32 a, u32 b, u32 out) {
  queue.a[queue.pending] = a, queue.b[queue.pending] = b;
  queue.out[queue.pending++] = slots_[out].bytes;
  if (queue.pending == batch) flush<source_a, source_b>(queue);
}

template <class E>
template <bool source>
void MsmKernel<E>::add_to_slot(u32 ref, u32 slot) {
  if (occupied(slot)) {
    __builtin_prefetch(slots_[slot].bytes, 1, 2);
    push<source, false>(source ? mixed_pairs_ : work_pairs_, ref, slot, slot);
  } else {
    E::template copy<source>(source ? source_ : slots_[0].bytes, ref, slots_[slot].bytes);
    occupied_[slot / 64] |= u64(1) << (slot % 64);
  }
}

template <class E>
template <bool source_a, bool source_b>
void MsmKernel<E>::flush(Queue& queue) {
  if (queue.pending == 0) return;
  Work unused;
  std::size_t padded = queue.pending;
  for (; padded % E::width != 0; padded++) {
    queue.a[padded] = queue.a[queue.pending - 1], queue.b[padded] = queue.b[queue.pending - 1];
    queue.out[padded] = unused.bytes;
  }
  PairBatch pairs{source_a ? source_ : slots_[0].bytes, source_b ? source_ : slots_[0].bytes};
  pairs.a = queue.a.data(), pairs.b = queue.b.data(), pairs.out = queue.out.data();
  pairs.count = padded;
  pairs.scratch = scratch_.data();
  // A segment takes about one addition per entry: at two a pair, the next one's points are there in time.
  pairs.ahead_base = ahead_base_, pairs.ahead = ahead_;
  pairs.ahead_count = std::min<std::size_t>(2 * padded, std::size_t(ahead_end_ - ahead_));
  ahead_ += pairs.ahead_count;
  if (E::template add_pairs<source_a, source_b>(pairs)) infinity_seen_ = true;
  queue.pending = 0;
}

// Forgets sums at infinity: those in the area from `first` on, which the runs describe, and those in buckets
// and lines.
template <class E>
void MsmKernel<E>::drop_infinity(u32 first) {
  u32 from = first, to = first;
  std::size_t live = 0;
  for (std::size_t r = 0; r < run_count_; r++) {
    u32 kept = 0;
    for (u32 i = 0; i < runs_[r].count; i++, from++) {
      if (slots_[from].is_infinity()) continue;
      slots_[to++] = Work(slots_[from]);
      kept++;
    }
    runs_[live] = {runs_[r].slot, kept};
    live += kept > 0;
  }
  run_count_ = live;
  for (u32 slot = 0; slot < lines_ + lines_used_; slot++)
    if (occupied(slot) && slots_[slot].is_infinity()) occupied_[slot / 64] &= ~(u64(1) << (slot % 64));
  infinity_seen_ = false;
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
  std::size_t refs = 0;
  run_count_ = 0;
  const auto add_line = [&](u32 line, std::size_t begin, std::size_t end, std::size_t step) {
    if (refs + std::max(width, rows) > segment) {
      add_runs<false>();
      refs = 0, run_count_ = 0;
    }
    const std::size_t before = refs;
    for (std::size_t i = begin; i < end; i += step)
      if (occupied(first + u32(i))) refs_[refs++] = first + u32(i);
    if (refs > before) runs_[++run_count_] = {line, u32(refs - before)};
  };
  for (std::size_t row = 0; row < rows; row++)
    add_line(lines + u32(row), row * width, std::min(count, (row + 1) * width), 1);
  for (std::size_t column = 0; column < width; column++)
    add_line(lines + u32(rows + column), column, count, width);
  add_runs<false>();

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
