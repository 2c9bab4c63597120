// The Groth16 prover: see prover.h.
#include "vouch/groth16/prover.h"

#include <array>
#include <bit>

#include "vouch/core/buffer.h"
#include "vouch/core/parallel.h"
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

// Scalars that tell the witness: wiped by all cores when they go.
class SecretScalars {
 public:
  SecretScalars(const Threads& threads, std::size_t count) : threads_(threads), values_(count) {}
  ~SecretScalars() {
    threads_.run([&] {
      parallel_for(values_.size(), std::size_t(1) << 15, [&](std::size_t begin, std::size_t end) {
        wipe(values_.span().subspan(begin, end - begin));
      });
    });
  }
  SecretScalars(const SecretScalars&) = delete;
  SecretScalars& operator=(const SecretScalars&) = delete;
  std::span<UInt<4>> span() { return values_.span(); }

 private:
  const Threads& threads_;
  Buffer<UInt<4>> values_;
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
  Affine2 b;
  TaskSet tasks;
  tasks.run([&] {
    b = (times_vartime<G2>(g2(key.delta2), blinders.s) + g2(key.beta2) + g2(sums.g2[0])).to_affine();
  });
  const Affine1 a = (times_vartime<G1>(delta1, blinders.r) + g1(key.alpha1) + g1(sums.g1[0])).to_affine();
  const Affine1 b1 = (times_vartime<G1>(delta1, blinders.s) + g1(key.beta1) + g1(sums.g1[1])).to_affine();
  const std::array<Affine1, 3> points{a, b1, -delta1};
  std::array<UInt<4>, 3> scalars{blinders.s, blinders.r,
                                 (Bn254Fr::from_int(blinders.r) * Bn254Fr::from_int(blinders.s)).to_int()};
  const WipedOnExit<std::array<UInt<4>, 3>> wiped{scalars};
  const Affine1 c = (straus_vartime<G1, 4>(points, scalars) + g1(sums.g1[2]) + g1(sums.g1[3])).to_affine();
  tasks.wait();
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

Result<MemoryPlan> Prover::plan(std::uint64_t budget) const {
  if (budget != 0 && tables_ && !*tables_wrong_) {
    const std::uint64_t held = tables_->memory(key_);
    const MemoryPlan whole = plan_memory(key_, backend_->info().threads, 0);
    if (budget >= held + whole.peak) return whole;
    return Error{Code::invalid_argument, key_.name + ": a proof on " +
                                             std::to_string(backend_->info().threads) +
                                             " threads with tables of multiples needs at least " +
                                             std::to_string(((held + whole.peak) >> 20) + 1) +
                                             "M of memory, and may use " + std::to_string(budget) + " bytes"};
  }
  const MemoryPlan plan = plan_memory(key_, backend_->info().threads, budget);
  if (budget == 0 || !plan.streams) return plan;
  if (!key_.file)
    return Error{Code::invalid_argument,
                 key_.name + ": a memory budget needs a key that is a mapped file; this one is in memory"};
  if (plan.peak <= budget) return plan;
  return Error{Code::invalid_argument,
               key_.name + ": a proof on " + std::to_string(backend_->info().threads) +
                   " threads needs at least " + std::to_string((plan.least >> 20) + 1) +
                   "M of memory, and may use " + std::to_string(budget) + " bytes"};
}

// The sums over parts of at most plan.points scalars, added up; a part's pages of the key are given back.
// Jobs start at the same wire or end at the same one; parts are counted from the end, so that all jobs of a
// part read the same scalars.
Result<MsmSums> Prover::sums_in_parts(Backend& backend, const MsmSet& set, const MemoryPlan& plan,
                                      Progress& progress) const {
  std::size_t most = 0;
  for (const auto* jobs : {&set.g1, &set.g2})
    for (const MsmJob& job : *jobs) most = std::max(most, job.count);
  const std::size_t parts = std::max<std::size_t>(1, (most + plan.points - 1) / plan.points);
  MsmSums total{std::vector<Bn254G1::Affine>(set.g1.size()), std::vector<Bn254G2::Affine>(set.g2.size())};
  for (std::size_t part = 0; part < parts; part++) {
    PartOfProgress share(progress, double(part) / double(parts), 1 / double(parts));
    MsmSet some;
    const auto cut = [&](const std::vector<MsmJob>& jobs, std::vector<MsmJob>& to, std::size_t point_bytes) {
      for (MsmJob job : jobs) {
        const std::size_t last = job.count - std::min(job.count, part * plan.points),
                          first = last - std::min(last, plan.points);
        job.points += first * point_bytes, job.scalars += first * scalar_bytes, job.count = last - first;
        to.push_back(job);
      }
    };
    cut(set.g1, some.g1, g1_bytes);
    cut(set.g2, some.g2, g2_bytes);
    VOUCH_TRY(const MsmSums sums, backend.msm(some, &share));
    for (std::size_t i = 0; i < sums.g1.size(); i++)
      total.g1[i] = (Bn254G1::Xyzz::from(total.g1[i]) + sums.g1[i]).to_affine();
    for (std::size_t i = 0; i < sums.g2.size(); i++)
      total.g2[i] = (Bn254G2::Xyzz::from(total.g2[i]) + sums.g2[i]).to_affine();
    for (const MsmJob& job : some.g1) key_.file->release({job.points, job.count * g1_bytes});
    for (const MsmJob& job : some.g2) key_.file->release({job.points, job.count * g2_bytes});
  }
  return total;
}

// H last among the sums on G1.
Result<MsmSums> Prover::sums(Backend& backend, const Witness& witness, const MemoryPlan& plan,
                             const Tables* tables, Progress& progress) const {
  const std::uint8_t* w = witness.values.data();
  std::optional<SecretScalars> h(std::in_place, threads_, key_.domain_size());
  progress.stage("quotient");
  Stopwatch clock;
  {
    const Span span("quotient");
    const QuotientInput quotient{
        key_.records.data(), key_.record_count(), w,
        key_.wire_count,     key_.log_domain,     plan.streams ? key_.file.get() : nullptr};
    VOUCH_CHECK(backend.groth16_quotient(quotient, h->span(), &progress));
  }
  progress.timing("quotient", clock.seconds());

  // Private wires start after the public ones, and only they have a C point.
  const std::size_t first_private = std::size_t(key_.public_count) + 1;
  MsmSet set;
  set.g1 = {{key_.a.data(), w, key_.wire_count, "sum A"},
            {key_.b1.data(), w, key_.wire_count, "sum B1"},
            {key_.c.data(), w + first_private * scalar_bytes, key_.wire_count - first_private, "sum C"}};
  set.g2 = {{key_.b2.data(), w, key_.wire_count, "sum B2"}};
  MsmJob h_job{key_.h.data(), reinterpret_cast<const std::uint8_t*>(h->span().data()), key_.domain_size(),
               "sum H"};
  if (tables) {
    set.g1[0].tables = tables->a, set.g1[1].tables = tables->b1, set.g1[2].tables = tables->c;
    set.g2[0].tables = tables->b2, h_job.tables = tables->h;
  }
  progress.stage("multi-scalar products");
  clock = Stopwatch();
  const Span span("multi-scalar products");
  MsmSums sums;
  // All at once, so that no core waits at the end of some; under a budget H first, and its scalars go.
  if (plan.streams) {
    VOUCH_TRY(const MsmSums h_sum, sums_in_parts(backend, {{h_job}, {}}, plan, progress));
    h.reset();
    VOUCH_TRY(sums, sums_in_parts(backend, set, plan, progress));
    sums.g1.push_back(h_sum.g1[0]);
  } else {
    h_job.scalars_read = [&h] { h.reset(); };
    set.g1.push_back(h_job);
    VOUCH_TRY(sums, backend.msm(set, &progress));
  }
  progress.timing("multi-scalar products", clock.seconds());
  return sums;
}

Proof Prover::assemble(const MsmSums& sums, const Blinders& blinders) const {
  const Span span("assemble");
  Proof proof;
  threads_.run([&] {
    proof = with_fastest_arith(
        [&](auto tag) { return assemble_with<typename decltype(tag)::Arith>(key_, sums, blinders); });
  });
  return proof;
}

Error Prover::explain(const Witness& witness) const {
  // Only now is it worth reading every point: a damaged key fails in the same way as a wrong witness.
  const Backend::Info info = backend_->info();
  if (Status s = check_points(key_, threads_); !s.ok()) return s.error();
  if (info.accelerator)
    return {Code::unsatisfied, witness.name + ": the proof made from it on " + info.name + " (" +
                                   info.device + ") does not verify: either the witness does not satisfy " +
                                   "the circuit of " + key_.name +
                                   ", or the device computed wrongly; --backend cpu tells which"};
  return {Code::unsatisfied, witness.name + ": the witness does not satisfy the circuit of " + key_.name +
                                 " (a proof made from it does not verify)"};
}

Result<Proved> Prover::make(Backend& backend, const Witness& witness, const Blinders& blinders,
                            const MemoryPlan& plan, const Tables* tables, Progress& progress) const {
  VOUCH_TRY(const MsmSums parts, sums(backend, witness, plan, tables, progress));
  const Stopwatch clock;
  Proved proved{assemble(parts, blinders), {}, false};
  for (std::size_t i = 1; i <= key_.public_count; i++)
    proved.publics.push_back(Bn254Fr::from_int(witness.value(i)));
  progress.timing("assemble", clock.seconds());
  return proved;
}

Result<Proved> Prover::prove(const Witness& witness, Rng& rng, const ProveOptions& options) const {
  Progress silent;
  Progress& progress = options.progress ? *options.progress : silent;
  {
    const Span span("check witness");
    Status checked = ok();
    threads_.run([&] { checked = check_witness(key_, witness); });
    VOUCH_CHECK(checked);
  }
  Blinders blinders;
  const WipedOnExit<Blinders> wiped{blinders};
  if (options.insecure_blinders) {
    VOUCH_CHECK(check_pinned(*options.insecure_blinders));
    blinders = *options.insecure_blinders;
  } else {
    VOUCH_CHECK(draw_blinders(rng, blinders));
  }
  VOUCH_TRY(const MemoryPlan memory, plan(options.memory));
  const std::shared_ptr<const Tables> tables = tables_ && !*tables_wrong_ ? tables_ : nullptr;
  VOUCH_TRY(Proved proved, make(*backend_, witness, blinders, memory, tables.get(), progress));
  if (!options.verify && !tables) return proved;
  progress.stage("verify");
  const Stopwatch clock;
  const Span span("verify");
  const auto verify = [&] {
    Status s = ok();
    threads_.run([&] { s = verify_in_parallel(vk_, proved.publics, proved.proof); });
    return s;
  };
  Status accepted = verify();
  if (!accepted.ok() && tables) {
    VOUCH_TRY(proved, make(*backend_, witness, blinders, memory, nullptr, progress));
    accepted = verify();
    proved.tables_wrong = accepted.ok();
    if (accepted.ok()) *tables_wrong_ = true;
  }
  if (Backend* cpu = accepted.ok() ? nullptr : backend_->stand_in()) {
    VOUCH_TRY(proved, make(*cpu, witness, blinders, memory, nullptr, progress));
    accepted = verify();
    if (accepted.ok())
      backend_->distrust("a proof made on it does not verify, but one made on the processor does");
  }
  if (!accepted.ok()) return explain(witness);
  progress.timing("verify", clock.seconds());
  return proved;
}

}  // namespace vouch::groth16
