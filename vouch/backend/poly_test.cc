// Every WHIR operation on every instruction set this processor has, against the reference. Devices:
// gpu/poly_device_test.cc.
#include "vouch/backend/poly.h"

#include "vouch/backend/reference/poly.h"
#include "vouch/backend/test_poly.h"

namespace vouch {
namespace {

template <class E>
class PolyTest : public testing::Test {
 public:
  using F = typename E::Base;
  static constexpr int D = E::degree;

  // f(reference, cpu) for every instruction set.
  template <class Fn>
  static void on_every_form(Fn f) {
    for (const std::string& form : poly_instructions()) {
      SCOPED_TRACE(form);
      const auto plain = open_poly<F, D>("reference").value();
      const auto fast = open_poly<F, D>("cpu", {.threads = 2, .instructions = form}).value();
      f(*plain, *fast);
    }
  }
};
using Extensions = testing::Types<BabyBear4, BabyBear5, KoalaBear4, KoalaBear5>;
TYPED_TEST_SUITE(PolyTest, Extensions);

TYPED_TEST(PolyTest, Encode) {
  this->on_every_form([](auto& plain, auto& fast) { compare_encoding(plain, fast, 13); });
}
TYPED_TEST(PolyTest, ClaimsAndRounds) {
  this->on_every_form([](auto& plain, auto& fast) { compare_claims_and_rounds(plain, fast, 12); });
}
TYPED_TEST(PolyTest, ClaimsOnManyColumns) {
  this->on_every_form([](auto& plain, auto& fast) { compare_many_columns(plain, fast); });
}
TYPED_TEST(PolyTest, LargeAgainstPortable) {
  using F = typename TypeParam::Base;
  constexpr int D = TypeParam::degree;
  const auto portable = open_poly<F, D>("cpu", {.threads = 1, .instructions = "portable"}).value();
  for (const std::string& form : poly_instructions()) {
    SCOPED_TRACE(form);
    compare_large(*portable, *open_poly<F, D>("cpu", {.threads = 3, .instructions = form}).value());
  }
}
TYPED_TEST(PolyTest, GrindFindsTheSmallestWitness) {
  this->on_every_form([](auto& plain, auto& fast) { compare_grinding(plain, fast); });
}

TEST(Poly, DftKnownAnswer) {  // columns of the 8 x 2 matrix 0..15, computed by Plonky3
  std::vector<BabyBear> even, odd;
  for (std::uint32_t i = 0; i < 16; i += 2) even.push_back(BabyBear(i)), odd.push_back(BabyBear(i + 1));
  const std::uint32_t expected[] = {1939037439, 265625335,  1407786753, 2013265913,
                                    605479152,  1747640570, 74228466};
  const auto a = reference::dft(even), b = reference::dft(odd);
  EXPECT_EQ(a[0].to_int(), 56u);
  EXPECT_EQ(b[0].to_int(), 64u);
  for (std::size_t j = 1; j < 8; j++) {
    EXPECT_EQ(a[j].to_int(), expected[j - 1]);
    EXPECT_EQ(b[j].to_int(), expected[j - 1]);
  }
}

TEST(Poly, OpenRefusesWhatItDoesNotKnow) {
  EXPECT_FALSE((open_poly<BabyBear, 4>("abacus").ok()));
  EXPECT_FALSE((open_poly<BabyBear, 4>("cpu", {.threads = 0, .instructions = "mmx"}).ok()));
  EXPECT_FALSE((open_poly<BabyBear, 4>("cpu", {.threads = -1, .instructions = "auto"}).ok()));
  EXPECT_EQ((open_poly<BabyBear, 4>("auto").value()->info().name), "cpu");
}

}  // namespace
}  // namespace vouch
