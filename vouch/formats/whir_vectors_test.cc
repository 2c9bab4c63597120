// The golden cases: everything an unmodified p3-whir 0.7 made, reproduced and verified.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "vouch/formats/whir_case.h"
#include "vouch/formats/whir_json.h"

namespace vouch::formats {
namespace {

using namespace whir;

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(VOUCH_VECTORS) + "/whir"))
    if (const std::string name = entry.path().stem().string();
        name.starts_with("bb") || name.starts_with("kb"))
      names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

#define ASSERT_OK(r) ASSERT_TRUE((r).ok()) << (r).error().what

Bytes bytes_of(const std::string& s) {
  return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()};
}
std::string string_of(const std::vector<std::uint8_t>& v) {
  return {v.begin(), v.end()};
}

class GoldenCase {
 protected:
  void load(const std::string& name) {
    text_ = read_text(std::string(VOUCH_VECTORS) + "/whir/" + name + ".json");
    auto c = whir_case_from_json(text_);
    ASSERT_OK(c);
    case_ = std::move(c.value());
    auto s = whir::Setup::create(case_.statement);
    ASSERT_OK(s);
    setup_ = std::move(s.value());
  }
  void prove_and_compare(Prover& prover);

  std::string text_;
  WhirCase case_;
  whir::Setup setup_;
};

class WhirVectors : public GoldenCase, public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { load(GetParam()); }
};

TEST_P(WhirVectors, DerivedConfig) {
  ASSERT_TRUE(case_.config);
  const Config &a = setup_.config(), &b = *case_.config;
  EXPECT_EQ(a.variables, b.variables);
  EXPECT_EQ(a.ext_bits, b.ext_bits);
  EXPECT_EQ(a.folding, b.folding);
  EXPECT_EQ(a.ood_samples, b.ood_samples);
  EXPECT_EQ(a.fold_pow_bits, b.fold_pow_bits);
  EXPECT_EQ(a.final_queries, b.final_queries);
  EXPECT_EQ(a.final_pow_bits, b.final_pow_bits);
  EXPECT_EQ(a.final_sumcheck_rounds, b.final_sumcheck_rounds);
  EXPECT_EQ(a.final_fold_pow_bits, b.final_fold_pow_bits);
  ASSERT_EQ(a.rounds.size(), b.rounds.size());
  for (std::size_t i = 0; i < a.rounds.size(); i++) {
    const RoundConfig &r = a.rounds[i], &s = b.rounds[i];
    EXPECT_EQ(r.pow_bits, s.pow_bits);
    EXPECT_EQ(r.fold_pow_bits, s.fold_pow_bits);
    EXPECT_EQ(r.queries, s.queries);
    EXPECT_EQ(r.ood_samples, s.ood_samples);
    EXPECT_EQ(r.variables, s.variables);
    EXPECT_EQ(r.folding_factor, s.folding_factor);
    EXPECT_EQ(r.log_inv_rate, s.log_inv_rate);
    EXPECT_EQ(r.log_domain, s.log_domain);
  }
}

void expect_same(const OperationLog& ours, const OperationLog& theirs) {
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); i++)
    ASSERT_EQ(to_string(ours[i]), to_string(theirs[i])) << "operation " << i;
  EXPECT_EQ(ours.size(), theirs.size());
}

void GoldenCase::prove_and_compare(Prover& prover) {
  const auto values = whir_case_values(case_);
  std::vector<Table> tables;
  for (const auto& t : values) tables.emplace_back(t.begin(), t.end());
  OperationLog log;
  Transcript t = setup_.start(&log);
  auto cap = prover.commit(tables, t);
  ASSERT_OK(cap);
  EXPECT_EQ(cap.value(), *case_.commitment);
  EXPECT_EQ(string_of(to_postcard(cap.value(), case_.encoding())), *case_.commitment_postcard);
  auto proof = prover.open(t);
  ASSERT_OK(proof);
  expect_same(log, *case_.prover_trace);
  EXPECT_EQ(string_of(to_postcard(proof.value(), case_.encoding())), *case_.proof_postcard);
  // The file is read for its text here: our reader has been through our own writer.
  const std::size_t at = text_.find("\"proof_json\":");
  ASSERT_NE(at, std::string::npos);
  const std::string json = whir_proof_to_json(proof.value(), case_.encoding());
  EXPECT_EQ(json, text_.substr(at + 13, json.size()));
  EXPECT_FALSE(prover.open(t).ok());
}

TEST_P(WhirVectors, ProverReproducesEveryByte) {
  auto prover = Prover::create(setup_);
  ASSERT_OK(prover);
  prove_and_compare(prover.value());
}

TEST_P(WhirVectors, VerifierAcceptsWithTheSameTranscript) {
  auto proof = proof_from_postcard(bytes_of(*case_.proof_postcard), case_.encoding());
  ASSERT_OK(proof);
  OperationLog log;
  Transcript t = setup_.start(&log);
  const Status s = verify(setup_, *case_.commitment, proof.value(), t);
  ASSERT_OK(s);
  expect_same(log, *case_.verifier_trace);
  auto from_json = whir_proof_from_json(*case_.proof_json, case_.encoding());
  ASSERT_OK(from_json);
  EXPECT_EQ(from_json.value(), proof.value());
  EXPECT_EQ(string_of(to_postcard(proof.value(), case_.encoding())), *case_.proof_postcard);
}

// Every golden proof, byte for byte, from every kind of device in every mode.
struct DeviceCase {
  std::string device;
  DeviceMode mode;
};
class WhirDevices : public GoldenCase, public testing::TestWithParam<DeviceCase> {};

TEST_P(WhirDevices, ReproduceEveryByte) {
  for (const std::string& name : case_names()) {
    SCOPED_TRACE(name);
    load(name);
    ProverOptions options;
    options.backend = GetParam().device;
    options.device_mode = GetParam().mode;
    auto prover = Prover::create(setup_, options);
    if (!prover.ok() && prover.error().code == Code::unsupported)
      GTEST_SKIP() << "NOT RUN: " << prover.error().what;
    ASSERT_OK(prover);
    prove_and_compare(prover.value());
  }
}
std::string device_case_name(const testing::TestParamInfo<DeviceCase>& info) {
  const char* suffix[] = {"_operations", "_fused", ""};
  return info.param.device.substr(0, info.param.device.find(':')) + suffix[int(info.param.mode)];
}
INSTANTIATE_TEST_SUITE_P(Golden, WhirDevices,
                         testing::Values(DeviceCase{"host", DeviceMode::operations},
                                         DeviceCase{"host", DeviceMode::fused},
                                         DeviceCase{"host", DeviceMode::fused_grind},
                                         DeviceCase{"opencl:0", DeviceMode::operations},
                                         DeviceCase{"opencl:0", DeviceMode::fused},
                                         DeviceCase{"opencl:0", DeviceMode::fused_grind}),
                         device_case_name);

INSTANTIATE_TEST_SUITE_P(Golden, WhirVectors, testing::ValuesIn(case_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace vouch::formats
