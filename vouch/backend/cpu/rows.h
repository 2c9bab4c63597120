// The rows of A and B: sums of value times witness word over the records of a .zkey's coefficient section.
//
// Records come sorted by row from every tool known, so a range of records is a range of rows and threads
// share nothing; any other order is sorted first. Most witness words of real circuits are 0 or 1 and most
// values 1 or -1: those cost no product of their own.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "vouch/backend/backend.h"

namespace vouch {

namespace detail {

struct RecordView {
  const std::uint8_t* p;
  std::uint32_t matrix() const { return load_le<std::uint32_t>(p); }
  std::uint32_t row() const { return load_le<std::uint32_t>(p + 4); }
  std::uint32_t signal() const { return load_le<std::uint32_t>(p + 8); }
  UInt<4> value() const { return load_le<UInt<4>>(p + 12); }  // v R^2
};

// Sum of v w over one row, where a product of the stored words gives v w R.
template <class F>
class RowSum {
 public:
  void add(const RecordView& record, const std::uint8_t* witness) {
    static constexpr UInt<4> minus_r2 = (-F::raw(F::r2)).montgomery();
    const auto w = load_le<UInt<4>>(witness + 32 * std::size_t(record.signal()));
    const UInt<4> v = record.value();
    if (w.limb[0] <= 1 && (w.limb[1] | w.limb[2] | w.limb[3]) == 0) {
      if (w.limb[0] == 1) values_ += F::raw(v), any_ |= 1;
    } else if (v.limb[0] == F::r2.limb[0] && v == F::r2) {
      words_ += F::raw(w), any_ |= 2;
    } else if (v.limb[0] == minus_r2.limb[0] && v == minus_r2) {
      words_ -= F::raw(w), any_ |= 2;
    } else {
      products_ += F::raw(v) * F::raw(w);
    }
  }
  // The sum, leaving zero for the next row.
  F take() {
    F sum = products_;
    if (any_ & 1) sum += values_ * F::raw(UInt<4>::of(1));
    if (any_ & 2) sum += words_ * F::raw(F::r2);
    *this = RowSum();
    return sum;
  }

 private:
  F products_;  // sum of v w R
  F values_;    // sum of v R^2 over the words 1
  F words_;     // sum of w over the values 1, minus that over the values -1
  int any_ = 0;
};

inline constexpr std::size_t records_per_range = 4096;
inline constexpr std::size_t prefetch_ahead = 24;  // records whose witness words are on their way

}  // namespace detail

// put(i, row i of A, row i of B) once for every i < n, from several threads.
template <class F, class Put>
void accumulate_rows(const QuotientInput& in, std::size_t n, Put put) {
  using detail::RecordView;
  const auto record = [&](std::size_t i) { return RecordView{in.records + 44 * i}; };
  const std::size_t ahead = detail::prefetch_ahead, step = detail::records_per_range,
                    ranges = (in.record_count + step - 1) / step;
  const auto clear = [&](std::size_t from, std::size_t to) {
    for (; from < to; from++) put(from, F::zero(), F::zero());
  };

  const auto release = [&](std::size_t r) {
    const std::size_t first = r * step, last = std::min(in.record_count, first + step);
    if (in.stream) in.stream->release({in.records + 44 * first, 44 * (last - first)});
  };

  // Range r owns the rows after the last record's of range r - 1, up to its own last record's.
  std::vector<std::size_t> last_row(ranges);
  parallel_for(ranges, 16, [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; r++) {
      last_row[r] = record(std::min(in.record_count, (r + 1) * step) - 1).row();
      release(r);
    }
  });
  const bool sorted = std::is_sorted(last_row.begin(), last_row.end());
  std::atomic<bool> as_expected = sorted;
  const auto sum_range = [&](std::size_t r) {
    std::size_t next_row = r == 0 ? 0 : last_row[r - 1] + 1, i = r * step;  // next_row: the first not written
    const std::size_t end_row = last_row[r] + 1, end = std::min(in.record_count, (r + 1) * step);
    while (i < end && record(i).row() < next_row) i++;
    if (next_row == end_row) {  // all of it belongs to the last row of a range before
      if (i < end) as_expected.store(false, std::memory_order_relaxed);
      return;
    }
    detail::RowSum<F> sums[2];
    while (i < in.record_count && record(i).row() < end_row) {
      const std::size_t row = record(i).row();
      if (row < next_row) return as_expected.store(false, std::memory_order_relaxed);
      for (; i < in.record_count && record(i).row() == row; i++) {
        if (i + ahead < in.record_count)
          __builtin_prefetch(in.witness + 32 * std::size_t(record(i + ahead).signal()));
        sums[record(i).matrix() != 0].add(record(i), in.witness);
      }
      clear(next_row, row);
      put(row, sums[0].take(), sums[1].take());
      next_row = row + 1;
    }
    if (i < end) as_expected.store(false, std::memory_order_relaxed);
    clear(next_row, end_row);
  };
  if (sorted) {
    parallel_for(ranges, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t r = begin; r < end; r++) {
        sum_range(r);
        release(r);
      }
    });
    clear(ranges ? last_row.back() + 1 : 0, n);
    if (as_expected.load()) return;
  }

  // The general order: record numbers sorted by row, by counting.
  std::vector<std::size_t> start(n + 1);
  for (std::size_t i = 0; i < in.record_count; i++) start[record(i).row() + 1]++;
  for (std::size_t row = 0; row < n; row++) start[row + 1] += start[row];
  std::vector<std::size_t> order(in.record_count), next(start.begin(), start.end() - 1);
  for (std::size_t i = 0; i < in.record_count; i++) order[next[record(i).row()]++] = i;
  parallel_for(n, 256, [&](std::size_t begin, std::size_t end) {
    detail::RowSum<F> sums[2];
    for (std::size_t row = begin; row < end; row++) {
      for (std::size_t k = start[row]; k < start[row + 1]; k++)
        sums[record(order[k]).matrix() != 0].add(record(order[k]), in.witness);
      put(row, sums[0].take(), sums[1].take());
    }
  });
}

}  // namespace vouch
