// From files to proofs and back: pinned proofs equal the independent prover's byte for byte, on every
// backend; every wrong witness is refused; two provers at once do not disturb each other.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "vouch/formats/decimal.h"
#include "vouch/formats/json.h"
#include "vouch/formats/test_files.h"
#include "vouch/formats/wtns.h"
#include "vouch/formats/zkey.h"
#include "vouch/groth16/prover.h"
#include "vouch/groth16/verifier.h"

namespace vouch::formats {
namespace {

using groth16::ProveOptions;
using groth16::Prover;

const std::vector<std::string> circuits = {"mul3", "edge_pub0", "edge_nocons", "edge_dom2", "edge_puball"};

std::unique_ptr<Backend> backend_named(const std::string& name, int threads = 2) {
  BackendOptions options;
  options.threads = threads;
  auto backend = open_backend(name, options);
  EXPECT_TRUE(backend.ok()) << error_of(backend);
  return std::move(backend).value();
}

// A circuit's golden key and witness, in memory.
class Artifact {
 public:
  explicit Artifact(const std::string& name)
      : key_(read_golden(name + "/" + name + ".zkey")), witness_(read_golden(name + "/" + name + ".wtns")) {
    values_ = TestContainer::parse(witness_)[2];
  }
  groth16::ProvingKey key() const {
    auto zkey = parse_zkey("k.zkey", key_, {}, Threads(1));
    EXPECT_TRUE(zkey.ok()) << error_of(zkey);
    return zkey.value().key;
  }
  groth16::Witness witness() const { return {"w.wtns", values_}; }
  Blob& values() { return values_; }
  Blob& key_bytes() { return key_; }

 private:
  Blob key_, witness_, values_;
};

class ProveOn : public ::testing::TestWithParam<std::string> {};

TEST_P(ProveOn, PinnedProofsAreByteIdentical) {
  const auto backend = backend_named(GetParam());
  for (const std::string& name : circuits) {
    const Artifact artifact(name);
    const Prover prover(artifact.key(), *backend);
    for (const auto& pair : nlohmann::json::parse(text_of(read_golden(name + "/pinned/blinders.json")))) {
      ProveOptions options;
      options.insecure_blinders = {parse_decimal(pair["r"].get<std::string>(), Bn254Fr::modulus).value(),
                                   parse_decimal(pair["s"].get<std::string>(), Bn254Fr::modulus).value()};
      OsRng rng;
      auto proved = prover.prove(artifact.witness(), rng, options);
      ASSERT_TRUE(proved.ok()) << name << error_of(proved);
      const std::string file = name + "/pinned/" + pair["name"].get<std::string>() + ".proof.json";
      EXPECT_EQ(proof_json(proved.value().proof), text_of(read_golden(file))) << file;
      EXPECT_EQ(public_json(proved.value().publics), text_of(read_golden(name + "/public.json"))) << name;
    }
  }
}

TEST_P(ProveOn, FreshBlindersEachTime) {
  const auto backend = backend_named(GetParam());
  const Artifact artifact("mul3");
  const Prover prover(artifact.key(), *backend);
  OsRng rng;
  auto one = prover.prove(artifact.witness(), rng), two = prover.prove(artifact.witness(), rng);
  ASSERT_TRUE(one.ok() && two.ok());
  EXPECT_FALSE(one.value().proof == two.value().proof);
  EXPECT_EQ(one.value().publics, two.value().publics);
  EXPECT_TRUE(
      groth16::verify(groth16::verifying_key(prover.key()), one.value().publics, one.value().proof).ok());
}

INSTANTIATE_TEST_SUITE_P(Backends, ProveOn, ::testing::Values("cpu", "reference"),
                         [](const auto& info) { return info.param; });

TEST(Prove, LargerCircuit) {
  const auto backend = backend_named("cpu");
  const Artifact artifact("pos12");
  OsRng rng;
  auto proved = Prover(artifact.key(), *backend).prove(artifact.witness(), rng);
  EXPECT_TRUE(proved.ok()) << error_of(proved);
}

// Pinned, so that a proof in parts must be the same bytes.
TEST(Prove, WithinABudgetInPartsOfTheKey) {
  const auto backend = backend_named("cpu");
  const std::string path = std::string(VOUCH_VECTORS) + "/groth16/pos12/pos12.zkey";
  auto zkey = open_zkey(path, {.stream = true}, Threads(2));
  ASSERT_TRUE(zkey.ok()) << error_of(zkey);
  const Prover prover(zkey.value().key, *backend);
  const Artifact artifact("pos12");
  ProveOptions options;
  options.insecure_blinders = {UInt<4>::of(7), UInt<4>::of(8)};
  OsRng rng;
  auto whole = prover.prove(artifact.witness(), rng, options);
  ASSERT_TRUE(whole.ok()) << error_of(whole);

  const groth16::MemoryPlan least = groth16::plan_memory(prover.key(), 2, 1),
                            all = groth16::plan_memory(prover.key(), 2, 0);
  EXPECT_TRUE(least.streams && !all.streams);
  EXPECT_LT(least.points, prover.key().wire_count);  // more than one part
  EXPECT_EQ(least.peak, least.least);
  EXPECT_LT(least.least, all.peak);
  for (const std::uint64_t budget : {least.least, (least.least + all.peak) / 2, all.peak, 2 * all.peak}) {
    options.memory = budget;
    auto parts = prover.prove(artifact.witness(), rng, options);
    ASSERT_TRUE(parts.ok()) << error_of(parts);
    EXPECT_TRUE(parts.value().proof == whole.value().proof) << budget;
  }
  options.memory = least.least - 1;
  EXPECT_EQ(error_of(prover.prove(artifact.witness(), rng, options)),
            path + ": a proof on 2 threads needs at least " + std::to_string((least.least >> 20) + 1) +
                "M of memory, and may use " + std::to_string(options.memory) + " bytes");
  const Prover in_memory(artifact.key(), *backend);
  options.memory = least.least;
  EXPECT_EQ(error_of(in_memory.prove(artifact.witness(), rng, options)),
            "k.zkey: a memory budget needs a key that is a mapped file; this one is in memory");
}

TEST(Prove, EveryWrongWireIsRefused) {
  const auto backend = backend_named("cpu");
  OsRng rng;
  for (std::size_t wire = 1; wire < 8; wire++) {
    Artifact artifact("mul3");
    artifact.values()[32 * wire] ^= 1;
    auto proved = Prover(artifact.key(), *backend).prove(artifact.witness(), rng);
    ASSERT_FALSE(proved.ok()) << wire;
    EXPECT_EQ(proved.error().code, Code::unsatisfied);
    EXPECT_EQ(
        proved.error().what,
        "w.wtns: the witness does not satisfy the circuit of k.zkey (a proof made from it does not verify)");
    ProveOptions unchecked;
    unchecked.verify = false;
    EXPECT_TRUE(Prover(artifact.key(), *backend).prove(artifact.witness(), rng, unchecked).ok());
  }
}

TEST(Prove, WitnessIsCheckedFirst) {
  const auto backend = backend_named("cpu");
  OsRng rng;
  const auto error = [&](auto change) {
    Artifact artifact("mul3");
    change(artifact.values());
    return error_of(Prover(artifact.key(), *backend).prove(artifact.witness(), rng));
  };
  EXPECT_EQ(error([](Blob& v) { v.resize(32 * 7); }),
            "w.wtns: has 7 values, but k.zkey is for a circuit with 8 wires: the witness is from another "
            "circuit, or from "
            "another build of it");
  EXPECT_EQ(error([](Blob& v) { v.resize(32 * 9); }).substr(0, 20), "w.wtns: has 9 values");
  EXPECT_EQ(error([](Blob& v) { v[0] = 2; }), "w.wtns: wire 0 must hold the constant 1");
  EXPECT_EQ(error([](Blob& v) { std::memset(v.data(), 0, v.size()); }),
            "w.wtns: wire 0 must hold the constant 1");
  EXPECT_EQ(error([](Blob& v) { std::memcpy(v.data() + 64, &Bn254Fr::modulus, 32); }),
            "w.wtns: the value of wire 2 (a public signal) is not below the field's modulus");
  EXPECT_EQ(error([](Blob& v) { std::memset(v.data() + 224, 0xFF, 32); }),
            "w.wtns: the value of wire 7 is not below the field's modulus");
}

TEST(Prove, DamagedKeyIsNamedAndNotTheWitness) {
  const auto backend = backend_named("cpu");
  Artifact artifact("mul3");
  TestContainer c = TestContainer::parse(artifact.key_bytes());
  c[9][0] ^= 1;
  artifact.key_bytes() = c.bytes();
  OsRng rng;
  auto proved = Prover(artifact.key(), *backend).prove(artifact.witness(), rng);
  EXPECT_EQ(error_of(proved), "k.zkey: section 9 (H points): point 0 is not on the curve");
}

// A generator whose first answers are too large, then fails.
class ScriptedRng final : public Rng {
 public:
  Status fill(std::span<std::uint8_t> out) override {
    calls++;
    if (calls > 2) return Error{Code::io, "no more randomness"};
    std::fill(out.begin(), out.end(), std::uint8_t(0xFF));
    return ok();
  }
  int calls = 0;
};

TEST(Prove, BlindersAreDrawnAgainUntilBelowTheOrder) {
  const auto backend = backend_named("cpu");
  const Artifact artifact("mul3");
  ScriptedRng rng;
  EXPECT_EQ(error_of(Prover(artifact.key(), *backend).prove(artifact.witness(), rng)), "no more randomness");
  EXPECT_EQ(rng.calls, 3);
  ProveOptions pinned;
  pinned.insecure_blinders = {Bn254Fr::modulus, {}};
  EXPECT_EQ(error_of(Prover(artifact.key(), *backend).prove(artifact.witness(), rng, pinned)),
            "the blinders must be below the group order");
}

TEST(Prove, TwoAtOnceFromOneKeyAndFromTwo) {
  const auto backend = backend_named("cpu");
  const Artifact small("mul3"), large("pos12");
  const Prover small_prover(small.key(), *backend), large_prover(large.key(), *backend);
  std::vector<std::string> errors(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < errors.size(); i++)
    threads.emplace_back([&, i] {
      const bool is_small = i % 2 == 0;
      const Prover& prover = is_small ? small_prover : large_prover;
      InsecureTestRng rng(i);
      for (int k = 0; k < (is_small ? 4 : 1) && errors[i].empty(); k++) {
        auto proved = prover.prove((is_small ? small : large).witness(), rng);
        if (!proved.ok()) errors[i] = error_of(proved);
      }
    });
  for (auto& t : threads) t.join();
  EXPECT_EQ(errors, std::vector<std::string>(4));
}

}  // namespace
}  // namespace vouch::formats
