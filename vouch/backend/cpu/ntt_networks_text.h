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

// While ct computes, memory would idle: it calls ahead(level, i) at levels 0, 2, ... for each i of a quarter
// of the block, and that asks for lines of the next load and of the coming store.
struct NothingAhead {
  void operator()(int, std::size_t) const {}
};

template <class E, class Tw, class Ahead = NothingAhead>
void ct(typename E::Vec* x, int log_m, int level, std::size_t block, const Tw& tw, const Ahead& ahead = {}) {
  if (log_m == 0) return;
  if (level == E::levels)
    for (std::size_t j = 0; j < std::size_t(1) << log_m; j++) E::reduce(x[j]);
  if (log_m == 1) return tw.visit(level, [&](const auto& t) { E::ct2(x[0], x[1], t(level, block)); });
  const std::size_t q = std::size_t(1) << (log_m - 2);
  tw.visit(level, [&](const auto& t) {
    if (Tw::unit_first && block == 0) {
      const auto& w = t(level + 1, 1);
      for (std::size_t j = 0; j < q; j++) {
        ahead(level, j);
        E::ct4_unit(x[j], x[j + q], x[j + 2 * q], x[j + 3 * q], w);
      }
    } else {
      const auto &w1 = t(level, block), &w2 = t(level + 1, 2 * block), &w3 = t(level + 1, 2 * block + 1);
      for (std::size_t j = 0; j < q; j++) {
        ahead(level, block * q + j);
        E::ct4(x[j], x[j + q], x[j + 2 * q], x[j + 3 * q], w1, w2, w3);
      }
    }
  });
  if (log_m == 2) return;
  for (std::size_t c = 0; c < 4; c++) ct<E>(x + c * q, log_m - 2, level + 2, 4 * block + c, tw, ahead);
}

template <class E, class Tw>
void gs(typename E::Vec* x, int log_m, int level, std::size_t block, const Tw& tw) {
  if (log_m == 0) return;
  if (log_m == 1) return tw.visit(level, [&](const auto& t) { E::gs2(x[0], x[1], t(level, block)); });
  const std::size_t q = std::size_t(1) << (log_m - 2);
  if (log_m > 2)
    for (std::size_t c = 0; c < 4; c++) gs<E>(x + c * q, log_m - 2, level + 2, 4 * block + c, tw);
  tw.visit(level, [&](const auto& t) {
    const auto &w1 = t(level, block), &w2 = t(level + 1, 2 * block), &w3 = t(level + 1, 2 * block + 1);
    for (std::size_t j = 0; j < q; j++) E::gs4(x[j], x[j + q], x[j + 2 * q], x[j + 3 * q], w1, w2, w3);
  });
}

// table: for each half = 1, 2, 4, ... the twiddles g_half w_(2 half)^j, j < half, at half + j.
// Calls ahead as ct does, in the last two levels.
template <class E, class Ahead = NothingAhead>
void dit(typename E::Vec* x, int log_m, const typename E::Factor* table, const Ahead& ahead = {}) {
  if (log_m == 0) return;
  if (log_m == 1) return E::ct2(x[0], x[1], table[1]);
  const std::size_t q = std::size_t(1) << (log_m - 2);
  if (log_m > 2)
    for (std::size_t c = 0; c < 4; c++) dit<E>(x + c * q, log_m - 2, table);
  if (log_m == E::levels + 1 || log_m == E::levels + 2)
    for (std::size_t j = 0; j < 4 * q; j++) E::reduce(x[j]);
  for (std::size_t j = 0; j < q; j++) {
    ahead(0, j);
    E::ct4(x[j], x[j + 2 * q], x[j + q], x[j + 3 * q], table[q + j], table[2 * q + j], table[3 * q + j]);
  }
}
