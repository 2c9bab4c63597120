// Tables of a key: see tables.h.
#include "vouch/groth16/tables.h"

#include <algorithm>
#include <cmath>

namespace vouch::groth16 {
namespace {

constexpr int most_tables = 32;
constexpr int most_window_bits = 20;

struct Part {
  Backend::Group group;
  Bytes points;
  std::size_t stride;
  MsmTables Tables::* table;

  std::size_t point_bytes() const { return group == Backend::Group::g1 ? g1_bytes : g2_bytes; }
};

// Sums over the witness share its digits, so their tables have one stride.
std::array<Part, 5> parts_of(const ProvingKey& key) {
  using enum Backend::Group;
  return {{{g1, key.a, key.wire_count, &Tables::a},
           {g1, key.b1, key.wire_count, &Tables::b1},
           {g2, key.b2, key.wire_count, &Tables::b2},
           {g1, key.c, key.wire_count, &Tables::c},
           {g1, key.h, key.domain_size(), &Tables::h}}};
}

// What an addition costs more when its point comes from far: the tables of a sum on G1 stay in a large last
// level of cache or they do not. Measured: 14 tables of 16 MiB took 1.4 times as long for an addition as 3.
double distance(const TablesPlan& plan, std::size_t points) {
  constexpr double near = 48 << 20, per_doubling = 0.18;
  const double bytes = double(plan.count) * double(points) * double(g1_bytes);
  return 1 + per_doubling * std::max(0.0, std::log2(bytes / near));
}

// The time for n scalars without structure, in additions: a window of every table each, and the buckets that
// the tables share.
double additions(double n, const TablesPlan& plan) {
  double least = 0;
  for (int sets = (plan.bits + most_window_bits - 1) / most_window_bits; sets <= plan.bits; sets++) {
    const double buckets = double(std::uint64_t(1) << ((plan.bits + sets - 1) / sets - 1));
    const double here = sets * (n * plan.count * distance(plan, std::size_t(n)) + 1.25 * buckets);
    if (least == 0 || here < least) least = here;
  }
  return least;
}

// Sorted digits of all windows, while they are sorted.
std::uint64_t digits_bytes(const ProvingKey& key) {
  return std::uint64_t(10 * most_tables) * std::max<std::uint64_t>(key.wire_count, key.domain_size());
}

}  // namespace

TablesPlan plan_of_count(const ProvingKey& key, int count) {
  std::uint64_t bytes = 0;
  for (const Part& part : parts_of(key)) bytes += std::uint64_t(count) * part.stride * part.point_bytes();
  return {count, (255 + count - 1) / count, bytes};
}

TablesPlan plan_tables(const ProvingKey& key, std::uint64_t most_bytes) {
  TablesPlan best;
  double least = 0;
  const std::size_t most_points = std::max<std::size_t>(key.wire_count, key.domain_size());
  for (int count = 1; count <= most_tables; count++) {
    const TablesPlan plan = plan_of_count(key, count);
    if ((most_bytes && plan.bytes > most_bytes) || std::uint64_t(count) * most_points >> 31) break;
    const double here = additions(double(key.domain_size()), plan);
    if (best.count == 0 || here < 0.995 * least) best = plan, least = here;
  }
  return best;
}

Result<TablesPlan> plan_tables_for(const Backend& backend, const ProvingKey& key, std::uint64_t most_bytes) {
  if (!backend.uses_tables())
    return Error{
        Code::unsupported,
        "the backend " + backend.info().name +
            " computes without tables of multiples; --backend cpu uses them, but not for constant work"};
  const TablesPlan plan = plan_tables(key, most_bytes);
  if (plan.count > 0) return plan;
  return Error{Code::invalid_argument, key.name + ": tables of multiples need at least " +
                                           std::to_string((plan_of_count(key, 1).bytes >> 20) + 1) +
                                           "M, and may take " + std::to_string(most_bytes) + " bytes"};
}

std::uint64_t Tables::memory(const ProvingKey& key) const {
  return plan.bytes + digits_bytes(key);
}

std::uint64_t room_for_tables(const ProvingKey& key, int threads, std::uint64_t memory) {
  const std::uint64_t others = digits_bytes(key) + plan_memory(key, threads, 0).peak;
  return memory > others ? memory - others : 0;
}

Tables tables_over(const ProvingKey& key, const TablesPlan& plan,
                   std::shared_ptr<const Buffer<std::uint8_t>> data) {
  Tables tables{plan, std::move(data), {}, {}, {}, {}, {}};
  const std::uint8_t* at = tables.data->data();
  for (const Part& part : parts_of(key)) {
    tables.*part.table = {at, part.stride, plan.bits, plan.count};
    at += std::size_t(plan.count) * part.stride * part.point_bytes();
  }
  return tables;
}

Result<Tables> make_tables(const ProvingKey& key, const TablesPlan& plan, Backend& backend,
                           Progress* progress) {
  Progress silent;
  Progress& whole = progress ? *progress : silent;
  whole.stage("tables of multiples");
  const Stopwatch clock;
  const auto data = std::make_shared<Buffer<std::uint8_t>>(plan.bytes);
  Tables tables = tables_over(key, plan, data);
  double done = 0;
  for (const Part& part : parts_of(key)) {
    const MsmTables& table = tables.*part.table;
    const double share = part.group == Backend::Group::g1 ? 0.14 : 0.44;
    PartOfProgress own(whole, done, share);
    VOUCH_CHECK(backend.multiples(part.group, part.points.data(), part.points.size() / part.point_bytes(),
                                  table, data->data() + (table.data - data->data()), &own));
    done += share;
  }
  whole.timing("tables of multiples", clock.seconds());
  return tables;
}

}  // namespace vouch::groth16
