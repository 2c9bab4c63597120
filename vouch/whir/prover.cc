// The prover: sections 9 and 10 of the protocol, step by step. Whole polynomials, codewords and trees are the
// backend's (PolyOps); here are the transcript, the order of things and the proof.
#include <algorithm>
#include <atomic>

#include "vouch/backend/poly.h"
#include "vouch/core/parallel.h"
#include "vouch/whir/cost.h"
#include "vouch/whir/hashes.h"
#include "vouch/whir/memory.h"
#include "vouch/whir/multilinear.h"
#include "vouch/whir/queries.h"
#include "vouch/whir/whir.h"

namespace vouch::whir {

class Prover::Engine {
 public:
  virtual ~Engine() = default;
  virtual Result<Cap> commit(std::span<const Table> tables, Transcript& t) = 0;
  // points: nullptr to draw them.
  virtual Result<Proof> open(const std::span<const PointWords>* points, Transcript& t) = 0;
  virtual Backend::Info where() const = 0;
  ProverStats stats;
};

namespace {

Error invalid(std::string what) {
  return {Code::invalid_argument, "whir prove: " + std::move(what)};
}

// What the user allows, and nine tenths of a device: its driver takes some too.
std::uint64_t budget_of(std::uint64_t allowed, std::uint64_t device) {
  const std::uint64_t room = room_of(device);
  return allowed == 0 || room == 0 ? std::max(allowed, room) : std::min(allowed, room);
}

template <class F>
DigestWords words_of(const Digest<F>& d) {
  DigestWords w;
  for (std::size_t i = 0; i < w.size(); i++) w[i] = d[i].montgomery();
  return w;
}

template <class F, int D>
class ProverOf final : public Prover::Engine {
  using E = Ext31<F, D>;
  using Ops = PolyOps<F, D>;

 public:
  ProverOf(const Setup& setup, const ProverOptions& options, std::unique_ptr<Ops> ops)
      : setup_(setup),
        c_(setup_.config()),
        options_(options),
        threads_(options.threads),
        hashes_(setup_.params().hashing),
        ops_(std::move(ops)),
        plan_(plan_memory(setup_,
                          MemoryBudget{budget_of(options.memory, ops_->memory()), ops_->largest_buffer()})) {}

  Result<Cap> commit(std::span<const Table> tables, Transcript& t) override;
  Result<Proof> open(const std::span<const PointWords>* points, Transcript& t) override;
  Backend::Info where() const override { return ops_->info(); }

 private:
  E draw(Transcript& t) const {
    E x;
    for (F& c : x.c) c = F::raw(t.draw());
    return x;
  }
  void observe(Transcript& t, const E& x) const {
    for (F c : x.c) t.observe(c.montgomery());
  }
  void stage(const std::string& name) const {
    if (options_.progress) options_.progress->stage(name);
  }

  Slot slot(const Placement& at, std::uint32_t column) const {
    const std::size_t v = at.selector(column, setup_.params().layout);
    if (setup_.params().layout == Layout::prefix) return {v, at.selector_bits};
    return {v << at.arity, 0};
  }
  Status check_tables(std::span<const Table> tables) const;
  Status check_memory() const;
  Result<std::vector<F>> stack_tables(std::span<const Table> tables) const;

  // Encodes f as it stands as codeword i and observes its cap.
  Result<Cap> encode(std::size_t i, std::unique_ptr<Codeword<F>>& out, Transcript& t);
  Result<Words> sample_ood(int samples, int variables, Transcript& t);
  Status answer_batches(const std::span<const PointWords>* points, Transcript& t);
  Status first_constraint(Transcript& t);
  Result<Word> grind(int bits, Transcript& t);
  Result<SumcheckProof> sumcheck(int rounds, int pow_bits, Transcript& t);
  // Opens the rows of the last codeword that `queries` draws choose.
  Result<Openings> query(std::size_t codeword, int queries, std::vector<std::size_t>& indices, Transcript& t);
  Result<RoundProof> round(std::size_t i, Transcript& t);
  Status add_queried(std::size_t i, const RoundProof& round, std::span<const std::size_t> indices,
                     Transcript& t);
  Status final_round(Transcript& t);
  void collect_times();

  const Setup setup_;
  const Config& c_;
  const ProverOptions options_;
  const Threads threads_;
  const Hashes<F> hashes_;
  const std::unique_ptr<Ops> ops_;
  const MemoryPlan plan_;  // of the processor's memory or, where the work is done on a device, of that

  std::unique_ptr<PolyInstance<F, D>> poly_;  // f and W; set between commit and open
  std::unique_ptr<Codeword<F>> codeword_;     // the last one committed
  E claim_{};                                 // the sum of f W
  std::vector<E> challenges_;                 // of the last sumcheck
  Proof proof_;
};

template <class F, int D>
Status ProverOf<F, D>::check_tables(std::span<const Table> tables) const {
  const auto& shapes = setup_.statement().tables;
  if (tables.size() != shapes.size()) {
    return invalid(std::to_string(tables.size()) + " tables given, the statement has " +
                   std::to_string(shapes.size()));
  }
  for (std::size_t t = 0; t < tables.size(); t++) {
    const std::string where = "table " + std::to_string(t);
    if (tables[t].size() != shapes[t].width) {
      return invalid(where + " has " + std::to_string(tables[t].size()) + " columns, the statement says " +
                     std::to_string(shapes[t].width));
    }
    for (std::size_t j = 0; j < tables[t].size(); j++) {
      if (tables[t][j].size() == std::size_t(1) << shapes[t].log_rows) continue;
      return invalid(where + " column " + std::to_string(j) + " has " + std::to_string(tables[t][j].size()) +
                     " values, the statement says 2^" + std::to_string(shapes[t].log_rows));
    }
  }
  return ok();
}

// Before any work: what a device does not hold, it would fail on later.
template <class F, int D>
Status ProverOf<F, D>::check_memory() const {
  const std::uint64_t have = ops_->memory(), largest = ops_->largest_buffer();
  const bool whole = have == 0 || plan_.peak <= room_of(have),
             parts = largest == 0 || plan_.largest <= largest;
  if (whole && parts) return ok();
  const Backend::Info info = ops_->info();
  std::string what = "whir prove: " + info.name + " (" + info.device + ") has ";
  if (!whole)
    what += std::to_string(have) + " bytes of memory, and the proof needs " + std::to_string(plan_.peak) +
            " free ones";
  else
    what += "buffers of " + std::to_string(largest) + " bytes at most, and the proof needs one of " +
            std::to_string(plan_.largest);
  return Error{Code::out_of_memory, what + " even with lower tree layers hashed again; use --backend cpu"};
}

// Section 8: every column in its place, in Montgomery form; cells that no column covers stay zero.
template <class F, int D>
Result<std::vector<F>> ProverOf<F, D>::stack_tables(std::span<const Table> tables) const {
  VOUCH_CHECK(check_tables(tables));
  std::vector<F> f(std::size_t(1) << c_.variables);
  for (std::size_t t = 0; t < tables.size(); t++)
    for (std::uint32_t j = 0; j < tables[t].size(); j++) {
      const auto column = tables[t][j];
      const Slot to = slot(setup_.stacking().of(t), j);
      std::atomic<bool> any_bad = false;
      threads_.run([&] {
        parallel_for(column.size(), std::size_t(1) << 14, [&](std::size_t begin, std::size_t end) {
          bool bad = false;
          for (std::size_t i = begin; i < end; i++) bad |= column[i] >= F::modulus;
          if (bad) any_bad = true;
          F* cell = f.data() + to.offset;
          if (to.stride == 0)  // apart, so that it is a loop over neighbours
            for (std::size_t i = begin; i < end; i++) cell[i] = F(column[i]);
          else
            for (std::size_t i = begin; i < end; i++) cell[i << to.stride] = F(column[i]);
        });
      });
      if (any_bad) {
        const auto at = std::find_if(column.begin(), column.end(), [](Word x) { return x >= F::modulus; });
        const std::size_t bad = std::size_t(at - column.begin());
        return invalid("table " + std::to_string(t) + " column " + std::to_string(j) + " row " +
                       std::to_string(bad) + " holds " + std::to_string(column[bad]) +
                       ", not below the modulus " + std::to_string(F::modulus));
      }
    }
  return f;
}

template <class F, int D>
Result<Cap> ProverOf<F, D>::encode(std::size_t i, std::unique_ptr<Codeword<F>>& out, Transcript& t) {
  const Span span("encode");
  EncodeShape shape;
  shape.fold = c_.folding[i];
  shape.log_inv_rate = c_.rate(i, setup_.params().log_inv_rate);
  shape.cap_height = setup_.params().hashing.cap_height;
  shape.dropped_layers = plan_.dropped_layers[i];
  VOUCH_TRY(out, poly_->encode(shape, hashes_.merkle()));
  stats.tree_permutations += out->permutations();
  Cap cap;
  for (const Digest<F>& d : out->cap()) cap.push_back(words_of(d));
  t.observe(cap);
  return cap;
}

template <class F, int D>
Result<Cap> ProverOf<F, D>::commit(std::span<const Table> tables, Transcript& t) {
  stage("commit");
  codeword_.reset();
  poly_.reset();
  stats = {};
  proof_ = {};
  Stopwatch clock;
  VOUCH_CHECK(check_memory());
  const Span span("commit");
  VOUCH_TRY(std::vector<F> f, stack_tables(tables));
  stats.stack = clock.seconds();
  const FoldOrder order = setup_.params().layout == Layout::prefix ? FoldOrder::prefix : FoldOrder::suffix;
  VOUCH_TRY(poly_, ops_->start(std::move(f), order, c_.folding[0]));
  auto cap = encode(0, codeword_, t);
  if (!cap.ok()) poly_.reset();
  collect_times();
  return cap;
}

// O1, R2: the claims stay pending until the challenge that combines them.
template <class F, int D>
Result<Words> ProverOf<F, D>::sample_ood(int samples, int variables, Transcript& t) {
  const Span span("out-of-domain claims");
  const Slot whole{0, 0};
  Words answers;
  for (int s = 0; s < samples; s++) {
    const Point<E> point = expand(draw(t), variables);
    VOUCH_TRY(const std::vector<E> y, poly_->claim({point, false, {&whole, 1}}));
    observe(t, y[0]);
    append(answers, y[0]);
  }
  return answers;
}

// O2
template <class F, int D>
Status ProverOf<F, D>::answer_batches(const std::span<const PointWords>* points, Transcript& t) {
  const Span span("claims");
  for (const auto& [table, batch] : batches(setup_)) {
    const Placement& at = setup_.stacking().of(table);
    Point<E> point;
    if (points) {
      for (int i = 0; i < at.arity; i++)
        point.push_back(ext_at<E>((*points)[proof_.evals.size()], std::size_t(i)));
    } else {
      point = expand(draw(t), at.arity);
    }
    BatchValues values;
    for (const bool next : {false, true}) {
      std::vector<Slot> slots;
      for (std::uint32_t j : next ? batch->next : batch->current) slots.push_back(slot(at, j));
      if (slots.empty()) continue;
      VOUCH_TRY(const std::vector<E> sums, poly_->claim({point, next, slots}));
      for (const E& y : sums) append(next ? values.next : values.current, y);
    }
    t.observe(values.current);
    t.observe(values.next);
    proof_.evals.push_back(std::move(values));
  }
  return ok();
}

// O3: powers of alpha go to the tables in placement order, then to the out-of-domain claims; the pending
// claims are in the order they were made: out-of-domain, then the tables in the caller's order.
template <class F, int D>
Status ProverOf<F, D>::first_constraint(Transcript& t) {
  const Span span("combine");
  const E alpha = draw(t);
  E power = E::one();
  claim_ = E::zero();
  const Schedule& schedule = setup_.statement().schedule;
  const std::size_t ood = proof_.ood_answers.size() / D;
  std::vector<std::size_t> first_batch, first_claim;  // of each table
  std::size_t batch_total = 0, claims = ood;
  for (const auto& list : schedule) {
    first_batch.push_back(batch_total), first_claim.push_back(claims);
    batch_total += list.size();
    for (const Batch& b : list) claims += b.current.size() + b.next.size();
  }
  std::vector<E> coefficients(claims);
  auto give = [&](std::size_t pending, const Words& values, std::size_t i) {
    coefficients[pending] = power;
    claim_ += power * ext_at<E>(values, i);
    power *= alpha;
  };
  for (const Placement& at : setup_.stacking().order) {
    std::size_t pending = first_claim[at.table];
    for (std::size_t b = 0; b < schedule[at.table].size(); b++) {
      const BatchValues& values = proof_.evals[first_batch[at.table] + b];
      for (const Words* list : {&values.current, &values.next})
        for (std::size_t i = 0; i < list->size() / D; i++) give(pending++, *list, i);
    }
  }
  for (std::size_t i = 0; i < ood; i++) give(i, proof_.ood_answers, i);
  return poly_->combine(coefficients);
}

template <class F, int D>
Result<Word> ProverOf<F, D>::grind(int bits, Transcript& t) {
  if (bits == 0) return Word(0);
  const Span span("grind");
  Stopwatch clock;
  const Transcript::Candidate c = t.candidate();
  GrindJob<F> job;
  job.permutation = &hashes_.p16();
  for (std::size_t i = 0; i < job.state.size(); i++) job.state[i] = F::raw(c.state[i]);
  job.position = c.position;
  job.bits = bits;
  job.cancel = options_.cancel;
  VOUCH_TRY(const F witness, ops_->grind(job));
  stats.grind_permutations += witness.to_int() + std::uint64_t(1);
  stats.grind += clock.seconds();
  t.absorb_found(bits, witness.montgomery());
  return witness.montgomery();
}

template <class F, int D>
Result<SumcheckProof> ProverOf<F, D>::sumcheck(int rounds, int pow_bits, Transcript& t) {
  const Span span("sumcheck");
  SumcheckProof out;
  challenges_.clear();
  for (int r = 0; r < rounds; r++) {
    VOUCH_TRY(const auto h, poly_->round());
    append(out.polynomials, h.at_zero);
    append(out.polynomials, h.leading);
    observe(t, h.at_zero);
    observe(t, h.leading);
    if (pow_bits > 0) {
      VOUCH_TRY(const Word witness, grind(pow_bits, t));
      out.pow_witnesses.push_back(witness);
    }
    const E x = draw(t);
    challenges_.push_back(x);
    claim_ = next_claim(claim_, h.at_zero, h.leading, x);
    VOUCH_CHECK(poly_->fold(x));
  }
  return out;
}

template <class F, int D>
Result<Openings> ProverOf<F, D>::query(std::size_t codeword, int queries, std::vector<std::size_t>& indices,
                                       Transcript& t) {
  const Span span("open rows");
  indices = draw_distinct(c_.log_height(codeword), queries, t);
  Stopwatch clock;
  VOUCH_TRY(const auto opening, codeword_->open(indices));
  Openings o;
  o.extension = codeword > 0;
  o.rows = indices.size();
  o.row_words = indices.empty() ? 0 : codeword_->row_words();
  o.values.reserve(opening.rows.size());
  for (const F x : opening.rows) o.values.push_back(x.montgomery());
  for (const Digest<F>& d : opening.siblings) o.siblings.push_back(words_of(d));
  stats.open_rows += clock.seconds();
  return o;
}

// R7: the new claims, the first with coefficient 1.
template <class F, int D>
Status ProverOf<F, D>::add_queried(std::size_t i, const RoundProof& round,
                                   std::span<const std::size_t> indices, Transcript& t) {
  const Span span("weights");
  Point<E> point = challenges_;
  if (setup_.params().layout == Layout::suffix) std::reverse(point.begin(), point.end());
  const E gamma = draw(t);
  E power = E::one();
  std::vector<E> ood, coefficients;
  for (std::size_t s = 0; s < round.ood_answers.size() / D; s++, power *= gamma) {
    ood.push_back(power);
    claim_ += power * ext_at<E>(round.ood_answers, s);
  }
  const F g = F::root_of_unity(c_.log_height(i));
  std::vector<F> z;
  const Openings& o = round.openings;
  for (std::size_t q = 0; q < indices.size(); q++, power *= gamma) {
    const auto row = std::span<const Word>(o.values).subspan(q * o.row_words, o.row_words);
    coefficients.push_back(power);
    z.push_back(g.pow(indices[q]));
    claim_ += power * fold_row<E>(row, o.extension, point);
  }
  VOUCH_CHECK(poly_->combine(ood));
  return poly_->add_powers(z, coefficients);
}

template <class F, int D>
Result<RoundProof> ProverOf<F, D>::round(std::size_t i, Transcript& t) {
  const Span span("round", {{"round", i}});
  const RoundConfig& rc = c_.rounds[i];
  RoundProof out;
  std::unique_ptr<Codeword<F>> next;
  VOUCH_TRY(out.commitment, encode(i + 1, next, t));
  VOUCH_TRY(out.ood_answers, sample_ood(rc.ood_samples, rc.variables, t));
  VOUCH_TRY(out.pow_witness, grind(rc.pow_bits, t));
  (void)t.draw();  // R4: the checkpoint
  std::vector<std::size_t> indices;
  VOUCH_TRY(out.openings, query(i, rc.queries, indices, t));
  codeword_ = std::move(next);  // the opened one is freed here
  VOUCH_CHECK(add_queried(i, out, indices, t));
  VOUCH_TRY(out.sumcheck, sumcheck(c_.folding[i + 1], rc.fold_pow_bits, t));
  return out;
}

template <class F, int D>
Status ProverOf<F, D>::final_round(Transcript& t) {
  const Span span("final round");
  VOUCH_TRY(const std::vector<E> f, poly_->values());
  proof_.final_poly.emplace();
  for (const E& x : f) append(*proof_.final_poly, x);
  t.observe(*proof_.final_poly);
  VOUCH_TRY(proof_.final_pow_witness, grind(c_.final_pow_bits, t));
  std::vector<std::size_t> indices;
  VOUCH_TRY(proof_.final_openings, query(c_.rounds.size(), c_.final_queries, indices, t));
  codeword_.reset();
  if (c_.final_sumcheck_rounds > 0) {
    VOUCH_TRY(proof_.final_sumcheck, sumcheck(c_.final_sumcheck_rounds, c_.final_fold_pow_bits, t));
  }
  return ok();
}

template <class F, int D>
void ProverOf<F, D>::collect_times() {
  if (!poly_) return;
  const PolyTimes& times = poly_->times();
  stats.encode = times.encode, stats.hash = times.hash, stats.claims = times.claims;
  stats.weights = times.weights, stats.sumcheck = times.sumcheck;
  stats.device = ops_->use();
}

template <class F, int D>
Result<Proof> ProverOf<F, D>::open(const std::span<const PointWords>* points, Transcript& t) {
  if (!poly_) return invalid("nothing is committed; call commit first");
  if (points) VOUCH_CHECK(check_points(setup_, *points));
  const Span span("open");
  const auto run = [&]() -> Status {
    const double total = double(c_.rounds.size() + 2);
    stage("first sumcheck");
    VOUCH_TRY(proof_.ood_answers, sample_ood(c_.ood_samples, c_.variables, t));
    VOUCH_CHECK(answer_batches(points, t));
    VOUCH_CHECK(first_constraint(t));
    VOUCH_TRY(proof_.sumcheck, sumcheck(c_.folding[0], c_.fold_pow_bits, t));
    for (std::size_t i = 0; i < c_.rounds.size(); i++) {
      stage("round " + std::to_string(i));
      if (options_.progress) options_.progress->advance(double(i + 1), total);
      VOUCH_TRY(RoundProof r, round(i, t));
      proof_.rounds.push_back(std::move(r));
    }
    stage("final round");
    return final_round(t);
  };
  const Status status = run();
  collect_times();
  poly_.reset();
  codeword_.reset();
  if (!status.ok()) return status.error();
  return std::move(proof_);
}

template <class F, int D>
Result<std::unique_ptr<Prover::Engine>> make_engine(const Setup& setup, const ProverOptions& options) {
  BackendOptions where;
  where.threads = options.threads;
  where.instructions = options.instructions;
  where.warn = options.warn;
  where.explain = options.explain;
  where.work_seconds = estimated_seconds(setup);
  const MemoryPlan least = plan_memory(setup, MemoryBudget{1, 1});
  where.work_memory = least.peak, where.work_buffer = least.largest;
  where.device_mode = options.device_mode;
  where.device_account = options.device_account;
  VOUCH_TRY(auto ops, (open_poly<F, D>(options.backend, where)));
  return std::unique_ptr<Prover::Engine>(new ProverOf<F, D>(setup, options, std::move(ops)));
}

Status check_grinding(const Setup& setup) {
  const int bits = setup.config().max_pow_bits();
  if (bits < refused_pow_bits) return ok();
  return Error{Code::unsupported,
               "whir prove: a step needs " + std::to_string(bits) +
                   " bits of grinding, and from 28 on a witness may not exist; use extension degree 5, or "
                   "lower the grinding budget so that more queries are made instead"};
}

}  // namespace

template <class F, int D>
Result<Prover> Prover::create_on(const Setup& setup, std::unique_ptr<PolyOps<F, D>> ops,
                                 const ProverOptions& options) {
  VOUCH_CHECK(check_grinding(setup));
  return Prover(std::make_unique<ProverOf<F, D>>(setup, options, std::move(ops)));
}
#define VOUCH_PROVER_ON(F, D)                                                                   \
  template Result<Prover> Prover::create_on<F, D>(const Setup&, std::unique_ptr<PolyOps<F, D>>, \
                                                  const ProverOptions&);
VOUCH_PROVER_ON(BabyBear, 4)
VOUCH_PROVER_ON(BabyBear, 5)
VOUCH_PROVER_ON(KoalaBear, 4)
VOUCH_PROVER_ON(KoalaBear, 5)
#undef VOUCH_PROVER_ON

Result<Prover> Prover::create(const Setup& setup, const ProverOptions& options) {
  VOUCH_CHECK(check_grinding(setup));
  const bool four = setup.params().degree == 4;
  const bool baby = setup.params().field == FieldId::baby_bear;
  VOUCH_TRY(
      std::unique_ptr<Engine> engine,
      baby ? (four ? make_engine<BabyBear, 4>(setup, options) : make_engine<BabyBear, 5>(setup, options))
           : (four ? make_engine<KoalaBear, 4>(setup, options) : make_engine<KoalaBear, 5>(setup, options)));
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
const ProverStats& Prover::stats() const {
  return engine_->stats;
}
Backend::Info Prover::where() const {
  return engine_->where();
}

}  // namespace vouch::whir
