// The prover: sections 9 and 10 of the protocol, step by step. The heavy steps are the backend's.
#include <algorithm>

#include "vouch/field/ext31.h"
#include "vouch/whir/hashes.h"
#include "vouch/whir/plain_ops.h"
#include "vouch/whir/queries.h"
#include "vouch/whir/whir.h"

namespace vouch::whir {

class Prover::Engine {
 public:
  virtual ~Engine() = default;
  virtual Result<Cap> commit(std::span<const Table> tables, Transcript& t) = 0;
  // points: nullptr to draw them.
  virtual Result<Proof> open(const std::span<const PointWords>* points, Transcript& t) = 0;
};

namespace {

Error invalid(std::string what) {
  return {Code::invalid_argument, "whir prove: " + std::move(what)};
}

template <class E>
class ProverOf final : public Prover::Engine {
  using F = typename E::Base;
  using Ops = PlainOps<E>;
  static constexpr int degree = E::degree;

 public:
  explicit ProverOf(const Setup& setup) : setup_(setup), c_(setup_.config()), hashes_(setup_.params().hashing) {}

  Result<Cap> commit(std::span<const Table> tables, Transcript& t) override;
  Result<Proof> open(const std::span<const PointWords>* points, Transcript& t) override;

 private:
  struct OodClaim {
    E point;  // expand(point, variables)
    E value;
  };

  Layout layout() const { return setup_.params().layout; }
  E draw(Transcript& t) {
    E x;
    for (F& c : x.c) c = F::raw(t.draw());
    return x;
  }
  void observe(Transcript& t, const E& x) {
    for (F c : x.c) t.observe(c.montgomery());
  }

  Status stack_tables(std::span<const Table> tables);
  std::vector<OodClaim> sample_ood(int samples, int variables, Words& answers, Transcript& t);
  Status answer_batches(const std::span<const PointWords>* points, Transcript& t);
  void first_constraint(const std::vector<OodClaim>& ood, Transcript& t);
  void add_claim(const std::vector<E>& table, const Placement& at, std::uint32_t column, const E& scale);
  Word grind(int bits, Transcript& t);
  SumcheckProof sumcheck(int rounds, int pow_bits, Transcript& t);
  std::vector<E> fold_rows(const Openings& rows);
  RoundProof round(std::size_t i, Transcript& t);
  void final_round(Transcript& t);

  const Setup setup_;
  const Config& c_;
  Hashes<F> hashes_;

  bool committed_ = false;
  std::vector<F> stacked_;
  typename Ops::Codeword codeword_;  // the last one committed
  bool extension_rows_ = false;      // of codeword_
  std::vector<E> f_, w_;             // polynomial and weights, folded so far
  E claim_;                          // sum of f_ * w_
  std::vector<E> challenges_;        // of the last sumcheck
  std::vector<Point<E>> batch_points_;
  Proof proof_;
};

// Section 8: every column in its place.
template <class E>
Status ProverOf<E>::stack_tables(std::span<const Table> tables) {
  const auto& shapes = setup_.statement().tables;
  if (tables.size() != shapes.size()) {
    return invalid(std::to_string(tables.size()) + " tables given, the statement has " + std::to_string(shapes.size()));
  }
  stacked_.assign(std::size_t(1) << c_.variables, F::zero());
  for (std::size_t t = 0; t < tables.size(); t++) {
    const std::string where = "table " + std::to_string(t);
    if (tables[t].size() != shapes[t].width) {
      return invalid(where + " has " + std::to_string(tables[t].size()) + " columns, the statement says " +
                     std::to_string(shapes[t].width));
    }
    const Placement& at = setup_.stacking().of(t);
    for (std::uint32_t j = 0; j < shapes[t].width; j++) {
      const auto column = tables[t][j];
      if (column.size() != std::size_t(1) << shapes[t].log_rows) {
        return invalid(where + " column " + std::to_string(j) + " has " + std::to_string(column.size()) +
                       " values, the statement says 2^" + std::to_string(shapes[t].log_rows));
      }
      const std::uint64_t v = at.selector(j, layout());
      for (std::size_t i = 0; i < column.size(); i++) {
        if (column[i] >= F::modulus) {
          return invalid(where + " column " + std::to_string(j) + " row " + std::to_string(i) + " holds " +
                         std::to_string(column[i]) + ", not below the modulus " + std::to_string(F::modulus));
        }
        const std::size_t to = layout() == Layout::prefix ? (i << at.selector_bits | v) : (v << at.arity | i);
        stacked_[to] = F(column[i]);
      }
    }
  }
  return ok();
}

template <class E>
Result<Cap> ProverOf<E>::commit(std::span<const Table> tables, Transcript& t) {
  VOUCH_CHECK(stack_tables(tables));
  codeword_ = Ops::template encode<F>(stacked_, c_.folding[0], c_.log_height(0), layout(), hashes_.merkle(), setup_.params().hashing.cap_height);
  extension_rows_ = false;
  committed_ = true;
  const Cap cap = Ops::cap(codeword_);
  t.observe(cap);
  return cap;
}

// O1, R2
template <class E>
std::vector<typename ProverOf<E>::OodClaim> ProverOf<E>::sample_ood(int samples, int variables, Words& answers,
                                                                    Transcript& t) {
  std::vector<OodClaim> claims;
  for (int s = 0; s < samples; s++) {
    const E z = draw(t);
    const E y = evaluate<E, E>(f_, expand(z, variables));
    observe(t, y);
    append(answers, y);
    claims.push_back({z, y});
  }
  return claims;
}

// O2
template <class E>
Status ProverOf<E>::answer_batches(const std::span<const PointWords>* points, Transcript& t) {
  batch_points_.clear();
  for (const auto& [table, batch] : batches(setup_)) {
    const Placement& at = setup_.stacking().of(table);
    Point<E> point;
    if (points) {
      const PointWords& words = (*points)[batch_points_.size()];
      for (int i = 0; i < at.arity; i++) point.push_back(ext_at<E>(words, std::size_t(i)));
    } else {
      point = expand(draw(t), at.arity);
    }
    BatchValues values;
    auto answer = [&](const std::vector<E>& table, const std::vector<std::uint32_t>& columns, Words& out) {
      for (std::uint32_t j : columns) {
        const std::uint64_t v = at.selector(j, layout());
        E sum;
        for (std::size_t i = 0; i < table.size(); i++)
          sum += table[i] * stacked_[layout() == Layout::prefix ? (i << at.selector_bits | v) : (v << at.arity | i)];
        append(out, sum);
      }
    };
    answer(Ops::eq_table(point, E::one()), batch->current, values.current);
    answer(Ops::next_table(point, E::one()), batch->next, values.next);
    t.observe(values.current);
    t.observe(values.next);
    proof_.evals.push_back(std::move(values));
    batch_points_.push_back(std::move(point));
  }
  return ok();
}

template <class E>
void ProverOf<E>::add_claim(const std::vector<E>& table, const Placement& at, std::uint32_t column, const E& scale) {
  const std::uint64_t v = at.selector(column, layout());
  for (std::size_t i = 0; i < table.size(); i++)
    w_[layout() == Layout::prefix ? (i << at.selector_bits | v) : (v << at.arity | i)] += table[i] * scale;
}

// O3: constraint 0, tables in placement order.
template <class E>
void ProverOf<E>::first_constraint(const std::vector<OodClaim>& ood, Transcript& t) {
  const E alpha = draw(t);
  E power = E::one();
  w_.assign(f_.size(), E::zero());
  claim_ = E::zero();
  std::vector<std::size_t> first_batch;  // of each table
  std::size_t count = 0;
  for (const auto& list : setup_.statement().schedule) first_batch.push_back(count), count += list.size();
  for (const Placement& at : setup_.stacking().order) {
    const auto& list = setup_.statement().schedule[at.table];
    for (std::size_t b = 0; b < list.size(); b++) {
      const std::size_t index = first_batch[at.table] + b;
      auto add = [&](const std::vector<E>& table, const std::vector<std::uint32_t>& columns, const Words& values) {
        for (std::size_t j = 0; j < columns.size(); j++, power *= alpha) {
          add_claim(table, at, columns[j], power);
          claim_ += power * ext_at<E>(values, j);
        }
      };
      add(Ops::eq_table(batch_points_[index], E::one()), list[b].current, proof_.evals[index].current);
      add(Ops::next_table(batch_points_[index], E::one()), list[b].next, proof_.evals[index].next);
    }
  }
  for (const OodClaim& o : ood) {
    const auto table = Ops::eq_table(expand(o.point, c_.variables), power);
    for (std::size_t i = 0; i < table.size(); i++) w_[i] += table[i];
    claim_ += power * o.value;
    power *= alpha;
  }
}

template <class E>
Word ProverOf<E>::grind(int bits, Transcript& t) {
  if (bits == 0) return 0;
  const Word witness = Ops::grind(t.candidate(), bits, hashes_.p16());
  t.absorb_found(bits, witness);
  return witness;
}

template <class E>
SumcheckProof ProverOf<E>::sumcheck(int rounds, int pow_bits, Transcript& t) {
  SumcheckProof out;
  challenges_.clear();
  for (int r = 0; r < rounds; r++) {
    const std::size_t half = f_.size() / 2;
    const bool prefix = layout() == Layout::prefix;
    auto lo = [&](const std::vector<E>& a, std::size_t i) { return prefix ? a[i] : a[2 * i]; };
    auto hi = [&](const std::vector<E>& a, std::size_t i) { return prefix ? a[half + i] : a[2 * i + 1]; };
    E at_zero, lead;
    for (std::size_t i = 0; i < half; i++) {
      at_zero += lo(f_, i) * lo(w_, i);
      lead += (hi(f_, i) - lo(f_, i)) * (hi(w_, i) - lo(w_, i));
    }
    append(out.polynomials, at_zero);
    append(out.polynomials, lead);
    observe(t, at_zero);
    observe(t, lead);
    if (pow_bits > 0) out.pow_witnesses.push_back(grind(pow_bits, t));
    const E x = draw(t);
    challenges_.push_back(x);
    claim_ = next_claim(claim_, at_zero, lead, x);
    for (std::vector<E>* a : {&f_, &w_}) {
      std::vector<E> folded(half);
      for (std::size_t i = 0; i < half; i++) folded[i] = lo(*a, i) + (hi(*a, i) - lo(*a, i)) * x;
      *a = std::move(folded);
    }
  }
  return out;
}

// The folded value at each opened row.
template <class E>
std::vector<E> ProverOf<E>::fold_rows(const Openings& o) {
  Point<E> point = challenges_;
  if (layout() == Layout::suffix) std::reverse(point.begin(), point.end());
  std::vector<E> values;
  for (std::size_t r = 0; r < o.rows; r++) {
    const auto row = std::span<const Word>(o.values).subspan(r * o.row_words, o.row_words);
    values.push_back(fold_row<E>(row, o.extension, point));
  }
  return values;
}

template <class E>
RoundProof ProverOf<E>::round(std::size_t i, Transcript& t) {
  const RoundConfig& rc = c_.rounds[i];
  RoundProof out;
  auto next = Ops::template encode<E>(f_, c_.folding[i + 1], c_.log_height(i + 1), layout(), hashes_.merkle(), setup_.params().hashing.cap_height);
  out.commitment = Ops::cap(next);
  t.observe(*out.commitment);
  const auto ood = sample_ood(rc.ood_samples, rc.variables, out.ood_answers, t);
  out.pow_witness = grind(rc.pow_bits, t);
  (void)t.draw();  // R4: the checkpoint
  const auto queries = draw_distinct(c_.log_height(i), rc.queries, t);
  out.openings = Ops::open(codeword_, queries, extension_rows_);
  const std::vector<E> folded = fold_rows(out.openings);

  const E gamma = draw(t);  // R7
  E power = E::one();
  for (const OodClaim& o : ood) {
    const auto table = Ops::eq_table(expand(o.point, rc.variables), power);
    for (std::size_t j = 0; j < table.size(); j++) w_[j] += table[j];
    claim_ += power * o.value;
    power *= gamma;
  }
  const F g = F::root_of_unity(c_.log_height(i));
  for (std::size_t q = 0; q < queries.size(); q++, power *= gamma) {
    const F z = g.pow(queries[q]);
    E term = power;
    for (std::size_t j = 0; j < w_.size(); j++, term *= z) w_[j] += term;
    claim_ += power * folded[q];
  }
  codeword_ = std::move(next);
  extension_rows_ = true;
  out.sumcheck = sumcheck(c_.folding[i + 1], rc.fold_pow_bits, t);
  return out;
}

template <class E>
void ProverOf<E>::final_round(Transcript& t) {
  proof_.final_poly.emplace();
  for (const E& x : f_) append(*proof_.final_poly, x);
  t.observe(*proof_.final_poly);
  proof_.final_pow_witness = grind(c_.final_pow_bits, t);
  const auto queries = draw_distinct(c_.log_height(c_.rounds.size()), c_.final_queries, t);
  proof_.final_openings = Ops::open(codeword_, queries, extension_rows_);
  if (c_.final_sumcheck_rounds > 0)
    proof_.final_sumcheck = sumcheck(c_.final_sumcheck_rounds, c_.final_fold_pow_bits, t);
}

template <class E>
Result<Proof> ProverOf<E>::open(const std::span<const PointWords>* points, Transcript& t) {
  if (!committed_) return invalid("nothing is committed; call commit first");
  if (points) VOUCH_CHECK(check_points(setup_, *points));
  committed_ = false;
  proof_ = {};
  f_.assign(stacked_.size(), E());
  for (std::size_t i = 0; i < f_.size(); i++) f_[i] = E(stacked_[i]);
  const auto ood = sample_ood(c_.ood_samples, c_.variables, proof_.ood_answers, t);
  VOUCH_CHECK(answer_batches(points, t));
  first_constraint(ood, t);
  proof_.sumcheck = sumcheck(c_.folding[0], c_.fold_pow_bits, t);
  for (std::size_t i = 0; i < c_.rounds.size(); i++) proof_.rounds.push_back(round(i, t));
  final_round(t);
  return std::move(proof_);
}

}  // namespace

Result<Prover> Prover::create(const Setup& setup, const ProverOptions&) {
  const int bits = setup.config().max_pow_bits();
  if (bits >= refused_pow_bits) {
    return Error{Code::unsupported,
                 "whir prove: a step needs " + std::to_string(bits) +
                     " bits of grinding, and from 28 on a witness may not exist; use extension degree 5, or lower "
                     "the grinding budget so that more queries are made instead"};
  }
  std::unique_ptr<Engine> engine;
  const bool four = setup.params().degree == 4;
  if (setup.params().field == FieldId::baby_bear) {
    if (four) engine = std::make_unique<ProverOf<BabyBear4>>(setup);
    else engine = std::make_unique<ProverOf<BabyBear5>>(setup);
  } else {
    if (four) engine = std::make_unique<ProverOf<KoalaBear4>>(setup);
    else engine = std::make_unique<ProverOf<KoalaBear5>>(setup);
  }
  return Prover(std::move(engine));
}

Prover::Prover(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
Prover::Prover(Prover&&) noexcept = default;
Prover& Prover::operator=(Prover&&) noexcept = default;
Prover::~Prover() = default;

Result<Cap> Prover::commit(std::span<const Table> tables, Transcript& t) {
  return engine_->commit(tables, t);
}
Result<Proof> Prover::open(Transcript& t) {
  return engine_->open(nullptr, t);
}
Result<Proof> Prover::open_at(std::span<const PointWords> points, Transcript& t) {
  return engine_->open(&points, t);
}

}  // namespace vouch::whir
