// Sums on a device: several at once with and without the same scalars, in parts where memory is short, and
// the scalars and points at which a formula could go wrong.
#include <gtest/gtest.h>

#include "vouch/backend/gpu/backend.h"
#include "vouch/backend/gpu/faulty.h"
#include "vouch/backend/gpu/kernel_cost.h"
#include "vouch/backend/gpu/msm_plan.h"
#include "vouch/backend/gpu/passing.h"
#include "vouch/core/rng.h"

namespace vouch::gpu {
namespace {

using Fr = Bn254Fr;

template <class T>
const u8* bytes(const std::vector<T>& v) {
  return reinterpret_cast<const u8*>(v.data());
}

template <class C>
std::vector<typename C::Affine> multiples(std::size_t n) {
  std::vector<typename C::Affine> points(n);
  auto p = C::Xyzz::from(C::generator());
  for (std::size_t i = 0; i < n; i++, p += C::generator()) points[i] = p.to_affine();
  return points;
}

std::vector<UInt<4>> random_scalars(std::size_t n) {
  InsecureTestRng rng(5);
  std::vector<UInt<4>> scalars(n);
  for (auto& s : scalars) s = (Fr(rng.next()) * Fr(rng.next()) * Fr(rng.next()) * Fr(rng.next())).to_int();
  return scalars;
}

void expect_as_on_cpu(const MsmSet& set, Backend& device, const std::string& name) {
  const auto cpu = open_backend("cpu").value();
  auto expected = cpu->msm(set), sums = device.msm(set);
  ASSERT_TRUE(sums.ok()) << name << ": " << sums.error().what;
  EXPECT_EQ(sums.value().g1, expected.value().g1) << name;
  EXPECT_EQ(sums.value().g2, expected.value().g2) << name;
}

GpuBackend on_host() {
  return GpuBackend(open_host(0).value());
}

// As a Groth16 proof has them: three sums over the witness, one over its end, one over other scalars.
TEST(DeviceMsm, SumsThatShareScalars) {
  const std::size_t n = 100;
  const auto g1 = multiples<Bn254G1>(n);
  const auto g2 = multiples<Bn254G2>(n);
  const auto w = random_scalars(n), h = random_scalars(64);
  MsmSet set;
  set.g1 = {{bytes(g1), bytes(w), n},  {bytes(g1) + 64 * 10, bytes(w), n - 10},
            {bytes(g1), bytes(w), n},  {bytes(g1) + 64 * 3, bytes(w) + 32 * 3, n - 3},
            {bytes(g1), bytes(h), 64}, {bytes(g1), bytes(w), 0}};
  set.g2 = {{bytes(g2), bytes(w), n}, {bytes(g2), bytes(h), 64}};
  GpuBackend device = on_host();
  expect_as_on_cpu(set, device, "shared");
}

TEST(DeviceMsm, EdgeScalarsTimesEdgePoints) {
  const auto base = multiples<Bn254G1>(3);
  const auto base2 = multiples<Bn254G2>(3);
  const Fr one = Fr::one();
  std::vector<UInt<4>> scalars;
  for (const Fr& s : {Fr::zero(), one, -one, Fr(2), -Fr(2), Fr(u64(1) << 63)}) scalars.push_back(s.to_int());
  // Scalar by scalar with a point, its opposite, itself again and infinity.
  std::vector<UInt<4>> s;
  std::vector<Bn254G1::Affine> p;
  std::vector<Bn254G2::Affine> q;
  for (const UInt<4>& a : scalars)
    for (const UInt<4>& b : scalars)
      for (int k = 0; k < 3; k++) {
        s.push_back(a), p.push_back(base[1]), q.push_back(base2[1]);
        s.push_back(b);
        p.push_back(k == 0 ? base[1] : k == 1 ? -base[1] : Bn254G1::Affine::infinity());
        q.push_back(k == 0 ? base2[1] : k == 1 ? -base2[1] : Bn254G2::Affine::infinity());
      }
  MsmSet pairs, whole;
  for (std::size_t i = 0; i < s.size(); i += 2) pairs.g1.push_back({bytes(p) + 64 * i, bytes(s) + 32 * i, 2});
  whole.g1 = {{bytes(p), bytes(s), s.size()}};
  whole.g2 = {{bytes(q), bytes(s), s.size()}};
  GpuBackend device = on_host();
  expect_as_on_cpu(pairs, device, "pairs");
  expect_as_on_cpu(whole, device, "whole");
}

// All entries of a window in one bucket, or in two far apart.
TEST(DeviceMsm, SkewedScalars) {
  const std::size_t n = 3000;
  const auto g1 = multiples<Bn254G1>(n);
  const auto some = random_scalars(2);
  for (int kind = 0; kind < 4; kind++) {
    std::vector<UInt<4>> s(n);
    for (std::size_t i = 0; i < n; i++)
      s[i] = kind == 0 ? UInt<4>::of(1) : kind == 1 ? some[0] : kind == 2 ? some[i % 2] : UInt<4>::of(i & 1);
    MsmSet set;
    set.g1 = {{bytes(g1), bytes(s), n}};
    GpuBackend device = on_host();
    expect_as_on_cpu(set, device, "kind " + std::to_string(kind));
  }
}

TEST(DeviceMsm, InPartsWhereMemoryIsShort) {
  const std::size_t n = 9000;
  const auto g1 = multiples<Bn254G1>(n);
  const auto s = random_scalars(n);
  MsmSet set;
  set.g1 = {{bytes(g1), bytes(s), n}};
  const auto calls = [&](std::uint64_t memory) {
    const auto plan = std::make_shared<FaultPlan>();
    plan->memory = memory;
    GpuBackend device(std::make_unique<FaultyDevice>(open_host(0).value(), plan));
    expect_as_on_cpu(set, device, std::to_string(memory));
    return plan->downloads;
  };
  EXPECT_EQ(calls(0), 1u);
  EXPECT_EQ(calls(4 << 20), 4u);
}

// With the tables of a key, which take half of the memory, and the making of them.
TEST(DeviceMsm, StaysInsideTheMemory) {
  const std::size_t n = 9000;
  const auto g1 = multiples<Bn254G1>(n);
  const auto s = random_scalars(n);
  MsmSet set;
  set.g1 = {{bytes(g1), bytes(s), n}};
  const auto plan = std::make_shared<FaultPlan>();
  plan->memory = 24 << 20;
  GpuBackend device(std::make_unique<FaultyDevice>(open_host(0).value(), plan), 0, false, true);
  const auto key = device.hold({{bytes(g1), 64 * n}});
  expect_as_on_cpu(set, device, "with tables");
  EXPECT_LE(plan->peak_bytes, plan->memory);
  EXPECT_GT(plan->live_bytes, 3 * 64 * n);  // more than the points and their images
}

// What a sum asks of a device.
struct Recorded {
  std::vector<std::string> launches;
  std::vector<std::size_t> buffers;
  u64 products = 0;            // made
  u64 counted = 0, bytes = 0;  // by cost_of
  bool operator==(const Recorded&) const = default;
};

class RecordingDevice final : public PassingDevice {
 public:
  explicit RecordingDevice(Recorded& to) : PassingDevice(std::move(open_host(0)).value()), to_(&to) {}

 protected:
  Result<std::uint64_t> do_allocate(std::size_t bytes) override {
    to_->buffers.push_back(bytes);
    return PassingDevice::do_allocate(bytes);
  }
  Status do_run(std::span<const Launch> launches, std::vector<LaunchTime>* times) override {
    for (const Launch& l : launches) {
      std::string line = std::string(l.kernel) + " " + std::to_string(l.groups) + " x " +
                         std::to_string(l.group_size) + ", local " + std::to_string(l.local_bytes) + ":";
      for (const u32 p : l.params) line += " " + std::to_string(p);
      const Cost cost = cost_of(l);
      // Scalars are split by products of words, which count as a field's.
      to_->counted += std::string_view(l.kernel) == "msm_split" ? 0 : cost.products, to_->bytes += cost.bytes;
      to_->launches.push_back(std::move(line));
    }
    const u64 before = host_products();
    const Status status = PassingDevice::do_run(launches, times);
    to_->products += host_products() - before;
    return status;
  }

 private:
  Recorded* to_;
};

// Products, launches with their parameters, and sizes of buffers are the same for all scalars; without the
// option products are not.
TEST(DeviceMsm, ConstantWork) {
  for (const std::size_t n : {1, 40, 700}) {
    const auto g1 = multiples<Bn254G1>(n);
    const auto g2 = multiples<Bn254G2>(n);
    const auto drawn = random_scalars(n);
    const auto record = [&](const std::vector<UInt<4>>& s, bool constant) {
      Recorded all;
      GpuBackend device(std::make_unique<RecordingDevice>(all), 0, constant);
      MsmSet set;
      set.g1 = {{bytes(g1), bytes(s), n}, {bytes(g1), bytes(s), n}};
      set.g2 = {{bytes(g2), bytes(s), n}};
      expect_as_on_cpu(set, device, std::to_string(n));
      return all;
    };
    const Recorded expected = record(drawn, true);
    EXPECT_GT(expected.products, n * 1000);
    for (const auto& s : {std::vector<UInt<4>>(n), std::vector<UInt<4>>(n, UInt<4>::of(1)),
                          std::vector<UInt<4>>(n, (-Fr::one()).to_int()), std::vector<UInt<4>>(n, drawn[0])})
      EXPECT_TRUE(record(s, true) == expected) << n;
    EXPECT_EQ(record(std::vector<UInt<4>>(n), false).launches, record(drawn, false).launches);
    EXPECT_NE(record(std::vector<UInt<4>>(n), false).products, record(drawn, false).products);
  }
}

// Tables of multiples as far as memory goes: the same sums, the tables made once.
TEST(DeviceMsm, TablesOfMultiples) {
  const std::size_t n = 150;
  auto g1 = multiples<Bn254G1>(n);
  auto g2 = multiples<Bn254G2>(n);
  g1[7] = {}, g2[8] = {}, g1[9] = -g1[10], g2[9] = -g2[10];
  const std::size_t held = 64 * n + 128 * n;
  std::size_t kinds = 0;
  for (const std::size_t times : {1, 2, 3, 9, 40, 200}) {
    for (const bool constant : {false, true}) {
      Recorded all;
      GpuBackend device(std::make_unique<RecordingDevice>(all), times * held, constant, true);
      const auto key = device.hold({{bytes(g1), 64 * n}, {bytes(g2), 128 * n}});
      std::vector<std::string> first;
      for (int round = 0; round < 3; round++) {
        auto s = random_scalars(n);
        if (round == 1) s.assign(n, (-Fr::one()).to_int());
        MsmSet set;
        set.g1 = {{bytes(g1), bytes(s), n}};
        set.g2 = {{bytes(g2), bytes(s), n}};
        all = {};
        expect_as_on_cpu(set, device, std::to_string(times));
        const auto made = std::count_if(all.launches.begin(), all.launches.end(),
                                        [](const std::string& l) { return l.find("_multiples ") != l.npos; });
        EXPECT_EQ(made, times >= 2 && round == 0 ? 2 : 0) << times;
        EXPECT_EQ(std::any_of(all.launches.begin(), all.launches.end(),
                              [](const std::string& l) { return l.starts_with("msm_split "); }),
                  times < 2);
        if (round == 1) first = all.launches;
        if (round == 2) EXPECT_EQ(all.launches, first);
      }
      kinds++;
    }
  }
  EXPECT_EQ(kinds, 12u);
}

// Costs are read off launches: for sums of constant work they are exact.
TEST(KernelCost, IsWhatIsMade) {
  const std::size_t n = 300;
  const auto g1 = multiples<Bn254G1>(n);
  const auto g2 = multiples<Bn254G2>(n);
  const auto s = random_scalars(n);
  for (const bool tables : {false, true}) {
    Recorded all;
    GpuBackend device(std::make_unique<RecordingDevice>(all), 0, true, tables);
    const auto key = device.hold({{bytes(g1), 64 * n}, {bytes(g2), 128 * n}});
    MsmSet set;
    set.g1 = {{bytes(g1), bytes(s), n}, {bytes(g1), bytes(s), n}};
    set.g2 = {{bytes(g2), bytes(s), n}};
    ASSERT_TRUE(device.msm(set).ok());
    if (tables) {  // those who stay find their tables made
      all = {};
      ASSERT_TRUE(device.msm(set).ok());
    }
    EXPECT_GT(all.bytes, 0u);
    EXPECT_EQ(all.products, all.counted) << tables;
  }
}

TEST(MsmPlan, WindowsCoverScalars) {
  for (u32 halves = 1; halves <= 2; halves++)
    for (u32 c = 2; c <= 20; c++)
      for (u32 per_set = 1; per_set <= 10; per_set++) {
        const MsmPlan plan = plan_msm({.count = 1000}, halves, c, per_set);
        EXPECT_GE(plan.used * c, halves == 2 ? 128u : 255u);
        EXPECT_GE(plan.sets * plan.per_set, plan.used);
        EXPECT_LT((plan.sets - 1) * plan.per_set, plan.used) << "a set that no window uses";
        u32 bits = 0;
        for (u32 pass = 0; pass < plan.passes(); pass++) bits += plan.pass_bits(pass);
        EXPECT_EQ(bits, c);
        EXPECT_LE(plan.pass_bits(0), 6u);
      }
}

}  // namespace
}  // namespace vouch::gpu
