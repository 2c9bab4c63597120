// Memory of a proof: see memory.h.
#include "vouch/groth16/memory.h"

#include <algorithm>
#include <bit>

namespace vouch::groth16 {
namespace {

using u64 = std::uint64_t;

constexpr u64 mib = u64(1) << 20;
// Measured for the CPU backend (its files say how they come about).
constexpr u64 program = 60 * mib;  // its own pages and its libraries', those of an OpenCL driver among them
constexpr u64 per_thread = 26 * mib;   // buckets, and the window of records
constexpr u64 digits_bytes = 48;       // of a scalar, while the sums over it are taken
constexpr u64 twiddle_bytes = 16;      // per row of the domain
constexpr u64 vectors_bytes = 3 * 32;  // A, B and C
// In the mapped file.
constexpr u64 key_bytes_per_wire = 3 * g1_bytes + g2_bytes;
constexpr u64 key_bytes_per_row = g1_bytes;
constexpr std::size_t smallest_part = std::size_t(1) << 10;

struct Sizes {
  const ProvingKey& key;
  int threads;

  u64 domain() const { return key.domain_size(); }
  u64 always() const { return program + u64(threads) * per_thread + key.wire_count * scalar_bytes; }
  u64 quotient() const { return always() + domain() * (vectors_bytes + twiddle_bytes); }
  // Of so many points at most: digits, and what is read of the key.
  u64 h(std::size_t points) const {
    return std::min<u64>(points, domain()) * (key_bytes_per_row + digits_bytes);
  }
  u64 witness(std::size_t points) const {
    return std::min<u64>(points, key.wire_count) * (key_bytes_per_wire + digits_bytes);
  }
  u64 sums(std::size_t points) const {
    return always() + domain() * twiddle_bytes +
           std::max(domain() * scalar_bytes + h(points), witness(points));
  }
  u64 peak(std::size_t points) const { return std::max(quotient(), sums(points)); }
  // Without a budget: all sums at once.
  u64 whole() const {
    return std::max(quotient(), always() + domain() * twiddle_bytes + h(domain()) + witness(key.wire_count));
  }
};

}  // namespace

MemoryPlan plan_memory(const ProvingKey& key, int threads, std::uint64_t budget) {
  const Sizes sizes{key, threads};
  const std::size_t all = std::max<std::size_t>(key.wire_count, key.domain_size());
  MemoryPlan plan;
  plan.points = all;
  plan.peak = sizes.whole() + key.records.size();
  plan.least = sizes.peak(smallest_part);
  if (budget == 0 || plan.peak <= budget) return plan;
  plan.streams = true;
  for (plan.points = std::max(std::bit_floor(all), smallest_part);
       sizes.peak(plan.points) > budget && plan.points > smallest_part;)
    plan.points /= 2;
  plan.peak = sizes.peak(plan.points);
  return plan;
}

}  // namespace vouch::groth16
