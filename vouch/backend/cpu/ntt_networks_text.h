// The networks of butterflies that ntt_text.h makes its sweeps of, and where their twiddles come from, for a
// form E of ntt_vec.h. Included once inside each form's region and namespace, before ntt_text.h, which
// explains them.

// Twiddles of ct over columns: T itself, whatever the level.
template <class E>
struct SharedTwiddles {
  static constexpr bool unit_first = true;  // T[0] = 1
  const typename E::Factor* table;
  const typename E::Factor& operator()(int, std::size_t block) const { return table[block]; }
  template <class Body>
  void visit(int, Body&& body) const {
    body(*this);
  }
};
// One table per level, level s at 2^s.
template <class W>
struct LevelTwiddles {
  static constexpr bool unit_first = false;
  const W* table;
  const W& operator()(int level, std::size_t block) const { return table[(std::size_t(1) << level) + block]; }
  template <class Body>
  void visit(int, Body&& body) const {
    body(*this);
  }
};
// Of rows: the first levels, an even number, in the form that is cheaper to use.
template <class E>
struct RowTwiddles {
  static constexpr bool unit_first = false;
  LevelTwiddles<typename E::Lanes> lanes;
  LevelTwiddles<typename E::FixedLanes> fixed;
  int fixed_levels;

  // Memory for the tables of one group of eight rows. A twiddle of level s is used 2^(log_m - 1 - s) times in
  // each of `uses` networks.
  class Memory {
   public:
    Memory(int log_m, int uses)
        : fixed_levels_(fixed_levels(log_m, uses)),
          lanes_(std::size_t(1) << log_m),
          fixed_(std::size_t(1) << fixed_levels_) {}
    template <class Body>
    void with(Body&& body) {
      lanes_.with([&](typename E::Lanes* lanes) {
        fixed_.with([&](typename E::FixedLanes* fixed) {
          body(lanes, [&] {
            for (std::size_t k = 1; k < std::size_t(1) << fixed_levels_; k++) fixed[k] = E::fixed(lanes[k]);
            return RowTwiddles{{lanes}, {fixed}, fixed_levels_};
          });
        });
      });
    }

   private:
    static int fixed_levels(int log_m, int uses) {
      int levels = 0;
      while (levels < E::fixed_levels && levels < log_m - 1 &&
             uses << (log_m - 2 - levels) >= E::fixed_pays)  // twiddles of level + 1
        levels += 2;
      return levels;
    }
    int fixed_levels_;
    ScratchPool<typename E::Lanes> lanes_;
    ScratchPool<typename E::FixedLanes> fixed_;
  };

  template <class Body>
  void visit(int level, Body&& body) const {
    if (level < fixed_levels)
      body(fixed);
    else
      body(lanes);
  }
};

// Butterflies compute, and memory would idle. So the networks call beside() once for each butterfly of two
// levels, (log_m / 2) 2^(log_m - 2) times, and ct and dit call leaf when results are done, while they are in
// the nearest cache: ct with where they are and how many, dit with the first of four and their distance.
struct NothingBeside {
  void operator()() const {}
};
struct NothingAtLeaves {
  template <class At>
  void operator()(At, std::size_t) const {}
};
// body(0) to body(pieces - 1), spread evenly over those calls.
template <class Body>
class Beside {
 public:
  Beside(int log_m, std::size_t pieces, Body body)
      : calls_(std::size_t(log_m / 2) << (log_m - 2)), pieces_(pieces), body_(std::move(body)) {}
  void operator()() {
    for (due_ += pieces_; due_ >= calls_; due_ -= calls_) next();
  }

 private:
  __attribute__((noinline)) void next() { body_(done_++); }
  std::size_t calls_, pieces_, due_ = 0, done_ = 0;
  Body body_;
};

template <class E, class Tw, class Side, class Leaf = NothingAtLeaves>
void ct(typename E::Vec* x, int log_m, int level, std::size_t block, const Tw& tw, Side& beside,
        const Leaf& leaf = {}) {
  if (log_m == 0) return leaf(x, 1);
  if (level == E::levels)
    for (std::size_t j = 0; j < std::size_t(1) << log_m; j++) E::shrink(x[j]);
  if (log_m == 1) {
    tw.visit(level, [&](const auto& t) { E::ct2(x[0], x[1], t(level, block)); });
    return leaf(x, 2);
  }
  const std::size_t q = std::size_t(1) << (log_m - 2);
  tw.visit(level, [&](const auto& t) {
    if (Tw::unit_first && block == 0) {
      const auto& w = t(level + 1, 1);
      for (std::size_t j = 0; j < q; j++) {
        beside();
        E::ct4_unit(x[j], x[j + q], x[j + 2 * q], x[j + 3 * q], w);
      }
    } else {
      const auto &w1 = t(level, block), &w2 = t(level + 1, 2 * block), &w3 = t(level + 1, 2 * block + 1);
      for (std::size_t j = 0; j < q; j++) {
        beside();
        E::ct4(x[j], x[j + q], x[j + 2 * q], x[j + 3 * q], w1, w2, w3);
      }
    }
  });
  if (log_m == 2) return leaf(x, 4);
  for (std::size_t c = 0; c < 4; c++) ct<E>(x + c * q, log_m - 2, level + 2, 4 * block + c, tw, beside, leaf);
}

template <class E, class Tw, class Side>
void gs(typename E::Vec* x, int log_m, int level, std::size_t block, const Tw& tw, Side& beside) {
  if (log_m == 0) return;
  if (log_m == 1) return tw.visit(level, [&](const auto& t) { E::gs2(x[0], x[1], t(level, block)); });
  const std::size_t q = std::size_t(1) << (log_m - 2);
  if (log_m > 2)
    for (std::size_t c = 0; c < 4; c++) gs<E>(x + c * q, log_m - 2, level + 2, 4 * block + c, tw, beside);
  tw.visit(level, [&](const auto& t) {
    const auto &w1 = t(level, block), &w2 = t(level + 1, 2 * block), &w3 = t(level + 1, 2 * block + 1);
    for (std::size_t j = 0; j < q; j++) {
      beside();
      E::gs4(x[j], x[j + q], x[j + 2 * q], x[j + 3 * q], w1, w2, w3);
    }
  });
}

// table: for each half = 1, 2, 4, ... the twiddles g_half w_(2 half)^j, j < half, at half + j.
template <class E, class Side, class Leaf = NothingAtLeaves>
void dit(typename E::Vec* x, int log_m, const typename E::Factor* table, Side& beside,
         const Leaf& leaf = {}) {
  if (log_m == 0) return;
  if (log_m == 1) return E::ct2(x[0], x[1], table[1]);
  const std::size_t q = std::size_t(1) << (log_m - 2);
  if (log_m > 2)
    for (std::size_t c = 0; c < 4; c++) dit<E>(x + c * q, log_m - 2, table, beside);
  if (log_m == E::levels + 1 || log_m == E::levels + 2)
    for (std::size_t j = 0; j < 4 * q; j++) E::shrink(x[j]);
  for (std::size_t j = 0; j < q; j++) {
    beside();
    E::ct4(x[j], x[j + 2 * q], x[j + q], x[j + 3 * q], table[q + j], table[2 * q + j], table[3 * q + j]);
    leaf(j, q);
  }
}
