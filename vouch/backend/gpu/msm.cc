// Multi-scalar multiplication on a device: signed digits, sorted within each set of buckets, balanced bucket
// sums.
//
// Sums over the same scalars share one sort and one submission. No launch shape depends on the scalars: the
// device never waits for the host between scalars up and sums of buckets down. How a sum is cut up:
// msm_plan.h.
#include <algorithm>
#include <cstring>

#include "vouch/backend/gpu/backend.h"
#include "vouch/backend/gpu/msm_plan.h"
#include "vouch/curve/complete.h"
#include "vouch/curve/glv.h"

namespace vouch::gpu {
namespace {

// The parameter structs of vouch/kernels/msm.h, msm_params.h and msmtables.h.
struct RecodeParams {
  u32 n;
  std::array<u32, 8> offset;
};
struct SplitParams {
  u32 n;
  std::array<u32, 4> offset;
  std::array<u32, 5> g1, g2;
  std::array<u32, 4> a1, b1, a2, b2;
};
struct DigitParams {
  u32 items, words, c, used, sets, per_set, n;
};
struct ScanParams {
  u32 n, per_group;
};
struct SortParams {
  u32 size, tiles, shift, bits, per_group;
};
struct AddParams {
  u32 items, len, entries, per_set, buckets, n;
};
struct SumParams {
  u32 items, len, slots, final;
};
struct ImageParams {
  u32 n;
  std::array<u32, 8> beta;
};
struct MultiplesParams {
  u32 n, first, count, tables, doublings;
};
static_assert(sizeof(RecodeParams) == 36 && sizeof(SplitParams) == 124 && sizeof(DigitParams) == 28);
static_assert(sizeof(ScanParams) == 8 && sizeof(SortParams) == 20 && sizeof(AddParams) == 24);
static_assert(sizeof(SumParams) == 16 && sizeof(ImageParams) == 36 && sizeof(MultiplesParams) == 20);

constexpr std::size_t largest_chunk = std::size_t(1) << 24;  // entries stay below 2^31 for every window width
constexpr u32 merge_len = 32;
constexpr std::size_t most_at_once = std::size_t(1) << 16;  // points whose multiples are made by one launch

u32 groups_for(std::size_t items, u32 size) {
  return static_cast<u32>((items + size - 1) / size);
}

template <std::size_t N, class Words>
std::array<u32, N> words_of(const Words& limbs) {
  std::array<u32, N> words;
  std::memcpy(words.data(), &limbs, sizeof words);
  return words;
}

SplitParams split_params(const MsmPlan& plan) {
  constexpr GlvLattice l = GlvG1::lattice;
  SplitParams p{};
  p.n = plan.n;
  std::copy_n(plan.offset().begin(), 4, p.offset.begin());
  p.g1 = words_of<5>(detail::reciprocal(l.b2)), p.g2 = words_of<5>(detail::reciprocal(l.b1));
  p.a1 = words_of<4>(l.a1), p.b1 = words_of<4>(l.b1), p.a2 = words_of<4>(l.a2), p.b2 = words_of<4>(l.b2);
  return p;
}

// The cube root of unity by which (beta x, y) is the multiple that glv_split means: on G2 it is the other
// one. So sums on either group share one list of digits; psi would need another lattice, and a list of its
// own.
std::array<u32, 8> beta_of(bool g2) {
  constexpr Bn254Fq beta = GlvG1::beta();
  return words_of<8>((g2 ? beta.square() : beta).montgomery());
}

// The scalars of one or more sums, their digits sorted by bucket.
class SortedDigits {
 public:
  SortedDigits(Device& device, const MsmPlan& plan) : device_(device), plan_(plan) {}

  // Bytes of all buffers.
  static std::uint64_t bytes(const MsmPlan& p) {
    return 64 * u64(p.n) + 16 * u64(p.entries()) + 4 * u64(p.counts(p.pass_bits(0)));
  }

  Status upload(const u8* scalars) {
    const std::size_t counts = plan_.counts(plan_.pass_bits(0));
    VOUCH_TRY(scalars_, device_.allocate(std::size_t(32) * plan_.n));
    VOUCH_TRY(recoded_, device_.allocate_for_kernels(std::size_t(32) * plan_.n));
    for (int i = 0; i < 2; i++) {  // a pass sorts from i to the other
      VOUCH_TRY(digits_[i], device_.allocate_for_kernels(4 * plan_.entries()));
      VOUCH_TRY(values_[i], device_.allocate_for_kernels(4 * plan_.entries()));
    }
    VOUCH_TRY(counts_, device_.allocate_for_kernels(4 * counts));
    VOUCH_TRY(sums_, device_.allocate_for_kernels(4 * std::size_t(groups_for(counts, plan_.scan_size))));
    VOUCH_TRY(total_, device_.allocate_for_kernels(4));
    return device_.upload(scalars_, 0, {scalars, std::size_t(32) * plan_.n});
  }

  void record(Batch& batch) {
    if (plan_.halves == 2)
      batch.launch("msm_split", groups_for(plan_.n, 256), 256, 0, {&scalars_, &recoded_},
                   split_params(plan_));
    else
      batch.launch("msm_recode", groups_for(plan_.n, 256), 256, 0, {&scalars_, &recoded_},
                   RecodeParams{plan_.n, plan_.offset()});
    const u32 items = plan_.n * plan_.halves;
    batch.launch(
        "msm_digits", groups_for(items, 256), 256, 0, {&recoded_, &digits_[0], &values_[0]},
        DigitParams{items, 8 / plan_.halves, plan_.c, plan_.used, plan_.sets, plan_.per_set, plan_.n});
    u32 shift = 0;
    for (u32 pass = 0; pass < plan_.passes(); pass++) {
      record_pass(batch, shift, plan_.pass_bits(pass));
      shift += plan_.pass_bits(pass);
    }
  }

  const Buffer& digits() const { return digits_[sorted_]; }
  const Buffer& values() const { return values_[sorted_]; }
  Status clear() { return secrets_.clear(); }

 private:
  void record_pass(Batch& batch, u32 shift, u32 bits) {
    constexpr u32 size = MsmPlan::sort_size, scan = MsmPlan::scan_size;
    const u32 groups = plan_.sets * plan_.tiles(), counts = u32(plan_.counts(bits)),
              blocks = groups_for(counts, scan);
    const u32 local = 4 * (size + 1) * std::max(u32(1), (u32(1) << bits) / 2);
    const SortParams sort{u32(plan_.per_set_entries()), plan_.tiles(), shift, bits, scan};
    batch.launch("msm_sort_count", groups, size, local, {&digits_[sorted_], &counts_}, sort);
    batch.launch("msm_scan", blocks, 256, 1024, {&counts_, &sums_}, ScanParams{counts, scan});
    batch.launch("msm_scan", 1, 256, 1024, {&sums_, &total_},
                 ScanParams{blocks, 256 * groups_for(blocks, 256)});
    batch.launch("msm_sort_place", groups, size, local,
                 {&digits_[sorted_], &values_[sorted_], &counts_, &sums_, &digits_[sorted_ ^ 1],
                  &values_[sorted_ ^ 1]},
                 sort);
    sorted_ ^= 1;
  }

  Device& device_;
  const MsmPlan& plan_;
  int sorted_ = 0;
  Buffer scalars_, recoded_, digits_[2], values_[2], counts_, sums_, total_;
  SecretGuard secrets_{
      device_,
      {&scalars_, &recoded_, &digits_[0], &digits_[1], &values_[0], &values_[1], &counts_, &sums_, &total_}};
};

// Making multiples takes this of each point of a launch. Launches are so small that it is a sixteenth of the
// device's memory.
std::uint64_t scratch_bytes(const MsmPlan& plan, bool g2) {
  return u64(plan.per_set - 1) * (g2 ? 192 : 96);
}
std::size_t points_at_once(const DeviceInfo& device, const MsmPlan& plan, bool g2) {
  const std::uint64_t room = std::min(device.memory / 16, device.largest_buffer) / scratch_bytes(plan, g2);
  return std::clamp<std::size_t>(room, 1, std::min<std::size_t>(plan.n, most_at_once));
}

// What a plan wants beside the points themselves: their multiples, or their images (msm_tables.inc.h).
Result<Buffer> make_tables(Device& device, const MsmPlan& plan, bool g2, const Buffer& points) {
  const std::size_t n = plan.n, point = g2 ? 128 : 64;
  VOUCH_TRY(Buffer tables, device.allocate_for_kernels((plan.tables() - 1) * n * point));
  Batch batch;
  Buffer scratch;
  if (plan.per_set > 1) {
    const std::size_t at_once = points_at_once(device.info(), plan, g2);
    VOUCH_TRY(scratch, device.allocate_for_kernels(at_once * scratch_bytes(plan, g2)));
    for (std::size_t first = 0; first < n; first += at_once) {
      const u32 count = u32(std::min(n - first, at_once));
      batch.launch(g2 ? "msmt_g2_multiples" : "msmt_g1_multiples", groups_for(count, 64), 64, 0,
                   {&points, &tables, &scratch},
                   MultiplesParams{u32(n), u32(first), count, plan.per_set, plan.c * plan.sets});
    }
  }
  if (plan.halves == 2)
    batch.launch(g2 ? "msmt_g2_images" : "msmt_g1_images", groups_for(n, 256), 256, 0, {&points, &tables},
                 ImageParams{u32(n), beta_of(g2)});
  VOUCH_CHECK(device.run(batch));
  return tables;
}

// Names what make_tables gives among what is made of the same points.
int tables_kind(const MsmPlan& plan) {
  return 1024 + int(plan.tables() * 2048 + plan.c * plan.sets * 2 + plan.halves - 1);
}

// One sum of points by sorted digits.
class PointSum {
 public:
  PointSum(Device& device, const MsmPlan& plan, bool g2) : device_(device), plan_(plan), g2_(g2) {}
  PointSum(const PointSum&) = delete;
  PointSum& operator=(const PointSum&) = delete;
  ~PointSum() { wipe(std::span(answer_)); }

  static std::uint64_t bytes(const MsmPlan& p, bool g2) {
    return p.sum_bytes(g2) * (u64(p.keys) + 1 + 3 * u64(p.items) + 2 * u64(p.keys / p.run)) +
           (g2 ? 128 : 64) * u64(p.n) * p.tables();
  }

  // points: a copy that the device may have already.
  Status prepare(const u8* points, ResidentTables& resident) {
    const std::size_t sum = plan_.sum_bytes(g2_);
    const Bytes source{points, point_bytes() * plan_.n};
    VOUCH_TRY(points_, resident.get(source, own_points_));
    tables_ = points_;
    if (plan_.tables() > 1) {
      VOUCH_TRY(tables_, resident.get(source, tables_kind(plan_), own_tables_,
                                      [&] { return make_tables(device_, plan_, g2_, *points_); }));
    }
    VOUCH_TRY(buckets_, device_.allocate_for_kernels(sum * (plan_.keys + 1)));
    std::size_t slots = 2 * std::size_t(plan_.items);
    for (int i = 0; i < 2; i++) {  // level i writes partials i % 2
      VOUCH_TRY(partials_[i], device_.allocate_for_kernels(sum * slots));
      VOUCH_TRY(partial_keys_[i], device_.allocate_for_kernels(4 * slots));
      slots = 2 * std::size_t(groups_for(slots, merge_len));
    }
    VOUCH_TRY(reduced_[0], device_.allocate(sum * (plan_.keys / plan_.run)));
    VOUCH_TRY(reduced_[1], device_.allocate(sum * (plan_.keys / plan_.run)));
    return ok();
  }

  void record(Batch& batch, const SortedDigits& digits) {
    record_sums(batch, digits);
    record_reduction(batch);
    answer_.resize(plan_.sets * plan_.sum_bytes(g2_));
    batch.read(answer_, reduced_[last_], 0);
  }

  // The sets weighted and added up, once the batch has run.
  template <class Sum>
  Result<Sum> total() {
    VOUCH_CHECK(secrets_.clear());
    std::vector<Sum> sets(plan_.sets);
    std::memcpy(sets.data(), answer_.data(), sets.size() * sizeof(Sum));
    Sum total = Sum::infinity();
    for (std::size_t s = sets.size(); s-- > 0;) {
      for (u32 k = 0; k < plan_.c; k++) total = total.dbl();
      total += sets[s];
    }
    wipe(std::span(sets));
    return total;
  }

 private:
  std::size_t point_bytes() const { return g2_ ? 128 : 64; }
  enum Kernel { accumulate, merge, reduce, fold };
  const char* name(Kernel kernel) const {
    static constexpr const char* names[2][2][4] = {
        {{"msm_g1_accumulate", "msm_g1_merge", "msm_g1_reduce", "msm_g1_fold"},
         {"msm_g2_accumulate", "msm_g2_merge", "msm_g2_reduce", "msm_g2_fold"}},
        {{"msmc_g1_accumulate", "msmc_g1_merge", "msmc_g1_reduce", "msmc_g1_fold"},
         {"msmc_g2_accumulate", "msmc_g2_merge", "msmc_g2_reduce", "msmc_g2_fold"}}};
    return names[plan_.constant][g2_][kernel];
  }

  void record_sums(Batch& batch, const SortedDigits& digits) {
    const u32 words = u32(buckets_.size() / 4);
    batch.launch("msm_zero", groups_for(words, 256), 256, 0, {&buckets_}, ScanParams{words, 0});
    batch.launch(
        name(accumulate), groups_for(plan_.items, 128), 128, 0,
        {points_, tables_, &digits.digits(), &digits.values(), &buckets_, &partials_[0], &partial_keys_[0]},
        AddParams{plan_.items, plan_.len, u32(plan_.entries()), u32(plan_.per_set_entries()), plan_.buckets(),
                  plan_.n});
    u32 slots = 2 * plan_.items;
    for (int in = 0;; in ^= 1) {
      const u32 items = groups_for(slots, merge_len);
      const int out = in ^ 1;
      batch.launch(name(merge), groups_for(items, 128), 128, 0,
                   {&partials_[in], &partial_keys_[in], &buckets_, &partials_[out], &partial_keys_[out]},
                   SumParams{items, merge_len, slots, items == 1});
      if (items == 1) break;
      slots = 2 * items;
    }
  }

  void record_reduction(Batch& batch) {
    u32 items = plan_.keys / plan_.run;
    batch.launch(name(reduce), groups_for(items, 128), 128, 0, {&buckets_, &reduced_[0]},
                 SumParams{items, plan_.run, plan_.buckets(), 0});
    last_ = 0;
    for (u32 each = plan_.buckets() / plan_.run; each > 1; last_ ^= 1) {
      const u32 len = std::min(each, u32(16));
      items /= len;
      each /= len;
      batch.launch(name(fold), groups_for(items, 128), 128, 0, {&reduced_[last_], &reduced_[last_ ^ 1]},
                   SumParams{items, len, 0, 0});
    }
  }

  Device& device_;
  const MsmPlan& plan_;
  bool g2_;
  int last_ = 0;
  std::vector<u8> answer_;  // the sets, when the batch has run
  const Buffer *points_ = nullptr, *tables_ = nullptr;
  Buffer own_points_, own_tables_, buckets_, partials_[2], partial_keys_[2], reduced_[2];
  SecretGuard secrets_{device_,
                       {&buckets_, &partials_[0], &partials_[1], &partial_keys_[0], &partial_keys_[1],
                        &reduced_[0], &reduced_[1]}};
};

// Sums over the same scalars: which of the set.
struct SharedScalars {
  const u8* scalars;
  std::size_t count;
  std::vector<std::size_t> g1, g2;

  std::uint64_t bytes(const MsmPlan& plan) const {
    return SortedDigits::bytes(plan) + g1.size() * PointSum::bytes(plan, false) +
           g2.size() * PointSum::bytes(plan, true);
  }
  std::uint64_t table_bytes(const MsmPlan& plan) const {
    return (64 * g1.size() + 128 * g2.size()) * u64(plan.n) * plan.tables();
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

MsmShape shape_of(const SharedScalars& group, std::size_t count, bool constant) {
  return {.count = count, .g1 = group.g1.size(), .g2 = group.g2.size(), .constant = constant};
}

// As many points at once as half of the device's memory has room for (the other half is for keys), and no
// buffer larger than it allows.
std::size_t chunk_of(const SharedScalars& group, const DeviceInfo& device, bool constant) {
  std::size_t chunk = std::min(group.count, largest_chunk);
  const auto fits = [&](const MsmPlan& plan) {
    const u64 sum = plan.sum_bytes(true);
    const std::uint64_t largest = std::max(
        {128 * u64(plan.n), 4 * u64(plan.entries()), 2 * sum * u64(plan.items), sum * (u64(plan.keys) + 1)});
    return group.bytes(plan) <= device.memory / 2 && largest <= device.largest_buffer;
  };
  while (chunk > 4096 && !fits(plan_msm(shape_of(group, chunk, constant)))) chunk = (chunk + 1) / 2;
  return chunk;
}

// The plan of a part, with tables of multiples only if all that it wants stays on the device: made anew each
// time they would cost more than a dozen sums.
MsmPlan plan_part(const ResidentTables& resident, const DeviceInfo& device, const MsmSet& set,
                  const SharedScalars& group, std::size_t at, MsmShape shape) {
  const MsmPlan plain = plan_msm(shape);
  const std::uint64_t most = resident.times_held();
  if (most < 2) return plain;
  shape.most_tables = u32(std::min<std::uint64_t>(most, 256));
  const MsmPlan plan = plan_msm(shape);
  std::uint64_t missing = 0;
  bool good = plan.entries() < std::size_t(1) << 30 &&
              group.bytes(plan) - group.table_bytes(plan) + device.memory / 16 <= device.memory / 2;
  const auto look = [&](const MsmJob& job, std::size_t point) {
    const Bytes source{job.points + at * point, point * plan.n};
    const std::uint64_t tables = (plan.tables() - 1) * source.size();
    missing +=
        resident.missing(source, 0, source.size()) + resident.missing(source, tables_kind(plan), tables);
    good = good && resident.holds(source) && tables <= device.largest_buffer;
  };
  for (const std::size_t i : group.g1) look(set.g1[i], 64);
  for (const std::size_t i : group.g2) look(set.g2[i], 128);
  return good && resident.has_room(missing) ? plan : plain;
}

template <class Sum1, class Sum2>
struct Totals {
  std::vector<Sum1> g1;
  std::vector<Sum2> g2;
};

// Adds the sums of points at .. at + plan.n.
template <class Sum1, class Sum2>
Status add_chunk(Device& device, ResidentTables& resident, KernelTimes& times, const MsmSet& set,
                 const SharedScalars& group, std::size_t at, const MsmPlan& plan,
                 Totals<Sum1, Sum2>& totals) {
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
    VOUCH_TRY(const auto part, sums[next++]->template total<Sum1>());
    totals.g1[i] += part;
  }
  for (const std::size_t i : group.g2) {
    VOUCH_TRY(const auto part, sums[next++]->template total<Sum2>());
    totals.g2[i] += part;
  }
  return ok();
}

}  // namespace

// Sum1 and Sum2: the points that the plan's kernels leave.
template <class Sum1, class Sum2>
Result<MsmSums> GpuBackend::sums_as(const MsmSet& set, Progress& progress) {
  KernelTimes times;
  Totals<Sum1, Sum2> totals{{set.g1.size(), Sum1::infinity()}, {set.g2.size(), Sum2::infinity()}};
  for (const SharedScalars& group : group_jobs(set)) {
    const std::size_t chunk = chunk_of(group, device_->info(), constant_work_);
    for (std::size_t at = 0; at < group.count; at += chunk) {
      const MsmShape shape = shape_of(group, std::min(group.count - at, chunk), constant_work_);
      const MsmPlan plan =
          tables_ ? plan_part(resident_, device_->info(), set, group, at, shape) : plan_msm(shape);
      VOUCH_CHECK(add_chunk(*device_, resident_, times, set, group, at, plan, totals));
    }
  }
  times.report(progress);
  MsmSums sums;
  for (const auto& total : totals.g1) sums.g1.push_back(total.to_affine());
  for (const auto& total : totals.g2) sums.g2.push_back(total.to_affine());
  return sums;
}

Result<MsmSums> GpuBackend::sums(const MsmSet& set, Progress& progress) {
  if (constant_work_) return sums_as<CompletePoint<Bn254G1>, CompletePoint<Bn254G2>>(set, progress);
  return sums_as<Bn254G1::Xyzz, Bn254G2::Xyzz>(set, progress);
}

Result<MsmSums> GpuBackend::do_msm(const MsmSet& set, Progress& progress) {
  const std::scoped_lock turn(turn_);
  return with_room([&] { return sums(set, progress); });
}

}  // namespace vouch::gpu
