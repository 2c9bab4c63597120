// What is placed, and what is kept of it, against lists by bucket.
#include "vouch/backend/cpu/msm_place.h"

#include <gtest/gtest.h>

#include <map>

#include "vouch/backend/cpu/msm_sample.h"

namespace vouch {
namespace {

using Lists = std::map<std::pair<std::size_t, u32>, std::vector<u32>>;  // window, digit

Lists lists_of(const MsmPlacement& placed) {
  Lists lists;
  const auto ends = placed.ends();
  for (std::size_t w = 0; w < placed.windows(); w++)
    for (u32 b = 1; b < placed.buckets(); b++) {
      const std::size_t at = w * placed.buckets() + b;
      const auto refs = placed.refs().subspan(ends[at - 1], ends[at] - ends[at - 1]);
      if (!refs.empty()) lists[{w, placed.low() + b - 1}] = {refs.begin(), refs.end()};
    }
  return lists;
}

TEST(MsmPlacement, PlacesAndKeepsWhatListsSay) {
  msm_sample::Random random(5);
  constexpr int windows = 3, offset = 32;
  constexpr std::size_t count = 2000, skip = 70, points = 1700;
  std::vector<u32> index(count);
  std::vector<std::uint16_t> digits(windows * count);
  for (std::size_t i = 0; i < count; i++) index[i] = u32(i) | (random.next() % 2 ? MsmDigits::negative : 0);
  for (auto& digit : digits) digit = std::uint16_t(random.next() % (2 * offset));
  std::vector<u64> at_infinity((points + 63) / 64);
  for (u64& word : at_infinity) word = random.next() & random.next();

  MsmPoints some;
  some.count = points, some.skip = skip, some.partial = true, some.at_infinity = at_infinity.data();
  MsmPlacement placed, kept;  // used again and again, larger and smaller
  for (const auto& [low, high, used] : {std::tuple<u32, u32, std::size_t>{1, 33, count},
                                        {5, 6, count},
                                        {1, 33, 1},
                                        {9, 33, count},
                                        {1, 33, 0}}) {
    std::vector<MsmEntries> entries;
    Lists all, of_points;
    for (std::size_t w = 0; w < windows; w++) {
      entries.push_back({index.data(), &digits[w * count], offset, used});
      for (std::size_t i = 0; i < used; i++) {
        const int digit = int(digits[w * count + i]) - offset;
        const u32 magnitude = u32(std::abs(digit));
        if (magnitude < low || magnitude >= high) continue;
        const u32 sign = (index[i] & MsmDigits::negative) ^ (digit < 0 ? MsmDigits::negative : 0);
        all[{w, magnitude}].push_back(u32(i) | sign);
        const std::size_t p = i - skip;
        if (i >= skip && p < points && !(at_infinity[p / 64] >> (p % 64) & 1))
          of_points[{w, magnitude}].push_back(u32(p) | sign);
      }
    }
    placed.place(entries, low, high);
    kept.keep(placed, some);
    EXPECT_EQ(lists_of(placed), all) << low << " " << used;
    EXPECT_EQ(lists_of(kept), of_points) << low << " " << used;
  }
}

}  // namespace
}  // namespace vouch
