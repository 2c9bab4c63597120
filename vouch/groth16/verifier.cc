// The Groth16 equation as one product of pairings that must be one:
// e(-A, B) e(alpha1, beta2) e(ic[0] + sum publics[i] ic[i + 1], gamma2) e(C, delta2) = 1.
#include "vouch/groth16/verifier.h"

#include <array>
#include <bit>
#include <string>

#include "vouch/core/parallel.h"
#include "vouch/curve/pairing.h"
#include "vouch/curve/straus.h"
#include "vouch/curve/subgroup.h"
#include "vouch/field/fastest_arith.h"

namespace vouch::groth16 {
namespace {

using G1 = Bn254G1::Affine;

// sum scalars[i] points[i]
G1 combine(std::span<const G1> points, std::span<const UInt<4>> scalars) {
  return with_fastest_arith([&](auto tag) {
    using C = Bn254G1With<typename decltype(tag)::Arith>;
    std::vector<AffinePoint<C>> own(points.size());
    for (std::size_t i = 0; i < own.size(); i++) own[i] = std::bit_cast<AffinePoint<C>>(points[i]);
    return std::bit_cast<G1>(straus_vartime<C, 4>(own, scalars).to_affine());
  });
}

// Everything about a statement but the equation.
Status check_statement(const VerifyingKey& key, std::size_t publics, const Proof& proof) {
  if (key.ic.empty()) return Error{Code::invalid_argument, "the verifying key has no IC points"};
  if (publics != key.public_count())
    return Error{Code::invalid_argument, "the key expects " + std::to_string(key.public_count()) +
                                             " public signals but " + std::to_string(publics) +
                                             " were given"};
  if (!proof.a.on_curve()) return Error{Code::malformed, "proof: pi_a is not on the curve"};
  if (!proof.b.on_curve()) return Error{Code::malformed, "proof: pi_b is not on the curve"};
  if (!proof.c.on_curve()) return Error{Code::malformed, "proof: pi_c is not on the curve"};
  if (!in_subgroup(proof.b))
    return Error{Code::malformed, "proof: pi_b is on the curve but outside the subgroup of order r"};
  return ok();
}

// Draws a scalar of 128 bits.
Result<UInt<4>> draw(Rng& rng) {
  std::array<std::uint8_t, 16> bytes;
  VOUCH_CHECK(rng.fill(bytes));
  UInt<4> r;
  r.limb[0] = load_le<u64>(bytes.data()), r.limb[1] = load_le<u64>(bytes.data() + 8);
  return r;
}

}  // namespace

namespace {

// ic[0] + sum publics[i] ic[i + 1]
G1 combine_publics(const VerifyingKey& key, std::span<const Bn254Fr> publics) {
  std::vector<UInt<4>> scalars(publics.size());
  for (std::size_t i = 0; i < publics.size(); i++) scalars[i] = publics[i].to_int();
  const G1 sum = combine(std::span(key.ic).subspan(1), scalars);
  return (Bn254G1::Xyzz::from(sum) + key.ic[0]).to_affine();
}

Status judge(const Bn254Fq12& product) {
  if (product == Bn254Fq12::one()) return ok();
  return Error{
      Code::rejected,
      "the pairing equation does not hold: the proof is not valid for this key and these public signals"};
}

}  // namespace

Status verify(const VerifyingKey& key, std::span<const Bn254Fr> publics, const Proof& proof) {
  VOUCH_CHECK(check_statement(key, publics.size(), proof));
  const std::array<PairingInput, 4> terms{{{-proof.a, proof.b},
                                           {key.alpha1, key.beta2},
                                           {combine_publics(key, publics), key.gamma2},
                                           {proof.c, key.delta2}}};
  return judge(pairing_product(terms));
}

Status verify_in_parallel(const VerifyingKey& key, std::span<const Bn254Fr> publics, const Proof& proof) {
  if (publics.size() != key.public_count()) return verify(key, publics, proof);  // says so
  Bn254Fq12 halves[2];
  Status statement = ok();
  TaskSet tasks;
  tasks.run([&] {
    const std::array<PairingInput, 2> terms{
        {{key.alpha1, key.beta2}, {combine_publics(key, publics), key.gamma2}}};
    halves[0] = miller_loop(terms);
  });
  statement = check_statement(key, publics.size(), proof);
  const std::array<PairingInput, 2> terms{{{-proof.a, proof.b}, {proof.c, key.delta2}}};
  halves[1] = miller_loop(terms);
  tasks.wait();
  VOUCH_CHECK(statement);
  return judge(final_exponentiation(halves[0] * halves[1]));
}

// Statement i is raised to a random power z_i, and the terms over the key's own points are merged.
Status verify_batch(const VerifyingKey& key, std::span<const Statement> statements, Rng& rng) {
  const auto named = [](std::size_t i, const Error& e) {
    return Error{e.code, "statement " + std::to_string(i) + ": " + e.what};
  };
  std::vector<PairingInput> terms;
  std::vector<Bn254Fr> ic_scalars(key.ic.size());
  std::vector<UInt<4>> powers;
  std::vector<G1> cs;
  for (std::size_t i = 0; i < statements.size(); i++) {
    const auto& [publics, proof] = statements[i];
    if (auto s = check_statement(key, publics.size(), proof); !s.ok()) return named(i, s.error());
    VOUCH_TRY(const UInt<4> z, draw(rng));
    const Bn254Fr z_field = Bn254Fr::from_int(z);
    ic_scalars[0] += z_field;
    for (std::size_t k = 0; k < publics.size(); k++) ic_scalars[k + 1] += z_field * publics[k];
    terms.push_back({-combine({&proof.a, 1}, {&z, 1}), proof.b});
    powers.push_back(z), cs.push_back(proof.c);
  }
  if (statements.empty()) return ok();

  std::vector<UInt<4>> scalars(ic_scalars.size());
  for (std::size_t k = 0; k < scalars.size(); k++) scalars[k] = ic_scalars[k].to_int();
  terms.push_back({combine({&key.alpha1, 1}, {scalars.data(), 1}), key.beta2});
  terms.push_back({combine(key.ic, scalars), key.gamma2});
  terms.push_back({combine(cs, powers), key.delta2});
  if (pairing_product(terms) == Bn254Fq12::one()) return ok();

  for (std::size_t i = 0; i < statements.size(); i++)
    if (auto s = verify(key, statements[i].publics, statements[i].proof); !s.ok()) return named(i, s.error());
  return Error{Code::internal, "a batch was refused though each of its proofs is valid"};
}

}  // namespace vouch::groth16
