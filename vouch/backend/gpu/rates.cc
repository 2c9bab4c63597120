// The probes of vouch/kernels/probes.h, timed.
#include "vouch/backend/gpu/rates.h"

#include <algorithm>

#include "vouch/core/progress.h"
#include "vouch/field/prime31.h"

namespace vouch::gpu {
namespace {

using u32 = std::uint32_t;

// The parameter structs of vouch/kernels/probe_*.h.
struct CopyParams {
  u32 words, each;
};
struct ProductsParams {
  u32 rounds, y;
};
constexpr u32 group = 256;

// The shortest of `runs`; the first one, which loads the kernel, does not count.
Result<double> best_seconds(Device& device, const Batch& batch, int runs) {
  VOUCH_CHECK(device.run(batch));
  double best = 1e30;
  for (int i = 0; i < runs; i++) {
    VOUCH_TRY(const double seconds, device_seconds(device, batch));
    best = std::min(best, std::max(seconds, 1e-9));
  }
  return best;
}

}  // namespace

Result<double> device_seconds(Device& device, const Batch& batch) {
  std::vector<LaunchTime> times;
  const Stopwatch clock;
  VOUCH_CHECK(device.run(batch, &times));
  if (times.empty()) return clock.seconds();
  double sum = 0;
  for (const LaunchTime& one : times) sum += one.seconds;
  return sum;
}

std::size_t copied_bytes(const DeviceInfo& device) {
  return device.gpu ? std::min<std::size_t>(std::size_t(1) << 28, device.memory / 8) : std::size_t(1) << 24;
}

Result<double> copy_rate(Device& device, std::size_t bytes) {
  VOUCH_TRY(const Buffer from, device.allocate(bytes));
  VOUCH_TRY(const Buffer to, device.allocate(bytes));
  VOUCH_CHECK(device.clear(from));
  const u32 each = 16, words = u32(std::max<std::size_t>(bytes / 4, 1));
  Batch batch;
  batch.launch("mem_copy", (words + group * each - 1) / (group * each), group, 0, {&from, &to},
               CopyParams{words, each});
  VOUCH_TRY(const double seconds, best_seconds(device, batch, 5));
  return 2 * double(bytes) / seconds;
}

namespace {

// A probe whose work-items write out_bytes and make `products` a round, longer and longer until it is long
// enough.
Result<double> product_rate(Device& device, const char* probe, u32 y, std::size_t out_bytes,
                            std::uint64_t products, double launch_seconds) {
  const u32 groups = std::clamp<u32>(device.info().units * 16, 64, 4096);
  VOUCH_TRY(const Buffer out, device.allocate(std::size_t(groups) * group * out_bytes));
  u32 rounds = 1;
  for (;;) {
    Batch batch;
    batch.launch(probe, groups, group, 0, {&out}, ProductsParams{rounds, y});
    VOUCH_TRY(const double seconds, best_seconds(device, batch, 3));
    if (seconds >= launch_seconds || rounds >= u32(1) << 20)
      return double(std::uint64_t(groups) * group * rounds * products) / seconds;
    rounds *= seconds * 4 < launch_seconds ? 4 : 2;
  }
}

}  // namespace

Result<double> product31_rate(Device& device, double launch_seconds) {
  return product_rate(device, "probe_products31", BabyBear(3).montgomery(), 4, 8 * 16, launch_seconds);
}

Result<double> product254_rate(Device& device, double launch_seconds) {
  return product_rate(device, "probe_products254", 3, 32, 2 * 4, launch_seconds);
}

}  // namespace vouch::gpu
