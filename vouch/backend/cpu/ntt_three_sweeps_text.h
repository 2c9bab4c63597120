// The quotient of Groth16, six transforms in three sweeps over A, B and C, for a form E of ntt_vec.h.
// Included once inside each form's region and namespace, after ntt_text.h, which has the transforms.

// Columns of A, B and C = A B, each through ct in place, C first: that leaves room for the next columns.
template <class E>
void BlockedNtt<E>::first_sweep(const Matrix<F>& a, const Matrix<F>& b, const Matrix<F>& c,
                                const Plan& plan) {
  const Span span("first sweep");
  ScratchPool<Vec> pool(3 * plan.n1);
  const SharedTwiddles<E> tw{plan.shared.data()};
  parallel_for(plan.n2 / 8, 1, [&](std::size_t begin, std::size_t end) {
    pool.with([&](Vec* x) {
      Vec *y = x + plan.n1, *z = y + plan.n1;
      load_columns(x, a, plan, 8 * begin), load_columns(y, b, plan, 8 * begin);
      for (std::size_t column = 8 * begin; column < 8 * end; column += 8) {
        // From v to `to`, and meanwhile to `next` from where v came from.
        const auto transform = [&](Vec* v, const Matrix<F>& to, Vec* next, const Matrix<F>& from) {
          Beside beside(plan.log_n1, next && column + 8 < 8 * end ? plan.n1 : 0,
                        [&](std::size_t r) { load_column_row(next, from, plan, column + 8, r); });
          ct<E>(v, plan.log_n1, 0, 0, tw, beside, [&](const Vec* done, std::size_t count) {
            for (std::size_t k = 0; k < count; k++) {
              const std::size_t r = std::size_t(done - v) + k;
              claim_row(to.at((r + rows_ahead) & (plan.n1 - 1), column));
              E::store_row(to.at(r, column), done[k]);
            }
          });
        };
        for (std::size_t r = 0; r < plan.n1; r++) z[r] = E::product(x[r], y[r]);
        transform(z, c, nullptr, c);
        transform(x, a, z, a);
        transform(y, b, x, b);
        Vec* free = y;
        y = x, x = z, z = free;
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
  ScratchPool<Vec> pool(2 * plan.n2);
  typename RowTwiddles<E>::Memory twiddles(plan.log_n2, 6);
  const auto load = [&](Vec* x, std::size_t job, std::size_t pair) {
    const Matrix<F>& values = vectors[job % 3];
    const std::size_t first = job / 3 * 8, j = 2 * pair;
    if (j + 16 < plan.n2)
      for (std::size_t k = 0; k < 2; k++) expect_row(values.at(first + 2 * (pair % 4) + k, j + 16));
    E::load_pairs(x[j], x[j + 1], [&](int k) { return values.at(first + row_of_lane[k], j); });
  };
  const auto store = [&](const Vec* x, std::size_t job, std::size_t pair) {
    const Matrix<F>& values = vectors[job % 3];
    const std::size_t first = job / 3 * 8, j = 2 * pair;
    E::store_pairs([&](int k) { return values.at(first + row_of_lane[k], j); }, x[j], x[j + 1]);
  };
  const std::size_t pairs = plan.n2 / 2;
  parallel_for(plan.n1 / 8, 1, [&](std::size_t begin, std::size_t end) {
    pool.with([&](Vec* x) {
      Vec* other = x + plan.n2;  // has the last job's results during ct, and the next job's rows after gs
      twiddles.with([&](Lanes* table, const auto& finish) {
        std::optional<RowTwiddles<E>> tw;
        for (std::size_t pair = 0; pair < pairs; pair++) load(x, 3 * begin, pair);
        for (std::size_t job = 3 * begin; job < 3 * end; job++, std::swap(x, other)) {
          if (job % 3 == 0) {
            std::size_t rows[8];
            for (std::size_t k = 0; k < 8; k++) rows[k] = job / 3 * 8 + k;
            row_twiddles(table, plan, rows);
            tw = finish();
          }
          Beside stores(plan.log_n2, job > 3 * begin ? pairs : 0,
                        [&](std::size_t pair) { store(other, job - 1, pair); });
          const auto& scale = job % 3 == 1 ? scale_b : scale_plain;
          ct<E>(x, plan.log_n2, 0, 0, *tw, stores, [&](Vec* done, std::size_t count) {
            for (std::size_t k = 0; k < count; k++) E::scale(done[k], scale[std::size_t(done - x) + k]);
          });
          Beside loads(plan.log_n2, job + 1 < 3 * end ? pairs : 0,
                       [&](std::size_t pair) { load(other, job + 1, pair); });
          gs<E>(x, plan.log_n2, 0, 0, *tw, loads);
        }
        for (std::size_t pair = 0; pair < pairs; pair++) store(other, 3 * end - 1, pair);
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
  ScratchPool<Vec> pool(3 * plan.n1);
  parallel_for(plan.n2 / 8, 1, [&](std::size_t begin, std::size_t end) {
    pool.with([&](Vec* x) {
      Vec *y = x + plan.n1, *z = y + plan.n1;
      const auto load = [&](Vec* to, const Matrix<F>& from, std::size_t column, std::size_t r) {
        load_column_row(to, from, plan, column, r);
        if (&from != &c && r % 8 == 7) wipe(from.at(r - 7, column), 64 * sizeof(F));
      };
      const auto transform = [&](Vec* v, Vec* next, const Matrix<F>& from, std::size_t column,
                                 const auto& leaf) {
        Beside beside(plan.log_n1, column < 8 * end ? plan.n1 : 0,
                      [&](std::size_t r) { load(next, from, column, r); });
        dit<E>(v, plan.log_n1, table.data(), beside, leaf);
      };
      for (std::size_t r = 0; r < plan.n1; r++) load(x, a, 8 * begin, r);
      for (std::size_t column = 8 * begin; column < 8 * end; column += 8, std::swap(x, y)) {
        transform(x, y, b, column, NothingAtLeaves{});
        transform(y, z, c, column, [&](std::size_t j, std::size_t q) {
          for (std::size_t r = j; r < plan.n1; r += q) x[r] = E::product(x[r], y[r]);
        });
        transform(z, y, a, column + 8, [&](std::size_t j, std::size_t q) {
          for (std::size_t r = j; r < plan.n1; r += q) {
            if (j + 4 < q) claim_row(c.at(r + 4, column));
            E::store_difference(c.at(r, column), x[r], z[r]);
          }
        });
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
