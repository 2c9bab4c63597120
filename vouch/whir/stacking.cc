#include "vouch/whir/stacking.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace vouch::whir {
namespace {

constexpr int max_variables = 40;

Error invalid(std::string what) {
  return {Code::invalid_argument, "whir tables: " + std::move(what)};
}

std::uint64_t reverse_bits(std::uint64_t x, int bits) {
  std::uint64_t r = 0;
  for (int i = 0; i < bits; i++) r = r << 1 | (x >> i & 1);
  return r;
}

}  // namespace

std::uint64_t Placement::selector(std::uint32_t column, Layout layout) const {
  const std::uint64_t v = first_block + column;
  return layout == Layout::prefix ? reverse_bits(v, selector_bits) : v;
}

Result<Stacking> stack(const std::vector<TableShape>& tables, int first_fold) {
  if (tables.empty()) return invalid("there is no table");
  std::uint64_t total = 0;
  for (std::size_t t = 0; t < tables.size(); t++) {
    const int arity = std::max(tables[t].log_rows, first_fold);
    const std::uint64_t limit = std::uint64_t(1) << max_variables;
    if (tables[t].log_rows < 0 || arity > max_variables || tables[t].width > (limit >> arity)) {
      return invalid("table " + std::to_string(t) + " exceeds 2^40 values");
    }
    if (tables[t].width == 0) return invalid("table " + std::to_string(t) + " has no column");
    total += std::uint64_t(tables[t].width) << arity;
    if (total > limit) return invalid("the tables exceed 2^40 values");
  }
  Stacking s;
  s.variables = std::bit_width(total - 1);
  std::vector<std::size_t> order(tables.size());
  std::iota(order.begin(), order.end(), 0);
  auto arity = [&](std::size_t t) { return std::max(tables[t].log_rows, first_fold); };
  // Larger tables first; of equal ones the later first.
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return arity(a) != arity(b) ? arity(a) > arity(b) : a > b; });

  s.at.resize(tables.size());
  std::uint64_t offset = 0;  // a multiple of 2^arity: larger blocks come first
  for (std::size_t t : order) {
    s.at[t] = s.order.size();
    s.order.push_back({t, arity(t), s.variables - arity(t), offset >> arity(t)});
    offset += std::uint64_t(tables[t].width) << arity(t);
  }
  return s;
}

Status check_schedule(const std::vector<TableShape>& tables, const Schedule& schedule) {
  if (schedule.size() != tables.size()) {
    return invalid("the schedule lists " + std::to_string(schedule.size()) + " tables, there are " +
                   std::to_string(tables.size()));
  }
  for (std::size_t t = 0; t < tables.size(); t++)
    for (const Batch& batch : schedule[t])
      for (const auto* list : {&batch.current, &batch.next})
        for (std::uint32_t column : *list)
          if (column >= tables[t].width) {
            return invalid("the schedule asks for column " + std::to_string(column) + " of table " +
                           std::to_string(t) + ", which has " + std::to_string(tables[t].width));
          }
  return ok();
}

std::size_t batch_count(const Schedule& schedule) {
  std::size_t n = 0;
  for (const auto& table : schedule) n += table.size();
  return n;
}

}  // namespace vouch::whir
