// The Groth16 prover: see prover.h.
#include "vouch/groth16/prover.h"

#include <array>
#include <bit>
#include <memory>

#include "vouch/curve/straus.h"
#include "vouch/field/fastest_arith.h"
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

template <class C>
typename C::Xyzz times_vartime(const typename C::Affine& p, const UInt<4>& scalar) {
  return straus_vartime<C, 4>({&p, 1}, {&scalar, 1});
}

// The formulas of prover.h in one form of arithmetic.
template <class Arith>
Proof assemble_with(const ProvingKey& key, const MsmSums& sums, const Blinders& blinders) {
  using G1 = Bn254G1With<Arith>;
  using G2 = Bn254G2With<Arith>;
  using Affine1 = typename G1::Affine;
  using Affine2 = typename G2::Affine;
  const auto g1 = [](const Bn254G1::Affine& p) { return std::bit_cast<Affine1>(p); };
  const auto g2 = [](const Bn254G2::Affine& p) { return std::bit_cast<Affine2>(p); };

  const Affine1 delta1 = g1(key.delta1);
  const Affine1 a = (times_vartime<G1>(delta1, blinders.r) + g1(key.alpha1) + g1(sums.g1[0])).to_affine();
  const Affine1 b1 = (times_vartime<G1>(delta1, blinders.s) + g1(key.beta1) + g1(sums.g1[1])).to_affine();
  const Affine2 b =
      (times_vartime<G2>(g2(key.delta2), blinders.s) + g2(key.beta2) + g2(sums.g2[0])).to_affine();
  const std::array<Affine1, 3> points{a, b1, -delta1};
  std::array<UInt<4>, 3> scalars{blinders.s, blinders.r,
                                 (Bn254Fr::from_int(blinders.r) * Bn254Fr::from_int(blinders.s)).to_int()};
  const WipedOnExit wiped{scalars};
  const Affine1 c = (straus_vartime<G1, 4>(points, scalars) + g1(sums.g1[2]) + g1(sums.g1[3])).to_affine();
  return {std::bit_cast<Bn254G1::Affine>(a), std::bit_cast<Bn254G2::Affine>(b),
          std::bit_cast<Bn254G1::Affine>(c)};
}

}  // namespace

Status check_witness(const ProvingKey& key, const Witness& witness) {
  if (witness.values.size() != key.wire_count * scalar_bytes)
    return Error{Code::malformed,
                 witness.name + ": has " + std::to_string(witness.count()) + " values, but " + key.name +
                     " is for a circuit with " + std::to_string(key.wire_count) +
                     " wires: the witness is from another circuit, or from another build of it"};
  return check_values(witness, key.public_count);
}

Result<MsmSums> Prover::sums(Backend& backend, const Witness& witness, Progress& progress) const {
  // Private wires start after the public ones, and only they have a C point.
  const std::size_t first_private = std::size_t(key_.public_count) + 1;
  const auto h = std::make_unique<UInt<4>[]>(key_.domain_size());
  const WipedOnExit<std::span<UInt<4>>> wiped{
      {h.get(), key_.domain_size()}};  // the quotient tells the witness
  const QuotientInput quotient{key_.records.data(), key_.record_count(), witness.values.data(),
                               key_.wire_count, key_.log_domain};
  progress.stage("quotient");
  const Stopwatch quotient_clock;
  VOUCH_CHECK(backend.groth16_quotient(quotient, {h.get(), key_.domain_size()}, &progress));
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
  VOUCH_TRY(MsmSums sums, backend.msm(set, &progress));
  progress.timing("multi-scalar products", msm_clock.seconds());
  return sums;
}

Proof Prover::assemble(const MsmSums& sums, const Blinders& blinders) const {
  return with_fastest_arith(
      [&](auto tag) { return assemble_with<typename decltype(tag)::Arith>(key_, sums, blinders); });
}

Error Prover::explain(const Witness& witness) const {
  // Only now is it worth reading every point: a damaged key fails in the same way as a wrong witness.
  const Backend::Info info = backend_->info();
  if (Status s = check_points(key_, Threads(info.accelerator ? 0 : info.threads)); !s.ok()) return s.error();
  if (info.accelerator)
    return {Code::unsatisfied, witness.name + ": the proof made from it on " + info.name + " (" +
                                   info.device + ") does not verify: either the witness does not satisfy " +
                                   "the circuit of " + key_.name +
                                   ", or the device computed wrongly; --backend cpu tells which"};
  return {Code::unsatisfied, witness.name + ": the witness does not satisfy the circuit of " + key_.name +
                                 " (a proof made from it does not verify)"};
}

Result<Proved> Prover::make(Backend& backend, const Witness& witness, const Blinders& blinders,
                            Progress& progress) const {
  VOUCH_TRY(const MsmSums parts, sums(backend, witness, progress));
  const Stopwatch clock;
  Proved proved{assemble(parts, blinders), {}};
  for (std::size_t i = 1; i <= key_.public_count; i++)
    proved.publics.push_back(Bn254Fr::from_int(witness.value(i)));
  progress.timing("assemble", clock.seconds());
  return proved;
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
  VOUCH_TRY(Proved proved, make(*backend_, witness, blinders, progress));
  if (!options.verify) return proved;
  progress.stage("verify");
  const Stopwatch clock;
  Status accepted = groth16::verify(vk_, proved.publics, proved.proof);
  if (Backend* cpu = accepted.ok() ? nullptr : backend_->stand_in()) {
    VOUCH_TRY(proved, make(*cpu, witness, blinders, progress));
    accepted = groth16::verify(vk_, proved.publics, proved.proof);
    if (accepted.ok())
      backend_->distrust("a proof made on it does not verify, but one made on the processor does");
  }
  if (!accepted.ok()) return explain(witness);
  progress.timing("verify", clock.seconds());
  return proved;
}

}  // namespace vouch::groth16
