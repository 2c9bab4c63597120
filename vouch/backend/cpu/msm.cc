#include "vouch/backend/cpu/msm.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>

#include "vouch/backend/cpu/msm_ifma.h"
#include "vouch/backend/cpu/msm_kernel.h"
#include "vouch/field/arith_adx.h"

namespace vouch {
namespace {

constexpr std::size_t max_chunk = std::size_t(1) << 20;     // entries sorted for one task
constexpr std::size_t segment_size = std::size_t(1) << 12;  // entries whose points stay in the cache together
static_assert(segment_size <= std::size_t(1) << MsmSegment::log_size);

// One sum of the set, and its scalars as a part of a vector's.
template <class C>
struct Job {
  MsmJob input;
  std::size_t vector = 0, skip = 0;  // scalar skip of the vector is this job's scalar 0
  std::vector<u64> at_infinity;      // empty if no point is
  std::vector<typename C::Xyzz> window_sums;
};

// Distinct scalars. A job whose scalars are a part of another's (the private wires of the witness, say) uses
// its vector.
struct ScalarVector {
  const u8* scalars;
  std::size_t count;
  std::size_t g1_jobs = 0, g2_jobs = 0;
  std::unique_ptr<MsmDigits> digits;
};

// Where `part` begins in `whole`, in scalars, or -1 if it is no part of it.
std::ptrdiff_t position_in(const ScalarVector& whole, const MsmJob& part) {
  const auto begin = reinterpret_cast<std::uintptr_t>(whole.scalars);
  const auto at = reinterpret_cast<std::uintptr_t>(part.scalars);
  if (at < begin || (at - begin) % 32 != 0) return -1;
  const std::size_t skip = (at - begin) / 32;
  if (skip > whole.count || part.count > whole.count - skip) return -1;
  return std::ptrdiff_t(skip);
}

// One bit per point, set at infinity; empty if none is.
std::vector<u64> find_infinity(const MsmJob& job, std::size_t point_bytes) {
  std::vector<u64> bits((job.count + 63) / 64);
  std::atomic<bool> any = false;
  parallel_for(bits.size(), 64, [&](std::size_t begin, std::size_t end) {
    u64 seen = 0;
    for (std::size_t word = begin; word < end; word++) {
      u64 mask = 0;
      const std::size_t last = std::min<std::size_t>(job.count, 64 * word + 64);
      for (std::size_t i = 64 * word; i < last; i++) {
        const u8* p = job.points + i * point_bytes;
        if (load_le<u64>(p) | load_le<u64>(p + 8)) continue;  // true of almost every finite point
        u64 bytes = 0;
        for (std::size_t j = 0; j < point_bytes; j += 8) bytes |= load_le<u64>(p + j);
        mask |= u64(bytes == 0) << (i % 64);
      }
      bits[word] = mask;
      seen |= mask;
    }
    if (seen) any.store(true, std::memory_order_relaxed);
  });
  if (!any.load()) bits.clear();
  return bits;
}

// Objects that are handed to one thread at a time and kept for the next.
template <class T>
class Pool {
 public:
  std::unique_ptr<T> take() {
    {
      const std::scoped_lock lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<T> t = std::move(free_.back());
        free_.pop_back();
        return t;
      }
    }
    return std::make_unique<T>();
  }
  void give(std::unique_ptr<T> t) {
    const std::scoped_lock lock(mutex_);
    free_.push_back(std::move(t));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
};

// E1 and E2: the forms of arithmetic on G1 and G2 (MsmKernel).
template <class E1, class E2>
class Run {
 public:
  Run(const MsmSet& set, const Threads& threads, const MsmCost& cost, Progress& progress)
      : threads_(threads.count()), cost_(cost), progress_(progress) {
    std::vector<std::pair<std::size_t, std::size_t>> by_size;  // count, which
    const std::size_t n1 = set.g1.size(), n2 = set.g2.size();
    for (std::size_t i = 0; i < n1 + n2; i++)
      by_size.push_back({(i < n1 ? set.g1[i] : set.g2[i - n1]).count, i});
    std::sort(by_size.begin(), by_size.end(), std::greater<>());
    g1_.resize(n1);
    g2_.resize(n2);
    for (const auto& [count, i] : by_size)
      i < n1 ? attach(g1_[i], set.g1[i], vectors_) : attach(g2_[i - n1], set.g2[i - n1], vectors_);
  }

  MsmSums sums() {
    prepare();
    std::atomic<std::size_t> next = 0;
    parallel_for(std::size_t(threads_), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t lane = begin; lane < end; lane++) {
        std::vector<u32> keys;
        for (std::size_t t; (t = next.fetch_add(1)) < tasks_.size();) run_task(tasks_[t], keys);
        wipe(std::span(keys));
      }
    });
    MsmSums sums;
    for (auto& job : g1_) sums.g1.push_back(combine<Bn254G1>(job));
    for (auto& job : g2_) sums.g2.push_back(combine<Bn254G2>(job));
    return sums;
  }

 private:
  using C1 = typename E1::Curve;
  using C2 = typename E2::Curve;
  struct Task {  // entries of one window
    std::size_t vector;
    bool shorts;
    int window;
    std::size_t begin, end;
    double cost;
  };
  struct Range {  // segments for one job
    bool g2;
    std::size_t job, begin, end;
  };

  template <class C>
  void attach(Job<C>& job, const MsmJob& input, std::vector<ScalarVector>& vectors) {
    job.input = input;
    if (input.count == 0) return;
    std::size_t v = 0;
    while (v < vectors.size() && position_in(vectors[v], input) < 0) v++;
    if (v == vectors.size()) vectors.push_back({input.scalars, input.count, 0, 0, nullptr});
    job.vector = v;
    job.skip = std::size_t(position_in(vectors[v], input));
    (std::is_same_v<C, C1> ? vectors[v].g1_jobs : vectors[v].g2_jobs)++;
    job.at_infinity = find_infinity(input, sizeof(typename C::Affine));
  }

  void prepare() {
    for (std::size_t v = 0; v < vectors_.size(); v++) {
      ScalarVector& vector = vectors_[v];
      const BitLengths lengths = count_bit_lengths(vector.scalars, vector.count);
      const int c = choose_window_bits(lengths, vector.g1_jobs, vector.g2_jobs, cost_);
      vector.digits = std::make_unique<MsmDigits>(vector.scalars, vector.count, c);
      add_tasks(v, true, 0, vector.digits->shorts());
      for (int w = 0; w < vector.digits->windows(); w++) add_tasks(v, false, w, vector.digits->longs());
    }
    // The largest first: what is left for the end is small.
    std::sort(tasks_.begin(), tasks_.end(), [](const Task& a, const Task& b) { return a.cost > b.cost; });
    for (auto& job : g1_)
      job.window_sums.resize(job.input.count ? vectors_[job.vector].digits->windows() : 0);
    for (auto& job : g2_)
      job.window_sums.resize(job.input.count ? vectors_[job.vector].digits->windows() : 0);
  }

  void add_tasks(std::size_t v, bool shorts, int window, std::size_t entries) {
    const ScalarVector& vector = vectors_[v];
    const double jobs = double(vector.g1_jobs) + cost_.g2 * double(vector.g2_jobs);
    for (std::size_t begin = 0; begin < entries; begin += max_chunk) {
      const std::size_t end = std::min(entries, begin + max_chunk);
      const double buckets = std::min(double(end - begin), double(vector.digits->buckets()));
      tasks_.push_back({v, shorts, window, begin, end, jobs * (double(end - begin) + 2 * buckets)});
      total_ += tasks_.back().cost;
    }
  }

  // Sorts the entries, then sums them for every job that uses these scalars.
  void run_task(const Task& task, std::vector<u32>& keys) {
    const MsmDigits& digits = *vectors_[task.vector].digits;
    const std::size_t entries = task.end - task.begin;
    keys.resize(std::max(keys.size(), entries));
    std::vector<MsmSegment> segments((entries + segment_size - 1) / segment_size);
    parallel_for(segments.size(), 4, [&](std::size_t first, std::size_t last) {
      std::vector<u32> spare(segment_size);
      for (std::size_t i = first; i < last; i++) {
        const std::size_t begin = task.begin + i * segment_size,
                          end = std::min(task.end, begin + segment_size);
        u32* const to = keys.data() + i * segment_size;
        segments[i] = task.shorts ? digits.sort_shorts(begin, end, to, spare.data())
                                  : digits.sort_longs(task.window, begin, end, to, spare.data());
      }
      wipe(std::span(spare));
    });
    const std::vector<Range> ranges = cut(task, segments.size());
    parallel_for(ranges.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; i++) {
        const std::span<const MsmSegment> part(&segments[ranges[i].begin], ranges[i].end - ranges[i].begin);
        if (ranges[i].g2)
          run_range(g2_[ranges[i].job], kernels2_, part, task);
        else
          run_range(g1_[ranges[i].job], kernels1_, part, task);
      }
    });
    const std::scoped_lock lock(mutex_);
    done_ += task.cost;
    progress_.advance(done_, total_);
  }

  // Enough ranges that every thread has many, none so small that its weighted sum shows.
  std::vector<Range> cut(const Task& task, std::size_t segments) const {
    const std::size_t most =
        std::max<std::size_t>(1, segments * segment_size / vectors_[task.vector].digits->buckets() / 4);
    const std::size_t n = std::clamp<std::size_t>(std::size_t(task.cost / total_ * 16 * threads_), 1, most);
    std::vector<Range> ranges;
    const auto add = [&](bool g2, std::size_t job) {
      for (std::size_t i = 0; i < n; i++)
        ranges.push_back({g2, job, segments * i / n, segments * (i + 1) / n});
    };
    for (std::size_t j = 0; j < g2_.size(); j++)
      if (g2_[j].input.count && g2_[j].vector == task.vector) add(true, j);
    for (std::size_t j = 0; j < g1_.size(); j++)
      if (g1_[j].input.count && g1_[j].vector == task.vector) add(false, j);
    return ranges;
  }

  template <class C, class E>
  void run_range(Job<C>& job, Pool<MsmKernel<E>>& kernels, std::span<const MsmSegment> segments,
                 const Task& task) {
    MsmPoints points;
    points.points = job.input.points;
    points.count = job.input.count;
    points.skip = job.skip;
    points.partial = job.skip != 0 || job.input.count != vectors_[job.vector].count;
    points.at_infinity = job.at_infinity.empty() ? nullptr : job.at_infinity.data();
    auto kernel = kernels.take();
    const typename C::Xyzz sum = kernel->sum(points, segments, vectors_[job.vector].digits->buckets());
    kernels.give(std::move(kernel));
    const std::scoped_lock lock(mutex_);
    job.window_sums[task.window] += sum;
  }

  // The sum of 2^(c w) window_sums[w].
  template <class Out, class C>
  typename Out::Affine combine(const Job<C>& job) const {
    auto sum = C::Xyzz::infinity();
    for (std::size_t w = job.window_sums.size(); w-- > 0;) {
      for (int i = 0; i < vectors_[job.vector].digits->window_bits(); i++) sum = sum.dbl();
      sum += job.window_sums[w];
    }
    return std::bit_cast<typename Out::Affine>(sum.to_affine());
  }

  int threads_;
  MsmCost cost_;
  Progress& progress_;
  std::vector<Job<C1>> g1_;
  std::vector<Job<C2>> g2_;
  std::vector<ScalarVector> vectors_;
  std::vector<Task> tasks_;
  Pool<MsmKernel<E1>> kernels1_;
  Pool<MsmKernel<E2>> kernels2_;
  std::mutex mutex_;  // of window_sums, done_ and progress_
  double done_ = 0, total_ = 0;
};

template <class E1, class E2>
MsmSums run(const MsmSet& set, const Threads& threads, Instructions form, Progress& progress) {
  return Run<E1, E2>(set, threads, msm_cost(form), progress).sums();
}

}  // namespace

MsmCost msm_cost(Instructions form) {
  MsmCost cost;
  if (form == Instructions::avx512_ifma) cost = {.g2 = 2.2, .sort = 0.1, .window = 1800, .large = 1.25};
  return cost;
}

double estimate_msm(const BitLengths& lengths, std::size_t g1_jobs, std::size_t g2_jobs, int window_bits,
                    const MsmCost& cost) {
  const int c = window_bits;
  double digits = 0, longs = 0, count = 0;
  for (int bits = 1; bits < int(lengths.size()); bits++) {
    digits += double(lengths[bits]) * (bits < c ? 1 : bits / c + 1);
    count += double(lengths[bits]);
    if (bits >= c) longs += double(lengths[bits]);
  }
  const double windows = longs > 0 ? MsmDigits::windows_for(c) : 1;
  const double chunks = std::ceil(count / double(max_chunk));
  const double buckets = double(std::size_t(1) << (c - 1));
  const double per_job = digits + windows * chunks * (2 * std::min(buckets, count) + cost.window);
  const auto slow = [&](double bytes) { return buckets * bytes > 1.2e6 ? cost.large : 1.0; };
  return cost.sort * digits + per_job * (double(g1_jobs) * slow(64) + cost.g2 * double(g2_jobs) * slow(128));
}

int choose_window_bits(const BitLengths& lengths, std::size_t g1_jobs, std::size_t g2_jobs,
                       const MsmCost& cost) {
  int best = 2;
  double best_cost = 0;
  for (int c = 2; c <= MsmDigits::max_window_bits; c++) {
    const double estimate = estimate_msm(lengths, g1_jobs, g2_jobs, c, cost);
    if (c == 2 || estimate < best_cost) best = c, best_cost = estimate;
  }
  return best;
}

Result<MsmSums> cpu_msm(const MsmSet& set, const Threads& threads, Instructions form, Progress& progress) {
  for (const auto* jobs : {&set.g1, &set.g2})
    for (const MsmJob& job : *jobs)
      if (job.count >= MsmDigits::negative)
        return Error{Code::unsupported,
                     "a sum over " + std::to_string(job.count) + " points: at most 2^31 - 1"};
#ifdef VOUCH_HAS_IFMA
  if (form == Instructions::avx512_ifma) return run<IfmaG1, IfmaG2>(set, threads, form, progress);
#endif
#ifdef VOUCH_HAS_ADX
  if (form != Instructions::portable)
    return run<ScalarForm<Bn254G1With<AdxArith>>, ScalarForm<Bn254G2With<AdxArith>>>(set, threads, form,
                                                                                     progress);
#endif
  return run<ScalarForm<Bn254G1>, ScalarForm<Bn254G2>>(set, threads, form, progress);
}

}  // namespace vouch
