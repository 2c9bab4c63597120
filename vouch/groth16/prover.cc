// The Groth16 prover: see prover.h.
#include "vouch/groth16/prover.h"

#include <memory>

#include "vouch/groth16/verifier.h"

namespace vouch::groth16 {
namespace {

// Uniform below the group order: 254 random bits, drawn again until they are below it (accepted 3 times in
// 4). Straight into its place, so that no copy is left behind.
Status draw_scalar(Rng& rng, UInt<4>& to) {
  do {
    VOUCH_CHECK(rng.fill({reinterpret_cast<std::uint8_t*>(to.limb.data()), sizeof to.limb}));
    to.limb[3] &= (u64(1) << 62) - 1;
  } while (to >= Bn254Fr::modulus);
  return ok();
}

Status draw_blinders(Rng& rng, Blinders& to) {
  VOUCH_CHECK(draw_scalar(rng, to.r));
  return draw_scalar(rng, to.s);
}

Status check_pinned(const Blinders& blinders) {
  if (blinders.r < Bn254Fr::modulus && blinders.s < Bn254Fr::modulus) return ok();
  return Error{Code::invalid_argument, "the blinders must be below the group order"};
}

// Wipes what it refers to when it goes out of scope.
template <class T>
struct WipedOnExit {
  T& value;
  ~WipedOnExit() { wipe(&value, sizeof value); }
};
template <>
struct WipedOnExit<std::span<UInt<4>>> {
  std::span<UInt<4>> value;
  ~WipedOnExit() { wipe(value); }
};

}  // namespace

Status check_witness(const ProvingKey& key, const Witness& witness) {
  if (witness.values.size() != key.wire_count * scalar_bytes)
    return Error{Code::malformed,
                 witness.name + ": has " + std::to_string(witness.count()) + " values, but " + key.name +
                     " is for a circuit with " + std::to_string(key.wire_count) +
                     " wires: the witness is from another circuit, or from another build of it"};
  return check_values(witness, key.public_count);
}

Result<MsmSums> Prover::sums(const Witness& witness, Progress& progress) const {
  // Private wires start after the public ones, and only they have a C point.
  const std::size_t first_private = std::size_t(key_.public_count) + 1;
  const auto h = std::make_unique<UInt<4>[]>(key_.domain_size());
  const WipedOnExit<std::span<UInt<4>>> wiped{
      {h.get(), key_.domain_size()}};  // the quotient tells the witness
  const QuotientInput quotient{key_.records.data(), key_.record_count(), witness.values.data(),
                               key_.wire_count, key_.log_domain};
  progress.stage("quotient");
  const Stopwatch quotient_clock;
  VOUCH_CHECK(backend_->groth16_quotient(quotient, {h.get(), key_.domain_size()}, &progress));
  progress.timing("quotient", quotient_clock.seconds());

  const std::uint8_t* w = witness.values.data();
  MsmSet set;
  set.g1 = {{key_.a.data(), w, key_.wire_count},
            {key_.b1.data(), w, key_.wire_count},
            {key_.c.data(), w + first_private * scalar_bytes, key_.wire_count - first_private},
            {key_.h.data(), reinterpret_cast<const std::uint8_t*>(h.get()), key_.domain_size()}};
  set.g2 = {{key_.b2.data(), w, key_.wire_count}};
  progress.stage("multi-scalar products");
  const Stopwatch msm_clock;
  VOUCH_TRY(MsmSums sums, backend_->msm(set, &progress));
  progress.timing("multi-scalar products", msm_clock.seconds());
  return sums;
}

Proof Prover::assemble(const MsmSums& sums, const Blinders& blinders) const {
  using G1 = Bn254G1::Xyzz;
  using G2 = Bn254G2::Xyzz;
  UInt<4> rs = (Bn254Fr::from_int(blinders.r) * Bn254Fr::from_int(blinders.s)).to_int();
  const WipedOnExit wiped{rs};
  const G1 delta1 = G1::from(key_.delta1);
  const G1 a = delta1.mul_vartime(blinders.r) + key_.alpha1 + sums.g1[0];
  const G1 b1 = delta1.mul_vartime(blinders.s) + key_.beta1 + sums.g1[1];
  const G2 b = G2::from(key_.delta2).mul_vartime(blinders.s) + key_.beta2 + sums.g2[0];
  const G1 c = a.mul_vartime(blinders.s) + b1.mul_vartime(blinders.r) + -delta1.mul_vartime(rs) + sums.g1[2] +
               sums.g1[3];
  return {a.to_affine(), b.to_affine(), c.to_affine()};
}

Status Prover::verify(const Witness& witness, const Proved& proved) const {
  if (groth16::verify(vk_, proved.publics, proved.proof).ok()) return ok();
  // Only now is it worth reading every point: a damaged key fails in the same way as a wrong witness.
  VOUCH_CHECK(check_points(key_, Threads(backend_->info().threads)));
  return Error{Code::unsatisfied, witness.name + ": the witness does not satisfy the circuit of " +
                                      key_.name + " (a proof made from it does not verify)"};
}

Result<Proved> Prover::prove(const Witness& witness, Rng& rng, const ProveOptions& options) const {
  Progress silent;
  Progress& progress = options.progress ? *options.progress : silent;
  VOUCH_CHECK(check_witness(key_, witness));
  Blinders blinders;
  const WipedOnExit wiped{blinders};
  if (options.insecure_blinders) {
    VOUCH_CHECK(check_pinned(*options.insecure_blinders));
    blinders = *options.insecure_blinders;
  } else {
    VOUCH_CHECK(draw_blinders(rng, blinders));
  }
  VOUCH_TRY(const MsmSums parts, sums(witness, progress));
  Stopwatch clock;
  Proved proved{assemble(parts, blinders), {}};
  for (std::size_t i = 1; i <= key_.public_count; i++)
    proved.publics.push_back(Bn254Fr::from_int(witness.value(i)));
  progress.timing("assemble", clock.seconds());
  if (options.verify) {
    progress.stage("verify");
    clock = Stopwatch();
    VOUCH_CHECK(verify(witness, proved));
    progress.timing("verify", clock.seconds());
  }
  return proved;
}

}  // namespace vouch::groth16
