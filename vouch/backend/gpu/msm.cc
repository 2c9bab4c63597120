// Multi-scalar multiplication on a device: signed digits, a counting sort by bucket, balanced bucket sums.
//
// No launch shape depends on the scalars: the device never waits for the host between scalars up and window
// sums down.
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
    const std::size_t entries = std::size_t(n) * windows;
    len = u32(std::clamp<std::size_t>(entries >> 16, 16, 256));
    items = groups_for(entries, len);
    run = std::min(u32(1) << (c - 1), u32(32));
  }
};

// The buffers and the recording of one sum. Group: "msm_g1" or "msm_g2"; words: of a coordinate.
class MsmRun {
 public:
  MsmRun(Device& device, const Plan& plan, bool g2) : device_(device), plan_(plan), g2_(g2) {}

  Status allocate() {
    const std::size_t sum = point_bytes() * 2, entries = std::size_t(plan_.n) * plan_.windows;
    VOUCH_TRY(points_, device_.allocate(point_bytes() * plan_.n));
    VOUCH_TRY(scalars_, device_.allocate(std::size_t(32) * plan_.n));
    VOUCH_TRY(cursor_, device_.allocate(std::size_t(4) * plan_.keys));
    VOUCH_TRY(sums_, device_.allocate(std::size_t(4) * (groups_for(plan_.keys, scan_size) + 1)));
    VOUCH_TRY(start_, device_.allocate(std::size_t(4) * (plan_.keys + 1)));
    VOUCH_TRY(entries_, device_.allocate(4 * entries));
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

  Status upload(const u8* points, const u8* scalars) {
    VOUCH_CHECK(device_.upload(points_, 0, {points, point_bytes() * plan_.n}));
    return device_.upload(scalars_, 0, {scalars, std::size_t(32) * plan_.n});
  }

  void record(Batch& batch) {
    record_sort(batch);
    record_sums(batch);
    record_reduction(batch);
  }

  // The sum of each window, lowest first, and then nothing of the witness is left on the device.
  template <class C>
  Result<typename C::Xyzz> finish() {
    using Xyzz = typename C::Xyzz;
    static_assert(sizeof(Xyzz) % sizeof(typename C::Affine) == 0);
    std::vector<Xyzz> windows(plan_.windows);
    VOUCH_CHECK(device_.download({reinterpret_cast<u8*>(windows.data()), windows.size() * sizeof(Xyzz)},
                                 reduced_[last_], 0));
    for (const Buffer* secret : {&scalars_, &cursor_, &start_, &entries_, &buckets_, &partials_[0],
                                 &partials_[1], &reduced_[0], &reduced_[1]})
      VOUCH_CHECK(device_.clear(*secret));
    Xyzz total = Xyzz::infinity();
    for (std::size_t w = windows.size(); w-- > 0;) {
      for (u32 k = 0; k < plan_.c; k++) total = total.dbl();
      total += windows[w];
    }
    return total;
  }

 private:
  static constexpr u32 scan_size = 2048;
  std::size_t point_bytes() const { return g2_ ? 128 : 64; }
  const char* name(const char* g1, const char* g2) const { return g2_ ? g2 : g1; }

  void record_sort(Batch& batch) {
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

  void record_sums(Batch& batch) {
    const u32 words = u32(buckets_.size() / 4);
    batch.launch("msm_zero", groups_for(words, 256), 256, 0, {&buckets_}, ScanParams{words, 0});
    batch.launch(name("msm_g1_accumulate", "msm_g2_accumulate"), groups_for(plan_.items, 128), 128, 0,
                 {&points_, &entries_, &start_, &buckets_, &partials_[0], &partial_keys_[0]},
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
  Plan plan_;
  bool g2_;
  int last_ = 0;
  Buffer points_, scalars_, cursor_, sums_, start_, entries_, buckets_, partials_[2], partial_keys_[2],
      reduced_[2];
};

template <class C>
Result<typename C::Affine> sum_on_device(Device& device, const MsmJob& job, bool g2) {
  using Xyzz = typename C::Xyzz;
  Xyzz total = Xyzz::infinity();
  for (std::size_t at = 0; at < job.count; at += largest_chunk) {
    const Plan plan(std::min(job.count - at, largest_chunk));
    MsmRun run(device, plan, g2);
    VOUCH_CHECK(run.allocate());
    VOUCH_CHECK(run.upload(job.points + at * sizeof(typename C::Affine), job.scalars + at * 32));
    Batch batch;
    run.record(batch);
    VOUCH_CHECK(device.run(batch));
    VOUCH_TRY(const Xyzz part, run.finish<C>());
    total += part;
  }
  return total.to_affine();
}

}  // namespace

Result<MsmSums> GpuBackend::do_msm(const MsmSet& set, Progress& progress) {
  const std::scoped_lock turn(turn_);
  const Stopwatch watch;
  MsmSums sums;
  for (const MsmJob& job : set.g1) {
    VOUCH_TRY(auto sum, sum_on_device<Bn254G1>(*device_, job, false));
    sums.g1.push_back(sum);
  }
  for (const MsmJob& job : set.g2) {
    VOUCH_TRY(auto sum, sum_on_device<Bn254G2>(*device_, job, true));
    sums.g2.push_back(sum);
  }
  progress.timing("msm", watch.seconds());
  return sums;
}

}  // namespace vouch::gpu
