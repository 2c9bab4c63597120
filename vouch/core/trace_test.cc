// Spans nest on every thread, cover the work, and make JSON that a parser accepts.
#include "vouch/core/trace.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "vouch/core/parallel.h"

namespace vouch {
namespace {

using nlohmann::json;

struct Interval {
  double begin, end;
  std::string name, kind;
};

std::map<int, std::vector<Interval>> rows_of(const Trace& trace) {
  std::map<int, std::vector<Interval>> rows;
  for (const json& e : json::parse(trace.json()))
    if (e.at("ph") == "X")
      rows[e.at("tid")].push_back(
          {e.at("ts"), e.at("ts").get<double>() + e.at("dur").get<double>(), e.at("name"), e.at("cat")});
  return rows;
}

void spin(double seconds) {
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds) {
  }
}

// Each span ends before, or starts after, any span that does not enclose it.
void expect_nested(const std::vector<Interval>& row) {
  std::vector<Interval> open;
  for (const Interval& i : row) {
    EXPECT_LE(i.begin, i.end) << i.name;
    while (!open.empty() && open.back().end <= i.begin) open.pop_back();
    if (!open.empty()) {
      EXPECT_LE(i.end, open.back().end + 1e-6) << i.name << " in " << open.back().name;
    }
    open.push_back(i);
  }
}

TEST(Trace, WithoutASpanNothingIsRecorded) {
  Trace trace;
  {
    const Span span("nobody listens");
    const Threads threads(2);
    threads.run([] { parallel_for(10, 1, [](std::size_t, std::size_t) {}); });
  }
  EXPECT_TRUE(rows_of(trace).empty());
  EXPECT_EQ(Span::current(), nullptr);
}

TEST(Trace, ArgumentsAndHostileNamesAreJson) {
  Trace trace;
  {
    const Span all(trace, "a \"file\" \\ name\n");
    const Span inner("inner", {{"window", 3}, {"part", ~std::uint64_t(0)}});
  }
  const json events = json::parse(trace.json());
  ASSERT_EQ(events.size(), 3u);  // a thread's name and two spans
  EXPECT_EQ(events[1].at("name"), "a \"file\" \\ name ");
  EXPECT_EQ(events[2].at("args").at("window"), 3);
  EXPECT_EQ(events[2].at("args").at("part"), ~std::uint64_t(0));
}

// The name has "Parallel" for the ThreadSanitizer's run.
TEST(Trace, ParallelWorkNestsAndCoversTheTime) {
  const Threads threads(3);
  Trace trace;
  {
    const Span all(trace, "all");
    threads.run([] {
      const Span stage("stage");
      TaskSet set;
      set.run([] { parallel_for(20, 1, [](std::size_t b, std::size_t e) { spin(double(e - b) * 5e-4); }); });
      set.run([] {
        const Span other("other");
        spin(5e-3);
      });
      set.wait();
    });
    parallel_for(4, 1, [](std::size_t, std::size_t) { const Span leaf("leaf"); });
  }
  const auto rows = rows_of(trace);
  ASSERT_FALSE(rows.empty());
  double task_time = 0, total = 0;
  for (const auto& [thread, row] : rows) {
    expect_nested(row);
    for (const Interval& i : row) {
      if (i.name == "stage" && i.kind == "task") task_time += i.end - i.begin;
      if (i.name == "all" && i.kind == "stage") total = i.end - i.begin;
    }
  }
  EXPECT_GE(total, 5e3 / 2);     // 15 ms of work on three threads, in microseconds
  EXPECT_GE(task_time, 14.9e3);  // every piece of it is in some row
}

TEST(Trace, ParallelTracesDoNotMix) {
  const Threads threads(2);
  std::vector<Trace> traces(2);
  std::vector<std::thread> callers;
  for (std::size_t c = 0; c < traces.size(); c++)
    callers.emplace_back([&, c] {
      const Span all(traces[c], std::to_string(c));
      threads.run([] { parallel_for(100, 1, [](std::size_t, std::size_t) { spin(1e-5); }); });
    });
  for (std::thread& t : callers) t.join();
  for (std::size_t c = 0; c < traces.size(); c++)
    for (const auto& [thread, row] : rows_of(traces[c]))
      for (const Interval& i : row) EXPECT_EQ(i.name, std::to_string(c));
}

}  // namespace
}  // namespace vouch
