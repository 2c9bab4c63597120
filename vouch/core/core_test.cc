// Bytes, randomness and threads.
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <vector>

#include "vouch/core/bytes.h"
#include "vouch/core/parallel.h"
#include "vouch/core/rng.h"

namespace vouch {
namespace {

TEST(Reader, StopsAtTheEnd) {
  const std::uint8_t data[] = {1, 0, 0, 0, 2, 3};
  Reader reader(data);
  EXPECT_EQ(reader.read<std::uint32_t>(), 1u);
  EXPECT_EQ(reader.read<std::uint32_t>(), 0u);
  EXPECT_TRUE(reader.failed());
  EXPECT_EQ(reader.remaining(), 2u);
}

TEST(Reader, RefusesLengthsBeyondTheData) {
  const std::uint8_t data[4] = {};
  Reader reader(data);
  EXPECT_TRUE(reader.take(~std::uint64_t(0)).empty());
  EXPECT_TRUE(reader.failed());
}

TEST(Wipe, ClearsMemory) {
  std::vector<std::uint32_t> secret(8, 0xffffffffu);
  wipe(std::span(secret));
  EXPECT_EQ(std::accumulate(secret.begin(), secret.end(), 0u), 0u);
  wipe(std::span<std::uint32_t>());  // nothing to clear is not an error
}

TEST(Rng, SystemGeneratorFillsEveryByte) {
  OsRng rng;
  std::vector<std::uint8_t> a(4096), b(4096);
  ASSERT_TRUE(rng.fill(a).ok());
  ASSERT_TRUE(rng.fill(b).ok());
  EXPECT_NE(a, b);
  std::size_t set = 0;  // 32768 fair bits: mean 16384, deviation 90
  for (const std::uint8_t byte : a) set += static_cast<std::size_t>(std::popcount(byte));
  EXPECT_NEAR(static_cast<double>(set), 16384.0, 1000.0);
}

TEST(Rng, TestGeneratorIsReproducible) {
  InsecureTestRng a(7), b(7);
  for (int i = 0; i < 100; i++) ASSERT_EQ(a.next(), b.next());
}

TEST(Parallel, ForCoversEveryIndexOnce) {
  for (const int count : {1, 2, 5}) {
    const Threads threads(count);
    EXPECT_EQ(threads.count(), count);
    for (const std::size_t n : {0, 1, 2, 63, 1000}) {
      std::vector<int> hits(n, 0);
      threads.run([&] {
        parallel_for(n, 7, [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; i++) hits[i]++;
        });
      });
      EXPECT_EQ(std::count(hits.begin(), hits.end(), 1), static_cast<std::ptrdiff_t>(n));
    }
  }
}

TEST(Parallel, TaskSetWaitsForAll) {
  const Threads threads(2);
  std::vector<int> results(50, 0);
  threads.run([&] {
    TaskSet set;
    for (std::size_t i = 0; i < results.size(); i++)
      set.run([&, i] { results[i] = static_cast<int>(i) + 1; });
    set.wait();
  });
  EXPECT_EQ(std::accumulate(results.begin(), results.end(), 0), 50 * 51 / 2);
}

}  // namespace
}  // namespace vouch
