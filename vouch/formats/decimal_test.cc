// One spelling per value, both ways.
#include "vouch/formats/decimal.h"

#include <gtest/gtest.h>

#include "vouch/core/rng.h"
#include "vouch/field/fields.h"
#include "vouch/formats/test_files.h"

namespace vouch::formats {
namespace {

UInt<4> minus_one(UInt<4> x) {
  sub(x, UInt<4>::of(1));
  return x;
}

TEST(Decimal, KnownValues) {
  EXPECT_EQ(to_decimal({}), "0");
  EXPECT_EQ(to_decimal(UInt<4>::of(7)), "7");
  EXPECT_EQ(to_decimal(UInt<4>::of(10'000'000'000'000'000'000u)), "10000000000000000000");
  EXPECT_EQ(to_decimal({{0, 1, 0, 0}}), "18446744073709551616");
  EXPECT_EQ(to_decimal(Bn254Fr::modulus),
            "21888242871839275222246405745257275088548364400416034343698204186575808495617");
  EXPECT_EQ(to_decimal({{~u64(0), ~u64(0), ~u64(0), ~u64(0)}}),
            "115792089237316195423570985008687907853269984665640564039457584007913129639935");
}

TEST(Decimal, RoundTrip) {
  InsecureTestRng rng(1);
  for (int bits = 0; bits < 254; bits++) {
    UInt<4> x;
    for (int i = 0; i <= bits / 64; i++) x.limb[i] = rng.next();
    x.limb[bits / 64] &= bits % 64 ? (u64(1) << bits % 64) - 1 : 0;
    if (x >= Bn254Fr::modulus) continue;
    auto back = parse_decimal(to_decimal(x), Bn254Fr::modulus);
    ASSERT_TRUE(back.ok()) << to_decimal(x);
    EXPECT_EQ(back.value(), x);
  }
  EXPECT_TRUE(parse_decimal(to_decimal(minus_one(Bn254Fr::modulus)), Bn254Fr::modulus).ok());
}

TEST(Decimal, EveryOtherSpellingIsRefused) {
  const std::string large = "is not below the field's modulus; every value has one spelling";
  const std::pair<std::string, std::string> cases[] = {
      {"", "is an empty string"},
      {"0x1", "is hexadecimal; only decimal strings are read"},
      {"0X1", "is hexadecimal; only decimal strings are read"},
      {"-1", "has a sign; only digits are allowed"},
      {"+1", "has a sign; only digits are allowed"},
      {" 1", "is not a decimal number"},
      {"1 ", "is not a decimal number"},
      {"1e3", "is not a decimal number"},
      {"1.0", "is not a decimal number"},
      {"00", "has a leading zero; every value has one spelling"},
      {"01", "has a leading zero; every value has one spelling"},
      {to_decimal(Bn254Fr::modulus), large},
      {std::string(78, '9'), large},
      {std::string(79, '9'), large},
      {std::string(100000, '9'), large},
      {"115792089237316195423570985008687907853269984665640564039457584007913129639936", large},  // 2^256
      {"115792089237316195423570985008687907853269984665640564039457584007913129639937", large},
  };
  for (const auto& [text, message] : cases)
    EXPECT_EQ(error_of(parse_decimal(text, Bn254Fr::modulus)), message) << text;
}

}  // namespace
}  // namespace vouch::formats
