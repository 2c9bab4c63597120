// Tables, what is asked about them, and where they lie in the one polynomial that is committed (section 8).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vouch/whir/params.h"

namespace vouch::whir {

// A table of `width` columns, each 2^log_rows values.
struct TableShape {
  int log_rows = 0;
  std::uint32_t width = 1;
};

// Columns opened at one point: `current` as multilinear extensions, `next` shifted by one row (the last row
// repeats). Columns may appear in any order and more than once.
struct Batch {
  std::vector<std::uint32_t> current;
  std::vector<std::uint32_t> next;
};
using Schedule = std::vector<std::vector<Batch>>;  // one list of batches per table, in the caller's order

// Where a table lies. Column j is the `block` = first_block + j of size 2^arity; the selector bits say which.
struct Placement {
  std::size_t table = 0;
  int arity = 0;          // log_rows, raised to the first folding factor
  int selector_bits = 0;  // variables - arity
  std::uint64_t first_block = 0;

  // The selector value of column j: prefix layout reverses its bits, so that x << selector_bits | selector is
  // the index of row x; in the suffix layout the index is selector << arity | x.
  std::uint64_t selector(std::uint32_t column, Layout layout) const;
};

struct Stacking {
  int variables = 0;
  std::vector<Placement> order;  // in placement order: the order of claims in constraint 0
  std::vector<std::size_t> at;   // at[table] indexes order
  const Placement& of(std::size_t table) const { return order[at[table]]; }
};

// Errors: no table, a width of 0, sizes beyond 2^40 values.
Result<Stacking> stack(const std::vector<TableShape>& tables, int first_fold);

// Every batch names existing columns, and there is one list per table.
Status check_schedule(const std::vector<TableShape>& tables, const Schedule& schedule);

std::size_t batch_count(const Schedule& schedule);

}  // namespace vouch::whir
