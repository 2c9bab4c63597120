// Proofs with tables of multiples are the same bytes; stale and damaged tables are told, and never spoil a
// proof.
#include "vouch/formats/tables.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "vouch/core/mapped_file.h"
#include "vouch/formats/json.h"
#include "vouch/formats/test_files.h"
#include "vouch/formats/wtns.h"
#include "vouch/formats/zkey.h"
#include "vouch/groth16/prover.h"

namespace vouch::formats {
namespace {

namespace fs = std::filesystem;
using groth16::ProveOptions;
using groth16::Prover;

class TablesFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("vouch-tables-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    path_ = (folder_ / "k.zkey.tables").string();
    backend_ = open_backend("cpu", {.threads = 2}).value();
    options_.insecure_blinders = {UInt<4>::of(7), UInt<4>::of(8)};
  }
  void TearDown() override { fs::remove_all(folder_); }

  static Zkey open_golden(const std::string& name) {
    return open_zkey(std::string(VOUCH_VECTORS) + "/groth16/" + name + "/" + name + ".zkey", {}, Threads(1))
        .value();
  }
  Result<OpenedTables> open(const groth16::ProvingKey& key, std::uint64_t most = 0) {
    VOUCH_TRY(const auto plan, groth16::plan_tables_for(*backend_, key, most));
    return open_tables(path_, key, plan, *backend_, Threads(2));
  }
  groth16::Proved prove(const Prover& prover, const std::string& name) {
    const auto wtns =
        open_wtns(std::string(VOUCH_VECTORS) + "/groth16/" + name + "/" + name + ".wtns").value();
    OsRng rng;
    auto proved = prover.prove({wtns.name, wtns.values}, rng, options_);
    EXPECT_TRUE(proved.ok()) << error_of(proved);
    return std::move(proved).value();
  }
  std::string read() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path folder_;
  std::string path_;
  std::unique_ptr<Backend> backend_;
  ProveOptions options_;
};

TEST_F(TablesFile, GiveTheSameProof) {
  for (const std::string name : {"mul3", "edge_pub0", "edge_dom2", "edge_puball", "pos12"}) {
    const Zkey zkey = open_golden(name);
    const groth16::Proof plain = prove(Prover(zkey.key, *backend_), name).proof;
    for (const int count : {1, 3, 8, 15, 32}) {
      fs::remove(path_);
      const std::uint64_t most = groth16::plan_of_count(zkey.key, count).bytes;
      auto made = open(zkey.key, most);
      ASSERT_TRUE(made.ok()) << error_of(made);
      EXPECT_TRUE(made.value().made);
      EXPECT_LE(made.value().tables.plan.bytes, most);
      auto again = open(zkey.key, most);
      ASSERT_TRUE(again.ok()) << error_of(again);
      EXPECT_FALSE(again.value().made);
      for (auto* opened : {&made.value(), &again.value()}) {
        EXPECT_EQ(opened->trouble, "");
        Prover prover(zkey.key, *backend_);
        prover.use_tables(opened->tables);
        const auto proved = prove(prover, name);
        EXPECT_TRUE(proved.proof == plain) << name << " " << count;
        EXPECT_FALSE(proved.tables_wrong);
      }
    }
  }
}

TEST_F(TablesFile, StaleOrDamagedIsMadeAnew) {
  const Zkey zkey = open_golden("mul3");
  groth16::ProvingKey other = zkey.key;  // alike but for its points
  other.a = other.b1;
  const auto first = open(zkey.key).value();
  const std::string good = read();
  ASSERT_GT(good.size(), 5000u);
  const auto expect_anew = [&](const std::string& content, const std::string& why) {
    ASSERT_TRUE(write_file(path_, content).ok());
    auto opened = open(zkey.key);
    ASSERT_TRUE(opened.ok()) << error_of(opened);
    EXPECT_TRUE(opened.value().made) << why;
    EXPECT_NE(opened.value().trouble.find(why), std::string::npos) << opened.value().trouble;
    EXPECT_TRUE(read() == good);
  };
  for (const std::size_t at : {std::size_t(4096), std::size_t(4200), good.size() - 1}) {
    std::string damaged = good;
    damaged[at] = char(damaged[at] ^ 1);
    expect_anew(damaged, "damaged");
  }
  for (std::size_t at = 24; at < 4096; at += at < 120 ? 8 : 500) {  // the header, but magic, version and plan
    std::string damaged = good;
    damaged[at] = char(damaged[at] ^ 1);
    expect_anew(damaged, "k.zkey.tables");
  }
  expect_anew(good.substr(0, good.size() - 1), "truncated");
  expect_anew(good + "x", "truncated or damaged");
  std::string version = good;
  version[8] = 9;
  expect_anew(version, "version 9");
  ASSERT_TRUE(write_file(path_, good).ok());
  EXPECT_NE(open(other).value().trouble.find("of another key"), std::string::npos);
  ASSERT_TRUE(write_file(path_, good).ok());
  auto smaller = open(zkey.key, groth16::plan_of_count(zkey.key, 2).bytes);
  EXPECT_NE(smaller.value().trouble.find("tables of every point"), std::string::npos);
}

TEST_F(TablesFile, NothingElseIsReplaced) {
  const Zkey zkey = open_golden("mul3");
  for (const std::string content : {"", "a", "precious notes, much longer than a magic number"}) {
    ASSERT_TRUE(write_file(path_, content).ok());
    auto opened = open(zkey.key);
    EXPECT_FALSE(opened.ok());
    EXPECT_EQ(read(), content);
  }
}

TEST_F(TablesFile, WrongTablesAreNoticed) {
  const Zkey zkey = open_golden("pos12");
  const auto good = open(zkey.key, groth16::plan_of_count(zkey.key, 4).bytes).value().tables;
  const groth16::Proof plain = prove(Prover(zkey.key, *backend_), "pos12").proof;
  for (const MsmTables groth16::Tables::* table :
       {&groth16::Tables::a, &groth16::Tables::b2, &groth16::Tables::h}) {
    const auto data = std::make_shared<Buffer<std::uint8_t>>(good.plan.bytes);
    std::copy_n(good.data->data(), good.plan.bytes, data->data());
    const std::size_t at = std::size_t((good.*table).data - good.data->data());
    for (std::size_t i = 0; i < 64 * 300; i += 64) data->data()[at + i] ^= 1;
    Prover prover(zkey.key, *backend_);
    prover.use_tables(groth16::tables_over(zkey.key, good.plan, data));
    options_.verify = false;  // which tables override
    auto proved = prove(prover, "pos12");
    EXPECT_TRUE(proved.tables_wrong);
    EXPECT_TRUE(proved.proof == plain);
    proved = prove(prover, "pos12");  // they are not asked again
    EXPECT_FALSE(proved.tables_wrong);
    EXPECT_TRUE(proved.proof == plain);
  }
}

TEST_F(TablesFile, LimitsAreObeyed) {
  const Zkey zkey = open_golden("pos12");
  EXPECT_EQ(open(zkey.key, 1000).error().code, Code::invalid_argument);
  std::uint64_t before = 0;
  for (int count = 1; count <= 16; count++) {
    const std::uint64_t most = groth16::plan_of_count(zkey.key, count).bytes;
    const groth16::TablesPlan plan = groth16::plan_tables(zkey.key, most);
    EXPECT_GT(plan.count, 0);
    EXPECT_LE(plan.bytes, most);
    EXPECT_GE(plan.bytes, before);
    before = plan.bytes;
  }
  auto tables = open(zkey.key, groth16::plan_of_count(zkey.key, 4).bytes).value().tables;
  Prover prover(zkey.key, *backend_);
  prover.use_tables(tables);
  const std::uint64_t enough = tables.memory(zkey.key) + groth16::plan_memory(zkey.key, 2, 0).peak;
  options_.memory = enough;
  prove(prover, "pos12");
  options_.memory = enough - 1;
  OsRng rng;
  const auto wtns = open_wtns(std::string(VOUCH_VECTORS) + "/groth16/pos12/pos12.wtns").value();
  EXPECT_EQ(prover.prove({wtns.name, wtns.values}, rng, options_).error().code, Code::invalid_argument);
  EXPECT_EQ(groth16::room_for_tables(zkey.key, 2, enough), tables.plan.bytes);
  EXPECT_EQ(groth16::room_for_tables(zkey.key, 2, 1000), 0u);
  const auto reference = open_backend("reference").value();
  EXPECT_EQ(groth16::plan_tables_for(*reference, zkey.key, 0).error().code, Code::unsupported);
}

}  // namespace
}  // namespace vouch::formats
