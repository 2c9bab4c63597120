// Walks over the constraints of a .r1cs: its statistics, and the first constraint a witness fails.
#include <algorithm>

#include "vouch/formats/r1cs.h"

namespace vouch::formats {
namespace {

constexpr std::uint32_t progress_step = 1 << 14;

// sum value * witness[wire], divided by R: one Montgomery product of two plain integers per term.
Bn254Fr sum_over_r(const LinearCombination& sum, Bytes witness) {
  Bn254Fr total;
  for (std::size_t i = 0; i < sum.count; i++) {
    const std::uint8_t* p = sum.terms.data() + i * 36;
    const auto wire = std::size_t(load_le<std::uint32_t>(p));
    total +=
        Bn254Fr::raw(load_le<UInt<4>>(p + 4)) * Bn254Fr::raw(load_le<UInt<4>>(witness.data() + wire * 32));
  }
  return total;
}

// From x / R kept as is to the plain integer x.
UInt<4> times_r(const Bn254Fr& x) {
  return (x * Bn254Fr::raw(Bn254Fr::r2)).montgomery();
}

}  // namespace

Result<R1csStatistics> read_statistics(const R1cs& r1cs, Progress* progress) {
  R1csStatistics s;
  ConstraintReader in(r1cs);
  if (progress) progress->stage("read constraints");
  for (std::uint32_t i = 0;; i++) {
    VOUCH_TRY(const auto sides, in.next());
    if (!sides) return s;
    std::uint64_t length = 0;
    for (std::size_t k = 0; k < 3; k++) {
      s.terms[k] += (*sides)[k].count;
      length += (*sides)[k].count;
    }
    if ((*sides)[0].count == 0 || (*sides)[1].count == 0) s.linear_constraints++;
    s.longest_constraint = std::max(s.longest_constraint, std::uint32_t(length));
    if (progress && i % progress_step == 0) progress->advance(i, r1cs.constraint_count);
  }
}

Result<std::optional<Unsatisfied>> first_unsatisfied(const R1cs& r1cs, Bytes witness, Progress* progress) {
  using Answer = std::optional<Unsatisfied>;
  if (r1cs.curve != "BN254")
    return Error{Code::unsupported, r1cs.name + ": the circuit is over the field of " + r1cs.curve +
                                        "; vouch checks witnesses over BN254 only"};
  ConstraintReader in(r1cs);
  if (progress) progress->stage("check constraints");
  // a b = c is compared as (a / R) (b / R) / R * R^3 / R = c / R.
  const Bn254Fr r3 = Bn254Fr::raw(Bn254Fr::r2) * Bn254Fr::raw(Bn254Fr::r2);
  for (std::uint32_t i = 0;; i++) {
    VOUCH_TRY(const auto sides, in.next());
    if (!sides) return Answer(std::nullopt);
    const Bn254Fr a = sum_over_r((*sides)[0], witness), b = sum_over_r((*sides)[1], witness),
                  c = sum_over_r((*sides)[2], witness);
    if (a * b * r3 != c) return Answer(Unsatisfied{i, times_r(a), times_r(b), times_r(c)});
    if (progress && i % progress_step == 0) progress->advance(i, r1cs.constraint_count);
  }
}

}  // namespace vouch::formats
