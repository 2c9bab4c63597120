// The instance and the operations of the cpu backend. Text: included once per instruction set inside its
// namespace after the other texts.
//
// While f is in the base field (the first sumcheck), no weights are expanded. With x = (bound part, rest),
// each claim's weight is a sum of terms u(bound) v(rest), so all that its rounds need is, per term, the
// vector r(bound) = sum over rest of v(rest) f(bound, rest): that also gives the claim's value, and the
// rounds work on the 2^first_rounds entries of u and r. After the last of these rounds f and W are written
// out, at the smaller size.

template <class F, int D>
struct Term {
  using E = Ext31<F, D>;
  enum class Kind : std::uint8_t {
    eq,
    shifted,
    cell,
    power
  };  // v: eq(y, .), eq(y, . - 1) without wrapping, one
      // cell, z^.
  Kind kind = Kind::eq;
  std::vector<E> u;  // with the claim's coefficient once combined
  std::vector<E> r;
  std::vector<E> y;
  Slot slot;             // of the rest, inside a column of f
  std::size_t cell = 0;  // its number inside the slot
  F z;
};

template <class F, int D>
class CpuInstance final : public PolyInstance<F, D> {
 public:
  using E = Ext31<F, D>;
  using Round = typename PolyInstance<F, D>::Round;
  using Claim = std::vector<Term<F, D>>;

  CpuInstance(std::vector<F> f, FoldOrder order, int first_rounds, const Threads& threads,
              TwiddleStore<F>& twiddles)
      : threads_(threads),
        twiddles_(twiddles),
        order_(order),
        variables_(std::countr_zero(f.size())),
        bound_bits_(first_rounds),
        base_(std::move(f)) {
    if (order_ == FoldOrder::suffix && bound_bits_ > 0)
      threads_.run([&] { base_ = split_columns(base_.data(), base_.size(), bound_bits_); });
  }

  int variables() const override { return variables_; }
  const PolyTimes& times() const override { return times_; }

  Result<std::unique_ptr<Codeword<F>>> encode(const EncodeShape& shape, const MerkleHash<F>& hash) override {
    const int log_in = variables_ - shape.fold;
    const Twiddles<F>& w = twiddles_.get(log_in + shape.log_inv_rate);
    std::vector<const u32*> columns;
    std::vector<F> base_copy;
    Buffer<u32> copy;
    const std::size_t rows = std::size_t(1) << log_in;
    if (!base_.empty()) {
      const F* in = base_.data();
      if (order_ == FoldOrder::suffix && shape.fold != bound_bits_) {
        const std::vector<F> plain = join_columns();
        base_copy = split_columns(plain.data(), plain.size(), shape.fold);
        in = base_copy.data();
      }
      for (std::size_t c = 0; c < std::size_t(1) << shape.fold; c++)
        columns.push_back(reinterpret_cast<const u32*>(in + c * rows));
    } else {
      if (order_ == FoldOrder::suffix) copy = split_planes(shape.fold);
      for (std::size_t c = 0; c < std::size_t(1) << shape.fold; c++)
        for (std::size_t d = 0; d < D; d++)
          columns.push_back(order_ == FoldOrder::prefix ? f_.data() + d * f_.stride() + c * rows
                                                        : copy.data() + (c * D + d) * rows);
    }
    return std::unique_ptr<Codeword<F>>(
        new CpuCodeword<F>(columns, log_in, shape.log_inv_rate, w, hash, shape, threads_, times_));
  }

  Result<std::vector<E>> claim(const ClaimBatch<E>& batch) override {
    const Stopwatch watch;
    std::vector<E> values;
    threads_.run([&] {
      for (const Slot& slot : batch.slots) {
        if (base_.empty())
          values.push_back(late_claim(batch, slot));
        else
          values.push_back(early_claim(batch, slot));
      }
    });
    times_.claims += watch.seconds();
    return values;
  }

  Status combine(std::span<const E> coefficients) override {
    const Stopwatch watch;
    threads_.run([&] {
      for (std::size_t i = 0; i < pending_.size(); i++)
        for (Term<F, D>& t : pending_[i]) {
          for (E& u : t.u) u *= coefficients[i];
          if (base_.empty())
            add_term(t);
          else
            terms_.push_back(std::move(t));
        }
    });
    pending_.clear();
    times_.weights += watch.seconds();
    return ok();
  }

  Status add_powers(std::span<const F> z, std::span<const E> coefficients) override {
    const Stopwatch watch;
    threads_.run([&] {
      if (base_.empty()) return accumulate_powers<F, D>(w_, z, coefficients);
      for (std::size_t i = 0; i < z.size(); i++) early_power(z[i], coefficients[i]);
    });
    times_.weights += watch.seconds();
    return ok();
  }

  Result<Round> round() override {
    const Stopwatch watch;
    RoundSums<E> s;
    if (!base_.empty()) {
      for (const Term<F, D>& t : terms_)
        for (std::size_t x = 0; x < t.u.size() / 2; x++) {
          const auto [l, h] = pair(x, t.u.size() / 2);
          s.at_zero += t.r[l] * t.u[l];
          s.leading += (t.r[h] - t.r[l]) * (t.u[h] - t.u[l]);
        }
    } else {
      threads_.run([&] {
        s = order_ == FoldOrder::prefix ? round_sums<F, D, FoldOrder::prefix>(f_, w_)
                                        : round_sums<F, D, FoldOrder::suffix>(f_, w_);
      });
    }
    times_.sumcheck += watch.seconds();
    return Round{s.at_zero, s.leading};
  }

  Status fold(const E& r) override {
    const Stopwatch watch;
    if (!base_.empty()) {
      challenges_.push_back(r);
      for (Term<F, D>& t : terms_)
        for (std::vector<E>* v : {&t.u, &t.r}) {
          const std::size_t half = v->size() / 2;
          std::vector<E> next(half);
          for (std::size_t x = 0; x < half; x++) {
            const auto [l, h] = pair(x, half);
            next[x] = (*v)[l] + r * ((*v)[h] - (*v)[l]);
          }
          *v = std::move(next);
        }
      if (int(challenges_.size()) == bound_bits_) threads_.run([&] { write_out(); });
    } else {
      threads_.run([&] {
        for (Planes<D>* t : {&f_, &w_}) {
          if (order_ == FoldOrder::prefix)
            fold_prefix(*t, r);
          else
            fold_suffix(*t, spare_, r);
        }
      });
    }
    variables_--;
    times_.sumcheck += watch.seconds();
    return ok();
  }

  Result<std::vector<E>> values() override {
    std::vector<E> v(std::size_t(1) << variables_);
    if (!base_.empty()) {
      const std::vector<F> plain = order_ == FoldOrder::suffix ? join_columns() : base_;
      for (std::size_t i = 0; i < v.size(); i++) v[i] = E(plain[i]);
    } else {
      for (std::size_t i = 0; i < v.size(); i++) v[i] = f_.template get<F>(i);
    }
    return v;
  }

 private:
  std::pair<std::size_t, std::size_t> pair(std::size_t x, std::size_t half) const {
    if (order_ == FoldOrder::prefix) return {x, x + half};
    return {2 * x, 2 * x + 1};
  }

  // out[c][i] = in[i * columns + c], and back.
  static std::vector<F> split_columns(const F* in, std::size_t size, int bits) {
    std::vector<F> out(size);
    const std::size_t columns = std::size_t(1) << bits, rows = size >> bits;
    parallel_for(rows, 4096, [&](std::size_t begin, std::size_t end) {
      for (std::size_t c = 0; c < columns; c++)
        for (std::size_t i = begin; i < end; i++) out[c * rows + i] = in[i * columns + c];
    });
    return out;
  }
  std::vector<F> join_columns() const {
    std::vector<F> out(base_.size());
    const std::size_t columns = std::size_t(1) << bound_bits_, rows = base_.size() >> bound_bits_;
    for (std::size_t c = 0; c < columns; c++)
      for (std::size_t i = 0; i < rows; i++) out[i * columns + c] = base_[c * rows + i];
    return out;
  }
  // The columns of f in suffix order: word c * D + d of a row is coefficient d of column c.
  Buffer<u32> split_planes(int fold) const {
    const std::size_t columns = std::size_t(1) << fold, rows = f_.size() >> fold;
    Buffer<u32> out(f_.size() * D);
    threads_.run([&] {
      parallel_for(columns * D, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t word = begin; word < end; word++) {
          const u32* in = f_.data() + word % D * f_.stride() + word / D;
          u32* to = out.data() + word * rows;
          for (std::size_t i = 0; i < rows; i++) to[i] = in[i * columns];
        }
      });
    });
    return out;
  }

  std::size_t column_size() const { return base_.size() >> bound_bits_; }

  // The terms of a claim: see the top. For `next`, index (a, b) + 1 is (a, b + 1), or (a + 1, 0) where b is
  // all ones; the very last index stays.
  Claim early_terms(const ClaimBatch<E>& batch, const Slot& slot) const {
    const std::size_t bits = std::size_t(bound_bits_), rest = batch.point.size() - bits;
    const bool prefix = order_ == FoldOrder::prefix;
    const auto bound = prefix ? batch.point.first(bits) : batch.point.last(bits);
    const auto other = prefix ? batch.point.last(rest) : batch.point.first(rest);
    const std::vector<E> eq = eq_table<E>(bound, E::one());
    Term<F, D> t;
    t.u = eq;
    t.y.assign(other.begin(), other.end());
    t.slot = prefix ? slot : Slot{slot.offset >> bits, slot.stride};
    if (!batch.next) return {t};

    E all_ones = E::one();
    for (const E& y : other) all_ones *= y;
    std::vector<E> carried(eq.size()), first(eq.size()), last(eq.size());
    for (std::size_t i = 1; i < eq.size(); i++) carried[i] = eq[i - 1];
    first[0] = eq.back();
    last.back() = eq.back() * all_ones;
    Claim claim;
    Term<F, D> end = t;
    end.kind = Term<F, D>::Kind::cell;
    end.u = last, end.cell = (std::size_t(1) << rest) - 1;
    if (prefix) {  // the bound part is the high one: the rest steps, or wraps to 0 and carries
      Term<F, D> wrap = end;
      t.kind = Term<F, D>::Kind::shifted;
      wrap.u = carried, wrap.cell = 0;
      for (E& u : wrap.u) u *= all_ones;
      claim = {t, wrap, end};
    } else {  // the bound part is the low one: it steps, or wraps to 0 and the rest steps
      Term<F, D> step = t;
      t.u = carried;
      step.u = first, step.kind = Term<F, D>::Kind::shifted;
      claim = {t, step, end};
    }
    return claim;
  }

  E early_claim(const ClaimBatch<E>& batch, const Slot& slot) {
    Claim claim = early_terms(batch, slot);
    E value;
    const SplitEq<F, D> eq(claim[0].y, E::one());
    for (Term<F, D>& t : claim) {
      t.r.resize(t.u.size());
      for (std::size_t b = 0; b < t.u.size(); b++) {
        if (t.kind == Term<F, D>::Kind::cell)
          t.r[b] = E(base_[b * column_size() + t.slot.offset + (t.cell << t.slot.stride)]);
        else
          t.r[b] = dot_column(t, eq, b);
        value += t.u[b] * t.r[b];
      }
    }
    pending_.push_back(std::move(claim));
    return value;
  }
  E dot_column(const Term<F, D>& t, const SplitEq<F, D>& eq, std::size_t b) const {
    const F* column = base_.data() + b * column_size() + t.slot.offset;
    if (t.slot.stride == 0 && t.kind == Term<F, D>::Kind::eq)
      return dot_base<F, D>(reinterpret_cast<const u32*>(column), eq);
    std::vector<F> cells(std::size_t(1) << t.y.size());  // shifted: cell x + 1 meets eq(y, x)
    const std::size_t shift = t.kind == Term<F, D>::Kind::shifted ? 1 : 0;
    for (std::size_t x = 0; x + shift < cells.size(); x++) cells[x] = column[(x + shift) << t.slot.stride];
    return dot_base<F, D>(reinterpret_cast<const u32*>(cells.data()), eq);
  }

  void early_power(F z, const E& coefficient) {
    const bool prefix = order_ == FoldOrder::prefix;
    const F zu = prefix ? z.pow(column_size()) : z;
    Term<F, D> t;
    t.u.assign(std::size_t(1) << bound_bits_, coefficient);
    for (std::size_t b = 1; b < t.u.size(); b++) t.u[b] = t.u[b - 1] * zu;
    t.kind = Term<F, D>::Kind::power;
    t.z = prefix ? z : z.pow(std::size_t(1) << bound_bits_);
    for (std::size_t b = 0; b < t.u.size(); b++) {  // Horner
      F sum;
      for (std::size_t x = column_size(); x-- > 0;) sum = sum * t.z + base_[b * column_size() + x];
      t.r.push_back(E(sum));
    }
    terms_.push_back(std::move(t));
  }

  // After the last early round: f bound at the challenges, W summed over the rest.
  void write_out() {
    std::vector<E> at = challenges_;
    if (order_ == FoldOrder::suffix) std::reverse(at.begin(), at.end());
    const std::size_t size = column_size();
    f_ = Planes<D>(size);
    bind_columns<F, D>(reinterpret_cast<const u32*>(base_.data()), eq_table<E>(at, E::one()), f_);
    base_ = std::vector<F>();
    w_ = Planes<D>(size);
    w_.clear();
    for (const Term<F, D>& t : terms_) add_term(t);
    terms_.clear();
  }

  void add_term(const Term<F, D>& t) {
    const E scale = t.u[0];
    const auto add = [&](std::size_t x, const E& v) {
      const std::size_t at = t.slot.offset + (x << t.slot.stride);
      w_.set(at, w_.template get<F>(at) + v);
    };
    if (t.kind == Term<F, D>::Kind::cell) return add(t.cell, scale);
    if (t.kind == Term<F, D>::Kind::power)
      return accumulate_powers<F, D>(w_, std::span(&t.z, 1), std::span(&scale, 1));
    if (t.kind == Term<F, D>::Kind::eq && (std::size_t(1) << t.y.size()) == w_.size())
      return add_eq<F, D>(w_, t.y, scale);
    const std::vector<E> table = eq_table<E>(t.y, scale);
    const std::size_t shift = t.kind == Term<F, D>::Kind::shifted ? 1 : 0;
    for (std::size_t x = 0; x + shift < table.size(); x++) add(x + shift, table[x]);
  }

  E late_claim(const ClaimBatch<E>& batch, const Slot& slot) {
    Term<F, D> t;
    t.u = {E::one()};
    t.y.assign(batch.point.begin(), batch.point.end());
    t.slot = slot;
    if (!batch.next && (std::size_t(1) << t.y.size()) == f_.size()) {
      const E value = dot_ext<F, D>(f_, t.y);
      pending_.push_back({std::move(t)});
      return value;
    }
    const std::vector<E> table = eq_table<E>(batch.point, E::one());
    const auto cell = [&](std::size_t x) { return f_.template get<F>(slot.offset + (x << slot.stride)); };
    E value;
    for (std::size_t x = 0; x < table.size(); x++)
      value += table[x] * cell(batch.next ? std::min(x + 1, table.size() - 1) : x);
    Claim claim = {t};
    if (batch.next) {
      claim[0].kind = Term<F, D>::Kind::shifted;
      Term<F, D> end = t;
      end.kind = Term<F, D>::Kind::cell;
      end.u[0] = table.back(), end.cell = table.size() - 1;
      claim.push_back(end);
    }
    pending_.push_back(std::move(claim));
    return value;
  }

  Threads threads_;
  TwiddleStore<F>& twiddles_;
  FoldOrder order_;
  int variables_, bound_bits_;
  PolyTimes times_;
  // While in the base field: 2^bound_bits columns (prefix order: f itself); empty afterwards.
  std::vector<F> base_;
  std::vector<E> challenges_;
  std::vector<Term<F, D>> terms_;
  std::vector<Claim> pending_;
  Planes<D> f_, w_, spare_;
};

template <class F, int D>
class CpuPolyOps final : public PolyOps<F, D> {
 public:
  CpuPolyOps(int threads, const char* instructions) : threads_(threads), instructions_(instructions) {}

  Backend::Info info() const override { return {"cpu", cpu_name() + ", " + instructions_, threads_.count()}; }
  Result<std::unique_ptr<PolyInstance<F, D>>> start(std::vector<F> f, FoldOrder order,
                                                    int first_rounds) override {
    return std::unique_ptr<PolyInstance<F, D>>(
        new CpuInstance<F, D>(std::move(f), order, first_rounds, threads_, twiddles_));
  }

  // Batches of candidates in ascending order; the first batch with a hit holds the smallest witness.
  Result<F> grind(const GrindJob<F>& job) override {
    const PackedPermutation<F, 16> permutation(*job.permutation);
    typename PackedPermutation<F, 16>::State state;
    for (std::size_t i = 0; i < 16; i++)
      state.x[i] = PackedPermutation<F, 16>::lift(Lanes::all(job.state[i].montgomery()));
    const u32 step = 2 * Lanes::count, batch = u32(threads_.count()) * 32 * step;
    std::atomic<u32> best{F::modulus};
    for (u64 start = 0; start < F::modulus; start += batch) {
      if (job.cancel && *job.cancel) return Error{Code::rejected, "grinding was cancelled"};
      threads_.run([&] {
        parallel_for(batch / step, 8, [&](std::size_t begin, std::size_t end) {
          for (std::size_t i = begin; i < end; i++) {
            const u32 w = try_witnesses(permutation, state, job, u32(start + i * step));
            for (u32 seen = best; w < seen && !best.compare_exchange_weak(seen, w);) {
            }
          }
        });
      });
      if (best < F::modulus) return F(best.load());
    }
    return Error{Code::rejected, "grinding: no witness exists; use fewer bits"};
  }

 private:
  // The smallest witness among the two vectors from `first` on, or the modulus. first < 2^32 - 2 vectors.
  static u32 try_witnesses(const PackedPermutation<F, 16>& permutation,
                           const typename PackedPermutation<F, 16>::State& state, const GrindJob<F>& job,
                           u32 first) {
    using Perm = PackedPermutation<F, 16>;
    constexpr u32 lanes = Lanes::count;
    u32 lane[2 * lanes];
    for (u32 l = 0; l < 2 * lanes; l++) lane[l] = first + l;
    typename Perm::State s[2] = {state, state};
    for (u32 v = 0; v < 2; v++)  // times R^2 / R into Montgomery form, and below times 1 / R out of it
      s[v].x[job.position] =
          Perm::lift((Packed<F>::load(lane + v * lanes) * Packed<F>::all(F::raw(F::r2))).v);
    permutation.permute(s);
    for (u32 v = 0; v < 2; v++)
      (Packed<F>{Perm::lower(s[v].x[7])} * Packed<F>::all(F::raw(1))).store(lane + v * lanes);
    const u32 mask = (u32(1) << job.bits) - 1;
    for (u32 l = 0; l < 2 * lanes; l++)
      if ((lane[l] & mask) == 0 && first + l < F::modulus) return first + l;
    return F::modulus;
  }

  Threads threads_;
  std::string instructions_;
  TwiddleStore<F> twiddles_;
};

template <class F, int D>
std::unique_ptr<PolyOps<F, D>> open_poly(int threads, const char* instructions) {
  return std::make_unique<CpuPolyOps<F, D>>(threads, instructions);
}
template std::unique_ptr<PolyOps<BabyBear, 4>> open_poly(int, const char*);
template std::unique_ptr<PolyOps<BabyBear, 5>> open_poly(int, const char*);
template std::unique_ptr<PolyOps<KoalaBear, 4>> open_poly(int, const char*);
template std::unique_ptr<PolyOps<KoalaBear, 5>> open_poly(int, const char*);
