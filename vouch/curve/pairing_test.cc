// The pairing is bilinear, not degenerate, of order r, equal to snarkjs's, and its fast steps equal slow
// twins.
#include "vouch/curve/pairing.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "vouch/core/rng.h"
#include "vouch/curve/ate.h"

namespace vouch {
namespace {

using Json = nlohmann::json;
using G1 = Bn254G1::Affine;
using G2 = Bn254G2::Affine;
const G1 g1 = Bn254G1::generator();
const G2 g2 = Bn254G2::generator();

template <class C>
AffinePoint<C> times(const AffinePoint<C>& p, u64 k) {
  return XyzzPoint<C>::from(p).mul_vartime(UInt<1>::of(k)).to_affine();
}

// 48 limbs hold p^12.
using Wide = UInt<48>;
Wide multiply(const Wide& a, const UInt<4>& b) {
  Wide r;
  for (int i = 0; i < 4; i++) {
    u128 c = 0;
    for (int j = 0; i + j < 48; j++)
      c += u128(a.limb[j]) * b.limb[i] + r.limb[i + j], r.limb[i + j] = u64(c), c >>= 64;
  }
  return r;
}
// a / d with remainder zero, one bit at a time.
Wide divide_exactly(const Wide& a, const UInt<4>& d) {
  Wide q;
  UInt<5> divisor, remainder;
  for (int i = 0; i < 4; i++) divisor.limb[i] = d.limb[i];
  for (int i = a.bit_length(); i-- > 0;) {
    const auto copy = remainder;
    add(remainder, copy);
    remainder.limb[0] |= a.bit(i);
    if (remainder >= divisor) sub(remainder, divisor), q.limb[i / 64] |= u64(1) << (i % 64);
  }
  EXPECT_TRUE(remainder.is_zero());
  return q;
}
Wide p_to_the_12_minus_1() {
  Wide e = Wide::of(1);
  for (int i = 0; i < 12; i++) e = multiply(e, Bn254Fq::modulus);
  sub(e, Wide::of(1));
  return e;
}

// The twin of final_exponentiation: a plain power.
Bn254Fq12 naive_final_exponentiation(const Bn254Fq12& f) {
  const UInt<4> x = UInt<4>::of(bn254_x);
  Wide six_xx = multiply(multiply(Wide::of(6), x), x), e = multiply(Wide::of(3), x);
  add(e, six_xx);
  add(e, Wide::of(1));
  e = multiply(multiply(e, x), UInt<4>::of(2));
  return f.pow(divide_exactly(p_to_the_12_minus_1(), Bn254Fr::modulus)).pow(e);
}

Bn254Fq12 random_fq12(InsecureTestRng& rng) {
  const auto fq = [&] {
    return Bn254Fq(rng.next()) * Bn254Fq(rng.next()) * Bn254Fq(rng.next()) * Bn254Fq(rng.next());
  };
  const auto fq2 = [&] { return Bn254Fq2{fq(), fq()}; };
  const auto fq6 = [&] { return Bn254Fq6{fq2(), fq2(), fq2()}; };
  return {fq6(), fq6()};
}

TEST(Pairing, NotDegenerateAndOfOrderR) {
  const auto e = pairing(g1, g2);
  EXPECT_FALSE(e == Bn254Fq12::one());
  EXPECT_EQ(e.pow(Bn254Fr::modulus), Bn254Fq12::one());
  EXPECT_EQ(pairing(G1::infinity(), g2), Bn254Fq12::one());
  EXPECT_EQ(pairing(g1, G2::infinity()), Bn254Fq12::one());
  EXPECT_EQ(pairing_product({}), Bn254Fq12::one());
}

TEST(Pairing, Bilinear) {
  const auto e = pairing(g1, g2);
  InsecureTestRng rng(1);
  for (int i = 0; i < 4; i++) {
    const u64 a = rng.next(), b = rng.next();
    EXPECT_EQ(pairing(times(g1, a), times(g2, b)), e.pow(UInt<1>::of(a)).pow(UInt<1>::of(b)));
  }
  EXPECT_EQ(pairing(-g1, g2), e.inverse());
  EXPECT_EQ(pairing(g1, -g2), e.inverse());
}

TEST(Pairing, ProductSharesOneExponentiation) {
  const std::array<PairingInput, 5> in{{{times(g1, 3), times(g2, 5)},
                                        {G1::infinity(), g2},
                                        {times(g1, 7), times(g2, 11)},
                                        {g1, G2::infinity()},
                                        {-times(g1, 92), g2}}};
  EXPECT_EQ(pairing_product(in), Bn254Fq12::one());
  EXPECT_FALSE(pairing_product(std::span(in).first(4)) == Bn254Fq12::one());
  EXPECT_EQ(pairing_product(std::span(in).first(4)), pairing(times(g1, 92), g2));
}

TEST(Pairing, FinalExponentiationEqualsAPlainPower) {
  InsecureTestRng rng(2);
  const auto f = random_fq12(rng);
  EXPECT_EQ(final_exponentiation(f), naive_final_exponentiation(f));
  EXPECT_EQ(pairing(g1, g2), naive_final_exponentiation(miller_loop(std::array{PairingInput{g1, g2}})));
}

TEST(Pairing, FrobeniusEqualsAPlainPower) {
  InsecureTestRng rng(3);
  const auto f = random_fq12(rng);
  auto power = f;
  for (int k = 1; k <= 3; k++) {
    power = power.pow(Bn254Fq::modulus);
    EXPECT_EQ(f.frobenius(k), power) << k;
  }
  for (int k = 4; k <= 6; k++) power = power.frobenius(1);
  EXPECT_EQ(f.conjugate(), power);
}

TEST(Pairing, CyclotomicSquareEqualsSquare) {
  InsecureTestRng rng(4);
  for (int i = 0; i < 8; i++) {
    const auto f = random_fq12(rng);
    auto unit = f.conjugate() * f.inverse();
    unit = unit.frobenius(2) * unit;
    EXPECT_EQ(unit.cyclotomic_square(), unit.square());
    EXPECT_EQ(unit.conjugate(), unit.inverse());
  }
  EXPECT_EQ(Bn254Fq12::one().cyclotomic_square(), Bn254Fq12::one());
}

// The portable form and the one chosen for this processor give the same bits.
TEST(Pairing, FormsOfArithmeticAgree) {
  const std::array<PairingInput, 2> in{{{times(g1, 3), times(g2, 5)}, {times(g1, 1000003), -g2}}};
  const auto f = Ate<PortableArith>::miller_loop(in);
  EXPECT_EQ(f, miller_loop(in));
  EXPECT_EQ(Ate<PortableArith>::final_exponentiation(f), final_exponentiation(f));
}

// psi carries the p-power of the curve above Fq12; it is multiplication by p on G2 and has trace t
// everywhere.
TEST(Pairing, PsiIsMultiplicationByP) {
  EXPECT_EQ(psi(g2), Bn254G2::Xyzz::from(g2).mul_vartime(Bn254Fq::modulus).to_affine());
  EXPECT_TRUE(psi(G2::infinity()).is_infinity());
}

Bn254Fq fq_of(const Json& j) {
  Bn254Fq x;
  for (char c : j.get<std::string>()) x = x * Bn254Fq(10) + Bn254Fq(u64(c - '0'));
  return x;
}
Bn254Fq2 fq2_of(const Json& j) {
  return {fq_of(j[0]), fq_of(j[1])};
}
Bn254Fq6 fq6_of(const Json& j) {
  return {fq2_of(j[0]), fq2_of(j[1]), fq2_of(j[2])};
}

TEST(Pairing, EqualsSnarkjs) {
  for (const char* name : {"mul3", "pos12", "edge_pub0", "edge_dom2", "edge_nocons", "edge_puball"}) {
    std::ifstream file(std::string(VOUCH_VECTORS "/groth16/") + name + "/verification_key.json");
    ASSERT_TRUE(file.good()) << name;
    const Json vk = Json::parse(file);
    const G1 alpha{fq_of(vk["vk_alpha_1"][0]), fq_of(vk["vk_alpha_1"][1])};
    const G2 beta{fq2_of(vk["vk_beta_2"][0]), fq2_of(vk["vk_beta_2"][1])};
    const Json& expected = vk["vk_alphabeta_12"];
    EXPECT_EQ(pairing(alpha, beta), (Bn254Fq12{fq6_of(expected[0]), fq6_of(expected[1])})) << name;
  }
}

}  // namespace
}  // namespace vouch
