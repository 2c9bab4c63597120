// How much memory the program needed, and how that is counted.
//
// Mapped input files are not memory the program asked for: the system can drop their pages at any time. So
// the peak is taken of anonymous memory (resident less file pages, in /proc/self/statm), sampled every
// millisecond by a thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace vouch::cli {

inline constexpr const char* memory_counting =
    "peak of anonymous resident memory, sampled every millisecond; mapped input files are not in it";

std::uint64_t anonymous_bytes_now();  // 0 where the system does not tell
std::uint64_t peak_resident_bytes();  // of the process so far, mapped files included

class PeakMemory {
 public:
  PeakMemory();
  ~PeakMemory();
  PeakMemory(const PeakMemory&) = delete;
  PeakMemory& operator=(const PeakMemory&) = delete;

  std::uint64_t bytes();

 private:
  void sample();

  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> peak_{0};
  std::thread sampler_;
};

}  // namespace vouch::cli
