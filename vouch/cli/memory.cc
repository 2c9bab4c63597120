// Memory counting: see memory.h.
#include "vouch/cli/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

namespace vouch::cli {

std::uint64_t anonymous_bytes_now() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total = 0, resident = 0, of_files = 0;
  if (!(statm >> total >> resident >> of_files) || resident < of_files) return 0;
  return (resident - of_files) * std::uint64_t(sysconf(_SC_PAGESIZE));
}

std::uint64_t peak_resident_bytes() {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return std::uint64_t(usage.ru_maxrss) * 1024;
}

PeakMemory::PeakMemory()
    : sampler_([this] {
        while (!stop_) {
          sample();
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
      }) {}

PeakMemory::~PeakMemory() {
  stop_ = true;
  sampler_.join();
}

void PeakMemory::sample() {
  const std::uint64_t now = anonymous_bytes_now();
  for (std::uint64_t seen = peak_; seen < now && !peak_.compare_exchange_weak(seen, now);) {
  }
}

std::uint64_t PeakMemory::bytes() {
  sample();
  return peak_;
}

}  // namespace vouch::cli
