// --timings on a device: its account of a proof, kernel by kernel.
#include "vouch/cli/device_use.h"

#include <algorithm>
#include <cstdio>

namespace vouch::cli {
namespace {

std::string percent(double part, double of) {
  if (part <= 0 || of <= 0) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * part / of);
  return text;
}

std::string kernel_row(const KernelUse& k, const DeviceUse& use) {
  const bool timed = k.seconds > 0;
  char line[200];
  std::snprintf(line, sizeof line, "  %-18s %8llu %10s %11s %9s %10.1f M %9s", k.kernel.c_str(),
                (unsigned long long)(k.launches), timed ? human_seconds(k.seconds).c_str() : "-",
                human_bytes(k.bytes).c_str(),
                timed ? percent(double(k.bytes) / k.seconds, use.copy_rate).c_str() : "-",
                double(k.products) / 1e6,
                timed ? percent(double(k.products) / k.seconds, use.product_rate).c_str() : "-");
  return line;
}

}  // namespace

void report_device_use(Context& context, DeviceUse use, int product_bits) {
  if (use.kernels.empty()) return;
  std::sort(use.kernels.begin(), use.kernels.end(),
            [](const KernelUse& a, const KernelUse& b) { return a.seconds > b.seconds; });
  char line[200];
  std::snprintf(
      line, sizeof line,
      "on the device: %llu submissions, %llu uploads, %llu downloads, memory at most %s; it copies %.1f "
      "GB/s and makes %.*f G products/s of %d bits",
      (unsigned long long)(use.submissions), (unsigned long long)(use.uploads),
      (unsigned long long)(use.downloads), human_bytes(use.peak_bytes).c_str(), use.copy_rate / 1e9,
      use.product_rate < 1e9 ? 3 : 2, use.product_rate / 1e9, product_bits);
  context.note(line);
  context.note("  kernel             launches       time       moved   of copy     products  of rate");
  nlohmann::ordered_json kernels = nlohmann::ordered_json::array();
  for (const KernelUse& k : use.kernels) {
    context.note(kernel_row(k, use));
    kernels.push_back({{"kernel", k.kernel},
                       {"launches", k.launches},
                       {"seconds", k.seconds},
                       {"bytes", k.bytes},
                       {"products", k.products}});
  }
  context.report()["device_use"] = {{"submissions", use.submissions},
                                    {"uploads", use.uploads},
                                    {"downloads", use.downloads},
                                    {"peak_bytes", use.peak_bytes},
                                    {"copy_bytes_per_second", use.copy_rate},
                                    {"products_per_second", use.product_rate},
                                    {"kernels", kernels}};
}

}  // namespace vouch::cli
