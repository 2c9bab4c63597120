// Tables of multiples of a key's points (MsmTables), made once for many proofs: fewer additions, in memory
// that has large pages.
#pragma once

#include <array>
#include <memory>

#include "vouch/backend/backend.h"
#include "vouch/core/buffer.h"
#include "vouch/groth16/memory.h"
#include "vouch/groth16/proving_key.h"

namespace vouch::groth16 {

struct TablesPlan {
  int count = 0;            // tables of every point; 0: not even one fits
  int bits = 0;             // between their multiples
  std::uint64_t bytes = 0;  // of all tables
  bool operator==(const TablesPlan&) const = default;
};

// What pays most within so many bytes; 0: without a limit.
TablesPlan plan_tables(const ProvingKey& key, std::uint64_t most_bytes);
// What tables may take where a proof on so many threads, tables included, stays within `memory` bytes; 0 if
// none may.
std::uint64_t room_for_tables(const ProvingKey& key, int threads, std::uint64_t memory);
// The same for this backend. Code::unsupported if it uses no tables, Code::invalid_argument if not even one
// of every point fits.
Result<TablesPlan> plan_tables_for(const Backend& backend, const ProvingKey& key, std::uint64_t most_bytes);
// The plan with so many tables.
TablesPlan plan_of_count(const ProvingKey& key, int count);

// The tables of a key's five sums, one after the other in `data`.
struct Tables {
  TablesPlan plan;
  std::shared_ptr<const Buffer<std::uint8_t>> data;
  MsmTables a, b1, b2, c, h;

  // What a proof takes with them beyond what it takes without: scalars' digits are sorted, too.
  std::uint64_t memory(const ProvingKey& key) const;
};

// `data` of plan.bytes, as make_tables fills it.
Tables tables_over(const ProvingKey& key, const TablesPlan& plan,
                   std::shared_ptr<const Buffer<std::uint8_t>> data);

// Takes as long as some twenty proofs.
Result<Tables> make_tables(const ProvingKey& key, const TablesPlan& plan, Backend& backend,
                           Progress* progress = nullptr);

}  // namespace vouch::groth16
