// A device that fails at any one of its calls, or computes wrongly at any download: with the processor
// standing in, the golden proof all the same and a warning; without, an error that names the device. No
// buffer is left over, and what is left on the device does not tell the witness.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "vouch/backend/fallback.h"
#include "vouch/backend/gpu/backend.h"
#include "vouch/backend/gpu/faulty.h"
#include "vouch/backend/gpu/metered.h"
#include "vouch/formats/decimal.h"
#include "vouch/formats/json.h"
#include "vouch/formats/test_files.h"
#include "vouch/formats/zkey.h"
#include "vouch/groth16/prover.h"

namespace vouch::formats {
namespace {

using gpu::FaultPlan;
using groth16::Proved;

struct Outcome {
  Result<Proved> proved;
  FaultPlan seen;
  std::vector<std::string> warnings;
};

class DeviceFault : public ::testing::Test {
 protected:
  void SetUp() override {
    auto zkey = parse_zkey("k.zkey", key_file_, {}, Threads(1));
    ASSERT_TRUE(zkey.ok()) << error_of(zkey);
    key_ = zkey.value().key;
  }

  // One proof with pinned blinders on the host device with that fault.
  Outcome prove(const FaultPlan& fault, bool fallback, const Blob& values) {
    const auto plan = std::make_shared<FaultPlan>(fault);
    std::vector<std::string> warnings;
    Result<Proved> proved = Error{Code::internal, "not run"};
    {
      auto device = std::make_unique<gpu::FaultyDevice>(gpu::open_host(0).value(), plan);
      std::unique_ptr<Backend> backend =
          std::make_unique<gpu::GpuBackend>(std::move(device), 0, constant_work_, tables_);
      if (fallback)
        backend =
            std::make_unique<FallbackBackend>(std::move(backend), open_backend("cpu", {.threads = 1}).value(),
                                              [&](const std::string& what) { warnings.push_back(what); });
      groth16::ProveOptions options;
      options.insecure_blinders = {UInt<4>::of(1), UInt<4>::of(2)};
      OsRng rng;
      proved = groth16::Prover(key_, *backend).prove({"w.wtns", values}, rng, options);
    }
    return {std::move(proved), *plan, std::move(warnings)};
  }
  Outcome prove(const FaultPlan& fault, bool fallback) { return prove(fault, fallback, values_); }

  void expect_golden(const Outcome& outcome, const std::string& where) {
    ASSERT_TRUE(outcome.proved.ok()) << where << error_of(outcome.proved);
    EXPECT_EQ(proof_json(Result<Proved>(outcome.proved).value().proof), golden_) << where;
  }

  void fail_at_every_call();
  void nothing_stays();

  bool constant_work_ = false, tables_ = false;  // of the device's sums
  const Blob key_file_ = read_golden("mul3/mul3.zkey");
  const Blob values_ = TestContainer::parse(read_golden("mul3/mul3.wtns"))[2];
  const std::string golden_ = text_of(read_golden("mul3/pinned/r1_s2.proof.json"));
  groth16::ProvingKey key_;
};

// What "auto" asks of a device's memory is what the quotient takes there.
TEST_F(DeviceFault, ThePlannedMemoryIsTaken) {
  for (const char* name : {"mul3", "pos12"}) {
    const Blob file = read_golden(std::string(name) + "/" + name + ".zkey");
    const Blob values = TestContainer::parse(read_golden(std::string(name) + "/" + name + ".wtns"))[2];
    auto zkey = parse_zkey("k.zkey", file, {}, Threads(1));
    ASSERT_TRUE(zkey.ok()) << error_of(zkey);
    const groth16::ProvingKey& key = zkey.value().key;
    const auto use = std::make_shared<DeviceUse>();
    gpu::GpuBackend backend(std::make_unique<gpu::MeteredDevice>(std::move(gpu::open_host(0)).value(), use));
    std::vector<UInt<4>> h(key.domain_size());
    ASSERT_TRUE(backend
                    .groth16_quotient({key.records.data(), key.record_count(), values.data(),
                                       values.size() / 32, key.log_domain},
                                      h)
                    .ok());
    const groth16::DeviceNeed need = groth16::device_need(key);
    EXPECT_NEAR(double(use->peak_bytes), double(need.bytes), 16.0 * 10) << name;  // ends of buffers
    EXPECT_LE(need.largest_buffer, need.bytes) << name;
  }
}

void DeviceFault::fail_at_every_call() {
  const Outcome sound = prove({}, true);
  expect_golden(sound, "no fault");
  EXPECT_TRUE(sound.warnings.empty());
  EXPECT_GT(sound.seen.calls, 50u);
  EXPECT_EQ(sound.seen.live_buffers, 0u);
  std::size_t made_good = 0;
  for (std::size_t n = 1; n <= sound.seen.calls; n++) {
    const std::string where = "call " + std::to_string(n);
    for (const bool lasting : {false, true}) {
      const Outcome outcome = prove({.failing_call = n, .lasting = lasting}, true);
      expect_golden(outcome, where);
      EXPECT_EQ(outcome.seen.live_buffers, 0u) << where;
      const Outcome failed = prove({.failing_call = n, .lasting = lasting}, false);
      EXPECT_EQ(failed.seen.live_buffers, 0u) << where;
      // One failed allocation may be made good by giving the key's tables back.
      if (!lasting && failed.proved.ok()) {
        EXPECT_TRUE(outcome.warnings.empty());
        expect_golden(failed, where);
        made_good++;
        continue;
      }
      ASSERT_FALSE(failed.proved.ok()) << where;
      EXPECT_NE(error_of(failed.proved).find(lasting ? "call " : where + " ("), std::string::npos)
          << error_of(failed.proved);
      ASSERT_EQ(outcome.warnings.size(), lasting ? 2u : 1u) << where;
      EXPECT_EQ(outcome.warnings[0].find("host (kernel text on this processor): the "), 0u)
          << outcome.warnings[0];
      EXPECT_NE(outcome.warnings[0].find(" was made to fail; it is tried once more"), std::string::npos);
      if (lasting)
        EXPECT_NE(outcome.warnings[1].find(" was made to fail; the processor does this"), std::string::npos);
    }
  }
  EXPECT_LT(made_good, sound.seen.calls / 2);
}

TEST_F(DeviceFault, EveryCall) {
  fail_at_every_call();
}
TEST_F(DeviceFault, EveryCallWithTables) {
  tables_ = true;
  fail_at_every_call();
}

TEST_F(DeviceFault, EveryDownloadWrong) {
  const std::size_t downloads = prove({}, true).seen.downloads;
  EXPECT_EQ(downloads, 6u);  // the quotient and five sums
  std::size_t noticed = 0;
  for (std::size_t n = 1; n <= downloads; n++) {
    const std::string where = "download " + std::to_string(n);
    const Outcome outcome = prove({.wrong_download = n}, true);
    expect_golden(outcome, where);
    const Outcome failed = prove({.wrong_download = n}, false);
    if (failed.proved.ok()) continue;  // the bit was in an empty window
    noticed++;
    EXPECT_EQ(failed.proved.error().code, Code::unsatisfied);
    EXPECT_NE(error_of(failed.proved).find("the device computed wrongly"), std::string::npos);
    ASSERT_EQ(outcome.warnings.size(), 1u) << where;
    EXPECT_NE(outcome.warnings[0].find("does not verify"), std::string::npos) << outcome.warnings[0];
  }
  EXPECT_GE(noticed, 4u);
}

TEST_F(DeviceFault, AWrongWitnessIsNotHeldAgainstTheDevice) {
  Blob wrong = values_;
  wrong[32 * 3] ^= 1;
  const Outcome outcome = prove({}, true, wrong);
  ASSERT_FALSE(outcome.proved.ok());
  EXPECT_EQ(outcome.proved.error().code, Code::unsatisfied);
  EXPECT_TRUE(outcome.warnings.empty());
}

TEST_F(DeviceFault, AKeyStaysOnTheDevice) {
  const auto plan = std::make_shared<FaultPlan>();
  auto device = std::make_unique<gpu::FaultyDevice>(gpu::open_host(0).value(), plan);
  gpu::GpuBackend backend(std::move(device));
  groth16::ProveOptions options;
  options.insecure_blinders = {UInt<4>::of(1), UInt<4>::of(2)};
  OsRng rng;
  std::vector<std::uint64_t> uploaded;
  std::vector<std::size_t> live;
  {
    const groth16::Prover prover(key_, backend);
    for (int i = 0; i < 3; i++) {
      plan->uploaded = 0;
      auto proved = prover.prove({"w.wtns", values_}, rng, options);
      ASSERT_TRUE(proved.ok()) << error_of(proved);
      EXPECT_EQ(proof_json(proved.value().proof), golden_);
      uploaded.push_back(plan->uploaded), live.push_back(plan->live_buffers);
    }
  }
  const std::uint64_t tables =
      key_.records.size() + key_.a.size() + key_.b1.size() + key_.b2.size() + key_.c.size() + key_.h.size();
  EXPECT_GE(uploaded[0] - uploaded[1], tables);
  EXPECT_EQ(uploaded[1], uploaded[2]);
  // The witness for the quotient, for A, B1 and B2 together, and for C; and H's scalars.
  EXPECT_EQ(uploaded[1], 32 * (2 * key_.wire_count + (key_.wire_count - key_.public_count - 1) + 8));
  EXPECT_EQ(live[0], live[2]);
  // Given back: three tables of the quotient, five of points and five of their images.
  EXPECT_EQ(plan->live_buffers, live[2] - 13);
}

TEST_F(DeviceFault, ASmallBudgetKeepsNoTables) {
  const auto plan = std::make_shared<FaultPlan>();
  gpu::GpuBackend backend(std::make_unique<gpu::FaultyDevice>(gpu::open_host(0).value(), plan), 1);
  const groth16::Prover prover(key_, backend);
  OsRng rng;
  EXPECT_TRUE(prover.prove({"w.wtns", values_}, rng).ok());
  EXPECT_EQ(plan->live_buffers, 3u);  // roots and shifts of the domain
}

void DeviceFault::nothing_stays() {
  const Outcome one = prove({}, false);
  Blob other = values_;  // no proof comes of it, but the work is the same
  for (std::size_t i = 32; i < other.size(); i++)
    other[i] = std::uint8_t(i % 32 == 31 ? 1 : other[i] * 7 + i);
  const Outcome two = prove({}, false, other);
  EXPECT_EQ(two.proved.error().code, Code::unsatisfied);
  EXPECT_EQ(one.seen.calls, two.seen.calls);  // nor do the calls depend on it
  EXPECT_EQ(one.seen.left, two.seen.left);
  // Nor after a failure half way, be it of the clearing itself.
  for (std::size_t n = 1; n <= one.seen.calls; n++) {
    const Outcome left = prove({.failing_call = n}, false);
    EXPECT_EQ(left.seen.left, prove({.failing_call = n}, false, other).seen.left) << error_of(left.proved);
  }
}

TEST_F(DeviceFault, NothingOfTheWitnessStaysOnTheDevice) {
  nothing_stays();
}
TEST_F(DeviceFault, NothingOfTheWitnessStaysWithTables) {
  tables_ = true;
  nothing_stays();
}
TEST_F(DeviceFault, NothingOfTheWitnessStaysAfterConstantWork) {
  constant_work_ = true;
  nothing_stays();
}

}  // namespace
}  // namespace vouch::formats
