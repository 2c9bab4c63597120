// How much memory the program may take, how much it needed, and how that is counted.
//
// Mapped input files are not memory the program asked for: the system can drop their pages at any time. So
// the peak is taken of anonymous memory (resident less file pages, in /proc/self/statm), sampled every
// millisecond by a thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "vouch/core/result.h"

namespace vouch::cli {

inline constexpr const char* memory_counting =
    "peak of anonymous resident memory, sampled every millisecond; mapped input files are not in it";

std::uint64_t anonymous_bytes_now();  // 0 where the system does not tell
std::uint64_t peak_resident_bytes();  // of the process so far, mapped files included

// "4G", "512M", "1073741824": bytes.
Result<std::uint64_t> parse_bytes(const std::string& text);

// From here on large blocks go back to the system when they are freed, where the C library would keep some of
// them for the next: right for one proof in a process, not for many.
void keep_no_freed_memory();

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
