// Sums on a device: several at once with and without the same scalars, in parts where memory is short, and
// the scalars and points at which a formula could go wrong.
#include <gtest/gtest.h>

#include "vouch/backend/gpu/backend.h"
#include "vouch/backend/gpu/faulty.h"
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

}  // namespace
}  // namespace vouch::gpu
