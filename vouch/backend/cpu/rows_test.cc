// Rows summed in ranges of records equal rows summed one record at a time, however long the rows are and
// whatever the order of the records is.
#include "vouch/backend/cpu/rows.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "vouch/core/rng.h"

namespace vouch {
namespace {

using F = Bn254Fr;
constexpr std::size_t rows = 32;

struct Records {
  std::vector<std::uint8_t> bytes;
  std::vector<UInt<4>> witness;

  void add(std::uint32_t matrix, std::uint32_t row, std::uint32_t signal, const F& value) {
    const UInt<4> stored = F::from_int(value.montgomery()).montgomery();
    const std::size_t at = bytes.size();
    bytes.resize(at + 44);
    std::memcpy(&bytes[at], &matrix, 4), std::memcpy(&bytes[at + 4], &row, 4);
    std::memcpy(&bytes[at + 8], &signal, 4), std::memcpy(&bytes[at + 12], &stored, 32);
  }
  void set_row(std::size_t i, std::uint32_t row) { std::memcpy(&bytes[44 * i + 4], &row, 4); }
  QuotientInput input() const {
    return {bytes.data(), bytes.size() / 44, reinterpret_cast<const std::uint8_t*>(witness.data()),
            witness.size(), 5};
  }
};

// lengths[row] records a row, alternating between A and B.
Records make(const std::array<int, rows>& lengths) {
  Records r;
  InsecureTestRng rng(1);
  for (int i = 0; i < 50; i++)
    r.witness.push_back(i % 5 < 2 ? UInt<4>::of(u64(i % 5)) : F(rng.next()).inverse().to_int());
  const F values[] = {F::one(), -F::one(), F(rng.next()), F(rng.next()).inverse()};
  for (std::uint32_t row = 0; row < rows; row++)
    for (int k = 0; k < lengths[row]; k++)
      r.add(std::uint32_t(k % 2), row, std::uint32_t(rng.next() % 50), values[rng.next() % 4]);
  return r;
}

using Sums = std::array<std::vector<F>, 2>;
void expect_as_one_by_one(const Records& r, const char* what) {
  Sums expected{std::vector<F>(rows), std::vector<F>(rows)},
      sums{std::vector<F>(rows, F(7)), std::vector<F>(rows, F(7))};
  const QuotientInput in = r.input();
  for (std::size_t i = 0; i < in.record_count; i++) {
    const detail::RecordView record{in.records + 44 * i};
    expected[record.matrix()][record.row()] += F::raw(record.value()) * F::raw(r.witness[record.signal()]);
  }
  accumulate_rows<F>(in, rows,
                     [&](std::size_t i, const F& a, const F& b) { sums[0][i] = a, sums[1][i] = b; });
  EXPECT_EQ(sums, expected) << what;
}

TEST(Rows, ShortLongAndAbsent) {
  expect_as_one_by_one(make({}), "no record");
  expect_as_one_by_one(make({3, 0, 0, 5, 1}), "empty rows between and after");
  std::array<int, rows> lengths{};
  for (int i = 0; i < int(rows); i++) lengths[std::size_t(i)] = i * 100;
  expect_as_one_by_one(make(lengths), "rows that cross ranges");
  expect_as_one_by_one(make({0, 20000}), "one row over many ranges");
  expect_as_one_by_one(make({2, 20000, 1, 20000, 0, 0, 3}), "two such rows");
  expect_as_one_by_one(make({4096, 4096, 4096}), "rows that are ranges");
}

TEST(Rows, AnyOrder) {
  for (const std::uint32_t row : {0u, 2u, 31u}) {
    for (const std::size_t at : {std::size_t(5), std::size_t(4095), std::size_t(4096), std::size_t(10000)}) {
      Records r = make({2, 20000, 1, 20000, 0, 0, 3});
      r.set_row(at, row);
      expect_as_one_by_one(r, "one record out of place");
    }
  }
  Records r = make({700, 900, 800, 900, 600, 700, 900, 900, 800, 700, 900});
  InsecureTestRng rng(2);
  for (std::size_t i = 0; i < r.bytes.size() / 44; i++) r.set_row(i, std::uint32_t(rng.next() % rows));
  expect_as_one_by_one(r, "shuffled");
}

}  // namespace
}  // namespace vouch
