// Progress and stage times, as an argument: long calls report where they are, callers decide what to show.
#pragma once

#include <chrono>
#include <string_view>

namespace vouch {

// Called from one thread at a time. `done` and `total` are in units of the caller's own estimate of work.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void stage(std::string_view /*name*/) {}
  virtual void advance(double /*done*/, double /*total*/) {}
  // Seconds that a finished stage took; stages may overlap in time.
  virtual void timing(std::string_view /*name*/, double /*seconds*/) {}
};

// Progress of a part of some work: its own share of a whole of 1, from `from` on.
class PartOfProgress final : public Progress {
 public:
  PartOfProgress(Progress& whole, double from, double share) : whole_(whole), from_(from), share_(share) {}
  void stage(std::string_view name) override { whole_.stage(name); }
  void advance(double done, double total) override {
    if (total > 0) whole_.advance(from_ + share_ * done / total, 1);
  }
  void timing(std::string_view name, double seconds) override { whole_.timing(name, seconds); }

 private:
  Progress& whole_;
  double from_, share_;
};

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace vouch
