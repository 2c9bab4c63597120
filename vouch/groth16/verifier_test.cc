// snarkjs's proofs are accepted; every way to spoil a statement is refused with its own sentence.
#include "vouch/groth16/verifier.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace vouch::groth16 {
namespace {

using Json = nlohmann::json;
using G1 = Bn254G1::Affine;
using G2 = Bn254G2::Affine;

template <class F>
F decimal(const Json& j) {
  F x;
  for (char c : j.get<std::string>()) x = x * F(10) + F(u64(c - '0'));
  return x;
}
G1 g1_of(const Json& j) {
  if (j[2] == "0") return G1::infinity();
  return {decimal<Bn254Fq>(j[0]), decimal<Bn254Fq>(j[1])};
}
G2 g2_of(const Json& j) {
  const auto fq2 = [](const Json& c) {
    return Quadratic<Bn254Fq>{decimal<Bn254Fq>(c[0]), decimal<Bn254Fq>(c[1])};
  };
  return {fq2(j[0]), fq2(j[1])};
}

struct Golden {
  VerifyingKey key;
  Statement statement;
};
Golden golden(const std::string& name) {
  const auto json = [&](const char* file) {
    std::ifstream in(VOUCH_VECTORS "/groth16/" + name + "/" + file);
    EXPECT_TRUE(in.good()) << name << "/" << file;
    return Json::parse(in);
  };
  const Json vk = json("verification_key.json"), proof = json("proof.json");
  Golden g;
  g.key = {
      g1_of(vk["vk_alpha_1"]), g2_of(vk["vk_beta_2"]), g2_of(vk["vk_gamma_2"]), g2_of(vk["vk_delta_2"]), {}};
  for (const Json& p : vk["IC"]) g.key.ic.push_back(g1_of(p));
  g.statement.proof = {g1_of(proof["pi_a"]), g2_of(proof["pi_b"]), g1_of(proof["pi_c"])};
  for (const Json& x : json("public.json")) g.statement.publics.push_back(decimal<Bn254Fr>(x));
  return g;
}
constexpr const char* names[] = {"mul3", "pos12", "edge_pub0", "edge_dom2", "edge_nocons", "edge_puball"};

void expect_error(const Status& status, Code code, const std::string& what) {
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, code);
  EXPECT_EQ(status.error().what, what);
}
const std::string mismatch =
    "the pairing equation does not hold: the proof is not valid for this key and these public signals";

// A point of the twist outside the subgroup: the first x = c + u with c > 0 that has one.
G2 outside_subgroup() {
  for (u64 c = 1;; c++) {
    const Quadratic<Bn254Fq> x{Bn254Fq(c), Bn254Fq(1)}, a = x.square() * x + Bn254G2::b();
    auto e = Bn254Fq::modulus;
    add(e, UInt<4>::of(1));
    e = e >> 2;  // a^((p + 1) / 4) is the root of a square
    const Bn254Fq half = Bn254Fq(2).inverse(), n = (a.c0.square() + a.c1.square()).pow(e);
    const Bn254Fq c0 = ((a.c0 + n) * half).pow(e);
    const G2 p{x, {c0, a.c1 * half * c0.inverse()}};
    if (p.on_curve()) return p;
  }
}

TEST(Verifier, AcceptsSnarkjs) {
  for (const char* name : names) {
    const Golden g = golden(name);
    EXPECT_TRUE(check(g.key).ok()) << name;
    const Status s = verify(g.key, g.statement.publics, g.statement.proof);
    EXPECT_TRUE(s.ok()) << name << ": " << (s.ok() ? "" : s.error().what);
  }
}

TEST(Verifier, RefusesEachChange) {
  for (const char* name : names) {
    const Golden g = golden(name);
    for (std::size_t i = 0; i < g.statement.publics.size(); i++) {
      auto publics = g.statement.publics;
      publics[i] += Bn254Fr(1);
      expect_error(verify(g.key, publics, g.statement.proof), Code::rejected, mismatch);
    }
    Proof p = g.statement.proof;
    p.a = -p.a;
    expect_error(verify(g.key, g.statement.publics, p), Code::rejected, mismatch);
    p.b = -p.b;  // (-A, -B, C) is the same proof re-randomised: Groth16 proofs are malleable
    EXPECT_TRUE(verify(g.key, g.statement.publics, p).ok());
    p.c = -p.c;
    expect_error(verify(g.key, g.statement.publics, p), Code::rejected, mismatch);
    expect_error(verify(g.key, g.statement.publics, Proof{}), Code::rejected, mismatch);
  }
  const Golden one = golden("mul3"), other = golden("pos12");
  expect_error(verify(one.key, one.statement.publics, other.statement.proof), Code::rejected, mismatch);
}

TEST(Verifier, RefusesTheWrongNumberOfPublics) {
  const Golden g = golden("mul3");
  auto publics = g.statement.publics;
  publics.push_back(Bn254Fr(0));
  expect_error(verify(g.key, publics, g.statement.proof), Code::invalid_argument,
               "the key expects 2 public signals but 3 were given");
  expect_error(verify(g.key, {}, g.statement.proof), Code::invalid_argument,
               "the key expects 2 public signals but 0 were given");
  expect_error(verify(VerifyingKey{}, {}, g.statement.proof), Code::invalid_argument,
               "the verifying key has no IC points");
}

TEST(Verifier, RefusesPointsOffTheCurve) {
  const Golden g = golden("mul3");
  const auto with = [&](auto change) {
    Proof p = g.statement.proof;
    change(p);
    return verify(g.key, g.statement.publics, p);
  };
  expect_error(with([](Proof& p) { p.a.x += Bn254Fq(1); }), Code::malformed,
               "proof: pi_a is not on the curve");
  expect_error(with([](Proof& p) { p.b.y.c0 += Bn254Fq(1); }), Code::malformed,
               "proof: pi_b is not on the curve");
  expect_error(with([](Proof& p) { p.c.y = Bn254Fq(0); }), Code::malformed,
               "proof: pi_c is not on the curve");
  ASSERT_TRUE(outside_subgroup().on_curve());
  expect_error(with([](Proof& p) { p.b = outside_subgroup(); }), Code::malformed,
               "proof: pi_b is on the curve but outside the subgroup of order r");
}

TEST(Verifier, ChecksTheKey) {
  const auto with = [](auto change, bool insecure_allowed = false) {
    VerifyingKey key = golden("mul3").key;
    change(key);
    return check(key, insecure_allowed);
  };
  const auto refused = [&](auto change, const std::string& what) {
    expect_error(with(change), Code::malformed, "verifying key: " + what);
  };
  refused([](auto& k) { k.alpha1 = G1::infinity(); }, "alpha1 is the point at infinity");
  refused([](auto& k) { k.beta2 = G2::infinity(); }, "beta2 is the point at infinity");
  refused([](auto& k) { k.gamma2 = G2::infinity(); }, "gamma2 is the point at infinity");
  refused([](auto& k) { k.delta2 = G2::infinity(); }, "delta2 is the point at infinity");
  refused([](auto& k) { k.alpha1.y += Bn254Fq(1); }, "alpha1 is not on the curve");
  refused([](auto& k) { k.beta2 = outside_subgroup(); },
          "beta2 is on the curve but outside the subgroup of order r");
  refused([](auto& k) { k.ic[1].y += Bn254Fq(1); }, "IC[1] is not on the curve");
  refused([](auto& k) { k.ic.clear(); },
          "IC is empty; it must hold one point more than there are public signals");
  const auto uncontributed = [](auto& k) { k.delta2 = k.gamma2; };
  refused(uncontributed,
          "gamma2 equals delta2, so nobody contributed to phase 2 and anyone can forge proofs");
  EXPECT_TRUE(with(uncontributed, true).ok());
}

TEST(Verifier, Batch) {
  InsecureTestRng rng(1);
  for (const char* name : {"mul3", "edge_pub0"}) {
    const Golden g = golden(name);
    std::vector<Statement> statements(5, g.statement);
    statements[2].proof.a = -statements[2].proof.a, statements[2].proof.b = -statements[2].proof.b;
    EXPECT_TRUE(verify_batch(g.key, statements, rng).ok());
    EXPECT_TRUE(verify_batch(g.key, {}, rng).ok());

    // Two errors that cancel in a plain product are still found.
    statements[1].proof.c = (Bn254G1::Xyzz::from(statements[1].proof.c) + Bn254G1::generator()).to_affine();
    statements[3].proof.c = (Bn254G1::Xyzz::from(statements[3].proof.c) + -Bn254G1::generator()).to_affine();
    expect_error(verify_batch(g.key, statements, rng), Code::rejected, "statement 1: " + mismatch);

    statements[0].proof.b = outside_subgroup();
    expect_error(verify_batch(g.key, statements, rng), Code::malformed,
                 "statement 0: proof: pi_b is on the curve but outside the subgroup of order r");
    statements[0].publics.push_back(Bn254Fr(0));
    EXPECT_FALSE(verify_batch(g.key, statements, rng).ok());
  }
}

}  // namespace
}  // namespace vouch::groth16
