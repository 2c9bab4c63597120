// Threads: a thin face over oneTBB, so that the rest of the library names no thread library.
//
// A Threads value says how many cores a call may use; it is an argument, never a global. Loops nest:
// a parallel_for inside a parallel_for shares the same cores. Under ThreadSanitizer the fork and join
// edges are told to the tool by hand, because the system's oneTBB is not instrumented. Work done for a span
// of core/trace.h appears in it, on whatever thread it runs.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <thread>
#include <utility>

#include "vouch/core/trace.h"

#if defined(__SANITIZE_THREAD__)
#define VOUCH_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define VOUCH_TSAN 1
#endif
#endif
#ifdef VOUCH_TSAN
extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);
#endif

namespace vouch {

namespace detail {
inline void hb_acquire([[maybe_unused]] void* p) {
#ifdef VOUCH_TSAN
  __tsan_acquire(p);
#endif
}
inline void hb_release([[maybe_unused]] void* p) {
#ifdef VOUCH_TSAN
  __tsan_release(p);
#endif
}
}  // namespace detail

// A set of cores. Copyable handle; 0 means every core this process may use.
class Threads {
 public:
  explicit Threads(int count = 0)
      : count_(count > 0 ? count : std::max(1, tbb::this_task_arena::max_concurrency())),
        arena_(std::make_shared<tbb::task_arena>(count_)) {}

  int count() const { return count_; }

  // Runs f() with this set's cores as the ones its parallel loops use; returns when f returns.
  template <class F>
  void run(F&& f) const {
    char edge = 0;
    const Span* const caller = Span::current();
    const Span wait(caller, Trace::Kind::wait);
    detail::hb_release(&edge);
    arena_->execute([&] {
      detail::hb_acquire(&edge);
      const Span task(caller, Trace::Kind::task);
      f();
      detail::hb_release(&edge);
    });
    detail::hb_acquire(&edge);
  }

 private:
  int count_;
  std::shared_ptr<tbb::task_arena> arena_;
};

// f(begin, end) over disjoint ranges that cover [0, n), each of at least `grain` items where n allows.
template <class F>
void parallel_for(std::size_t n, std::size_t grain, F&& f) {
  if (n == 0) return;
  if (n <= grain) return f(std::size_t(0), n);
  char edge = 0;
  const Span* const caller = Span::current();
  const Span wait(caller, Trace::Kind::wait);
  detail::hb_release(&edge);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, std::max<std::size_t>(grain, 1)),
                    [&](const tbb::blocked_range<std::size_t>& r) {
                      detail::hb_acquire(&edge);
                      {
                        const Span task(caller, Trace::Kind::task);
                        f(r.begin(), r.end());
                      }
                      detail::hb_release(&edge);
                    });
  detail::hb_acquire(&edge);
}

// Tasks of different kinds that may run at once; the destructor waits for them. Spans that were open at run()
// stay open until wait().
class TaskSet {
 public:
  TaskSet() = default;
  TaskSet(const TaskSet&) = delete;
  TaskSet& operator=(const TaskSet&) = delete;
  ~TaskSet() { wait(); }

  template <class F>
  void run(F f) {
    detail::hb_release(&edge_);
    group_.run([this, caller = Span::current(), f = std::move(f)] {
      detail::hb_acquire(&edge_);
      {
        const Span task(caller, Trace::Kind::task);
        f();
      }
      detail::hb_release(&edge_);
    });
  }
  void wait() {
    const Span waiting(Span::current(), Trace::Kind::wait);
    group_.wait();
    detail::hb_acquire(&edge_);
  }

 private:
  tbb::task_group group_;
  char edge_ = 0;
};

}  // namespace vouch
