// Operations of a device, timed by its own events: VOUCH_BENCH_DEVICE=cuda:0 vouch_backend_bench
// --benchmark_filter=^device/
//
// GB/s counts what an operation must move at least (each pass reads and writes its vector once); "% of copy"
// sets it against a plain copy of as many bytes on the same device. VOUCH_BENCH_LARGEST bounds the logarithm
// of sizes.
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "vouch/backend/cpu/msm_sample.h"
#include "vouch/backend/gpu/backend.h"
#include "vouch/backend/gpu/codeword.h"
#include "vouch/backend/gpu/metered.h"
#include "vouch/backend/gpu/rates.h"

namespace vouch::gpu {
namespace {

const char* wanted() {
  return std::getenv("VOUCH_BENCH_DEVICE");
}
int largest(int otherwise) {
  const char* bound = std::getenv("VOUCH_BENCH_LARGEST");
  return bound ? std::min(otherwise, std::atoi(bound)) : otherwise;
}

struct Timed {
  std::unique_ptr<Device> device;
  std::shared_ptr<DeviceUse> use;  // filled by the device
};
Result<Timed> open_wanted() {
  const std::string name = wanted();
  const std::size_t colon = name.find(':');
  for (const DeviceDriver& driver : drivers())
    if (driver.name == name.substr(0, colon)) {
      VOUCH_TRY(auto device,
                driver.open(colon == name.npos ? 0 : std::strtoul(name.c_str() + colon + 1, nullptr, 10)));
      auto use = std::make_shared<DeviceUse>();
      return Timed{std::make_unique<MeteredDevice>(std::move(device), use), use};
    }
  return Error{Code::invalid_argument, "VOUCH_BENCH_DEVICE: '" + name + "' is no device"};
}

// The sum of a member over kernels whose names begin with prefix.
template <class T>
T total(const DeviceUse& use, T KernelUse::* member, const std::string& prefix) {
  T sum = 0;
  for (const KernelUse& kernel : use.kernels)
    if (kernel.kernel.rfind(prefix, 0) == 0) sum += kernel.*member;
  return sum;
}

// Times operation(backend) by the kernels whose names begin with prefix. bytes: what it moves; 0: no such
// counter.
template <class Operation>
void measure(benchmark::State& state, const std::string& prefix, std::size_t bytes, std::size_t items,
             Operation operation) {
  auto device = open_wanted();
  if (!device.ok()) return state.SkipWithError(device.error().what.c_str());
  const auto use = device.value().use;
  double rate = 0;
  if (bytes) {
    auto copied = copy_rate(*device.value().device, std::max<std::size_t>(bytes / 2, 4));
    if (!copied.ok()) return state.SkipWithError(copied.error().what.c_str());
    rate = copied.value();
  }
  GpuBackend backend(std::move(device.value().device));
  double seconds = 0;
  for (auto _ : state) {
    use->kernels.clear();
    const Status status = operation(backend);
    if (!status.ok()) return state.SkipWithError(status.error().what.c_str());
    const double once = total(*use, &KernelUse::seconds, prefix);
    state.SetIterationTime(once);
    seconds += once;
  }
  const double runs = double(state.iterations());
  if (items) state.counters["items_per_second"] = double(items) * runs / seconds;
  if (!bytes) return;
  state.counters["GB_per_second"] = double(bytes) * runs / seconds * 1e-9;
  state.counters["percent_of_copy"] = 100 * double(bytes) * runs / seconds / rate;
}

void copy(benchmark::State& state) {
  auto device = open_wanted();
  if (!device.ok()) return state.SkipWithError(device.error().what.c_str());
  const std::size_t n = std::size_t(1) << state.range(0);
  const DeviceInfo info = device.value().device->info();
  state.SetLabel(info.name + "; " + info.driver);
  for (auto _ : state) {
    auto rate = copy_rate(*device.value().device, n);
    if (!rate.ok()) return state.SkipWithError(rate.error().what.c_str());
    state.SetIterationTime(2 * double(n) / rate.value());
    state.counters["GB_per_second"] = rate.value() * 1e-9;
  }
}

void ntt_bn254(benchmark::State& state) {
  const int log_n = int(state.range(0));
  std::vector<Bn254Fr> values(std::size_t(1) << log_n);
  for (std::size_t i = 0; i < values.size(); i++) values[i] = Bn254Fr(i * i + 7);
  const std::size_t passes = std::size_t(std::max(1, (log_n + 9) / 10));
  measure(state, "fr_ntt_", passes * 2 * values.size() * sizeof(Bn254Fr), 0,
          [&](GpuBackend& backend) { return backend.ntt(values, Direction::forward, Bn254Fr::one()); });
}

void msm_g1(benchmark::State& state) {
  const std::size_t n = std::size_t(1) << state.range(0), distinct = std::min<std::size_t>(n, 1 << 14);
  msm_sample::Random random(1);
  std::vector<Bn254G1::Affine> points = msm_sample::scattered<Bn254G1>(distinct, random);
  points.resize(n);
  std::vector<UInt<4>> scalars(n);
  for (std::size_t i = 0; i < n; i++) scalars[i] = random.scalar(), points[i] = points[i % distinct];
  MsmSet set;
  set.g1.push_back(
      {reinterpret_cast<const u8*>(points.data()), reinterpret_cast<const u8*>(scalars.data()), n});
  measure(state, "msm_", 0, n, [&](GpuBackend& backend) -> Status {
    VOUCH_TRY(const MsmSums sums, backend.msm(set));
    benchmark::DoNotOptimize(sums.g1.data());
    return ok();
  });
}

// A commitment as WHIR makes it: 2^k values, rate 1/2, 16 values a row, Poseidon2 of width 16, a binary tree.
struct Encoded {
  double transform = 0, hash = 0;  // seconds
  std::size_t passes = 0, words = 0;
  std::uint64_t permutations = 0, products = 0;
};
Result<Encoded> encode31(Timed& timed, int log_n) {
  Device& device = *timed.device;
  const std::size_t n = std::size_t(1) << log_n;
  std::mutex turn;
  PolyTimes times;
  Tables31<BabyBear> tables(device, turn);
  std::vector<BabyBear> values(n);
  for (std::size_t i = 0; i < n; i++) values[i] = BabyBear(u32(i * 2654435761u));
  VOUCH_TRY(Buffer f, device.allocate(n * 4));
  VOUCH_CHECK(device.upload(f, 0, {reinterpret_cast<const u8*>(values.data()), n * 4}));
  Encoded best;
  for (int run = 0; run < 3; run++) {  // the first one compiles and fills the tables
    timed.use->kernels.clear();
    VOUCH_TRY(auto made,
              gpu_encode<BabyBear>(tables, f, log_n, 1, FoldOrder::prefix, {4, 1, 0, 0}, {}, times));
    const Encoded one{total(*timed.use, &KernelUse::seconds, "bb_ntt_"),
                      total(*timed.use, &KernelUse::seconds, "bb_p"),
                      total(*timed.use, &KernelUse::launches, "bb_ntt_"),
                      made->rows() * made->row_words(),
                      made->permutations(),
                      total(*timed.use, &KernelUse::products, "bb_p")};
    if (run == 0 || one.transform + one.hash < best.transform + best.hash) best = one;
  }
  return best;
}

void ntt_babybear(benchmark::State& state) {
  auto device = open_wanted();
  if (!device.ok()) return state.SkipWithError(device.error().what.c_str());
  for (auto _ : state) {
    auto done = encode31(device.value(), int(state.range(0)) - 1);  // 2^k values of the codeword
    if (!done.ok()) return state.SkipWithError(done.error().what.c_str());
    const Encoded& e = done.value();
    const double bytes = double(e.passes * 2 * e.words * 4);
    auto rate = copy_rate(*device.value().device, e.words * 4);
    if (!rate.ok()) return state.SkipWithError(rate.error().what.c_str());
    state.SetIterationTime(e.transform);
    state.counters["passes"] = double(e.passes);
    state.counters["GB_per_second"] = bytes / e.transform * 1e-9;
    state.counters["percent_of_copy"] = 100 * bytes / e.transform / rate.value();
  }
}

void poseidon2_babybear(benchmark::State& state) {
  auto device = open_wanted();
  if (!device.ok()) return state.SkipWithError(device.error().what.c_str());
  auto products = product31_rate(*device.value().device);
  if (!products.ok()) return state.SkipWithError(products.error().what.c_str());
  for (auto _ : state) {
    auto done = encode31(device.value(), int(state.range(0)) - 1);
    if (!done.ok()) return state.SkipWithError(done.error().what.c_str());
    state.SetIterationTime(done.value().hash);
    state.counters["items_per_second"] = double(done.value().permutations) / done.value().hash;
    state.counters["percent_of_products"] =
        100 * double(done.value().products) / done.value().hash / products.value();
  }
}

// Every kernel of an operation: its time, and the bytes and products that it must move and make
// (kernel_cost.h) against what a copy and chains of products reach on this device. The second run counts: the
// first compiles and fills tables.
template <class Operation>
void measure_kernels(benchmark::State& state, Operation operation) {
  auto device = open_wanted();
  if (!device.ok()) return state.SkipWithError(device.error().what.c_str());
  const auto use = device.value().use;
  Device& probed = *device.value().device;
  auto copied = copy_rate(probed, std::size_t(1) << largest(28)), products = product254_rate(probed);
  if (!copied.ok() || !products.ok()) return state.SkipWithError("the probes failed");
  GpuBackend backend(std::move(device.value().device));
  for (auto _ : state) {
    for (int i = 0; i < 2; i++) {
      use->kernels.clear();
      const Status status = operation(backend);
      if (!status.ok()) return state.SkipWithError(status.error().what.c_str());
    }
    state.SetIterationTime(total(*use, &KernelUse::seconds, ""));
  }
  state.counters["copy_GB_per_second"] = copied.value() * 1e-9;
  state.counters["Gproducts_per_second"] = products.value() * 1e-9;
  for (const KernelUse& k : use->kernels) {
    state.counters[k.kernel + ".ms"] = k.seconds * 1e3;
    state.counters[k.kernel + ".MB"] = double(k.bytes) * 1e-6;
    state.counters[k.kernel + ".Mproducts"] = double(k.products) * 1e-6;
    state.counters[k.kernel + ".of_copy"] = 100 * double(k.bytes) / copied.value() / k.seconds;
    state.counters[k.kernel + ".of_products"] = 100 * double(k.products) / products.value() / k.seconds;
  }
}

// A sum on G1 and one on G2 over the same scalars.
void kernels_msm(benchmark::State& state) {
  const std::size_t n = std::size_t(1) << state.range(0), distinct = std::min<std::size_t>(n, 1 << 10);
  msm_sample::Random random(2);
  std::vector<Bn254G1::Affine> g1 = msm_sample::scattered<Bn254G1>(distinct, random);
  std::vector<Bn254G2::Affine> g2 = msm_sample::scattered<Bn254G2>(distinct, random);
  g1.resize(n), g2.resize(n);
  std::vector<UInt<4>> scalars(n);
  for (std::size_t i = 0; i < n; i++)
    scalars[i] = random.scalar(), g1[i] = g1[i % distinct], g2[i] = g2[i % distinct];
  const auto* s = reinterpret_cast<const u8*>(scalars.data());
  MsmSet set;
  set.g1 = {{reinterpret_cast<const u8*>(g1.data()), s, n}};
  set.g2 = {{reinterpret_cast<const u8*>(g2.data()), s, n}};
  measure_kernels(state, [&](GpuBackend& backend) -> Status {
    VOUCH_TRY(const MsmSums sums, backend.msm(set));
    benchmark::DoNotOptimize(sums.g1.data());
    return ok();
  });
}

// Three records a row.
void kernels_quotient(benchmark::State& state) {
  const int log_n = int(state.range(0));
  const std::size_t n = std::size_t(1) << log_n;
  std::vector<u8> records(3 * n * 44), witness(32 * n);
  for (std::size_t i = 0; i < 3 * n; i++) {
    const u32 head[3] = {u32(i % 2), u32(i / 3), u32(i * 2654435761u % n)};
    std::memcpy(&records[44 * i], head, sizeof head);
    records[44 * i + 12] = u8(i | 1);
  }
  for (std::size_t i = 0; i < n; i++) witness[32 * i] = u8(i), witness[32 * i + 30] = u8(i >> 8);
  std::vector<UInt<4>> h(n);
  const QuotientInput input{records.data(), 3 * n, witness.data(), n, log_n};
  measure_kernels(state, [&](GpuBackend& backend) { return backend.groth16_quotient(input, h); });
}

void add(const std::string& name, void (*run)(benchmark::State&), int first, int last, int step) {
  auto* bench = benchmark::RegisterBenchmark(("device/" + name).c_str(), run);
  bench->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(3);
  for (int k = std::min(first, last); k <= last; k += step) bench->Arg(k);
}

const bool registered = [] {
  if (!wanted()) return false;  // among the other benchmarks of this program these are not asked for
  add("copy_bytes", copy, 20, largest(30), 2);
  add("ntt_bn254", ntt_bn254, 16, largest(26), 2);
  add("ntt_babybear", ntt_babybear, 16, largest(26), 2);
  add("poseidon2_babybear", poseidon2_babybear, 16, largest(26), 2);
  add("msm_g1", msm_g1, 16, largest(24), 2);
  add("kernels_msm", kernels_msm, 16, largest(24), 4);
  add("kernels_quotient", kernels_quotient, 16, largest(24), 4);
  return true;
}();

}  // namespace
}  // namespace vouch::gpu
