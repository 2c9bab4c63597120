#include "vouch/backend/cpu/msm_place.h"

#include <algorithm>

namespace vouch {
namespace {

// Without branches: what comes next is random.
inline u32 bucket_of(const MsmEntries& entries, std::size_t i, u32 low, u32 span) {
  const int digit = int(entries.digits[i]) - entries.offset;
  const u32 at = u32(digit < 0 ? -digit : digit) - low;
  return at < span ? at + 1 : 0;
}
inline u32 ref_of(const MsmEntries& entries, std::size_t i) {
  const int digit = int(entries.digits[i]) - entries.offset;
  return entries.index[i] ^ (u32(digit) & MsmDigits::negative);
}

}  // namespace

void MsmPlacement::shape(std::size_t windows, u32 low, std::size_t buckets, std::size_t size) {
  windows_ = windows, low_ = low, buckets_ = buckets;
  const std::size_t ends = windows * buckets;
  if (ends_size_ < ends) ends_ = Scratch<u32>(ends), ends_size_ = ends;
  if (size_ < size) refs_ = Scratch<u32>(size), size_ = size;
}

void MsmPlacement::place(std::span<const MsmEntries> windows, u32 low, u32 high) {
  const u32 span = high - low;
  std::size_t total = 0;
  for (const MsmEntries& entries : windows) total += entries.count;
  shape(windows.size(), low, span + 1, total);
  std::fill_n(ends_.data(), windows_ * buckets_, 0);
  for (std::size_t w = 0; w < windows.size(); w++) {
    u32* const counts = ends_.data() + w * buckets_;
    for (std::size_t i = 0; i < windows[w].count; i++) counts[bucket_of(windows[w], i, low, span)]++;
  }
  u32 sum = 0;
  for (u32& end : std::span(ends_.data(), windows_ * buckets_)) {
    const u32 count = end;
    end = sum, sum += count;
  }
  u32* const refs = refs_.data();
  for (std::size_t w = 0; w < windows.size(); w++) {
    u32* const next = ends_.data() + w * buckets_;
    const MsmEntries& entries = windows[w];
    // Places are fetched from the second-level cache ahead: 1.3 times as fast.
    constexpr std::size_t ahead = 24;
    for (std::size_t i = 0; i < entries.count; i++) {
      const std::size_t later = std::min(i + ahead, entries.count - 1);
      __builtin_prefetch(&refs[next[bucket_of(entries, later, low, span)]], 1);
      refs[next[bucket_of(entries, i, low, span)]++] = ref_of(entries, i);
    }
  }
}

void MsmPlacement::keep(const MsmPlacement& all, const MsmPoints& points) {
  shape(all.windows_, all.low_, all.buckets_, all.size_);
  const u32* const from = all.refs_.data();
  u32* const refs = refs_.data();
  u32 kept = 0;
  for (std::size_t w = 0; w < windows_; w++) {
    const u32* const ends = all.ends_.data() + w * buckets_;
    u32* const kept_ends = ends_.data() + w * buckets_;
    kept_ends[0] = kept;
    for (std::size_t b = 1; b < buckets_; b++) {
      for (u32 at = ends[b - 1]; at < ends[b]; at++) {  // without branches: which points are there is random
        refs[kept] = from[at] - u32(points.skip);
        kept += points.has((from[at] & ~MsmDigits::negative) - u32(points.skip));
      }
      kept_ends[b] = kept;
    }
  }
}

}  // namespace vouch
