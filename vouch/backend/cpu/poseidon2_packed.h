// Poseidon2 over Lanes::count states at once, in the field's own packed arithmetic. Text: included inside a
// namespace after packed31.h. Pairs of elements go through the partial rounds as DiagonalPairs says.

template <class F, int W>
class PackedPermutation {
 public:
  using Word = Packed<F>;
  struct State {
    Word x[W];
  };

  explicit PackedPermutation(const Poseidon2<F, W>& p) {
    for (int r = 0; r < 4; r++)
      for (int i = 0; i < W; i++) {
        initial_[r][i] = p.initial()[std::size_t(r)][std::size_t(i)];
        terminal_[r][i] = p.terminal()[std::size_t(r)][std::size_t(i)];
      }
    for (int r = 0; r < partial; r++) internal_[r] = p.internal()[std::size_t(r)];
    for (std::size_t i = 0; i < plan.pairs; i++) {
      last_[i] = plan.d(plan.plus[i]);
      square_[i] = last_[i].square();
      first_[1][i] = last_[i].halve(), first_[0][i] = square_[i].halve();
    }
  }

  static VOUCH_INLINE Word zero() { return Word::zero(); }
  // From and to Montgomery words, reduced.
  static VOUCH_INLINE Word lift(Lanes v) { return {v}; }
  static VOUCH_INLINE Lanes lower(Word w) { return w.v; }

  void permute(State (&s)[2]) const {
    for (State& one : s) permute(one);
  }
  void permute(State& s) const {
    Word* x = s.x;
    external(x);
    for (int r = 0; r < 4; r++) full_round(x, initial_[r]);
    partial_rounds(x);
    for (int r = 0; r < 4; r++) full_round(x, terminal_[r]);
  }

 private:
  static constexpr int partial = Poseidon2<F, W>::partial_rounds();
  static constexpr auto plan = DiagonalPairs<F, W>::find();

  static VOUCH_INLINE Word sbox(Word x) {
    const Word x2 = x * x, x3 = x2 * x;
    if constexpr (poseidon2_alpha<F> == 3)
      return x3;
    else
      return x2 * x2 * x3;
  }
  static VOUCH_INLINE void full_round(Word* x, const F* constants) {
    for (int i = 0; i < W; i++) x[i] = sbox(x[i] + Word::all(constants[i]));
    external(x);
  }
  static VOUCH_INLINE void external(Word* x) {
    Word sum[4] = {zero(), zero(), zero(), zero()};
    for (int g = 0; g < W; g += 4) {
      const Word a = x[g], b = x[g + 1], c = x[g + 2], d = x[g + 3];
      const Word ab = a + b, cd = c + d, all = ab + cd, all_b = all + b, all_d = all + d;
      x[g] = all_b + ab;
      x[g + 1] = all_b + (c + c);
      x[g + 2] = all_d + cd;
      x[g + 3] = all_d + (a + a);
      for (int i = 0; i < 4; i++) sum[i] = sum[i] + x[g + i];
    }
    for (int i = 0; i < W; i++) x[i] = x[i] + sum[i % 4];
  }

  void partial_rounds(Word* x) const {
    Word chain[2][W / 2], single[W];  // u of the pairs: of this round, and of the round before
    Word rest = zero();               // the sum of all but x[0]
    for (std::size_t i = 0; i < plan.singles; i++) {
      single[i] = x[plan.single[i]];
      rest = rest + single[i];
    }
    for (std::size_t i = 0; i < plan.pairs; i++) {
      chain[0][i] = x[plan.plus[i]] + x[plan.minus[i]];
      chain[1][i] = x[plan.plus[i]] - x[plan.minus[i]];
      rest = rest + chain[0][i];
    }
    for (int r = 0; r < partial; r++) {
      const int which = ~r & 1;
      const F* factor = r < 2 ? first_[which] : square_;
      const Word y = sbox(x[0] + Word::all(internal_[r])), sum = y + rest;
      x[0] = rest - y;  // d = -2
      Word* u = chain[which];
      Word pairs = zero();
      for (std::size_t i = 0; i < plan.pairs; i++) {
        u[i] = u[i].times_all(Word::all(factor[i])) + sum;
        pairs = pairs + u[i];
      }
      rest = pairs + pairs;
      for (std::size_t i = 0; i < plan.singles; i++) {
        if (plan.factor[i] == 2)
          single[i] = single[i] + single[i];
        else if (plan.factor[i] != 1)
          single[i] = single[i].times_all(Word::all(plan.d(plan.single[i])));
        single[i] = single[i] + sum;
        rest = rest + single[i];
      }
    }
    for (std::size_t i = 0; i < plan.pairs; i++) {
      const Word u = chain[partial & 1][i], v = chain[~partial & 1][i].times_all(Word::all(last_[i]));
      x[plan.plus[i]] = u + v, x[plan.minus[i]] = u - v;
    }
    for (std::size_t i = 0; i < plan.singles; i++) x[plan.single[i]] = single[i];
  }

  F initial_[4][W], terminal_[4][W], internal_[partial];
  F square_[W / 2], first_[2][W / 2], last_[W / 2];  // of the pairs; first_: of the first round of each chain
};
