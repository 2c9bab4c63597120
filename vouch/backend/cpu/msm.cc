#include "vouch/backend/cpu/msm.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <functional>
#include <memory>
#include <mutex>
#include <tuple>

#include "vouch/backend/cpu/msm_fma.h"
#include "vouch/backend/cpu/msm_ifma.h"
#include "vouch/backend/cpu/msm_kernel.h"
#include "vouch/backend/cpu/msm_place.h"
#include "vouch/backend/cpu/msm_sorted.h"
#include "vouch/field/arith_adx.h"

namespace vouch {
namespace {

constexpr std::size_t max_chunk = std::size_t(1) << 20;  // entries sorted for one task
// Short windows are taken together, so that steps are full: up to so many entries.
constexpr std::size_t joint_entries = std::size_t(1) << 16;
// With tables of multiples: buckets of one task, whose sums stay in the second-level cache.
constexpr std::size_t most_buckets = std::size_t(1) << 14;

// One sum of the set, and its scalars as a part of a vector's.
template <class C>
struct Job {
  MsmJob input;
  std::size_t vector = 0, skip = 0;  // scalar skip of the vector is this job's scalar 0
  std::vector<u64> at_infinity;      // empty if no point is
  std::vector<u64> dropped;          // with tables: one bit an entry that has no point; empty if none has
  std::vector<typename C::Xyzz> window_sums;
};

// Distinct scalars. A job whose scalars are a part of another's (the private wires of the witness, say) uses
// its vector.
struct ScalarVector {
  const u8* scalars;
  std::size_t count;
  MsmTables tables;  // but for data: what all jobs have, or none
  std::size_t g1_jobs = 0, g2_jobs = 0;
  // Its jobs' MsmJob::scalars_read. (Initializers that stop before want the {}.)
  std::vector<std::function<void()>> read = {};  // NOLINT(readability-redundant-member-init)
  std::unique_ptr<MsmDigits> digits = nullptr;   // or, with tables:
  std::unique_ptr<MsmSorted> sorted = nullptr;

  int window_bits() const { return sorted ? sorted->shape().window_bits() : digits->window_bits(); }
};

// Tables that the sums can use: entries are numbers below 2^31.
MsmTables usable_tables(const MsmJob& job) {
  MsmTables tables = job.tables;
  if (tables.data && std::size_t(tables.count) * tables.stride >= MsmDigits::negative) tables = {};
  tables.data = nullptr;
  return tables;
}

// Where `part` begins in `whole`, in scalars, or -1 if it is no part of it.
std::ptrdiff_t position_in(const ScalarVector& whole, const MsmJob& part) {
  if (!(whole.tables == usable_tables(part))) return -1;
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

// One bit per entry of tables, set where the job has no point; empty if it has all.
std::vector<u64> find_dropped(const MsmJob& job, std::size_t skip, std::size_t vector_count,
                              const std::vector<u64>& at_infinity) {
  if (at_infinity.empty() && skip == 0 && job.count == vector_count) return {};
  const MsmTables& tables = job.tables;
  std::vector<u64> dropped((std::size_t(tables.count) * tables.stride + 63) / 64);
  const auto drop = [&](std::size_t i) {
    for (std::size_t at = i; at < std::size_t(tables.count) * tables.stride; at += tables.stride)
      dropped[at / 64] |= u64(1) << (at % 64);
  };
  for (std::size_t i = 0; i < skip; i++) drop(i);
  for (std::size_t i = skip + job.count; i < vector_count; i++) drop(i);
  for (std::size_t word = 0; word < at_infinity.size(); word++)
    for (u64 bits = at_infinity[word]; bits != 0; bits &= bits - 1)
      drop(skip + 64 * word + std::size_t(std::countr_zero(bits)));
  return dropped;
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
  // Ends those that are free now; `last` sees each.
  template <class F>
  void clear(F&& last) {
    std::vector<std::unique_ptr<T>> ended;
    {
      const std::scoped_lock lock(mutex_);
      ended.swap(free_);
    }
    for (const auto& t : ended) last(*t);
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
    g1_ = std::vector<Job<C1>>(n1);
    g2_ = std::vector<Job<C2>>(n2);
    for (const auto& [count, i] : by_size)
      i < n1 ? attach(g1_[i], set.g1[i], vectors_) : attach(g2_[i - n1], set.g2[i - n1], vectors_);
  }

  MsmSums sums() {
    prepare();
    std::atomic<std::size_t> next = 0;
    parallel_for(std::size_t(threads_), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t lane = begin; lane < end; lane++) {
        for (std::size_t t; (t = next.fetch_add(1)) < tasks_.size();) run_task(tasks_[t]);
        end_free(kernels1_), end_free(kernels2_);
        places_.clear([](const Place&) {});
      }
    });
    MsmSums sums;
    for (auto& job : g1_) sums.g1.push_back(combine<Bn254G1>(job));
    for (auto& job : g2_) sums.g2.push_back(combine<Bn254G2>(job));
    return sums;
  }

  const MsmCounts& counts() const { return counts_; }

 private:
  using C1 = typename E1::Curve;
  using C2 = typename E2::Curve;
  struct Task {  // entries [begin, end) of some windows of a vector, and digits [low, high)
    bool g2;
    std::vector<std::size_t> jobs;  // sums over that vector
    bool shorts = false;
    int window = 0, windows = 1;
    std::size_t begin = 0, end = 0;
    u32 low = 0, high = 0;
    double cost = 0;
    MsmPiece piece = {};  // with tables, this instead of all but g2, the one job and cost
  };
  struct Place {  // of_points: where a job has no point for some scalars
    MsmPlacement of_scalars, of_points;
  };

  template <class C>
  void attach(Job<C>& job, const MsmJob& input, std::vector<ScalarVector>& vectors) {
    job.input = input;
    if (input.count == 0) return;
    std::size_t v = 0;
    while (v < vectors.size() && position_in(vectors[v], input) < 0) v++;
    if (v == vectors.size()) vectors.push_back({input.scalars, input.count, usable_tables(input)});
    job.vector = v;
    job.skip = std::size_t(position_in(vectors[v], input));
    (std::is_same_v<C, C1> ? vectors[v].g1_jobs : vectors[v].g2_jobs)++;
    if (input.scalars_read) vectors[v].read.push_back(input.scalars_read);
    const bool tables = vectors[v].tables.count > 0;
    if (tables) job.input.points = input.tables.data;  // table 0; the others' places come from it
    job.at_infinity = find_infinity(job.input, sizeof(typename C::Affine));
    if (tables) job.dropped = find_dropped(input, job.skip, vectors[v].count, job.at_infinity);
  }

  void prepare() {
    // Scalars that go when they have been read are first, so that less is held at once.
    for (const bool go : {true, false})
      for (ScalarVector& vector : vectors_)
        if (vector.read.empty() != go) make_digits(vector);
    add_tasks(g2_, true);
    add_tasks(g1_, false);
    // G2 first, because its kernels take most memory and end with it; then the largest, so that what is left
    // for the end is small.
    std::sort(tasks_.begin(), tasks_.end(), [](const Task& a, const Task& b) {
      return std::tie(b.g2, b.cost, a.jobs, a.window) < std::tie(a.g2, a.cost, b.jobs, b.window);
    });
  }

  void make_digits(ScalarVector& vector) {
    {
      const Span span("digits");
      const BitLengths lengths = count_bit_lengths(vector.scalars, vector.count);
      if (const MsmTables& tables = vector.tables; tables.count > 0) {
        const MsmShape shape = choose_shape(lengths, tables.bits, tables.count);
        vector.sorted = std::make_unique<MsmSorted>(vector.scalars, vector.count, tables.stride, shape);
      } else {
        const int c = choose_window_bits(lengths, vector.g1_jobs, vector.g2_jobs, cost_);
        vector.digits = std::make_unique<MsmDigits>(vector.scalars, vector.count, c);
      }
    }
    for (const auto& read : vector.read) read();
  }

  // Where there are many windows for each thread, the sums over a vector share its entries' places.
  template <class C>
  void add_tasks(std::vector<Job<C>>& jobs, bool g2) {
    std::vector<std::vector<std::size_t>> together(vectors_.size());
    for (std::size_t j = 0; j < jobs.size(); j++) {
      Job<C>& job = jobs[j];
      if (job.input.count == 0) continue;
      const ScalarVector& vector = vectors_[job.vector];
      if (vector.sorted) {
        add_pieces(job, g2, j);
        continue;
      }
      job.window_sums.resize(std::size_t(vector.digits->windows()), C::Xyzz::infinity());
      if (vector.digits->windows() >= 4 * threads_)
        together[job.vector].push_back(j);
      else
        add_tasks(*vector.digits, {j}, g2);
    }
    for (std::size_t v = 0; v < vectors_.size(); v++)
      if (!together[v].empty()) add_tasks(*vectors_[v].digits, together[v], g2);
  }

  void add_tasks(const MsmDigits& digits, const std::vector<std::size_t>& jobs, bool g2) {
    // Short scalars job by job: in sparse witnesses these are what is small enough for the end.
    for (const std::size_t j : jobs) {
      add_ranges({g2, {j}, true}, digits, digits.shorts());
    }
    Task task{g2, jobs};
    // As many windows at once as leave tasks for every thread.
    const int most = std::max(1, digits.windows() / (4 * threads_));
    const int joint = std::clamp(int(joint_entries / std::max<std::size_t>(1, digits.longs())), 1,
                                 threads_ == 1 ? digits.windows() : most);
    for (task.window = 0; task.window < digits.windows(); task.window += joint) {
      task.windows = std::min(joint, digits.windows() - task.window);
      add_ranges(task, digits, digits.longs());
    }
  }

  template <class C>
  void add_pieces(Job<C>& job, bool g2, std::size_t j) {
    const MsmSorted& sorted = *vectors_[job.vector].sorted;
    job.window_sums.resize(std::size_t(sorted.shape().sets), C::Xyzz::infinity());
    // Few pieces for one thread; a task of G2 is three of G1.
    const double entries = double(sorted.entries().size());
    const double most = threads_ == 1 ? double(max_chunk) : entries / (4 * threads_ * (g2 ? 2 : 1));
    for (const MsmPiece& piece : sorted.pieces(std::max(most, 4096.0), most_buckets)) {
      Task task{g2, {j}};
      task.window = piece.set, task.begin = piece.begin, task.piece = piece;
      task.cost = (g2 ? cost_.g2 : 1) * piece.cost();
      tasks_.push_back(task);
      total_ += task.cost;
    }
  }

  // By entries, and by digits where there are more threads than windows.
  void add_ranges(Task task, const MsmDigits& digits, std::size_t entries) {
    const std::size_t buckets = digits.buckets() - 1;
    const std::size_t ranges =
        std::clamp<std::size_t>(std::size_t(threads_) / 8, 1, std::max<std::size_t>(1, buckets / 4096));
    for (task.begin = 0; task.begin < entries; task.begin = task.end) {
      task.end = std::min(entries, task.begin + max_chunk);
      for (std::size_t r = 0; r < ranges; r++) {
        task.low = u32(1 + buckets * r / ranges), task.high = u32(1 + buckets * (r + 1) / ranges);
        const double in_range = double(task.end - task.begin) / double(ranges);
        task.cost = (task.g2 ? cost_.g2 : 1) * double(task.jobs.size()) * task.windows *
                    (in_range + 2 * std::min(in_range, double(task.high - task.low)));
        tasks_.push_back(task);
        total_ += task.cost;
      }
    }
  }

  void run_task(const Task& task) {
    if (task.g2) {
      run_task(task, g2_, kernels2_);
    } else {
      end_free(kernels2_);  // every task of G2 has been taken: a free kernel has no more to do
      run_task(task, g1_, kernels1_);
    }
    const std::scoped_lock lock(mutex_);
    done_ += task.cost;
    progress_.advance(done_, total_);
  }

  template <class C, class E>
  void run_piece(const MsmPiece& piece, Job<C>& job, Pool<MsmKernel<E>>& kernels) {
    const MsmSorted& sorted = *vectors_[job.vector].sorted;
    auto kernel = kernels.take();
    const auto sum = kernel->sum_sorted(job.input.points,
                                        sorted.entries().subspan(piece.begin, piece.finish - piece.begin),
                                        sorted.ends().subspan(piece.first, piece.end - piece.first),
                                        piece.begin, piece.first - sorted.first_bucket(piece.set) + 1,
                                        job.dropped.empty() ? nullptr : job.dropped.data(), u32(job.skip));
    kernels.give(std::move(kernel));
    const std::scoped_lock lock(mutex_);
    job.window_sums[std::size_t(piece.set)] += sum;
  }

  template <class C>
  MsmPoints points_of(const Job<C>& job) const {
    MsmPoints points;
    points.count = job.input.count;
    points.skip = job.skip;
    points.partial = job.skip != 0 || job.input.count != vectors_[job.vector].count;
    points.at_infinity = job.at_infinity.empty() ? nullptr : job.at_infinity.data();
    return points;
  }

  template <class C, class E>
  void run_task(const Task& task, std::vector<Job<C>>& jobs, Pool<MsmKernel<E>>& kernels) {
    const Job<C>& first = jobs[task.jobs[0]];
    if (vectors_[first.vector].sorted) {
      const Span span(first.input.name, {{"window", u64(task.window)}, {"begin", u64(task.begin)}});
      return run_piece(task.piece, jobs[task.jobs[0]], kernels);
    }
    const MsmDigits& digits = *vectors_[first.vector].digits;
    std::vector<MsmEntries> windows;
    for (int w = task.window; w < task.window + task.windows; w++)
      windows.push_back(task.shorts ? digits.short_entries(task.begin, task.end)
                                    : digits.long_entries(w, task.begin, task.end));
    std::vector<typename C::Xyzz> sums(windows.size());
    auto kernel = kernels.take();
    auto place = places_.take();
    {
      const Span span("place", {{"window", u64(task.window)}, {"begin", u64(task.begin)}});
      place->of_scalars.place(windows, task.low, task.high);
    }
    for (const std::size_t j : task.jobs) {
      Job<C>& job = jobs[j];
      const Span span(job.input.name, {{"window", u64(task.window)}, {"begin", u64(task.begin)}});
      const MsmPoints points = points_of(job);
      if (!points.all()) place->of_points.keep(place->of_scalars, points);
      kernel->sum(points.all() ? place->of_scalars : place->of_points, job.input.points, sums);
      const std::scoped_lock lock(mutex_);
      for (std::size_t i = 0; i < sums.size(); i++) job.window_sums[std::size_t(task.window) + i] += sums[i];
    }
    places_.give(std::move(place));
    kernels.give(std::move(kernel));
  }

  template <class E>
  void end_free(Pool<MsmKernel<E>>& kernels) {
    kernels.clear([this](const MsmKernel<E>& kernel) {
      const std::scoped_lock lock(mutex_);
      counts_ += kernel.counts();
    });
  }

  // The sum of 2^(c w) window_sums[w].
  template <class Out, class C>
  typename Out::Affine combine(const Job<C>& job) const {
    auto sum = C::Xyzz::infinity();
    for (std::size_t w = job.window_sums.size(); w-- > 0;) {
      for (int i = 0; i < vectors_[job.vector].window_bits(); i++) sum = sum.dbl();
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
  Pool<Place> places_;
  MsmCounts counts_;
  std::mutex mutex_;  // of window_sums, counts_, done_ and progress_
  double done_ = 0, total_ = 0;
};

template <class E1, class E2>
MsmSums run(const MsmSet& set, const Threads& threads, Instructions form, Progress& progress,
            MsmCounts* counts) {
  Run<E1, E2> run(set, threads, msm_cost(form), progress);
  MsmSums sums = run.sums();
  if (counts) *counts += run.counts();
  return sums;
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
  const double per_job = digits + windows * chunks * (std::min(buckets, count) + cost.window);
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

Result<MsmSums> cpu_msm(const MsmSet& set, const Threads& threads, Instructions form, Progress& progress,
                        MsmCounts* counts) {
  for (const auto* jobs : {&set.g1, &set.g2})
    for (const MsmJob& job : *jobs)
      if (job.count >= MsmDigits::negative)
        return Error{Code::unsupported,
                     "a sum over " + std::to_string(job.count) + " points: at most 2^31 - 1"};
#ifdef VOUCH_HAS_IFMA
  if (form == Instructions::avx512_ifma) return run<IfmaG1, IfmaG2>(set, threads, form, progress, counts);
#endif
#ifdef VOUCH_HAS_FMA
  if (form == Instructions::avx2) return run<FmaG1, FmaG2>(set, threads, form, progress, counts);
#endif
#ifdef VOUCH_HAS_ADX
  if (form != Instructions::portable)
    return run<ScalarForm<Bn254G1With<AdxArith>>, ScalarForm<Bn254G2With<AdxArith>>>(set, threads, form,
                                                                                     progress, counts);
#endif
  return run<ScalarForm<Bn254G1>, ScalarForm<Bn254G2>>(set, threads, form, progress, counts);
}

}  // namespace vouch
