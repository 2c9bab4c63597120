// Polynomials from files.
#include "vouch/formats/polynomial.h"

#include <gtest/gtest.h>

namespace vouch::formats {
namespace {

constexpr std::uint32_t modulus = 2013265921;

std::string words(const std::vector<std::uint32_t>& v) {
  std::string s;
  for (std::uint32_t x : v)
    for (int i = 0; i < 4; i++) s += char(x >> 8 * i);
  return s;
}
std::string npy(const std::string& dtype, const std::string& shape, const std::string& data) {
  std::string header = "{'descr': '" + dtype + "', 'fortran_order': False, 'shape': " + shape + ", }";
  while ((10 + header.size() + 1) % 64) header += ' ';
  header += '\n';
  return std::string("\x93NUMPY\x01\x00", 8) + char(header.size()) + char(header.size() >> 8) + header + data;
}
Result<std::vector<std::uint32_t>> parse(const std::string& s) {
  return parse_polynomial("p", {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()}, modulus);
}
void expect_error(const std::string& s, const std::string& part) {
  auto r = parse(s);
  ASSERT_FALSE(r.ok()) << part;
  EXPECT_EQ(r.error().code, Code::malformed);
  EXPECT_NE(r.error().what.find(part), std::string::npos) << r.error().what;
}

TEST(Polynomial, Raw) {
  auto r = parse(words({1, 2, 3, modulus - 1}));
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(r.value(), (std::vector<std::uint32_t>{1, 2, 3, modulus - 1}));
  expect_error(words({1, 2, 3}), "3 values, which is not a power of two");
  expect_error(words({1, modulus}), "value 1 is 2013265921, not below the modulus");
  expect_error("abcde", "5 bytes");
  expect_error("", "0 values");
}

TEST(Polynomial, Npy) {
  auto r = parse(npy("<u4", "(4,)", words({7, 8, 9, 10})));
  ASSERT_TRUE(r.ok()) << r.error().what;
  EXPECT_EQ(r.value(), (std::vector<std::uint32_t>{7, 8, 9, 10}));
  auto wide = parse(npy("<i8", "(2,)", words({7, 0, 9, 0})));
  ASSERT_TRUE(wide.ok());
  EXPECT_EQ(wide.value(), (std::vector<std::uint32_t>{7, 9}));
  expect_error(npy("<i8", "(2,)", words({7, 0, 0xffffffff, 0xffffffff})), "not below the modulus");
  expect_error(npy("<f4", "(2,)", words({7, 9})), "dtype is '<f4'");
  expect_error(npy("<u4", "(2, 2)", words({7, 9, 1, 1})), "dimension");
  expect_error(npy("<u4", "(3,)", words({7, 9, 1})), "power of two");
  const std::string good = npy("<u4", "(4,)", words({7, 8, 9, 10}));
  for (std::size_t cut = 6; cut < good.size() - 9; cut++)
    if (cut != good.size() - 12 && cut != good.size() - 8)
      EXPECT_FALSE(parse(good.substr(0, cut)).ok()) << cut;
}

}  // namespace
}  // namespace vouch::formats
