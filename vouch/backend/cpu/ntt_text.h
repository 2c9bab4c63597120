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

// Twiddles of ct over columns: T itself, whatever the level.
template <class E>
struct SharedTwiddles {
  static constexpr bool unit_first = true;  // T[0] = 1
  const typename E::Factor* table;
  const typename E::Factor& operator()(int, std::size_t block) const { return table[block]; }
};
// One table per level, level s at 2^s.
template <class W>
struct LevelTwiddles {
  static constexpr bool unit_first = false;
  const W* table;
  const W& operator()(int level, std::size_t block) const { return table[(std::size_t(1) << level) + block]; }
};

template <class E, class Tw>
void ct(typename E::Vec* x, int log_m, int level, std::size_t block, const Tw& tw) {
  if (log_m == 0) return;
  if (log_m == 1) return E::ct2(x[0], x[1], tw(level, block));
  const std::size_t q = std::size_t(1) << (log_m - 2);
  if (Tw::unit_first && block == 0) {
    const auto& w = tw(level + 1, 1);
    for (std::size_t j = 0; j < q; j++) E::ct4_unit(x[j], x[j + q], x[j + 2 * q], x[j + 3 * q], w);
  } else {
    const auto &w1 = tw(level, block), &w2 = tw(level + 1, 2 * block), &w3 = tw(level + 1, 2 * block + 1);
    for (std::size_t j = 0; j < q; j++) E::ct4(x[j], x[j + q], x[j + 2 * q], x[j + 3 * q], w1, w2, w3);
  }
  if (log_m == 2) return;
  for (std::size_t c = 0; c < 4; c++) ct<E>(x + c * q, log_m - 2, level + 2, 4 * block + c, tw);
}

template <class E, class Tw>
void gs(typename E::Vec* x, int log_m, int level, std::size_t block, const Tw& tw) {
  if (log_m == 0) return;
  if (log_m == 1) return E::gs2(x[0], x[1], tw(level, block));
  const std::size_t q = std::size_t(1) << (log_m - 2);
  if (log_m > 2)
    for (std::size_t c = 0; c < 4; c++) gs<E>(x + c * q, log_m - 2, level + 2, 4 * block + c, tw);
  const auto &w1 = tw(level, block), &w2 = tw(level + 1, 2 * block), &w3 = tw(level + 1, 2 * block + 1);
  for (std::size_t j = 0; j < q; j++) E::gs4(x[j], x[j + q], x[j + 2 * q], x[j + 3 * q], w1, w2, w3);
}

// table: for each half = 1, 2, 4, ... the twiddles g_half w_(2 half)^j, j < half, at half + j.
template <class E>
void dit(typename E::Vec* x, int log_m, const typename E::Factor* table) {
  if (log_m == 0) return;
  if (log_m == 1) return E::ct2(x[0], x[1], table[1]);
  const std::size_t q = std::size_t(1) << (log_m - 2);
  if (log_m > 2)
    for (std::size_t c = 0; c < 4; c++) dit<E>(x + c * q, log_m - 2, table);
  for (std::size_t j = 0; j < q; j++)
    E::ct4(x[j], x[j + 2 * q], x[j + q], x[j + 3 * q], table[q + j], table[2 * q + j], table[3 * q + j]);
}

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
    std::vector<Factor> columns;               // T for SharedTwiddles
  };
  Plan make_plan(int log_n);
  std::shared_ptr<const Table<F>> table_for(std::size_t count);
  static void row_twiddles(Lanes* out, const Plan& plan, const std::size_t (&rows)[8]);

  static void load_columns(Vec* x, const Matrix<F>& values, const Plan& plan, std::size_t column);
  void forward(F* values, const Plan& plan, const F& shift);
  static void forward(F* values, F* between, const Plan& plan, const F& shift);
  static std::vector<Factor> powers_reversed(const Plan& plan, const F& base, const F& first);
  static std::vector<Factor> dit_table(int log_m, const F& g);
  void first_sweep(const Matrix<F>& a, const Matrix<F>& b, const Matrix<F>& c, const Plan& plan);
  void middle_sweep(const Matrix<F> (&vectors)[3], const Plan& plan, const F& g);
  void last_sweep(const Matrix<F>& a, const Matrix<F>& b, const Matrix<F>& c, const Plan& plan, const F& g);

  std::mutex mutex_;
  std::shared_ptr<const Table<F>> table_;  // the largest so far
  ScratchKeeper<F> between_;
};

// The twiddle table of at least `count` entries, grown by doubling: T[2^l + k] = T[k] w_(2^(l + 2)).
template <class E>
auto BlockedNtt<E>::table_for(std::size_t count) -> std::shared_ptr<const Table<F>> {
  const std::lock_guard lock(mutex_);
  if (table_ && table_->size >= count) return table_;
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
  table_ = next;
  return next;
}

template <class E>
auto BlockedNtt<E>::make_plan(int log_n) -> Plan {
  const Span span("twiddles");
  Plan plan(log_n);
  plan.twiddles = table_for(plan.n / 2);
  const F* t = plan.twiddles->data.data();
  plan.columns.reserve(plan.n1 / 2);
  for (std::size_t k = 0; k < plan.n1 / 2; k++) plan.columns.push_back(E::factor_from_table(t[k]));
  return plan;
}

// Level s of row k: T[k 2^s ... k 2^s + 2^s), lane i for rows[row_of_lane[i]].
template <class E>
void BlockedNtt<E>::row_twiddles(Lanes* out, const Plan& plan, const std::size_t (&rows)[8]) {
  const F* t = plan.twiddles->data.data();
  {
    F first[8][2];  // one entry each, read as a pair
    for (int k = 0; k < 8; k++) first[k][0] = first[k][1] = t[rows[row_of_lane[k]]];
    Lanes unused;
    E::load_lane_pairs(out[1], unused, [&](int k) { return first[k]; });
  }
  for (int level = 1; level < plan.log_n2; level++) {
    const std::size_t count = std::size_t(1) << level;
    for (std::size_t b = 0; b < count; b += 2)
      E::load_lane_pairs(out[count + b], out[count + b + 1],
                         [&](int k) { return t + (rows[row_of_lane[k]] << level) + b; });
  }
}

template <class E>
void BlockedNtt<E>::load_columns(Vec* x, const Matrix<F>& values, const Plan& plan, std::size_t column) {
  constexpr std::size_t ahead = 8;  // rows on their way: the hardware sees no pattern across pages
  const F* p = values.at(0, column);
  for (std::size_t r = 0; r < plan.n1; r++, p += values.row) {
    if (r + ahead < plan.n1)
      for (std::size_t line = 0; line < 8; line += 2) __builtin_prefetch(p + ahead * values.row + line);
    x[r] = E::load_row(p);
  }
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

template <class E>
void BlockedNtt<E>::forward(F* values, const Plan& plan, const F& shift) {
  between_.with(Matrix<F>::grouped_size(plan.n1, plan.n2),
                [&](F* between) { forward(values, between, plan, shift); });
}

// Natural order in and out, through one more array of n elements.
template <class E>
void BlockedNtt<E>::forward(F* values, F* between, const Plan& plan, const F& shift) {
  const bool shifted = !(shift == F::one());
  std::vector<Factor> levels, powers;  // ct's twiddles on the coset; shift^i for the columns
  if (shifted) {
    levels.resize(plan.n1);
    F s = shift;  // shift^(n / 2^(level + 1)), from the last level down
    for (int i = 0; i < plan.log_n2; i++) s = s.square();
    const F* t = plan.twiddles->data.data();
    for (int level = plan.log_n1; level-- > 0; s = s.square())
      for (std::size_t b = 0; b < std::size_t(1) << level; b++)
        levels[(std::size_t(1) << level) + b] = E::factor_from_table(t[b] * s);
    F power = F::one();
    for (std::size_t i = 0; i < plan.n2; i++, power *= shift) powers.push_back(E::factor(power));
  }
  const auto middle = Matrix<F>::grouped(between, plan.n1);  // its rows already in the order of the results
  {
    ScratchPool<Vec> pool(plan.n1);
    parallel_for(plan.n2 / 8, 1, [&](std::size_t begin, std::size_t end) {
      pool.with([&](Vec* x) {
        for (std::size_t column = 8 * begin; column < 8 * end; column += 8) {
          load_columns(x, Matrix<F>::natural(values, plan.n2), plan, column);
          if (shifted)
            ct<E>(x, plan.log_n1, 0, 0, LevelTwiddles<Factor>{levels.data()});
          else
            ct<E>(x, plan.log_n1, 0, 0, SharedTwiddles<E>{plan.columns.data()});
          for (std::size_t r = 0; r < plan.n1; r++)
            E::store_row(middle.at(r, column), x[reverse_bits(r, plan.log_n1)]);
        }
      });
    });
  }
  ScratchPool<Vec> pool(plan.n2);
  ScratchPool<Lanes> twiddle_pool(plan.n2);
  parallel_for(plan.n1 / 8, 1, [&](std::size_t begin, std::size_t end) {
    pool.with([&](Vec* x) {
      twiddle_pool.with([&](Lanes* tw) {
        for (std::size_t first = 8 * begin; first < 8 * end; first += 8) {
          std::size_t rows[8];  // results first .. first + 7 of a column of the output come from these rows
          for (std::size_t k = 0; k < 8; k++) rows[k] = reverse_bits(first + k, plan.log_n1);
          row_twiddles(tw, plan, rows);
          for (std::size_t j = 0; j < plan.n2; j += 2)
            E::load_pairs(x[j], x[j + 1], [&](int k) { return middle.at(first + row_of_lane[k], j); });
          if (shifted)
            for (std::size_t j = 1; j < plan.n2; j++) E::scale(x[j], powers[j]);
          ct<E>(x, plan.log_n2, 0, 0, LevelTwiddles<Lanes>{tw});
          for (std::size_t j = 0; j < plan.n2; j++) {
            claim_row(values + reverse_bits((j + 8) & (plan.n2 - 1), plan.log_n2) * plan.n1 + first);
            E::store_row_canonical(values + reverse_bits(j, plan.log_n2) * plan.n1 + first, x[j]);
          }
        }
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
  if (direction == Direction::forward) {
    if (log_n < 6) return small_transform(v, log_n, F::root_of_unity(log_n), s);
    return forward(v, make_plan(log_n), s);
  }
  // The inverse is the forward transform read backwards, over n and the powers of the shift.
  if (log_n < 6)
    small_transform(v, log_n, F::root_of_unity(log_n), F::one());
  else
    forward(v, make_plan(log_n), F::one());
  const F unshift = s.inverse(), over_n = F(n).inverse();
  v[0] *= over_n;
  if (n > 1) v[n / 2] *= over_n * power_of(unshift, n / 2);
  parallel_for(n / 2, 4096, [&](std::size_t begin, std::size_t end) {
    begin = std::max<std::size_t>(begin, 1);
    F low = over_n * power_of(unshift, begin), high = over_n * power_of(unshift, n - begin);
    for (std::size_t i = begin; i < end; i++, low *= unshift, high *= s) {
      const F t = v[i];
      v[i] = v[n - i] * low;
      v[n - i] = t * high;
    }
  });
}

// Columns of A, B and C = A B, each through ct in place.
template <class E>
void BlockedNtt<E>::first_sweep(const Matrix<F>& a, const Matrix<F>& b, const Matrix<F>& c,
                                const Plan& plan) {
  const Span span("first sweep");
  ScratchPool<Vec> pool(3 * plan.n1);
  const SharedTwiddles<E> tw{plan.columns.data()};
  parallel_for(plan.n2 / 8, 1, [&](std::size_t begin, std::size_t end) {
    pool.with([&](Vec* x) {
      Vec *y = x + plan.n1, *z = y + plan.n1;
      const auto finish = [&](const Matrix<F>& to, std::size_t column, Vec* from) {
        ct<E>(from, plan.log_n1, 0, 0, tw);
        for (std::size_t r = 0; r < plan.n1; r++) E::store_row(to.at(r, column), from[r]);
      };
      for (std::size_t column = 8 * begin; column < 8 * end; column += 8) {
        load_columns(x, a, plan, column);
        load_columns(y, b, plan, column);
        for (std::size_t r = 0; r < plan.n1; r++) z[r] = E::product(x[r], y[r]);
        finish(a, column, x);
        finish(b, column, y);
        finish(c, column, z);
      }
    });
  });
}

// Rows: the second half of the inverse transforms, the coset's powers, the first half of the forward
// transforms.
template <class E>
void BlockedNtt<E>::middle_sweep(const Matrix<F> (&vectors)[3], const Plan& plan, const F& g) {
  const Span span("middle sweep");
  // Coefficient rev(k n2 + j) = rev(j) n1 + rev(k) is to be scaled by g to that power over n. The part of k
  // is left to dit; the part of j is a table. A and C also leave Montgomery form here, so that A B - C comes
  // out plain.
  const F base = power_of(g, plan.n1), over_n = F(plan.n).inverse();
  const F plain = over_n * F::raw(UInt<4>::of(1)) * E::product_loss();
  const auto scale_plain = powers_reversed(plan, base, plain), scale_b = powers_reversed(plan, base, over_n);
  ScratchPool<Vec> pool(plan.n2);
  ScratchPool<Lanes> twiddle_pool(plan.n2);
  parallel_for(plan.n1 / 8, 1, [&](std::size_t begin, std::size_t end) {
    pool.with([&](Vec* x) {
      twiddle_pool.with([&](Lanes* table) {
        const LevelTwiddles<Lanes> tw{table};
        for (std::size_t first = 8 * begin; first < 8 * end; first += 8) {
          std::size_t rows[8];
          for (std::size_t k = 0; k < 8; k++) rows[k] = first + k;
          row_twiddles(table, plan, rows);
          for (int v = 0; v < 3; v++) {
            const auto& scale = v == 1 ? scale_b : scale_plain;
            const Matrix<F>& values = vectors[v];
            for (std::size_t j = 0; j < plan.n2; j += 2)
              E::load_pairs(x[j], x[j + 1], [&](int k) { return values.at(first + row_of_lane[k], j); });
            ct<E>(x, plan.log_n2, 0, 0, tw);
            for (std::size_t j = 0; j < plan.n2; j++) E::scale(x[j], scale[j]);
            gs<E>(x, plan.log_n2, 0, 0, tw);
            for (std::size_t j = 0; j < plan.n2; j += 2)
              E::store_pairs([&](int k) { return values.at(first + row_of_lane[k], j); }, x[j], x[j + 1]);
          }
        }
      });
    });
  });
}

// Columns again, and A B - C, written over C. A and B, which are grouped, are wiped while they are in the
// cache.
template <class E>
void BlockedNtt<E>::last_sweep(const Matrix<F>& a, const Matrix<F>& b, const Matrix<F>& c, const Plan& plan,
                               const F& g) {
  const Span span("last sweep");
  const auto table = dit_table(plan.log_n1, g);
  ScratchPool<Vec> pool(2 * plan.n1);
  parallel_for(plan.n2 / 8, 1, [&](std::size_t begin, std::size_t end) {
    pool.with([&](Vec* x) {
      Vec* y = x + plan.n1;
      for (std::size_t column = 8 * begin; column < 8 * end; column += 8) {
        load_columns(x, a, plan, column);
        wipe(a.at(0, column), 8 * plan.n1 * sizeof(F));
        dit<E>(x, plan.log_n1, table.data());
        load_columns(y, b, plan, column);
        wipe(b.at(0, column), 8 * plan.n1 * sizeof(F));
        dit<E>(y, plan.log_n1, table.data());
        for (std::size_t r = 0; r < plan.n1; r++) x[r] = E::product(x[r], y[r]);
        load_columns(y, c, plan, column);
        dit<E>(y, plan.log_n1, table.data());
        for (std::size_t r = 0; r < plan.n1; r++) {
          claim_row(c.at((r + 8) & (plan.n1 - 1), column));
          E::store_difference(c.at(r, column), x[r], y[r]);
        }
      }
    });
  });
}

template <class E>
void BlockedNtt<E>::quotient(const QuotientInput& in, std::span<UInt<4>> h, Progress& progress) {
  const std::size_t n = h.size();
  F* h_values = reinterpret_cast<F*>(h.data());
  const Bn254Fr shift = quotient_shift(in.log_n);
  const F g = F::raw(shift.montgomery());
  // Row i goes to place -i: a forward transform of that is the inverse transform of the rows, times n.
  const auto place = [n](std::size_t row) { return (n - row) & (n - 1); };

  Stopwatch rows_time;
  progress.stage("rows");
  if (in.log_n < 6) {
    F b[64], c[64];
    accumulate_rows<F>(
        in, n, [&](std::size_t i, const F& x, const F& y) { h_values[place(i)] = x, b[place(i)] = y; });
    return small_quotient(h_values, b, c, in.log_n, g);
  }
  // C lives in h, A and B beside it.
  const Plan plan = make_plan(in.log_n);
  Scratch<F> a_values(Matrix<F>::grouped_size(plan.n1, plan.n2)),
      b_values(Matrix<F>::grouped_size(plan.n1, plan.n2));
  const auto a = Matrix<F>::grouped(a_values.data(), plan.n1),
             b = Matrix<F>::grouped(b_values.data(), plan.n1), c = Matrix<F>::natural(h_values, plan.n2);
  {
    const Span span("rows");
    accumulate_rows<F>(in, n, [&](std::size_t i, const F& x, const F& y) {
      const std::size_t to = place(i), r = to >> plan.log_n2, column = to & (plan.n2 - 1);
      *a.at(r, column) = x, *b.at(r, column) = y;
    });
  }
  progress.timing("rows", rows_time.seconds());

  Stopwatch time;
  progress.stage("transforms");
  first_sweep(a, b, c, plan);
  middle_sweep({a, b, c}, plan, g);
  last_sweep(a, b, c, plan, g);
  a_values.cleared(), b_values.cleared();
  progress.timing("transforms", time.seconds());
}
