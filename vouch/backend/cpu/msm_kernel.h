// Sums of grouped points by affine additions that share inversions, and the weighted sum of a range of
// buckets.
//
// An affine addition costs 6 products once 1 / (x2 - x1) is known, and n inversions cost one inversion and 3n
// products. So points are paired inside their groups, all pairs of a batch are added at once, and the halved
// groups are paired again: no two additions of a batch touch the same point, whatever the scalars are.
// Equal x (a point met twice, or with its negative) is handled in place: see add_pairs.
//
// E is one form of arithmetic on one curve: E::Curve for the few scalar sums, E::add_pairs for a batch
// (msm_pairs.h is its text), E::copy for a single point. Points between the rounds are in E's own form ("work
// form": the size of an affine point, all bytes zero at infinity), which E::from_work leaves. With source =
// true points are as the caller stores them and a ref may carry MsmDigits::negative.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "vouch/backend/cpu/msm_digits.h"
#include "vouch/backend/cpu/msm_pairs.h"
#include "vouch/core/bytes.h"

namespace vouch {

// Entries of one window sorted by |digit| (MsmDigits::sort), and the points they mean for one job.
struct MsmWindow {
  const u32* order = nullptr;
  const u32* start = nullptr;
  std::size_t buckets = 0;
  const u8* points = nullptr;
  std::size_t count = 0;             // of points
  std::size_t skip = 0;              // scalar i belongs to point i - skip; others have no point
  bool partial = false;              // some scalars have no point
  const u64* at_infinity = nullptr;  // one bit per point, or null if no point is at infinity
};

// Sums for one thread at a time; keeps its buffers between calls.
template <class E>
class MsmKernel {
 public:
  using C = typename E::Curve;
  using Xyzz = typename C::Xyzz;
  static constexpr std::size_t point_bytes = sizeof(typename C::Affine);

  MsmKernel()
      : first_(block),
        second_(block),
        a_(batch),
        b_(batch),
        out_(batch),
        scratch_(E::scratch_bytes * batch / point_bytes) {}

  // The sum of |digit| * (+-point) over the entries [begin, end) of the sorted window. Ranges may cut a
  // bucket in two: the sum is linear, so every cut is right.
  Xyzz sum_entries(const MsmWindow& window, std::size_t begin, std::size_t end);

 private:
  static constexpr std::size_t block =
      8192;  // points summed at once: the buffers stay in the second-level cache
  static constexpr std::size_t batch = 2048;  // additions that share an inversion
  struct alignas(64) Work {                   // a point in work form
    u8 bytes[point_bytes];
    bool is_infinity() const {
      u64 any = 0;
      for (std::size_t i = 0; i < point_bytes; i += 8) any |= load_le<u64>(bytes + i);
      return any == 0;
    }
  };
  static_assert(sizeof(Work) == point_bytes);
  struct Live {  // a group with more than one point left in the current round
    u32 count;
    Work* result;
  };

  // out[g] = the sum of the next counts[g] points of refs.
  template <bool source>
  void sum_groups(const u8* base, const u32* refs, std::span<const u32> counts, Work* out);
  template <bool source>
  void sum_large_group(const u8* base, const u32* refs, std::size_t count, Work* out);
  template <bool source>
  void sum_block(const u8* base, const u32* refs, std::span<const u32> counts, Work* out);
  const u32* keep_finite(const MsmWindow& window, const u32* entries);
  template <bool source, class Ref>
  void pair_up(const u8* base, Ref ref, u32 count, Work* result, Work*& next);
  static void prefetch(const u8* base, u32 ref) {
    const u8* p = base + std::size_t(ref & ~MsmDigits::negative) * point_bytes;
    __builtin_prefetch(p, 0, 2);
    __builtin_prefetch(p + point_bytes - 1, 0, 2);
  }
  void drop_infinity(Work* points);
  template <bool source>
  void flush(const u8* base);
  Xyzz weighted_sum(std::size_t first_digit, std::size_t digits);
  static Xyzz running_sum(const Work* points, std::size_t count, Xyzz& total);

  std::vector<Work> first_, second_, bucket_sums_, line_sums_;
  std::vector<u32> a_, b_;  // pairs waiting to be added, and where their sums go
  std::vector<u8*> out_;
  std::vector<Work> scratch_;
  std::size_t pending_ = 0;
  bool infinity_seen_ = false;  // a sum of this round is at infinity
  std::vector<Live> live_;
  std::vector<u32> refs_, counts_, line_counts_;
};

template <class E>
template <bool source>
void MsmKernel<E>::flush(const u8* base) {
  if (pending_ == 0) return;
  Work unused;
  std::size_t padded = pending_;
  for (; padded % E::width != 0; padded++) {
    a_[padded] = a_[pending_ - 1], b_[padded] = b_[pending_ - 1];
    out_[padded] = unused.bytes;
  }
  const PairBatch pairs{base, a_.data(), b_.data(), out_.data(), padded, scratch_.data()};
  if (E::template add_pairs<source>(pairs)) infinity_seen_ = true;
  pending_ = 0;
}

// One round for one group: pairs are queued, a point left over is copied. Sums go to `result` if the group
// ends here, else to *next.
template <class E>
template <bool source, class Ref>
void MsmKernel<E>::pair_up(const u8* base, Ref ref, u32 count, Work* result, Work*& next) {
  if (count == 1) return E::template copy<source>(base, ref(0), result->bytes);
  for (u32 i = 0; i + 1 < count; i += 2) {
    a_[pending_] = ref(i), b_[pending_] = ref(i + 1);
    if (source) {
      prefetch(base, a_[pending_]);
      prefetch(base, b_[pending_]);
    }
    out_[pending_++] = (count == 2 ? result : next++)->bytes;
    if (pending_ == batch) flush<source>(base);
  }
  if (count % 2 != 0) E::template copy<source>(base, ref(count - 1), (next++)->bytes);
}

// Removes points at infinity from the live groups, whose points lie one after the other.
template <class E>
void MsmKernel<E>::drop_infinity(Work* points) {
  Work *from = points, *to = points;
  for (Live& group : live_) {
    u32 kept = 0;
    for (u32 i = 0; i < group.count; i++, from++) {
      if (from->is_infinity()) continue;
      *to++ = *from;
      kept++;
    }
    group.count = kept;
  }
  infinity_seen_ = false;
}

template <class E>
template <bool source>
void MsmKernel<E>::sum_block(const u8* base, const u32* refs, std::span<const u32> counts, Work* out) {
  live_.clear();
  infinity_seen_ = false;
  Work* next = first_.data();
  for (const u32 count : counts) {
    if (count == 0) {
      *out++ = Work{};
      continue;
    }
    pair_up<source>(base, [refs](u32 i) { return refs[i]; }, count, out, next);
    if (count > 2) live_.push_back({(count + 1) / 2, out});
    refs += count;
    out++;
  }
  flush<source>(base);

  Work *points = first_.data(), *other = second_.data();
  while (!live_.empty()) {
    if (infinity_seen_) drop_infinity(points);
    next = other;
    u32 position = 0;
    std::size_t live = 0;
    for (const Live group : live_) {
      if (group.count == 0) {
        *group.result = Work{};
        continue;
      }
      pair_up<false>(
          points->bytes, [position](u32 i) { return position + i; }, group.count, group.result, next);
      position += group.count;
      if (group.count > 2) live_[live++] = {(group.count + 1) / 2, group.result};
    }
    live_.resize(live);
    flush<false>(points->bytes);
    std::swap(points, other);
  }
}

template <class E>
template <bool source>
void MsmKernel<E>::sum_large_group(const u8* base, const u32* refs, std::size_t count, Work* out) {
  std::vector<Work> pieces((count + block - 1) / block);
  for (std::size_t i = 0; i < pieces.size(); i++) {
    const u32 size = u32(std::min(block, count - i * block));
    sum_block<source>(base, refs + i * block, {&size, 1}, &pieces[i]);
  }
  std::vector<u32> finite;
  for (u32 i = 0; i < pieces.size(); i++)
    if (!pieces[i].is_infinity()) finite.push_back(i);
  const u32 size = u32(finite.size());
  sum_groups<false>(pieces[0].bytes, finite.data(), {&size, 1}, out);
}

template <class E>
template <bool source>
void MsmKernel<E>::sum_groups(const u8* base, const u32* refs, std::span<const u32> counts, Work* out) {
  for (std::size_t g = 0, h = 0; g < counts.size(); g = h) {
    std::size_t points = 0;
    while (h < counts.size() && points + counts[h] <= block) points += counts[h++];
    if (h == g) {
      points = counts[h++];
      sum_large_group<source>(base, refs, points, out + g);
    } else {
      sum_block<source>(base, refs, counts.subspan(g, h - g), out + g);
    }
    refs += points;
  }
}

template <class E>
typename MsmKernel<E>::Xyzz MsmKernel<E>::sum_entries(const MsmWindow& window, std::size_t begin,
                                                      std::size_t end) {
  // Entries of digit zero come first and add nothing.
  begin = std::max<std::size_t>(begin, window.start[1]);
  if (begin >= end) return Xyzz::infinity();
  const u32* const starts_end = window.start + window.buckets;
  const std::size_t lo = std::upper_bound(window.start, starts_end, u32(begin)) - window.start - 1;
  const std::size_t hi = std::upper_bound(window.start, starts_end, u32(end - 1)) - window.start - 1;

  counts_.resize(hi - lo + 1);
  for (std::size_t d = lo; d <= hi; d++)
    counts_[d - lo] =
        u32(std::min<std::size_t>(end, window.start[d + 1]) - std::max<std::size_t>(begin, window.start[d]));
  const u32* refs = window.order + begin;
  if (window.at_infinity || window.partial) refs = keep_finite(window, refs);
  bucket_sums_.resize(counts_.size());
  sum_groups<true>(window.points, refs, counts_, bucket_sums_.data());
  return weighted_sum(lo, counts_.size());
}

// Copies the entries that have a finite point to refs_, as numbers of points, and lowers counts_ to match.
template <class E>
const u32* MsmKernel<E>::keep_finite(const MsmWindow& window, const u32* entries) {
  std::size_t total = 0;
  for (const u32 count : counts_) total += count;
  refs_.resize(total);
  u32* to = refs_.data();
  for (u32& count : counts_) {
    u32* const first = to;
    for (const u32* const last = entries + count; entries != last; entries++) {
      const u32 point = (*entries & ~MsmDigits::negative) - u32(window.skip);
      if (point >= window.count) continue;  // below skip wraps to a large number
      if (window.at_infinity && (window.at_infinity[point / 64] >> (point % 64) & 1)) continue;
      *to++ = point | (*entries & MsmDigits::negative);
    }
    count = u32(to - first);
  }
  return refs_.data();
}

// The sum of (first_digit + j) * bucket_sums_[j] for j < digits. In rows of 2^k buckets, with j = 2^k row +
// column, it takes one addition per bucket for the row sums and one for the column sums, all of them
// shared-inversion additions, and running sums over a few hundred rows and columns only.
template <class E>
typename MsmKernel<E>::Xyzz MsmKernel<E>::weighted_sum(std::size_t first_digit, std::size_t digits) {
  Xyzz total = Xyzz::infinity();
  if (digits < 64) {
    const Xyzz sum = running_sum(bucket_sums_.data(), digits, total);
    return sum + total.mul_vartime(UInt<1>::of(first_digit));
  }
  int log_width = 1;
  while ((digits >> (2 * log_width)) > 1) log_width++;
  const std::size_t width = std::size_t(1) << log_width, rows = (digits + width - 1) / width;
  refs_.clear();
  line_counts_.clear();
  const auto add_line = [&](std::size_t first, std::size_t last, std::size_t step) {
    const std::size_t before = refs_.size();
    for (std::size_t j = first; j < last; j += step)
      if (!bucket_sums_[j].is_infinity()) refs_.push_back(u32(j));
    line_counts_.push_back(u32(refs_.size() - before));
  };
  for (std::size_t row = 0; row < rows; row++) add_line(row * width, std::min(digits, (row + 1) * width), 1);
  for (std::size_t column = 0; column < width; column++) add_line(column, digits, width);
  line_sums_.resize(rows + width);
  sum_groups<false>(bucket_sums_[0].bytes, refs_.data(), line_counts_, line_sums_.data());

  Xyzz unused = Xyzz::infinity();
  Xyzz sum = running_sum(line_sums_.data(), rows, total);
  for (int i = 0; i < log_width; i++) sum = sum.dbl();
  sum += running_sum(line_sums_.data() + rows, width, unused);
  return sum + total.mul_vartime(UInt<1>::of(first_digit));
}

// The sum of j * points[j]; total becomes the sum of the points.
template <class E>
typename MsmKernel<E>::Xyzz MsmKernel<E>::running_sum(const Work* points, std::size_t count, Xyzz& total) {
  Xyzz sum = Xyzz::infinity();
  total = Xyzz::infinity();
  for (std::size_t j = count; j-- > 0;) {
    total += E::from_work(points[j].bytes);
    if (j > 0) sum += total;
  }
  return sum;
}

}  // namespace vouch
