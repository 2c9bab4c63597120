// Poseidon2 over Lanes::count states at once, in the field's own packed arithmetic. Text: included inside a
// namespace after packed31.h.

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
    for (int i = 0; i < W; i++) diagonal_[i] = Poseidon2<F, W>::diagonal()[std::size_t(i)];
  }

  static VOUCH_INLINE Word zero() { return Word::zero(); }
  // From and to Montgomery words, reduced.
  static VOUCH_INLINE Word lift(Lanes v) { return {v}; }
  static VOUCH_INLINE Lanes lower(Word w) { return w.v; }

  void permute(State& s) const {
    Word* x = s.x;
    external(x);
    for (int r = 0; r < 4; r++) full_round(x, initial_[r]);
    for (int r = 0; r < partial; r++) {
      x[0] = sbox(x[0] + Word::all(internal_[r]));
      Word sum = x[0];
      for (int i = 1; i < W; i++) sum = sum + x[i];
      for (int i = 0; i < W; i++) x[i] = x[i].times_all(Word::all(diagonal_[i])) + sum;
    }
    for (int r = 0; r < 4; r++) full_round(x, terminal_[r]);
  }

 private:
  static constexpr int partial = Poseidon2<F, W>::partial_rounds();

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

  F initial_[4][W], terminal_[4][W], internal_[partial], diagonal_[W];
};
