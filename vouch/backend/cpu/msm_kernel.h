// Windows' sums for one job: points in buckets by digit (msm_place.h), buckets summed as lists (msm_tree.h),
// then weighted.
//
// An affine addition costs 6 products once 1 / (x2 - x1) is known, and n inversions cost one inversion and 3n
// products. Buckets are ordered by size, so that the lanes of a group run out of points together whatever the
// scalars are; long lists are cut, and the parts' sums summed again.
//
// E is one form of arithmetic on one curve: E::Curve for the few scalar sums, E::add_level for a step of the
// lists. Sums are stored in E's own form ("work form": the size of an affine point, all bytes zero at
// infinity), which E::from_work leaves. "Source" points are as the caller stores them, and a ref to one may
// carry MsmDigits::negative.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "vouch/backend/cpu/msm_digits.h"
#include "vouch/backend/cpu/msm_place.h"
#include "vouch/backend/cpu/msm_tree.h"
#include "vouch/backend/cpu/scratch.h"
#include "vouch/core/bytes.h"

namespace vouch {

// For one thread at a time; keeps its buffers between calls, and wipes them at the end.
template <class E>
class MsmKernel {
 public:
  using Xyzz = typename E::Curve::Xyzz;
  static constexpr std::size_t point_bytes = sizeof(typename E::Curve::Affine);

  MsmKernel();
  ~MsmKernel() {
    wipe(std::span(slots_.data(), slots_touched_));
    slots_.cleared();
    for (auto* lists : {&lists_, &ordered_}) {  // beyond their size, too: the last may have been the smallest
      lists->resize(lists->capacity());
      wipe(std::span(*lists));
    }
    for (auto& refs : laid_out_) wipe(std::span(refs));
  }
  MsmKernel(const MsmKernel&) = delete;
  MsmKernel& operator=(const MsmKernel&) = delete;

  // For every window, the sum of digit * point over what is placed, whose refs are to points.
  void sum(const MsmPlacement& placed, const u8* points, std::span<Xyzz> sums);

  // The sum of (low + b) * point over the entries of buckets b, which end at ends[b] - begin in `entries` as
  // far as they are in it (MsmPiece). Entries whose bit is set in `dropped` are left out, where it is not
  // null; entry e is for the point e - skip.
  Xyzz sum_sorted(const u8* points, std::span<const u32> entries, std::span<const u32> ends, u32 begin,
                  u32 low, const u64* dropped, u32 skip);

  const MsmCounts& counts() const { return counts_; }

 private:
  static constexpr std::size_t width = E::width;
  static constexpr std::size_t step_pairs = E::step_pairs / width;  // of all lanes at once
  static constexpr std::size_t most_pairs = step_pairs + MsmGroup::max_items / 2;
  static constexpr std::size_t most_groups = 2 * most_pairs;  // in a step, and laid out for the next
  static constexpr std::size_t slot_bytes = MsmGroup::max_items / 2 * 2 * E::element_bytes;
  struct alignas(64) Work {  // a point in work form
    u8 bytes[point_bytes];
    bool is_infinity() const {
      u64 any = 0;
      for (std::size_t i = 0; i < point_bytes; i += 8) any |= load_le<u64>(bytes + i);
      return any == 0;
    }
  };
  static_assert(sizeof(Work) == point_bytes);
  struct List {  // refs [begin, begin + size), to be summed into a slot
    u32 begin, size, out;
  };
  struct Cut {  // a list whose parts' sums are in slots [first, first + count)
    u32 first, count, out;
  };
  struct Sums {
    Xyzz plain, weighted;
  };

  // Parts that a list of so many points is cut into; 0 if it is not cut.
  static u32 parts_of(u32 size) {
    return size <= MsmGroup::max_items ? 0 : (size + MsmGroup::max_items - 1) / MsmGroup::max_items;
  }
  void begin_lists(std::span<const u32> ends);
  void expect_slots(std::size_t count);
  u32 take_slots(std::size_t count);
  void add_list(u32 begin, u32 end, u32 out);
  template <bool source>
  void sum_lists(const u8* base, std::span<const u32> refs);
  void order_lists();
  template <bool source>
  void run(const u8* base, std::span<const u32> refs);
  void admit(std::size_t pairs, std::span<const u32> refs, std::vector<u32>& laid_out);
  void lay_out(MsmGroup& group, std::span<const List> lists, std::span<const u32> refs, u32* to);
  void weighted_sums(std::span<const u32> firsts, std::size_t count, std::span<Sums> sums);
  Sums running_sums(u32 first, std::size_t count) const;

  // Slots: the first is for sums that nobody wants, then one a bucket, then parts of cut lists and lines of
  // the weighted sums.
  Scratch<Work> slots_;
  std::size_t slots_size_ = 0, slots_used_ = 0, slots_touched_ = 0;  // touched: the most that were ever used
  std::vector<u8> occupied_;                                         // a byte a slot: it holds a finite point
  bool infinity_seen_ = false;

  Scratch<u32> refs_;  // of sum_sorted
  std::size_t refs_size_ = 0;
  std::vector<List> lists_, ordered_;
  std::vector<Cut> cuts_;

  std::vector<MsmGroup> groups_ = std::vector<MsmGroup>(most_groups);
  std::vector<MsmGroup*> free_, active_, next_;
  std::size_t next_list_ = 0;
  std::vector<u32> outs_ = std::vector<u32>(most_groups * width);
  std::vector<u32> laid_out_[2];
  Scratch<u8> group_slots_{most_groups * slot_bytes};
  Scratch<u8> scratch_{most_pairs * (2 * E::element_bytes + 1) + E::element_bytes};
  MsmCounts counts_;
};

template <class E>
MsmKernel<E>::MsmKernel() {
  for (std::size_t i = most_groups; i-- > 0;) {  // so that the first are taken first
    groups_[i].slots = group_slots_.data() + i * slot_bytes;
    groups_[i].out = &outs_[i * width];
    free_.push_back(&groups_[i]);
  }
  // A pair that is admitted brings at most three items.
  for (auto& refs : laid_out_) refs.resize(3 * most_pairs * width + 16);
}

template <class E>
void MsmKernel<E>::sum(const MsmPlacement& placed, const u8* points, std::span<Xyzz> sums) {
  const std::span<const u32> ends = placed.ends();
  const std::size_t stride = placed.buckets(), count = placed.windows();
  begin_lists(ends);
  for (std::size_t w = 0; w < count; w++)
    for (std::size_t t = w * stride + 1; t < (w + 1) * stride; t++)
      add_list(ends[t - 1], ends[t], u32(1 + t));
  sum_lists<true>(points, placed.refs());

  std::vector<u32> firsts(count);
  std::vector<Sums> of_windows(count);
  for (std::size_t w = 0; w < count; w++) firsts[w] = u32(2 + w * stride);
  weighted_sums(firsts, stride - 1, of_windows);
  for (std::size_t w = 0; w < count; w++)
    sums[w] = of_windows[w].weighted + of_windows[w].plain.mul_vartime(UInt<1>::of(placed.low()));
}

template <class E>
typename MsmKernel<E>::Xyzz MsmKernel<E>::sum_sorted(const u8* points, std::span<const u32> entries,
                                                     std::span<const u32> ends, u32 begin, u32 low,
                                                     const u64* dropped, u32 skip) {
  const std::size_t count = ends.size();
  begin_lists(ends);
  if (dropped && refs_size_ < entries.size())
    refs_ = Scratch<u32>(entries.size()), refs_size_ = entries.size();
  u32* const refs = refs_.data();
  u32 at = 0, kept = 0;
  for (std::size_t b = 0; b < count; b++) {
    const u32 end = std::min(ends[b] - begin, u32(entries.size())), first = dropped ? kept : at;
    if (!dropped) at = end;
    for (; at < end; at++) {  // without branches: which points are there is random
      const u32 entry = entries[at], i = entry & ~MsmDigits::negative;
      refs[kept] = entry - skip;
      kept += !(dropped[i / 64] >> (i % 64) & 1);
    }
    add_list(first, dropped ? kept : end, u32(1 + b));
  }
  sum_lists<true>(points, dropped ? std::span<const u32>(refs, kept) : entries);
  std::array<Sums, 1> sums;
  weighted_sums(std::array<u32, 1>{1}, count, sums);
  return sums[0].weighted + sums[0].plain.mul_vartime(UInt<1>::of(low));
}

// A slot for each bucket, and room for the parts of those that will be cut.
template <class E>
void MsmKernel<E>::begin_lists(std::span<const u32> ends) {
  slots_used_ = 0;
  std::size_t parts = 0;
  for (std::size_t t = 1; t < ends.size(); t++) parts += parts_of(ends[t] - ends[t - 1]);
  expect_slots(1 + ends.size() + parts);
  take_slots(1 + ends.size());
  lists_.clear(), lists_.reserve(ends.size() + parts);
}

// Room for so many slots, and for the lines of the weighted sums of as many: two refs a slot, of which few
// are left over after every max_items. Moves the slots that are used.
template <class E>
void MsmKernel<E>::expect_slots(std::size_t count) {
  if (count <= slots_size_) return;
  slots_size_ = count + count / 6 + 1024;
  Scratch<Work> larger(slots_size_);
  std::copy_n(slots_.data(), slots_used_, larger.data());
  wipe(std::span(slots_.data(), slots_touched_));
  slots_.cleared();
  slots_ = std::move(larger), slots_touched_ = slots_used_;
  occupied_.resize(slots_size_);
}

// Slots that are not occupied yet; may move the others.
template <class E>
u32 MsmKernel<E>::take_slots(std::size_t count) {
  const std::size_t first = slots_used_;
  expect_slots(first + count);
  slots_used_ += count;
  slots_touched_ = std::max(slots_touched_, slots_used_);
  std::fill_n(occupied_.begin() + std::ptrdiff_t(first), count, u8(0));
  return u32(first);
}

template <class E>
void MsmKernel<E>::add_list(u32 begin, u32 end, u32 out) {
  const u32 size = end - begin;
  if (size == 0) return;
  occupied_[out] = 1;
  const u32 parts = parts_of(size);
  if (parts == 0) {
    lists_.push_back({begin, size, out});
    return;
  }
  const u32 first = take_slots(parts);
  for (u32 i = 0; i < parts; i++)
    lists_.push_back({begin + i * MsmGroup::max_items,
                      std::min(MsmGroup::max_items, size - i * MsmGroup::max_items), first + i});
  cuts_.push_back({first, parts, out});
}

// Sums lists_ into their slots, the parts of those that were cut as well.
template <class E>
template <bool source>
void MsmKernel<E>::sum_lists(const u8* base, std::span<const u32> refs) {
  infinity_seen_ = false;
  run<source>(source ? base : slots_.data()->bytes, refs);
  const std::vector<Cut> cuts = std::exchange(cuts_, {});
  const bool look = infinity_seen_;
  if (look)
    for (const List& list : lists_) occupied_[list.out] = !slots_.data()[list.out].is_infinity();
  lists_.clear();
  if (cuts.empty()) return;
  std::vector<u32> parts;
  for (const Cut& cut : cuts) {
    const u32 begin = u32(parts.size());
    for (u32 i = cut.first; i < cut.first + cut.count; i++)
      if (!look || !slots_.data()[i].is_infinity()) parts.push_back(i);
    occupied_[cut.out] = 0;
    add_list(begin, u32(parts.size()), cut.out);
  }
  sum_lists<false>(nullptr, parts);
}

// The longest first.
template <class E>
void MsmKernel<E>::order_lists() {
  std::array<u32, MsmGroup::max_items + 2> at{};
  for (const List& list : lists_) at[MsmGroup::max_items - list.size + 1]++;
  for (std::size_t i = 1; i < at.size(); i++) at[i] += at[i - 1];
  ordered_.resize(lists_.size());
  for (const List& list : lists_) ordered_[at[MsmGroup::max_items - list.size]++] = list;
}

// Every step takes in groups up to its number of pairs, so that an inversion is shared by many additions
// although groups are small; their points are fetched one step ahead.
template <class E>
template <bool source>
void MsmKernel<E>::run(const u8* base, std::span<const u32> refs) {
  order_lists();
  next_list_ = 0;
  int turn = 0;
  bool careful = false;
  admit(step_pairs, refs, laid_out_[turn]);
  while (!next_.empty()) {
    active_.insert(active_.end(), next_.begin(), next_.end());
    MsmStep step;
    std::size_t later = 0;
    for (const MsmGroup* group : active_) {
      step.pair_count += group->items / 2;
      for (u32 k = group->items % 2; k + 1 < group->items; k += 2) counts_.additions += group->lanes[k + 1];
      later += (group->items + 1) / 2 / 2;
    }
    next_.clear();
    turn ^= 1;
    if (later < step_pairs) admit(step_pairs - later, refs, laid_out_[turn]);
    for (const MsmGroup* group : next_) step.ahead_count += group->items * width;
    step.ahead = laid_out_[turn].data();
    step.base = base;
    step.base_out = slots_.data()->bytes;
    step.groups = active_.data();
    step.group_count = active_.size();
    step.scratch = scratch_.data();
    step.careful = careful;
    if (E::template add_level<source>(step)) infinity_seen_ = true;
    careful = step.careful;
    counts_.lanes += width * step.pair_count, counts_.steps++;
    std::size_t kept = 0;
    for (MsmGroup* group : active_) {
      if (group->items > 1)
        active_[kept++] = group;
      else
        free_.push_back(group);
    }
    active_.resize(kept);
    if (next_.empty() && !active_.empty()) next_.swap(active_);  // the last levels
  }
}

// The next lists as groups of so many pairs in all.
template <class E>
void MsmKernel<E>::admit(std::size_t pairs, std::span<const u32> refs, std::vector<u32>& laid_out) {
  u32* to = laid_out.data();
  for (std::size_t taken = 0; taken < pairs && next_list_ < ordered_.size();) {
    MsmGroup& group = *free_.back();
    free_.pop_back();
    const std::size_t count = std::min(width, ordered_.size() - next_list_);
    lay_out(group, std::span(ordered_).subspan(next_list_, count), refs, to);
    next_list_ += count;
    to += group.items * width;
    taken += std::max<u32>(1, group.items / 2);
    next_.push_back(&group);
  }
}

// Lanes that have no point take some other; what comes of it is not looked at.
template <class E>
void MsmKernel<E>::lay_out(MsmGroup& group, std::span<const List> lists, std::span<const u32> refs, u32* to) {
  group.items = lists[0].size;
  group.refs = to;
  group.with_infinity = false;
  std::fill_n(group.lanes, group.items, 0);
  u32* const out = &outs_[std::size_t(&group - groups_.data()) * width];
  for (std::size_t lane = 0; lane < width; lane++) {
    const bool real = lane < lists.size();
    const List& list = lists[real ? lane : 0];
    const u32* const from = &refs[list.begin];
    out[lane] = real ? list.out : 0;
    for (u32 k = 0; k < list.size; k++) to[k * width + lane] = from[k];
    for (u32 k = list.size; k < group.items; k++) to[k * width + lane] = from[0];
    if (real) group.lanes[list.size - 1]++;
  }
  for (u32 k = group.items - 1; k-- > 0;) group.lanes[k] += group.lanes[k + 1];
}

// The sums of slot[first + i] and of i * slot[first + i], i < count, for every first. In rows of 2^k, with i
// = 2^k row + column, the latter is 2^k times the weighted sum of the rows' sums, plus the weighted sum of
// the columns' sums: two additions per slot, all of them shared-inversion additions, and the same again for
// the few rows and columns.
template <class E>
void MsmKernel<E>::weighted_sums(std::span<const u32> firsts, std::size_t count, std::span<Sums> sums) {
  if (count <= 32) {
    for (std::size_t s = 0; s < firsts.size(); s++) sums[s] = running_sums(firsts[s], count);
    return;
  }
  int log_width = 1;
  while ((count >> (2 * log_width)) > 1) log_width++;
  const std::size_t columns = std::size_t(1) << log_width, rows = (count + columns - 1) / columns;
  std::vector<u32> refs, row_firsts, column_firsts;
  lists_.clear();
  const auto add_line = [&](u32 line, u32 first, std::size_t begin, std::size_t end, std::size_t step) {
    const u32 at = u32(refs.size());
    for (std::size_t i = begin; i < end; i += step)
      if (occupied_[first + i]) refs.push_back(u32(first + i));
    add_list(at, u32(refs.size()), line);
  };
  for (const u32 first : firsts) {
    const u32 lines = take_slots(rows + columns);
    row_firsts.push_back(lines), column_firsts.push_back(u32(lines + rows));
    for (std::size_t row = 0; row < rows; row++)
      add_line(u32(lines + row), first, row * columns, std::min(count, (row + 1) * columns), 1);
    for (std::size_t column = 0; column < columns; column++)
      add_line(u32(lines + rows + column), first, column, count, columns);
  }
  sum_lists<false>(nullptr, refs);

  std::vector<Sums> of_rows(firsts.size()), of_columns(firsts.size());
  weighted_sums(row_firsts, rows, of_rows);
  weighted_sums(column_firsts, columns, of_columns);
  for (std::size_t s = 0; s < firsts.size(); s++) {
    Xyzz sum = of_rows[s].weighted;
    for (int i = 0; i < log_width; i++) sum = sum.dbl();
    sums[s] = {of_rows[s].plain, sum + of_columns[s].weighted};
  }
}

template <class E>
typename MsmKernel<E>::Sums MsmKernel<E>::running_sums(u32 first, std::size_t count) const {
  Sums sums{Xyzz::infinity(), Xyzz::infinity()};
  for (std::size_t i = count; i-- > 0;) {
    if (occupied_[first + i]) sums.plain += E::from_work(slots_.data()[first + i].bytes);
    if (i > 0) sums.weighted += sums.plain;
  }
  return sums;
}

}  // namespace vouch
