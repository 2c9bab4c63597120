// Spans of time, per thread: what each core did and when, for `--trace FILE` and any caller that wants it.
//
//   Trace trace;
//   { const Span all(trace, "proof"); prover.prove(...); }
//   write_file("trace.json", trace.json());   // Chrome's format: chrome://tracing, ui.perfetto.dev
//
// A thread knows the span it is in, and core/parallel.h hands that on to the threads that work for it; so
// code below the outermost span only says Span span("name"), which does nothing when nobody traces. Spans are
// an observation: no result depends on them.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace vouch {

struct TraceArgument {
  const char* name = nullptr;
  std::uint64_t value = 0;
};

// Collects spans; may be used by several threads at once, and must outlive every span in it.
class Trace {
 public:
  // A thread is computing in a stage or a task when no wait lies deeper; in a wait it may run tasks of
  // others.
  enum class Kind : std::uint8_t { stage, task, wait };
  using Arguments = std::array<TraceArgument, 3>;

  Trace();
  // A JSON array of complete events ("X", microseconds), each after the one that encloses it, and of the
  // threads' names. Threads are numbered in the order in which their first span ended.
  std::string json() const;

 private:
  friend class Span;
  struct Event {
    std::string name;
    Kind kind;
    std::uint32_t thread;
    std::uint64_t begin, end;  // nanoseconds since the trace began
    Arguments arguments;
  };
  std::uint64_t now() const;
  void add(std::string name, Kind kind, const Arguments& arguments, std::uint64_t begin);

  const std::chrono::steady_clock::time_point start_;
  mutable std::mutex mutex_;
  std::vector<Event> events_;
  std::map<std::thread::id, std::uint32_t> threads_;
};

// From here to the end of the scope, on this thread.
class Span {
 public:
  // The outermost.
  Span(Trace& trace, std::string_view name) { open(&trace, name, Trace::Kind::stage, {}); }
  // Inside whatever span this thread is in; nothing if it is in none.
  explicit Span(std::string_view name, std::initializer_list<TraceArgument> arguments = {}) {
    if (current_) open(current_->trace_, name, Trace::Kind::stage, arguments);
  }
  // A part of `parent`, which is another thread's or this one's, and lives on; nothing if it is null.
  Span(const Span* parent, Trace::Kind kind) {
    if (parent) open(parent->trace_, parent->name_, kind, {});
  }
  ~Span() {
    if (trace_) close();
  }
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;

  // The span this thread is in, or null.
  static const Span* current() { return current_; }

 private:
  void open(Trace* trace, std::string_view name, Trace::Kind kind,
            std::initializer_list<TraceArgument> arguments);
  void close();

  static thread_local const Span* current_;

  Trace* trace_ = nullptr;
  const Span* outer_ = nullptr;
  std::string name_;
  Trace::Kind kind_ = Trace::Kind::stage;
  Trace::Arguments arguments_{};
  std::uint64_t begin_ = 0;
};

}  // namespace vouch
