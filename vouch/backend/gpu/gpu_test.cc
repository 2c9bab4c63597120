// The parity table: every device that is present (the host device always, PoCL or a GPU through OpenCL, a GPU
// through CUDA) against the reference, operation x size x distribution.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "vouch/backend/gpu/backend.h"
#include "vouch/backend/gpu/faulty.h"
#include "vouch/backend/gpu/test_devices.h"
#include "vouch/core/rng.h"

namespace vouch::gpu {
namespace {

using Fr = Bn254Fr;

class Parity : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto device = open_test_device(GetParam());
    if (!device.ok()) GTEST_SKIP() << "NOT RUN: " << device.error().what;
    backend_ = std::make_unique<GpuBackend>(std::move(device).value());
    reference_ = std::move(open_backend("reference")).value();
  }
  Fr element() { return Fr(rng_.next()) * Fr(rng_.next()) * Fr(rng_.next()) * Fr(rng_.next()); }

  InsecureTestRng rng_{42};
  std::unique_ptr<Backend> backend_, reference_;
};

TEST_P(Parity, Ntt) {
  for (int log_n = 0; log_n <= VOUCH_TEST_LOG; log_n++)
    for (const Direction direction : {Direction::forward, Direction::inverse}) {
      std::vector<Fr> v(std::size_t(1) << log_n);
      for (Fr& x : v) x = element();
      std::vector<Fr> expected = v;
      const Fr shift = log_n % 3 ? element() : Fr::one();
      ASSERT_TRUE(reference_->ntt(expected, direction, shift).ok());
      const Status status = backend_->ntt(v, direction, shift);
      ASSERT_TRUE(status.ok()) << status.error().what;
      EXPECT_EQ(v, expected) << "2^" << log_n;
    }
}

TEST_P(Parity, QuotientOfRowsInAnyOrder) {
  for (int log_n = 0; log_n <= VOUCH_TEST_LOG; log_n++) {
    const std::size_t n = std::size_t(1) << log_n, records = 3 * n;
    std::vector<UInt<4>> witness(7);
    for (auto& w : witness) w = element().to_int();
    std::vector<u8> bytes;
    for (std::size_t i = 0; i < records; i++) {
      const u32 head[3] = {u32(rng_.next() & 1), u32(rng_.next() % n), u32(rng_.next() % witness.size())};
      const auto value = element().montgomery();
      bytes.insert(bytes.end(), reinterpret_cast<const u8*>(head), reinterpret_cast<const u8*>(head) + 12);
      bytes.insert(bytes.end(), reinterpret_cast<const u8*>(&value),
                   reinterpret_cast<const u8*>(&value) + 32);
    }
    const QuotientInput input{bytes.data(), records, reinterpret_cast<const u8*>(witness.data()),
                              witness.size(), log_n};
    std::vector<UInt<4>> h(n), expected(n);
    ASSERT_TRUE(reference_->groth16_quotient(input, expected).ok());
    const Status status = backend_->groth16_quotient(input, h);
    ASSERT_TRUE(status.ok()) << status.error().what;
    EXPECT_EQ(h, expected) << "2^" << log_n;
  }
}

// Points with infinities, repeats and opposites among them.
template <class C>
std::vector<typename C::Affine> sample_points(std::size_t n) {
  std::vector<typename C::Affine> points(n);
  auto p = C::Xyzz::from(C::generator());
  for (std::size_t i = 0; i < n; i++) {
    points[i] = i % 11 == 5 ? C::Affine::infinity() : p.to_affine();
    if (i % 3) p += C::generator();
    if (i % 7 == 0) p = -p;
  }
  return points;
}

TEST_P(Parity, SumsOfEveryDistribution) {
  const char* names[] = {"random", "bits", "zero", "minus one", "one huge bucket"};
  for (const std::size_t n : {0, 1, 2, 3, 17, 64, 500})
    for (int kind = 0; kind < 5; kind++) {
      const auto g1 = sample_points<Bn254G1>(n);
      const auto g2 = sample_points<Bn254G2>(n);
      std::vector<UInt<4>> scalars(n);
      for (std::size_t i = 0; i < n; i++) {
        if (kind == 0) scalars[i] = element().to_int();
        if (kind == 1) scalars[i] = UInt<4>::of(rng_.next() & 1);
        if (kind == 3) scalars[i] = (-Fr::one()).to_int();
        if (kind == 4) scalars[i] = i % 9 ? UInt<4>::of(5) : element().to_int();
      }
      const auto* s = reinterpret_cast<const u8*>(scalars.data());
      MsmSet set;
      set.g1.push_back({reinterpret_cast<const u8*>(g1.data()), s, n});
      set.g2.push_back({reinterpret_cast<const u8*>(g2.data()), s, n});
      auto expected = reference_->msm(set), sums = backend_->msm(set);
      ASSERT_TRUE(sums.ok()) << sums.error().what;
      EXPECT_EQ(sums.value().g1[0], expected.value().g1[0]) << n << " points, " << names[kind];
      EXPECT_EQ(sums.value().g2[0], expected.value().g2[0]) << n << " points, " << names[kind];
    }
}

// Among them what complete additions must not tell apart.
TEST_P(Parity, SumsWithConstantWork) {
  GpuBackend constant(std::move(open_test_device(GetParam())).value(), 0, true);
  for (const std::size_t n : {0, 1, 17, 90})
    for (int kind = 0; kind < 4; kind++) {
      const auto g1 = sample_points<Bn254G1>(n);
      const auto g2 = sample_points<Bn254G2>(n);
      std::vector<UInt<4>> scalars(n, UInt<4>::of(u64(kind)));
      for (auto& s : scalars)
        if (kind == 2)
          s = (-Fr::one()).to_int();
        else if (kind == 3)
          s = element().to_int();
      const auto* s = reinterpret_cast<const u8*>(scalars.data());
      MsmSet set;
      set.g1.push_back({reinterpret_cast<const u8*>(g1.data()), s, n});
      set.g2.push_back({reinterpret_cast<const u8*>(g2.data()), s, n});
      auto expected = reference_->msm(set), sums = constant.msm(set);
      ASSERT_TRUE(sums.ok()) << sums.error().what;
      EXPECT_EQ(sums.value().g1[0], expected.value().g1[0]) << n << " points, kind " << kind;
      EXPECT_EQ(sums.value().g2[0], expected.value().g2[0]) << n << " points, kind " << kind;
    }
}

// A key's records fill half of the device; a transform that finds no room has them given back.
TEST(GpuBackend, ATransformMayTakeTheRoomOfAKey) {
  const auto plan = std::make_shared<FaultPlan>();
  plan->memory = 1 << 20;
  GpuBackend backend(std::make_unique<FaultyDevice>(open_host(0).value(), plan));
  const std::size_t records = 11000;
  const std::vector<u8> bytes(44 * records), witness(32);
  const auto key = backend.hold({bytes});
  std::vector<UInt<4>> h(16);
  ASSERT_TRUE(backend.groth16_quotient({bytes.data(), records, witness.data(), 1, 4}, h).ok());
  EXPECT_GT(plan->live_bytes, bytes.size());
  std::vector<Fr> v(std::size_t(1) << 12, Fr(3)), expected = v;
  ASSERT_TRUE(open_backend("cpu", {.threads = 1}).value()->ntt(expected, Direction::forward, Fr(5)).ok());
  const Status status = backend.ntt(v, Direction::forward, Fr(5));
  ASSERT_TRUE(status.ok()) << status.error().what;
  EXPECT_EQ(v, expected);
  EXPECT_LT(plan->live_bytes, bytes.size());
}

INSTANTIATE_TEST_SUITE_P(Devices, Parity, testing::Values(VOUCH_TEST_DEVICES),
                         [](const auto& i) { return i.param; });

}  // namespace
}  // namespace vouch::gpu
