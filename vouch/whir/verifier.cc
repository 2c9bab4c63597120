// The verifier: section 11. Its cost is the transcript, the opened rows' hashes and a few hundred closed
// forms.
#include <algorithm>

#include "vouch/backend/row_hash.h"
#include "vouch/field/ext31.h"
#include "vouch/whir/hashes.h"
#include "vouch/whir/multilinear.h"
#include "vouch/whir/queries.h"
#include "vouch/whir/whir.h"

namespace vouch::whir {
namespace {

Error rejected(std::string what) {
  return {Code::rejected, "proof rejected: " + std::move(what)};
}
std::string count(std::size_t has, std::size_t due, const char* of) {
  return std::to_string(has) + " " + of + " where " + std::to_string(due) + " are due";
}

// A claim about the folded polynomial at some stage: sum over x of coefficient * weight(x) * f(x) is part of
// the running claim. Weights are kept in closed form and evaluated at the end, when all challenges are known.
template <class E>
struct Claim {
  enum class Weight { eq, next, power };
  Weight weight;
  E coefficient;
  Point<E> point;              // eq, next
  std::uint64_t selector = 0;  // of `selector_bits`: the other coordinates, for a column among several
  int selector_bits = 0;
  typename E::Base z{};  // power
};
template <class E>
struct Constraint {
  int variables;
  std::vector<Claim<E>> claims;
};

template <class E>
class Verifier {
  using F = typename E::Base;
  using Weight = typename Claim<E>::Weight;
  static constexpr std::size_t degree = E::degree;

 public:
  Verifier(const Setup& setup, const Cap& commitment, const Proof& proof, Transcript& t,
           const VerifyOptions& options)
      : setup_(setup),
        c_(setup.config()),
        commitment_(commitment),
        proof_(proof),
        t_(t),
        strict_(options.strictness == Strictness::strict),
        hashes_(setup.params().hashing) {}

  // given: the caller's points, or nullptr to draw them and observe the commitment.
  Status run(const std::span<const PointWords>* given, std::vector<PointWords>* points);
  Status open_hasher(const std::string& instructions) {
    VOUCH_TRY(hasher_, open_row_hasher(hashes_.merkle(), instructions));
    return ok();
  }

 private:
  Status check_counts() const;
  Status check_cap(const Cap& cap, std::size_t codeword, const std::string& where) const;
  Status check_sumcheck(const SumcheckProof& s, int rounds, int pow_bits, const std::string& where) const;
  Status check_openings(const Openings& o, std::size_t codeword, std::size_t rows,
                        const std::string& where) const;
  Status check_unused(Word witness, int bits, const std::string& where) const;

  E draw() {
    E x;
    for (F& c : x.c) c = F::raw(t_.draw());
    return x;
  }
  void add_ood(Constraint<E>& constraint, const std::vector<E>& points, const Words& answers, E& power,
               E base);
  std::vector<E> observe_ood(const Words& answers, int samples);
  Status observe_batches(const std::span<const PointWords>* given, std::vector<PointWords>* points);
  void first_constraint(const std::vector<E>& ood_points);
  Status sumcheck(const SumcheckProof& s, int pow_bits, const std::string& where);
  Status grind(int bits, Word witness, const std::string& where);
  // Draws the queries of a codeword, checks the opened rows and folds them.
  struct Queried {
    std::vector<std::size_t> indices;
    std::vector<E> folded;
    F generator;
  };
  Result<Queried> query(std::size_t codeword, int queries, const Openings& o, const Cap& cap,
                        const std::string& where);
  Status round(std::size_t i);
  Status final_round();
  E weight_at(const Constraint<E>& constraint) const;
  Status final_identity();

  const Setup& setup_;
  const Config& c_;
  const Cap& commitment_;
  const Proof& proof_;
  Transcript& t_;
  const bool strict_;
  const Hashes<F> hashes_;
  std::unique_ptr<RowHasher<F>> hasher_;

  std::vector<Point<E>> batch_points_;
  std::vector<Constraint<E>> constraints_;
  E claim_{};
  std::vector<E> challenges_;      // all so far
  std::size_t last_sumcheck_ = 0;  // where the last batch of them begins
};

template <class E>
Status Verifier<E>::check_cap(const Cap& cap, std::size_t codeword, const std::string& where) const {
  const std::size_t due = setup_.cap_size(codeword);
  if (cap.size() != due) return rejected(where + " has " + count(cap.size(), due, "digests"));
  return ok();
}

template <class E>
Status Verifier<E>::check_sumcheck(const SumcheckProof& s, int rounds, int pow_bits,
                                   const std::string& where) const {
  const std::size_t has = s.polynomials.size() / (2 * degree);
  if (has != std::size_t(rounds) || s.polynomials.size() % (2 * degree) != 0)
    return rejected(where + " has " + count(has, std::size_t(rounds), "rounds") + " (RoundCountMismatch)");
  const std::size_t witnesses = s.pow_witnesses.size();
  const std::size_t due = pow_bits > 0 ? std::size_t(rounds) : 0;
  if (witnesses != due && (pow_bits > 0 || strict_))
    return rejected(where + " has " + count(witnesses, due, "grinding witnesses") +
                    " (PowWitnessCountMismatch)");
  return ok();
}

template <class E>
Status Verifier<E>::check_unused(Word witness, int bits, const std::string& where) const {
  if (bits == 0 && witness != 0 && strict_)
    return rejected(where + " has a grinding witness where none is due");
  return ok();
}

template <class E>
Status Verifier<E>::check_openings(const Openings& o, std::size_t codeword, std::size_t rows,
                                   const std::string& where) const {
  if (o.extension != (codeword > 0)) return rejected(where + " opens rows of the wrong field");
  if (o.rows != rows)
    return rejected(where + " opens " + count(o.rows, rows, "rows") + " (StirQueryCountMismatch)");
  const std::size_t width = (std::size_t(1) << c_.folding[codeword]) * (o.extension ? degree : 1);
  if (o.row_words != width && rows > 0) return rejected(where + " opens rows of the wrong width");
  if (o.values.size() != o.rows * o.row_words) return rejected(where + " has a malformed list of rows");
  return ok();
}

// Everything about the proof's shape that does not depend on challenges, before the transcript is touched.
template <class E>
Status Verifier<E>::check_counts() const {
  const auto list = batches(setup_);
  VOUCH_CHECK(check_cap(commitment_, 0, "the commitment"));
  if (proof_.ood_answers.size() != std::size_t(c_.ood_samples) * degree)
    return rejected(
        "it has " +
        count(proof_.ood_answers.size() / degree, std::size_t(c_.ood_samples), "out-of-domain answers") +
        " (InitialOodAnswerCountMismatch)");
  if (proof_.evals.size() != list.size())
    return rejected("it has " + count(proof_.evals.size(), list.size(), "batches") +
                    " (OpeningBatchCountMismatch)");
  for (std::size_t b = 0; b < list.size(); b++) {
    if (proof_.evals[b].current.size() != list[b].batch->current.size() * degree ||
        proof_.evals[b].next.size() != list[b].batch->next.size() * degree)
      return rejected("batch " + std::to_string(b) +
                      " has the wrong number of values (OpeningBatchSizeMismatch)");
  }
  if (proof_.rounds.size() != c_.rounds.size())
    return rejected("it has " + count(proof_.rounds.size(), c_.rounds.size(), "rounds") +
                    " (RoundCountMismatch)");
  VOUCH_CHECK(check_sumcheck(proof_.sumcheck, c_.folding[0], c_.fold_pow_bits, "the first sumcheck"));
  for (std::size_t i = 0; i < c_.rounds.size(); i++) {
    const std::string where = "round " + std::to_string(i);
    const RoundConfig& rc = c_.rounds[i];
    const RoundProof& r = proof_.rounds[i];
    if (!r.commitment) return rejected(where + " has no commitment (MissingRoundCommitment)");
    VOUCH_CHECK(check_cap(*r.commitment, i + 1, where));
    if (r.ood_answers.size() != std::size_t(rc.ood_samples) * degree)
      return rejected(
          where + " has " +
          count(r.ood_answers.size() / degree, std::size_t(rc.ood_samples), "out-of-domain answers"));
    VOUCH_CHECK(check_unused(r.pow_witness, rc.pow_bits, where));
    VOUCH_CHECK(check_sumcheck(r.sumcheck, c_.folding[i + 1], rc.fold_pow_bits, where + " sumcheck"));
  }
  if (!proof_.final_poly ||
      proof_.final_poly->size() != (std::size_t(1) << c_.final_sumcheck_rounds) * degree)
    return rejected("the final polynomial does not have 2^" + std::to_string(c_.final_sumcheck_rounds) +
                    " values");
  VOUCH_CHECK(check_unused(proof_.final_pow_witness, c_.final_pow_bits, "the final round"));
  if (c_.final_sumcheck_rounds == 0)
    return proof_.final_sumcheck && strict_ ? Status(rejected("it has a final sumcheck where none is due"))
                                            : ok();
  if (!proof_.final_sumcheck) return rejected("the final sumcheck is missing");
  return check_sumcheck(*proof_.final_sumcheck, c_.final_sumcheck_rounds, c_.final_fold_pow_bits,
                        "the final sumcheck");
}

template <class E>
std::vector<E> Verifier<E>::observe_ood(const Words& answers, int samples) {
  std::vector<E> points;
  for (std::size_t s = 0; s < std::size_t(samples); s++) {
    points.push_back(draw());
    for (std::size_t i = 0; i < degree; i++) t_.observe(answers[s * degree + i]);
  }
  return points;
}

template <class E>
Status Verifier<E>::observe_batches(const std::span<const PointWords>* given,
                                    std::vector<PointWords>* points) {
  for (const auto& [table, batch] : batches(setup_)) {
    const int arity = setup_.stacking().of(table).arity;
    const std::size_t b = batch_points_.size();
    Point<E> point;
    if (given) {
      for (int i = 0; i < arity; i++) point.push_back(ext_at<E>((*given)[b], std::size_t(i)));
    } else {
      point = expand(draw(), arity);
    }
    t_.observe(proof_.evals[b].current);
    t_.observe(proof_.evals[b].next);
    if (points) {
      points->emplace_back();
      for (const E& x : point) append(points->back(), x);
    }
    batch_points_.push_back(std::move(point));
  }
  return ok();
}

template <class E>
void Verifier<E>::add_ood(Constraint<E>& constraint, const std::vector<E>& points, const Words& answers,
                          E& power, E base) {
  for (std::size_t s = 0; s < points.size(); s++, power *= base) {
    constraint.claims.push_back({Weight::eq, power, expand(points[s], constraint.variables)});
    claim_ += power * ext_at<E>(answers, s);
  }
}

template <class E>
void Verifier<E>::first_constraint(const std::vector<E>& ood_points) {
  const E alpha = draw();
  E power = E::one();
  Constraint<E> constraint{c_.variables, {}};
  const Schedule& schedule = setup_.statement().schedule;
  std::vector<std::size_t> first_batch;
  std::size_t total = 0;
  for (const auto& list : schedule) first_batch.push_back(total), total += list.size();
  for (const Placement& at : setup_.stacking().order) {
    for (std::size_t b = 0; b < schedule[at.table].size(); b++) {
      const std::size_t index = first_batch[at.table] + b;
      auto add = [&](Weight weight, const std::vector<std::uint32_t>& columns, const Words& values) {
        for (std::size_t j = 0; j < columns.size(); j++, power *= alpha) {
          constraint.claims.push_back({weight, power, batch_points_[index],
                                       at.selector(columns[j], setup_.params().layout), at.selector_bits});
          claim_ += power * ext_at<E>(values, j);
        }
      };
      add(Weight::eq, schedule[at.table][b].current, proof_.evals[index].current);
      add(Weight::next, schedule[at.table][b].next, proof_.evals[index].next);
    }
  }
  add_ood(constraint, ood_points, proof_.ood_answers, power, alpha);
  constraints_.push_back(std::move(constraint));
}

template <class E>
Status Verifier<E>::grind(int bits, Word witness, const std::string& where) {
  if (bits > 0 && !t_.check(bits, witness))
    return rejected(where + ": the grinding witness is wrong (InvalidPowWitness)");
  return ok();
}

template <class E>
Status Verifier<E>::sumcheck(const SumcheckProof& s, int pow_bits, const std::string& where) {
  last_sumcheck_ = challenges_.size();
  const std::size_t rounds = s.polynomials.size() / (2 * degree);
  for (std::size_t r = 0; r < rounds; r++) {
    for (std::size_t i = 0; i < 2 * degree; i++) t_.observe(s.polynomials[r * 2 * degree + i]);
    if (pow_bits > 0) VOUCH_CHECK(grind(pow_bits, s.pow_witnesses[r], where));
    const E x = draw();
    challenges_.push_back(x);
    claim_ = next_claim(claim_, ext_at<E>(s.polynomials, 2 * r), ext_at<E>(s.polynomials, 2 * r + 1), x);
  }
  return ok();
}

template <class E>
auto Verifier<E>::query(std::size_t codeword, int queries, const Openings& o, const Cap& cap,
                        const std::string& where) -> Result<Queried> {
  const int log_height = c_.log_height(codeword);
  Queried q{draw_distinct(log_height, queries, t_), {}, F::root_of_unity(log_height)};
  VOUCH_CHECK(check_openings(o, codeword, q.indices.size(), where));

  const auto digest = [](const DigestWords& w) {
    Digest<F> d;
    for (std::size_t i = 0; i < w.size(); i++) d[i] = F::raw(w[i]);
    return d;
  };
  std::vector<Digest<F>> leaves(o.rows), siblings, top;
  for (const DigestWords& d : o.siblings) siblings.push_back(digest(d));
  for (const DigestWords& d : cap) top.push_back(digest(d));
  std::vector<F> rows;
  rows.reserve(o.values.size());
  for (Word w : o.values) rows.push_back(F::raw(w));
  hasher_->leaves(rows, leaves);
  Point<E> point(challenges_.begin() + std::ptrdiff_t(last_sumcheck_), challenges_.end());
  if (setup_.params().layout == Layout::suffix) std::reverse(point.begin(), point.end());
  for (std::size_t r = 0; r < o.rows; r++)
    q.folded.push_back(fold_row<E>(std::span<const Word>(o.values).subspan(r * o.row_words, o.row_words),
                                   o.extension, point));
  const auto shape = MerkleShape::of(std::size_t(1) << log_height, setup_.params().hashing.arity,
                                     setup_.params().hashing.cap_height);
  const Status tree = verify_multiproof_by<F>([&](auto children, auto out) { hasher_->nodes(children, out); },
                                              shape, top, q.indices, leaves, siblings);
  if (!tree.ok()) return rejected(where + ": " + tree.error().what + " (MerkleProofInvalid)");
  return q;
}

template <class E>
Status Verifier<E>::round(std::size_t i) {
  const std::string where = "round " + std::to_string(i);
  const RoundConfig& rc = c_.rounds[i];
  const RoundProof& r = proof_.rounds[i];
  t_.observe(*r.commitment);
  const std::vector<E> ood = observe_ood(r.ood_answers, rc.ood_samples);
  VOUCH_CHECK(grind(rc.pow_bits, r.pow_witness, where));
  (void)t_.draw();  // the checkpoint
  const Cap& cap = i == 0 ? commitment_ : *proof_.rounds[i - 1].commitment;
  VOUCH_TRY(const Queried q, query(i, rc.queries, r.openings, cap, where));
  const E gamma = draw();
  E power = E::one();
  Constraint<E> constraint{rc.variables, {}};
  add_ood(constraint, ood, r.ood_answers, power, gamma);
  for (std::size_t j = 0; j < q.indices.size(); j++, power *= gamma) {
    constraint.claims.push_back({Weight::power, power, {}, 0, 0, q.generator.pow(q.indices[j])});
    claim_ += power * q.folded[j];
  }
  constraints_.push_back(std::move(constraint));
  return sumcheck(r.sumcheck, rc.fold_pow_bits, where + " sumcheck");
}

template <class E>
Status Verifier<E>::final_round() {
  t_.observe(*proof_.final_poly);
  VOUCH_CHECK(grind(c_.final_pow_bits, proof_.final_pow_witness, "the final round"));
  const Cap& cap = proof_.rounds.empty() ? commitment_ : *proof_.rounds.back().commitment;
  VOUCH_TRY(const Queried q,
            query(c_.rounds.size(), c_.final_queries, proof_.final_openings, cap, "the final round"));
  const std::size_t n = std::size_t(1) << c_.final_sumcheck_rounds;
  for (std::size_t j = 0; j < q.indices.size(); j++) {
    const F z = q.generator.pow(q.indices[j]);
    E value;
    for (std::size_t i = n; i-- > 0;) value = value * z + ext_at<E>(*proof_.final_poly, i);
    if (value != q.folded[j])
      return rejected("the final polynomial does not fit the opened rows (StirChallengeFailed)");
  }
  if (c_.final_sumcheck_rounds == 0) {
    last_sumcheck_ = challenges_.size();
    return ok();
  }
  return sumcheck(*proof_.final_sumcheck, c_.final_fold_pow_bits, "the final sumcheck");
}

// A constraint over d variables, at the last d challenges.
template <class E>
E Verifier<E>::weight_at(const Constraint<E>& constraint) const {
  Point<E> x(challenges_.end() - constraint.variables, challenges_.end());
  const bool suffix = setup_.params().layout == Layout::suffix;
  if (suffix) std::reverse(x.begin(), x.end());
  const std::span<const E> all = x;
  E sum;
  for (const Claim<E>& c : constraint.claims) {
    const std::size_t s = std::size_t(c.selector_bits);
    const auto selector = suffix ? all.first(s) : all.last(s);
    const auto local = suffix ? all.subspan(s) : all.first(all.size() - s);
    switch (c.weight) {
      case Weight::eq:
        sum += c.coefficient * eq_bits(c.selector, selector) * eq<E>(c.point, local);
        break;
      case Weight::next:
        sum += c.coefficient * eq_bits(c.selector, selector) * next_weight<E>(c.point, local);
        break;
      case Weight::power:
        sum += c.coefficient * power_weight<E>(c.z, all);
        break;
    }
  }
  return sum;
}

template <class E>
Status Verifier<E>::final_identity() {
  E weight;
  for (const Constraint<E>& constraint : constraints_) weight += weight_at(constraint);
  Point<E> x(challenges_.begin() + std::ptrdiff_t(last_sumcheck_), challenges_.end());
  if (setup_.params().layout == Layout::suffix) std::reverse(x.begin(), x.end());
  if (claim_ != weight * fold_row<E>(*proof_.final_poly, true, x))
    return rejected("the final identity does not hold: an opened value or a sumcheck round is wrong");
  return ok();
}

template <class E>
Status Verifier<E>::run(const std::span<const PointWords>* given, std::vector<PointWords>* points) {
  VOUCH_CHECK(check_counts());
  if (!given) t_.observe(commitment_);
  const std::vector<E> ood = observe_ood(proof_.ood_answers, c_.ood_samples);
  VOUCH_CHECK(observe_batches(given, points));
  first_constraint(ood);
  VOUCH_CHECK(sumcheck(proof_.sumcheck, c_.fold_pow_bits, "the first sumcheck"));
  for (std::size_t i = 0; i < c_.rounds.size(); i++) VOUCH_CHECK(round(i));
  VOUCH_CHECK(final_round());
  return final_identity();
}

// Digests and elements must be reduced: a proof made in memory has not been through a decoder.
Status check_reduced(const Setup& setup, const Cap& cap, const Proof& p) {
  const Word bound = modulus(setup.params().field);
  bool good = true;
  auto words = [&](const auto& list) {
    for (Word w : list) good = good && w < bound;
  };
  auto digests = [&](const Cap& list) {
    for (const DigestWords& d : list) words(d);
  };
  auto sumcheck = [&](const SumcheckProof& s) { words(s.polynomials), words(s.pow_witnesses); };
  auto openings = [&](const Openings& o) { words(o.values), digests(o.siblings); };
  digests(cap), words(p.ood_answers), sumcheck(p.sumcheck);
  for (const RoundProof& r : p.rounds) {
    if (r.commitment) digests(*r.commitment);
    words(r.ood_answers), words(std::array{r.pow_witness}), openings(r.openings), sumcheck(r.sumcheck);
  }
  if (p.final_poly) words(*p.final_poly);
  words(std::array{p.final_pow_witness}), openings(p.final_openings);
  if (p.final_sumcheck) sumcheck(*p.final_sumcheck);
  for (const BatchValues& b : p.evals) words(b.current), words(b.next);
  if (!good) return rejected("a field element is not below the modulus");
  return ok();
}

template <class E>
Status verify_over(const Setup& setup, const Cap& cap, const Proof& proof, Transcript& t,
                   const VerifyOptions& options, const std::span<const PointWords>* given,
                   std::vector<PointWords>* points) {
  Verifier<E> verifier(setup, cap, proof, t, options);
  VOUCH_CHECK(verifier.open_hasher(options.instructions));
  return verifier.run(given, points);
}

Status dispatch(const Setup& setup, const Cap& cap, const Proof& proof, Transcript& t,
                const VerifyOptions& options, const std::span<const PointWords>* given,
                std::vector<PointWords>* points) {
  VOUCH_CHECK(check_reduced(setup, cap, proof));
  const bool four = setup.params().degree == 4;
  const bool baby = setup.params().field == FieldId::baby_bear;
  const auto over = baby ? (four ? verify_over<BabyBear4> : verify_over<BabyBear5>)
                         : (four ? verify_over<KoalaBear4> : verify_over<KoalaBear5>);
  return over(setup, cap, proof, t, options, given, points);
}

}  // namespace

Status verify(const Setup& setup, const Cap& commitment, const Proof& proof, Transcript& transcript,
              const VerifyOptions& options, std::vector<PointWords>* points) {
  return dispatch(setup, commitment, proof, transcript, options, nullptr, points);
}

Status verify_at(const Setup& setup, const Cap& commitment, const Proof& proof,
                 std::span<const PointWords> points, Transcript& transcript, const VerifyOptions& options) {
  VOUCH_CHECK(check_points(setup, points));
  return dispatch(setup, commitment, proof, transcript, options, &points, nullptr);
}

}  // namespace vouch::whir
