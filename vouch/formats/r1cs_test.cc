// Constraint systems: reading, statistics, and the first constraint that fails.
#include "vouch/formats/r1cs.h"

#include <gtest/gtest.h>

#include "vouch/formats/test_files.h"
#include "vouch/formats/wtns.h"

namespace vouch::formats {
namespace {

// mul3 is t = a b, u = t c, out = u d: 3 constraints of one term a side.
std::string statistics_error(const TestContainer& c) {
  const Blob file = c.bytes();
  auto r1cs = parse_r1cs("c.r1cs", file);
  return r1cs.ok() ? error_of(read_statistics(r1cs.value())) : error_of(r1cs);
}

TEST(R1cs, GoldenFiles) {
  const Blob file = read_golden("mul3/mul3.r1cs");
  auto parsed = parse_r1cs("c.r1cs", file);
  ASSERT_TRUE(parsed.ok());
  const R1cs& r1cs = parsed.value();
  EXPECT_EQ(r1cs.curve, "BN254");
  EXPECT_EQ(r1cs.wire_count, 8u);
  EXPECT_EQ(r1cs.constraint_count, 3u);
  EXPECT_EQ(r1cs.public_count(), 2u);
  EXPECT_FALSE(r1cs.custom_gates);
  auto statistics = read_statistics(r1cs);
  ASSERT_TRUE(statistics.ok());
  EXPECT_EQ(statistics.value().terms[0], 3u);
  EXPECT_EQ(statistics.value().longest_constraint, 3u);
  // A private input that no constraint uses is counted in the header but has no wire.
  EXPECT_TRUE(parse_r1cs("c", read_golden("edge_nocons/edge_nocons.r1cs")).ok());
  auto bls = parse_r1cs("c", read_golden("bls_mul3/bls_mul3.r1cs"));
  ASSERT_TRUE(bls.ok());
  EXPECT_EQ(bls.value().curve, "BLS12-381");
}

TEST(R1cs, GoldenWitnessesSatisfy) {
  for (const std::string name : {"mul3", "edge_pub0", "edge_nocons", "edge_dom2", "edge_puball", "pos12"}) {
    const Blob circuit = read_golden(name + "/" + name + ".r1cs"),
               values = read_golden(name + "/" + name + ".wtns");
    auto r1cs = parse_r1cs("c", circuit);
    auto wtns = parse_wtns("w", values);
    ASSERT_TRUE(r1cs.ok() && wtns.ok()) << name;
    auto bad = first_unsatisfied(r1cs.value(), wtns.value().values);
    ASSERT_TRUE(bad.ok()) << name << error_of(bad);
    EXPECT_FALSE(bad.value()) << name;
  }
}

TEST(R1cs, EveryChangedWireIsFound) {
  const Blob circuit = read_golden("mul3/mul3.r1cs");
  auto r1cs = parse_r1cs("c", circuit);
  for (std::size_t wire = 1; wire < 8; wire++) {
    TestContainer w = TestContainer::parse(read_golden("mul3/mul3.wtns"));
    w[2][32 * wire] ^= 1;
    auto bad = first_unsatisfied(r1cs.value(), w[2]);
    ASSERT_TRUE(bad.ok());
    ASSERT_TRUE(bad.value()) << wire;
    // The values given are those of the constraint: they do not multiply.
    const auto& [index, a, b, c] = *bad.value();
    EXPECT_LT(index, 3u);
    EXPECT_NE(Bn254Fr::from_int(a) * Bn254Fr::from_int(b), Bn254Fr::from_int(c));
  }
}

TEST(R1cs, EveryCutIsAnError) {
  const Blob file = read_golden("mul3/mul3.r1cs");
  for (std::size_t n = 0; n < file.size(); n++) {
    EXPECT_FALSE(parse_r1cs("c", Bytes(file).first(n)).ok()) << n;
  }
}

TEST(R1cs, Damage) {
  const TestContainer good = TestContainer::parse(read_golden("mul3/mul3.r1cs"));
  const auto changed = [&](auto change) {
    TestContainer c = good;
    change(c);
    return statistics_error(c);
  };
  const std::size_t wires_at = 36, outputs_at = 40, count_at = 60;
  const std::string s2 = "c.r1cs: section 2 (constraints)";
  EXPECT_EQ(changed([](auto&) {}), "(no error)");
  EXPECT_EQ(changed([&](auto& c) { c.set(1, outputs_at, std::uint32_t(8)); }),
            "c.r1cs: section 1 (header): claims 9 public signals but only 8 wires");
  EXPECT_EQ(changed([&](auto& c) { c.set(1, count_at, std::uint32_t(0xFFFFFFFF)); }),
            s2 + ": has 360 bytes, too few for the 4294967295 constraints the header claims");
  EXPECT_EQ(changed([&](auto& c) { c.set(1, count_at, std::uint32_t(4)); }),
            s2 + ": ends inside A of constraint 3");
  EXPECT_EQ(changed([&](auto& c) { c.set(1, count_at, std::uint32_t(2)); }),
            s2 + ": 120 bytes follow the last constraint");
  EXPECT_EQ(changed([](auto& c) { c.set(2, 0, std::uint32_t(0xFFFFFFFF)); }),
            s2 + ": ends inside A of constraint 0");
  EXPECT_EQ(changed([](auto& c) { c.set(2, 44, std::uint32_t(8)); }),
            s2 + ": B of constraint 0 names wire 8, but the circuit has 8");
  EXPECT_EQ(changed([](auto& c) { c.set(2, 8, Bn254Fr::modulus); }),
            s2 + ": A of constraint 0 has a value that is not below the field's modulus");
  EXPECT_EQ(changed([](auto& c) { c[3].pop_back(); }),
            "c.r1cs: section 3 (wire labels) has 63 bytes, but 8 labels of 8 bytes take 64");
  EXPECT_EQ(changed([](auto& c) { c.remove(3); }), "(no error)");
  // The same prime in more bytes would change the size of every term.
  EXPECT_EQ(changed([](auto& c) {
              c.set(1, 0, std::uint32_t(40));
              c[1].insert(c[1].begin() + 36, 8, std::uint8_t(0));
            }),
            "c.r1cs: section 1 (header): the prime of BN254 takes 32 bytes, not 40");
  EXPECT_EQ(changed([](auto& c) { c.remove(2); }), s2 + " is missing");
  EXPECT_EQ(changed([&](auto& c) { c.set(1, wires_at, std::uint32_t(2)); }),
            "c.r1cs: section 1 (header): claims 2 public signals but only 2 wires");
}

}  // namespace
}  // namespace vouch::formats
