// Witness files: golden ones, and each thing that can be wrong with one.
#include "vouch/formats/wtns.h"

#include <gtest/gtest.h>

#include "vouch/field/fields.h"
#include "vouch/formats/test_files.h"

namespace vouch::formats {
namespace {

std::string parse_error(const TestContainer& c) {
  return error_of(parse_wtns("w.wtns", c.bytes()));
}

TEST(Wtns, GoldenFiles) {
  const Blob file = read_golden("mul3/mul3.wtns");
  auto parsed = parse_wtns("w.wtns", file);
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed.value().count(), 8u);
  EXPECT_TRUE(check_values(parsed.value()).ok());
  EXPECT_EQ(load_le<UInt<4>>(parsed.value().values.data()), UInt<4>::of(1));
  EXPECT_TRUE(open_wtns(std::string(VOUCH_VECTORS) + "/groth16/pos12/pos12.wtns").ok());
}

TEST(Wtns, EveryCutIsAnError) {
  const Blob file = read_golden("mul3/mul3.wtns");
  for (std::size_t n = 0; n < file.size(); n++) EXPECT_FALSE(parse_wtns("w", Bytes(file).first(n)).ok()) << n;
}

TEST(Wtns, Damage) {
  const TestContainer good = TestContainer::parse(read_golden("mul3/mul3.wtns"));
  const auto changed = [&](auto change) {
    TestContainer c = good;
    change(c);
    return parse_error(c);
  };
  EXPECT_EQ(changed([](auto&) {}), "(no error)");
  EXPECT_EQ(changed([](auto& c) { c.set(1, 36, std::uint32_t(9)); }),
            "w.wtns: section 2 (values) has 256 bytes, but 9 values of 32 bytes take 288");
  EXPECT_EQ(changed([](auto& c) { c.set(1, 36, std::uint32_t(0xFFFFFFFF)); }),
            "w.wtns: section 2 (values) has 256 bytes, but 4294967295 values of 32 bytes take 137438953440");
  EXPECT_EQ(changed([](auto& c) { c.set(1, 36, std::uint32_t(0)); }),
            "w.wtns: section 1 (header): claims no values; wire 0, the constant 1, is always there");
  EXPECT_EQ(changed([](auto& c) { c.set(1, 0, std::uint32_t(0xFFFFFFFF)); }),
            "w.wtns: section 1 (header): is cut off");
  EXPECT_EQ(changed([](auto& c) { c[1].push_back(0); }), "w.wtns: section 1 (header): has 1 bytes too many");
  EXPECT_EQ(changed([](auto& c) { c.set(1, 4, u64(5)); }),
            "w.wtns: section 1 (header): the prime is that of no field vouch knows");
  EXPECT_EQ(changed([](auto& c) { c.remove(2); }), "w.wtns: section 2 (values) is missing");
  EXPECT_EQ(error_of(parse_wtns("w.wtns", read_golden("bls_mul3/bls_mul3.wtns"))),
            "w.wtns: this witness is over the field of BLS12-381; vouch makes Groth16 "
            "proofs over "
            "BN254 only");
}

TEST(Wtns, Values) {
  TestContainer c = TestContainer::parse(read_golden("mul3/mul3.wtns"));
  const auto check = [&](std::size_t publics) {
    const Blob file = c.bytes();
    auto parsed = parse_wtns("w.wtns", file);
    return error_of(check_values(parsed.value(), publics));
  };
  EXPECT_EQ(check(0), "(no error)");
  c.set(2, 32 * 3, Bn254Fr::modulus);
  EXPECT_EQ(check(2), "w.wtns: the value of wire 3 is not below the field's modulus");
  EXPECT_EQ(check(3), "w.wtns: the value of wire 3 (a public signal) is not below the field's modulus");
  c.set(2, 0, UInt<4>::of(2));
  EXPECT_EQ(check(2), "w.wtns: wire 0 must hold the constant 1");
}

}  // namespace
}  // namespace vouch::formats
