// Every point of a proving key, and the two pairs of header points that must agree.
#include <algorithm>
#include <array>
#include <optional>

#include "vouch/core/rng.h"
#include "vouch/curve/pairing.h"
#include "vouch/curve/subgroup.h"
#include "vouch/groth16/proving_key.h"

namespace vouch::groth16 {
namespace {

struct Table {
  const char* section;
  Bytes data;
  std::size_t point_bytes;
};

Result<std::optional<BadPoint>> find_bad(const Table& table, Bytes slice) {
  OsRng rng;
  if (table.point_bytes == g2_bytes) return find_bad_g2(slice, rng);
  return find_bad_g1(slice);
}

// The tables in slices, so that progress is seen.
class TableChecker {
 public:
  TableChecker(const ProvingKey& key, const Threads& threads, Progress& progress, double total)
      : key_(key), threads_(threads), progress_(progress), total_(total) {}

  Status check(const Table& table) {
    constexpr std::size_t slice = 1 << 17;  // points; far above what the batched subgroup check needs to pay
    const std::size_t count = table.data.size() / table.point_bytes;
    for (std::size_t from = 0; from < count; from += slice) {
      const std::size_t n = std::min(slice, count - from);
      Result<std::optional<BadPoint>> found(std::nullopt);
      threads_.run([&] {
        found = find_bad(table, table.data.subspan(from * table.point_bytes, n * table.point_bytes));
      });
      VOUCH_TRY(const auto bad, std::move(found));
      if (bad)
        return Error{Code::malformed, key_.name + ": " + table.section + ": point " +
                                          std::to_string(from + bad->index) + " " + describe(bad->fault)};
      progress_.advance(done_ += double(n * table.point_bytes), total_);
    }
    return ok();
  }

 private:
  const ProvingKey& key_;
  const Threads& threads_;
  Progress& progress_;
  double total_;
  double done_ = 0;
};

// k G1 and k G2 for one k, when e(p, G2) = e(G1, q).
bool same_multiple(const Bn254G1::Affine& p, const Bn254G2::Affine& q) {
  const std::array inputs = {PairingInput{p, Bn254G2::generator()}, PairingInput{-Bn254G1::generator(), q}};
  return pairing_product(inputs) == Bn254Fq12::one();
}

}  // namespace

Status check_points(const ProvingKey& key, const Threads& threads, Progress* progress) {
  Progress none;
  Progress& show = progress ? *progress : none;
  const Stopwatch clock;
  show.stage("check key");
  if (!same_multiple(key.beta1, key.beta2))
    return Error{Code::malformed, key.name + ": section 2 (header): beta1 and beta2 are different multiples"};
  if (!same_multiple(key.delta1, key.delta2))
    return Error{Code::malformed,
                 key.name + ": section 2 (header): delta1 and delta2 are different multiples"};
  const std::array tables = {
      Table{"section 3 (IC points)", key.ic, g1_bytes}, Table{"section 5 (A points)", key.a, g1_bytes},
      Table{"section 6 (B1 points)", key.b1, g1_bytes}, Table{"section 7 (B2 points)", key.b2, g2_bytes},
      Table{"section 8 (C points)", key.c, g1_bytes},   Table{"section 9 (H points)", key.h, g1_bytes}};
  double total = 0;
  for (const Table& table : tables) total += double(table.data.size());
  TableChecker checker(key, threads, show, total);
  for (const Table& table : tables) VOUCH_CHECK(checker.check(table));
  show.timing("check key", clock.seconds());
  return ok();
}

}  // namespace vouch::groth16
