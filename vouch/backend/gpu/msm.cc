// Multi-scalar multiplication on a device: signed digits, a counting sort by bucket, balanced bucket sums.
//
// Sums over the same scalars share one sort and one submission. No launch shape depends on the scalars: the
// device never waits for the host between scalars up and window sums down.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "vouch/backend/gpu/backend.h"

namespace vouch::gpu {
namespace {

// The parameter structs of vouch/kernels/msm.h.
struct DigitParams {
  u32 n, c, windows, keys;
};
struct ScanParams {
  u32 n, per_group;
};
struct SumParams {
  u32 items, len, keys, slots, final;
};
static_assert(sizeof(DigitParams) == 16 && sizeof(ScanParams) == 8 && sizeof(SumParams) == 20);

constexpr u32 scalar_bits = 254;
constexpr std::size_t largest_chunk = std::size_t(1)
                                      << 24;  // entry counts stay below 2^32 for every window width
constexpr u32 merge_len = 32;

u32 groups_for(std::size_t items, u32 size) {
  return static_cast<u32>((items + size - 1) / size);
}

// How a sum of n points is cut up.
struct Plan {
  u32 n, c, windows, keys;
  u32 len;    // entries summed by one work-item
  u32 items;  // work-items that sum entries
  u32 run;    // buckets reduced by one work-item

  explicit Plan(std::size_t count) : n(u32(count)) {
    // Additions: one per entry, and two per bucket in the reduction.
    double best = 1e300;
    for (u32 width = 2; width <= 16; width++) {
      const double w = std::floor(double(scalar_bits) / width) + 1;  // one bit of room for the last carry
      const double cost = w * (double(count) + 2.0 * double(u32(1) << (width - 1)));
      if (cost < best) best = cost, c = width, windows = u32(w);
    }
    keys = windows << (c - 1);
    len = u32(std::clamp<std::size_t>(entries() >> 16, 16, 256));
    items = groups_for(entries(), len);
    run = std::min(u32(1) << (c - 1), u32(32));
  }
  std::size_t entries() const { return std::size_t(n) * windows; }
};

// The scalars of one or more sums, their digits sorted by bucket.
class SortedDigits {
 public:
  SortedDigits(Device& device, const Plan& plan) : device_(device), plan_(plan) {}

  // Bytes of all buffers.
  static std::uint64_t bytes(const Plan& p) { return 32 * u64(p.n) + 8 * u64(p.keys) + 4 * u64(p.entries()); }

  Status upload(const u8* scalars) {
    VOUCH_TRY(scalars_, device_.allocate(std::size_t(32) * plan_.n));
    VOUCH_TRY(cursor_, device_.allocate(std::size_t(4) * plan_.keys));
    VOUCH_TRY(sums_, device_.allocate(std::size_t(4) * (groups_for(plan_.keys, scan_size) + 1)));
    VOUCH_TRY(start_, device_.allocate(std::size_t(4) * (plan_.keys + 1)));
    VOUCH_TRY(entries_, device_.allocate(4 * plan_.entries()));
    return device_.upload(scalars_, 0, {scalars, std::size_t(32) * plan_.n});
  }

  void record(Batch& batch) const {
    const DigitParams digits{plan_.n, plan_.c, plan_.windows, plan_.keys};
    const u32 blocks = groups_for(plan_.keys, scan_size);
    batch.launch("msm_zero", groups_for(plan_.keys, 256), 256, 0, {&cursor_}, ScanParams{plan_.keys, 0});
    batch.launch("msm_count", groups_for(plan_.n, 256), 256, 0, {&scalars_, &cursor_}, digits);
    batch.launch("msm_scan_groups", blocks, 256, 1024, {&cursor_, &sums_}, ScanParams{plan_.keys, scan_size});
    batch.launch("msm_scan_sums", 1, 1, 0, {&sums_}, ScanParams{blocks, 0});
    batch.launch("msm_scan_add", groups_for(plan_.keys + 1, 256), 256, 0, {&cursor_, &sums_, &start_},
                 ScanParams{plan_.keys, scan_size});
    batch.launch("msm_scatter", groups_for(plan_.n, 256), 256, 0, {&scalars_, &cursor_, &entries_}, digits);
  }

  const Buffer& start() const { return start_; }
  const Buffer& entries() const { return entries_; }
  Status clear() { return secrets_.clear(); }

 private:
  static constexpr u32 scan_size = 2048;

  Device& device_;
  const Plan& plan_;
  Buffer scalars_, cursor_, sums_, start_, entries_;
  SecretGuard secrets_{device_, {&scalars_, &cursor_, &sums_, &start_, &entries_}};
};

// One sum of points by sorted digits.
class PointSum {
 public:
  PointSum(Device& device, const Plan& plan, bool g2) : device_(device), plan_(plan), g2_(g2) {}

  static std::uint64_t bytes(const Plan& p, bool g2) {
    return (g2 ? 256 : 128) * (u64(p.keys) + 3 * u64(p.items)) + (g2 ? 128 : 64) * u64(p.n);
  }

  // points: a copy that the device may have already.
  Status prepare(const u8* points, ResidentTables& resident) {
    const std::size_t sum = point_bytes() * 2;
    VOUCH_TRY(points_, resident.get({points, point_bytes() * plan_.n}, own_points_));
    VOUCH_TRY(buckets_, device_.allocate(sum * plan_.keys));
    std::size_t slots = 2 * std::size_t(plan_.items);
    for (int i = 0; i < 2; i++) {  // level i writes partials i % 2
      VOUCH_TRY(partials_[i], device_.allocate(sum * slots));
      VOUCH_TRY(partial_keys_[i], device_.allocate(4 * slots));
      slots = 2 * std::size_t(groups_for(slots, merge_len));
    }
    VOUCH_TRY(reduced_[0], device_.allocate(sum * (plan_.keys / plan_.run)));
    VOUCH_TRY(reduced_[1], device_.allocate(sum * (plan_.keys / plan_.run)));
    return ok();
  }

  void record(Batch& batch, const SortedDigits& digits) {
    record_sums(batch, digits);
    record_reduction(batch);
  }

  // Windows weighted and added up, once the batch has run.
  template <class C>
  Result<typename C::Xyzz> download() {
    using Xyzz = typename C::Xyzz;
    std::vector<Xyzz> windows(plan_.windows);
    VOUCH_CHECK(device_.download({reinterpret_cast<u8*>(windows.data()), windows.size() * sizeof(Xyzz)},
                                 reduced_[last_], 0));
    VOUCH_CHECK(secrets_.clear());
    Xyzz total = Xyzz::infinity();
    for (std::size_t w = windows.size(); w-- > 0;) {
      for (u32 k = 0; k < plan_.c; k++) total = total.dbl();
      total += windows[w];
    }
    return total;
  }

 private:
  std::size_t point_bytes() const { return g2_ ? 128 : 64; }
  const char* name(const char* g1, const char* g2) const { return g2_ ? g2 : g1; }

  void record_sums(Batch& batch, const SortedDigits& digits) {
    const u32 words = u32(buckets_.size() / 4);
    batch.launch("msm_zero", groups_for(words, 256), 256, 0, {&buckets_}, ScanParams{words, 0});
    batch.launch(name("msm_g1_accumulate", "msm_g2_accumulate"), groups_for(plan_.items, 128), 128, 0,
                 {points_, &digits.entries(), &digits.start(), &buckets_, &partials_[0], &partial_keys_[0]},
                 SumParams{plan_.items, plan_.len, plan_.keys, 0, 0});
    u32 slots = 2 * plan_.items;
    for (int in = 0;; in ^= 1) {
      const u32 items = groups_for(slots, merge_len);
      const int out = in ^ 1;
      batch.launch(name("msm_g1_merge", "msm_g2_merge"), groups_for(items, 128), 128, 0,
                   {&partials_[in], &partial_keys_[in], &buckets_, &partials_[out], &partial_keys_[out]},
                   SumParams{items, merge_len, plan_.keys, slots, items == 1});
      if (items == 1) break;
      slots = 2 * items;
    }
  }

  void record_reduction(Batch& batch) {
    const u32 per_window = u32(1) << (plan_.c - 1);
    u32 items = plan_.keys / plan_.run;
    batch.launch(name("msm_g1_reduce", "msm_g2_reduce"), groups_for(items, 128), 128, 0,
                 {&buckets_, &reduced_[0]}, SumParams{items, plan_.run, plan_.keys, per_window, 0});
    last_ = 0;
    for (u32 each = per_window / plan_.run; each > 1; last_ ^= 1) {
      const u32 len = std::min(each, u32(16));
      items /= len;
      each /= len;
      batch.launch(name("msm_g1_fold", "msm_g2_fold"), groups_for(items, 128), 128, 0,
                   {&reduced_[last_], &reduced_[last_ ^ 1]}, SumParams{items, len, 0, 0, 0});
    }
  }

  Device& device_;
  const Plan& plan_;
  bool g2_;
  int last_ = 0;
  const Buffer* points_ = nullptr;
  Buffer own_points_, buckets_, partials_[2], partial_keys_[2], reduced_[2];
  SecretGuard secrets_{device_,
                       {&buckets_, &partials_[0], &partials_[1], &partial_keys_[0], &partial_keys_[1],
                        &reduced_[0], &reduced_[1]}};
};

// Sums over the same scalars: which of the set.
struct SharedScalars {
  const u8* scalars;
  std::size_t count;
  std::vector<std::size_t> g1, g2;

  std::uint64_t bytes(const Plan& plan) const {
    return SortedDigits::bytes(plan) + g1.size() * PointSum::bytes(plan, false) +
           g2.size() * PointSum::bytes(plan, true);
  }
};

std::vector<SharedScalars> group_jobs(const MsmSet& set) {
  std::vector<SharedScalars> groups;
  const auto group = [&](const MsmJob& job) -> SharedScalars& {
    for (SharedScalars& g : groups)
      if (g.scalars == job.scalars && g.count == job.count) return g;
    return groups.emplace_back(SharedScalars{job.scalars, job.count, {}, {}});
  };
  for (std::size_t i = 0; i < set.g1.size(); i++) group(set.g1[i]).g1.push_back(i);
  for (std::size_t i = 0; i < set.g2.size(); i++) group(set.g2[i]).g2.push_back(i);
  return groups;
}

// As many points at once as half of the device's memory has room for (the other half is for keys), and no
// buffer larger than it allows.
std::size_t chunk_of(const SharedScalars& group, const DeviceInfo& device) {
  std::size_t chunk = std::min(group.count, largest_chunk);
  const auto fits = [&](const Plan& plan) {
    const std::uint64_t largest =
        std::max({128 * u64(plan.n), 4 * u64(plan.entries()), 512 * u64(plan.items), 256 * u64(plan.keys)});
    return group.bytes(plan) <= device.memory / 2 && largest <= device.largest_buffer;
  };
  while (chunk > 4096 && !fits(Plan(chunk))) chunk = (chunk + 1) / 2;
  return chunk;
}

struct Totals {
  std::vector<Bn254G1::Xyzz> g1;
  std::vector<Bn254G2::Xyzz> g2;
};

// Adds the sums of points at .. at + plan.n.
Status add_chunk(Device& device, ResidentTables& resident, KernelTimes& times, const MsmSet& set,
                 const SharedScalars& group, std::size_t at, const Plan& plan, Totals& totals) {
  SortedDigits digits(device, plan);
  VOUCH_CHECK(digits.upload(group.scalars + at * 32));
  Batch batch;
  digits.record(batch);
  std::vector<std::unique_ptr<PointSum>> sums;
  const auto add = [&](const MsmJob& job, bool g2) -> Status {
    sums.push_back(std::make_unique<PointSum>(device, plan, g2));
    VOUCH_CHECK(sums.back()->prepare(job.points + at * (g2 ? 128 : 64), resident));
    sums.back()->record(batch, digits);
    return ok();
  };
  for (const std::size_t i : group.g1) VOUCH_CHECK(add(set.g1[i], false));
  for (const std::size_t i : group.g2) VOUCH_CHECK(add(set.g2[i], true));
  VOUCH_CHECK(times.run(device, batch));
  VOUCH_CHECK(digits.clear());
  std::size_t next = 0;
  for (const std::size_t i : group.g1) {
    VOUCH_TRY(const auto part, sums[next++]->download<Bn254G1>());
    totals.g1[i] += part;
  }
  for (const std::size_t i : group.g2) {
    VOUCH_TRY(const auto part, sums[next++]->download<Bn254G2>());
    totals.g2[i] += part;
  }
  return ok();
}

}  // namespace

Result<MsmSums> GpuBackend::sums(const MsmSet& set, Progress& progress) {
  KernelTimes times;
  Totals totals{{set.g1.size(), Bn254G1::Xyzz::infinity()}, {set.g2.size(), Bn254G2::Xyzz::infinity()}};
  for (const SharedScalars& group : group_jobs(set)) {
    const std::size_t chunk = chunk_of(group, device_->info());
    for (std::size_t at = 0; at < group.count; at += chunk) {
      const Plan plan(std::min(group.count - at, chunk));
      VOUCH_CHECK(add_chunk(*device_, resident_, times, set, group, at, plan, totals));
    }
  }
  times.report(progress);
  MsmSums sums;
  for (const auto& total : totals.g1) sums.g1.push_back(total.to_affine());
  for (const auto& total : totals.g2) sums.g2.push_back(total.to_affine());
  return sums;
}

Result<MsmSums> GpuBackend::do_msm(const MsmSet& set, Progress& progress) {
  const std::scoped_lock turn(turn_);
  return with_room([&] { return sums(set, progress); });
}

}  // namespace vouch::gpu
