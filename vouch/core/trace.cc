// Spans and their JSON: see trace.h.
#include "vouch/core/trace.h"

#include <algorithm>
#include <cstdio>

namespace vouch {
namespace {

const char* kind_name(Trace::Kind kind) {
  switch (kind) {
    case Trace::Kind::stage:
      return "stage";
    case Trace::Kind::task:
      return "task";
    case Trace::Kind::wait:
      return "wait";
  }
  return "";
}

// Names come from the code, but may hold a file's name.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

// Exact, so that spans that nest in nanoseconds nest in the file.
std::string microseconds(std::uint64_t nanoseconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%llu.%03llu", static_cast<unsigned long long>(nanoseconds / 1000),
                static_cast<unsigned long long>(nanoseconds % 1000));
  return text;
}

}  // namespace

constinit thread_local const Span* Span::current_ = nullptr;

Trace::Trace() : start_(std::chrono::steady_clock::now()) {}

std::uint64_t Trace::now() const {
  const auto since = std::chrono::steady_clock::now() - start_;
  return std::uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
}

void Trace::add(std::string name, Kind kind, const Arguments& arguments, std::uint64_t begin) {
  const std::lock_guard lock(mutex_);
  const auto next = std::uint32_t(threads_.size());
  const std::uint32_t thread = threads_.try_emplace(std::this_thread::get_id(), next).first->second;
  // The end is read under the lock: what encloses this span ends later on the same thread.
  events_.push_back({std::move(name), kind, thread, begin, now(), arguments});
}

std::string Trace::json() const {
  std::vector<const Event*> order;
  const std::lock_guard lock(mutex_);
  for (const Event& e : events_) order.push_back(&e);
  // A span is recorded when it ends: of two that begin together, the outer one was recorded later.
  std::sort(order.begin(), order.end(), [](const Event* a, const Event* b) {
    return a->begin != b->begin ? a->begin < b->begin : a > b;
  });
  std::string out = "[";
  for (std::size_t t = 0; t < threads_.size(); t++)
    out += std::string(t ? ",\n" : "\n") + R"({"name":"thread_name","ph":"M","pid":1,"tid":)" +
           std::to_string(t) + R"(,"args":{"name":"thread )" + std::to_string(t) + "\"}}";
  for (const Event* e : order) {
    out += ",\n{\"name\":" + quoted(e->name) + ",\"cat\":\"" + kind_name(e->kind) +
           "\",\"ph\":\"X\",\"ts\":" + microseconds(e->begin) +
           ",\"dur\":" + microseconds(e->end - e->begin) + ",\"pid\":1,\"tid\":" + std::to_string(e->thread);
    std::string arguments;
    for (const TraceArgument& a : e->arguments)
      if (a.name)
        arguments += (arguments.empty() ? "" : ",") + quoted(a.name) + ":" + std::to_string(a.value);
    if (!arguments.empty()) out += ",\"args\":{" + arguments + "}";
    out += "}";
  }
  return out + "\n]\n";
}

void Span::open(Trace* trace, std::string_view name, Trace::Kind kind,
                std::initializer_list<TraceArgument> arguments) {
  trace_ = trace;
  name_ = name;
  kind_ = kind;
  std::copy_n(arguments.begin(), std::min(arguments.size(), arguments_.size()), arguments_.begin());
  outer_ = current_;
  current_ = this;
  begin_ = trace->now();
}

void Span::close() {
  current_ = outer_;
  trace_->add(std::move(name_), kind_, arguments_, begin_);
}

}  // namespace vouch
