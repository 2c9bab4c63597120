// The transforms, for a form E of ntt_vec.h. Included once inside each form's region and namespace.
//
// n = n1 n2 values are a matrix of n1 rows and n2 columns, and a transform is one sweep over columns (groups
// of eight, each copied to a block that fits the second-level cache, transformed there, and copied back) and
// one over rows. Both run the same two networks on a block of Vec, eight independent transforms side by side:
//   ct   natural order in, bit-reversed out: splits by remainders mod x^(m/2) - c and x^(m/2) + c, so a whole
//   block of
//        butterflies shares one twiddle, T[block];
//   dit  bit-reversed in, natural out: the twiddle depends on the place in the block, and a scaling of the
//   inputs by
//        powers g^i costs nothing, because it multiplies the twiddles;
//   gs   ct transposed: also bit-reversed in, natural out.
// Between sweeps the columns of a group lie together (Matrix::grouped), so a column sweep reads and writes in
// a row and a row sweep finds eight rows' pieces side by side, and groups are spaced so that they do not
// compete for cache sets.
//
// T[k] = w^rev(k), one table for every size: that of a smaller domain is its beginning. In the row sweep each
// row has its own twiddles, rows k 2^s ... of T, so eight rows use eight pieces of T, turned into Lanes once
// per group.

// to[k] = from[k] w over groups of eight elements.
template <class E>
void scale_copy(typename E::F* to, const typename E::F* from, const typename E::Factor& w, std::size_t begin,
                std::size_t end) {
  for (std::size_t k = 8 * begin; k < 8 * end; k += 8) {
    auto x = E::load_row(from + k);
    E::scale(x, w);
    E::store_row_canonical(to + k, x);
  }
}

// Eight elements that will be written soon.
template <class F>
void claim_row(F* p) {
  for (int line = 0; line < 8; line += 2) __builtin_prefetch(p + line, 1);
}

constexpr std::size_t rows_ahead = 16;  // between asking for a row to write and writing it

// What will be read later.
inline void expect(const void* p, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += 64) __builtin_prefetch(static_cast<const char*>(p) + at, 0, 3);
}
// Eight elements that will be read later.
template <class F>
void expect_row(const F* p) {
  expect(p, 8 * sizeof(F));
}

// n1 rows by n2 columns, in row order or in groups of eight columns.
template <class F>
struct Matrix {
  F* data;
  std::size_t row, group;  // distance of rows, and of groups of eight columns
  F* at(std::size_t r, std::size_t column) const { return data + r * row + column / 8 * group + column % 8; }

  static Matrix natural(F* data, std::size_t columns) { return {data, columns, 8}; }
  static constexpr std::size_t spacing = 72;
  static std::size_t grouped_size(std::size_t rows, std::size_t columns) {
    return columns / 8 * (8 * rows + spacing);
  }
  static Matrix grouped(F* data, std::size_t rows) { return {data, 8, 8 * rows + spacing}; }
};

template <class E>
class BlockedNtt final : public CpuNtt {
  using F = typename E::F;
  using Vec = typename E::Vec;
  using Lanes = typename E::Lanes;
  using Factor = typename E::Factor;
  static_assert(sizeof(F) == sizeof(Bn254Fr) && sizeof(F) == sizeof(UInt<4>));

 public:
  void transform(std::span<Bn254Fr> values, int log_n, Direction direction, const Bn254Fr& shift) override;
  void quotient(const QuotientInput& input, std::span<UInt<4>> h, Progress& progress) override;

 private:
  // The largest size for which forward scales its rows: plan.rows takes 40 bytes a value, 40 MiB here.
  static constexpr int max_log_scaled = 20;

  // How a size is cut, and what both sweeps share.
  struct Plan {
    explicit Plan(int log_size)
        : log_n(log_size),
          log_n1(log_size / 2),
          log_n2(log_size - log_size / 2),
          n(std::size_t(1) << log_size),
          n1(std::size_t(1) << log_n1),
          n2(std::size_t(1) << log_n2) {}
    int log_n, log_n1, log_n2;
    std::size_t n, n1, n2;
    std::shared_ptr<const Table<F>> twiddles;  // T, at least n / 2
    std::vector<Factor> shared;                // T for SharedTwiddles, n2 / 2 (n1 <= n2)
    std::shared_ptr<const Table<Lanes>> rows;  // for forward, of scaled rows; then T has only n2 / 2
  };
  Plan make_plan(int log_n, bool scaled_rows = false);
  std::shared_ptr<const Table<F>> table_for(std::size_t count);
  std::shared_ptr<const Table<Lanes>> row_powers(const Plan& plan);
  static Lanes lanes_of(const F (&x)[8]);
  static void row_twiddles(Lanes* out, const Plan& plan, const std::size_t (&rows)[8]);

  template <class G>  // F or const F
  static void load_column_row(Vec* x, const Matrix<G>& values, const Plan& plan, std::size_t column,
                              std::size_t r);
  template <class G>
  static void load_columns(Vec* x, const Matrix<G>& values, const Plan& plan, std::size_t column);
  // An inverse transform is the forward one read backwards: result i goes to place -i, over n and shift^-i.
  struct Backwards {
    Backwards(const Plan& plan, const F& coset);
    F shift, wrap;                // wrap: shift^n
    std::vector<Factor> factors;  // of results n1 b ...: shift^(n1 b - n) / n, or 1 / n alone without a shift
    bool shifted() const { return factors.size() > 1; }
    Lanes powers(std::size_t first) const;  // of shift, for the eight after that
    void store(F* values, const Plan& plan, std::size_t at, const Lanes& powers, Vec x) const;
  };
  void forward(F* values, const Plan& plan, const F& shift, const Backwards* backwards = nullptr);
  static void forward_columns(const F* values, const Matrix<F>& middle, const Plan& plan, const F& shift);
  static void forward_rows(F* values, const Matrix<F>& middle, const Plan& plan, const F& shift,
                           const Backwards* backwards);
  static std::vector<Factor> powers_reversed(const Plan& plan, const F& base, const F& first);
  static std::vector<Factor> dit_table(int log_m, const F& g);
  void first_sweep(const Matrix<F>& a, const Matrix<F>& b, const Matrix<F>& c, const Plan& plan);
  void middle_sweep(const Matrix<F> (&vectors)[3], const Plan& plan, const F& g);
  void last_sweep(const Matrix<F>& a, const Matrix<F>& b, const Matrix<F>& c, const Plan& plan, const F& g);

  std::mutex mutex_;
  std::shared_ptr<const Table<F>> table_;           // the largest so far
  std::shared_ptr<const Table<Lanes>> row_powers_;  // the last
  ScratchKeeper<F> between_;
};

// The twiddle table of at least `count` entries, grown by doubling: T[2^l + k] = T[k] w_(2^(l + 2)). Made
// outside the lock, as whoever waits for parallel_for may run another transform.
template <class E>
auto BlockedNtt<E>::table_for(std::size_t count) -> std::shared_ptr<const Table<F>> {
  {
    const std::lock_guard lock(mutex_);
    if (table_ && table_->size >= count) return table_;
  }
  auto next = std::make_shared<Table<F>>(std::max<std::size_t>(count, 64));
  F* t = next->data.data();
  t[0] = E::table_one();
  for (std::size_t done = 1; done < next->size; done *= 2) {
    const F root = F::root_of_unity(std::countr_zero(done) + 2);
    if (done < 64) {
      for (std::size_t k = 0; k < done; k++) t[done + k] = t[k] * root;
    } else {
      const Factor w = E::factor(root);
      parallel_for(done / 8, 128,
                   [&](std::size_t begin, std::size_t end) { scale_copy<E>(t + done, t, w, begin, end); });
    }
  }
  const std::lock_guard lock(mutex_);
  if (!table_ || table_->size < next->size) table_ = next;
  return next;
}

template <class E>
auto BlockedNtt<E>::make_plan(int log_n, bool scaled_rows) -> Plan {
  const Span span("twiddles");
  Plan plan(log_n);
  if (scaled_rows && log_n <= max_log_scaled) plan.rows = row_powers(plan);
  plan.twiddles = table_for(plan.rows ? plan.n2 / 2 : plan.n / 2);
  const F* t = plan.twiddles->data.data();
  plan.shared.reserve(plan.n2 / 2);
  for (std::size_t k = 0; k < plan.n2 / 2; k++) plan.shared.push_back(E::factor_from_table(t[k]));
  return plan;
}

template <class E>
auto BlockedNtt<E>::lanes_of(const F (&x)[8]) -> Lanes {
  F pairs[8][2];
  for (int k = 0; k < 8; k++) pairs[k][0] = pairs[k][1] = x[k];
  Lanes r, same;
  E::load_lane_pairs(r, same, [&](int k) { return pairs[k]; });
  return r;
}

// w^(r j) for the eight rows r of a group, j < n2, one group after the other. Made outside the lock, too.
template <class E>
auto BlockedNtt<E>::row_powers(const Plan& plan) -> std::shared_ptr<const Table<Lanes>> {
  {
    const std::lock_guard lock(mutex_);
    if (row_powers_ && row_powers_->size == plan.n / 8) return row_powers_;
  }
  auto next = std::make_shared<Table<Lanes>>(plan.n / 8);
  const F root = F::root_of_unity(plan.log_n);
  parallel_for(plan.n1 / 8, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t group = begin; group < end; group++) {
      Lanes* out = next->data.data() + group * plan.n2;
      F step[8];
      for (F& x : step) x = E::table_one();
      out[0] = lanes_of(step);
      for (int k = 0; k < 8; k++) step[k] = power_of(root, 8 * group + std::size_t(row_of_lane[k]));
      for (std::size_t half = 1; half < plan.n2; half *= 2) {
        F scaled[8];
        for (int k = 0; k < 8; k++) scaled[k] = step[k] * E::table_one(), step[k] = step[k].square();
        const Lanes w = lanes_of(scaled);
        for (std::size_t j = 0; j < half; j++) out[half + j] = E::lanes_product(out[j], w);
      }
    }
  });
  const std::lock_guard lock(mutex_);
  return row_powers_ = next;
}

// Level s of row k: T[k 2^s ... k 2^s + 2^s), lane i for rows[row_of_lane[i]].
template <class E>
void BlockedNtt<E>::row_twiddles(Lanes* out, const Plan& plan, const std::size_t (&rows)[8]) {
  const F* t = plan.twiddles->data.data();
  F first[8];
  for (int k = 0; k < 8; k++) first[k] = t[rows[row_of_lane[k]]];
  out[1] = lanes_of(first);
  for (int level = 1; level < plan.log_n2; level++) {
    const std::size_t count = std::size_t(1) << level;
    for (std::size_t b = 0; b < count; b += 2)
      E::load_lane_pairs(out[count + b], out[count + b + 1],
                         [&](int k) { return t + (rows[row_of_lane[k]] << level) + b; });
  }
}

// Row r of eight columns; asks for a later one, as the hardware sees no pattern across pages.
template <class E>
template <class G>
void BlockedNtt<E>::load_column_row(Vec* x, const Matrix<G>& values, const Plan& plan, std::size_t column,
                                    std::size_t r) {
  constexpr std::size_t ahead = 8;
  if (r + ahead < plan.n1) expect_row(values.at(r + ahead, column));
  x[r] = E::load_row(values.at(r, column));
}
template <class E>
template <class G>
void BlockedNtt<E>::load_columns(Vec* x, const Matrix<G>& values, const Plan& plan, std::size_t column) {
  for (std::size_t r = 0; r < plan.n1; r++) load_column_row(x, values, plan, column, r);
}

// base^(rev(k)) first, k < n2.
template <class E>
auto BlockedNtt<E>::powers_reversed(const Plan& plan, const F& base, const F& first) -> std::vector<Factor> {
  std::vector<F> powers(plan.n2);
  powers[0] = first;
  std::vector<F> squares{base};
  for (int i = 1; i < plan.log_n2; i++) squares.push_back(squares.back().square());
  for (int level = 0; level < plan.log_n2; level++)
    for (std::size_t k = 0, half = std::size_t(1) << level; k < half; k++)
      powers[half + k] = powers[k] * squares[plan.log_n2 - 1 - level];
  std::vector<Factor> r;
  r.reserve(plan.n2);
  for (const F& x : powers) r.push_back(E::factor(x));
  return r;
}

// For dit of size 2^log_m on inputs to be scaled by g^i.
template <class E>
auto BlockedNtt<E>::dit_table(int log_m, const F& g) -> std::vector<Factor> {
  const std::size_t m = std::size_t(1) << log_m;
  std::vector<Factor> r(std::max<std::size_t>(m, 2));
  F step = g;  // g^(m / (2 half)), from the last level down
  for (int level = log_m; level-- > 0; step = step.square()) {
    const std::size_t half = std::size_t(1) << level;
    const F w = F::root_of_unity(level + 1);
    F power = step;
    for (std::size_t j = 0; j < half; j++, power *= w) r[half + j] = E::factor(power);
  }
  return r;
}

// Natural order in and out, through one more array of n elements.
template <class E>
void BlockedNtt<E>::forward(F* values, const Plan& plan, const F& shift, const Backwards* backwards) {
  between_.with(Matrix<F>::grouped_size(plan.n1, plan.n2), [&](F* between) {
    const auto middle = Matrix<F>::grouped(between, plan.n1);
    forward_columns(values, middle, plan, shift);
    forward_rows(values, middle, plan, shift, backwards);
  });
}

// Leaves the rows in the order of the results.
template <class E>
void BlockedNtt<E>::forward_columns(const F* values, const Matrix<F>& middle, const Plan& plan,
                                    const F& shift) {
  const Span span("column sweep");
  const bool shifted = !(shift == F::one());
  std::vector<Factor> levels;  // ct's twiddles on the coset
  if (shifted) {
    levels.resize(plan.n1);
    F s = shift;  // shift^(n / 2^(level + 1)), from the last level down
    for (int i = 0; i < plan.log_n2; i++) s = s.square();
    const F* t = plan.twiddles->data.data();
    for (int level = plan.log_n1; level-- > 0; s = s.square())
      for (std::size_t b = 0; b < std::size_t(1) << level; b++)
        levels[(std::size_t(1) << level) + b] = E::factor_from_table(t[b] * s);
  }
  const auto from = Matrix<const F>::natural(values, plan.n2);
  ScratchPool<Vec> pool(2 * plan.n1);
  parallel_for(plan.n2 / 8, 1, [&](std::size_t begin, std::size_t end) {
    pool.with([&](Vec* x) {
      Vec* next = x + plan.n1;
      load_columns(x, from, plan, 8 * begin);
      for (std::size_t column = 8 * begin; column < 8 * end; column += 8, std::swap(x, next)) {
        Beside beside(plan.log_n1, column + 8 < 8 * end ? plan.n1 : 0, [&](std::size_t r) {
          load_column_row(next, from, plan, column + 8, r);
          claim_row(middle.at(r, column + 8));
        });
        const auto store = [&](const Vec* done, std::size_t count) {
          for (std::size_t k = 0; k < count; k++)
            E::store_row(middle.at(reverse_bits(std::size_t(done - x) + k, plan.log_n1), column), done[k]);
        };
        if (shifted)
          ct<E>(x, plan.log_n1, 0, 0, LevelTwiddles<Factor>{levels.data()}, beside, store);
        else
          ct<E>(x, plan.log_n1, 0, 0, SharedTwiddles<E>{plan.shared.data()}, beside, store);
      }
    });
  });
}

template <class E>
BlockedNtt<E>::Backwards::Backwards(const Plan& plan, const F& coset)
    : shift(coset), wrap(power_of(coset, plan.n)) {
  F factor = F(plan.n).inverse() * wrap.inverse();
  const F step = power_of(shift, plan.n1);
  const std::size_t count = shift == F::one() ? 1 : plan.n2;
  for (std::size_t b = 0; b < count; b++, factor *= step) factors.push_back(E::factor(factor));
}
template <class E>
auto BlockedNtt<E>::Backwards::powers(std::size_t first) const -> Lanes {
  F power[8];
  for (std::size_t k = 0; k < 8; k++)
    power[k] = power_of(shift, first + std::size_t(row_of_lane[k])) * E::table_one();
  return lanes_of(power);
}
// Results at ... at + 7, in the order of load_row.
template <class E>
__attribute__((noinline)) void BlockedNtt<E>::Backwards::store(F* values, const Plan& plan, std::size_t at,
                                                               const Lanes& powers, Vec x) const {
  E::scale(x, factors[at / plan.n1 & (factors.size() - 1)]);
  if (shifted()) E::scale(x, powers);
  alignas(64) F row[8];
  E::store_row_canonical(row, x);
  if (at == 0) row[0] *= wrap;  // goes to 0, not to n
  for (std::size_t k = 0; k < 8; k++) values[(plan.n - at - k) & (plan.n - 1)] = row[k];
  wipe(row, sizeof row);
}

// Results first .. first + 7 of a column of the output come from eight rows that lie together. Up to
// 2^max_log_scaled they are scaled by the powers of plan.rows, and then all rows share T; larger sizes would
// need too large a table, and their rows have twiddles of their own. Wipes what lies in between.
template <class E>
void BlockedNtt<E>::forward_rows(F* values, const Matrix<F>& middle, const Plan& plan, const F& shift,
                                 const Backwards* backwards) {
  const Span span("row sweep");
  std::vector<Factor> powers;  // shift^j for the columns
  if (!(shift == F::one())) {
    F power = F::one();
    for (std::size_t j = 0; j < plan.n2; j++, power *= shift) powers.push_back(E::factor(power));
  }
  // Two columns of a group of rows, scaled; asks for two that come later.
  const auto load = [&](Vec* x, std::size_t first, std::size_t pair) {
    constexpr std::size_t ahead = 8;
    const std::size_t j = 2 * pair;
    if (j + 2 * ahead < plan.n2)
      for (std::size_t k = 0; k < 2; k++) expect_row(middle.at(first + 2 * (pair % 4) + k, j + 2 * ahead));
    E::load_pairs(x[j], x[j + 1], [&](int k) { return middle.at(first + row_of_lane[k], j); });
    if (pair % 4 == 3) wipe(middle.at(first, j - 6), 64 * sizeof(F));  // while it is in the cache
    for (std::size_t k = j; k < j + 2; k++) {
      if (const Lanes* scale = plan.rows ? plan.rows->data.data() + first / 8 * plan.n2 + k : nullptr) {
        if (k + 2 * ahead < plan.n2) expect(scale + 2 * ahead, sizeof(Lanes));
        E::scale_loaded(x[k], *scale);
      }
      if (!powers.empty()) E::scale(x[k], powers[k]);
    }
  };
  const auto group = [&](Vec* x, std::size_t first, Vec* next, const auto& tw) {
    Beside beside(plan.log_n2, next ? plan.n2 / 2 : 0,
                  [&](std::size_t pair) { load(next, first + 8, pair); });
    Lanes unshift;
    if (backwards && backwards->shifted()) unshift = backwards->powers(first);
    ct<E>(x, plan.log_n2, 0, 0, tw, beside, [&](const Vec* done, std::size_t count) {
      const auto at = [&](std::size_t j) {  // of the result
        return reverse_bits(j & (plan.n2 - 1), plan.log_n2) * plan.n1 + first;
      };
      for (std::size_t k = 0; k < count; k++) {
        const std::size_t j = std::size_t(done - x) + k;
        if (backwards) {
          claim_row(values + ((plan.n - at(j + rows_ahead) - 7) & (plan.n - 1)));
          backwards->store(values, plan, at(j), unshift, done[k]);
        } else {
          claim_row(values + at(j + rows_ahead));
          E::store_row_canonical(values + at(j), done[k]);
        }
      }
    });
  };
  ScratchPool<Vec> pool(2 * plan.n2);
  typename RowTwiddles<E>::Memory twiddles(plan.log_n2, 1);
  parallel_for(plan.n1 / 8, 1, [&](std::size_t begin, std::size_t end) {
    pool.with([&](Vec* x) {
      Vec* next = x + plan.n2;
      const auto groups = [&](const auto& twiddles_of) {
        for (std::size_t pair = 0; pair < plan.n2 / 2; pair++) load(x, 8 * begin, pair);
        for (std::size_t first = 8 * begin; first < 8 * end; first += 8, std::swap(x, next))
          group(x, first, first + 8 < 8 * end ? next : nullptr, twiddles_of(first));
      };
      if (plan.rows) return groups([&](std::size_t) { return SharedTwiddles<E>{plan.shared.data()}; });
      twiddles.with([&](Lanes* table, const auto& finish) {
        groups([&](std::size_t first) {
          std::size_t rows[8];
          for (std::size_t k = 0; k < 8; k++) rows[k] = reverse_bits(first + k, plan.log_n1);
          row_twiddles(table, plan, rows);
          return finish();
        });
      });
    });
  });
}

template <class E>
void BlockedNtt<E>::transform(std::span<Bn254Fr> values, int log_n, Direction direction,
                              const Bn254Fr& shift) {
  F* v = reinterpret_cast<F*>(values.data());
  const F s = F::raw(shift.montgomery());
  const std::size_t n = values.size();
  if (log_n >= 6) {
    const Plan plan = make_plan(log_n, true);
    if (direction == Direction::forward) return forward(v, plan, s);
    const Backwards backwards(plan, s);
    return forward(v, plan, F::one(), &backwards);
  }
  if (direction == Direction::forward) return small_transform(v, log_n, F::root_of_unity(log_n), s);
  small_transform(v, log_n, F::root_of_unity(log_n).inverse(), F::one());
  const F unshift = s.inverse();
  F power = F(n).inverse();
  for (std::size_t i = 0; i < n; i++, power *= unshift) v[i] *= power;
}
