// Memory counting: see memory.h.
#include "vouch/cli/memory.h"

#include <sys/resource.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <charconv>
#include <chrono>
#include <fstream>

#ifdef __APPLE__
#include <mach/mach.h>
#endif
#include "vouch/cli/app.h"

namespace vouch::cli {

std::uint64_t anonymous_bytes_now() {
#ifdef __APPLE__
  task_vm_info_data_t info{};
  mach_msg_type_number_t count = TASK_VM_INFO_COUNT;
  if (task_info(mach_task_self(), TASK_VM_INFO, reinterpret_cast<task_info_t>(&info), &count) != KERN_SUCCESS)
    return 0;
  return info.phys_footprint;  // clean pages of mapped files are not in it
#else
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total = 0, resident = 0, of_files = 0;
  if (!(statm >> total >> resident >> of_files) || resident < of_files) return 0;
  return (resident - of_files) * std::uint64_t(sysconf(_SC_PAGESIZE));
#endif
}

std::uint64_t peak_resident_bytes() {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
#ifdef __APPLE__
  return std::uint64_t(usage.ru_maxrss);
#else
  return std::uint64_t(usage.ru_maxrss) * 1024;  // the system counts KiB
#endif
}

Result<std::uint64_t> parse_bytes(const std::string& text) {
  const Error bad = usage_error("\"" + text + "\" is not a number of bytes such as 512M, 4G or 1073741824");
  std::uint64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return bad;
  const std::string_view unit(rest, std::size_t(text.data() + text.size() - rest));
  int shift = 0;
  if (unit == "K" || unit == "KiB") {
    shift = 10;
  } else if (unit == "M" || unit == "MiB") {
    shift = 20;
  } else if (unit == "G" || unit == "GiB") {
    shift = 30;
  } else if (!unit.empty()) {
    return bad;
  }
  if (value > (~std::uint64_t(0) >> shift)) return bad;
  return value << shift;
}

void keep_no_freed_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 20);  // a value of its own accord grows with every block that is freed
#endif
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
