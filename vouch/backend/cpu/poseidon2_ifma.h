// Poseidon2 over sixteen states at once in 52-bit multiply-adds (AVX-512 IFMA). Text: included inside a
// namespace after lanes_avx512.h.
//
// A state element is a 64-bit lane whose low 52 bits count; it is an integer congruent to X * 2^52, not
// reduced: only multiplications reduce, so additions cost one instruction and the linear layers need no
// correction. Only low bits are stored in the end.
//
//   mul(x, y): Montgomery with R = 2^52, result below 2p + xy / 2^52. The quotient makes the low 52 bits of
//     xy + q p all ones, not zero, so that they never carry; the result is then off by a constant,
//     1 - 2^-52, which the accumulator starts from. Three multiply-adds where the caller has
//     y * -p^-1 mod 2^52 (`other`), four otherwise, and nothing else.
//   scaled_add(s, x, d): s + d x - q p, q the quotient estimated from d' = floor(d 2^52 / p); d x - q p < 2p
//
// A round's constants are added by the round before it: its S-boxes add M^-1 of them, in that accumulator.
// Partial rounds treat pairs of elements as DiagonalPairs says; products with small squares (d = 3, 4, 2^-27
// as -15) are not reduced every time.
//
// Bounds: an S-box input x below 2^49 gives x^2 below 2^47, x^3 below 2^44, x^6 below 2^37, a result below
// 2p + 2^34; an input below 2^46, as all have but x[0] in partial rounds, a result below 2p + 2^28. So full
// rounds have inputs below 63 * (2^32 + 2^28) + 2^32 < 2^39, and partial rounds begin with elements below
// 2^39. A reduced pair or single is below 4p < 2^33 and then grows, by d^2 at every second round or by 2 at
// every round, at most 3 (16), 1 (225) or 7 (2) times before it is reduced again: below 2^45.2, 2^41, 2^41.
// With d = 1 it grows by at most 2p a round. The sum of W elements without x[0] stays below 2^48, x[0] below
// 2^48 + 2^36.

template <class F, int W>
class PackedPermutation {
 public:
  struct Word {
    __m512i half[2];  // even lanes, odd lanes
  };
  struct State {
    Word x[W];
  };

  explicit PackedPermutation(const Poseidon2<F, W>& from) {
    for (std::size_t i = 0; i < W; i++) {
      first_[0][i] = work_form(from.initial()[0][i]);
      first_[1][i] = work_form(from.terminal()[0][i]);
    }
    for (std::size_t r = 0; r < 4; r++) {
      set_bias(r < 3 ? from.initial()[r + 1] : State0{}, initial_[r]);
      set_bias(r < 3 ? from.terminal()[r + 1] : State0{}, terminal_[r]);
    }
    internal_ = work_form(from.internal()[0]);
    for (std::size_t r = 0; r < partial; r++)  // 16p: above y
      next_[r] = 16 * p + (r + 1 < partial ? work_form(from.internal()[r + 1]) : 0);
    for (std::size_t i = 0; i < plan.singles; i++) single_.set(i, plan.d(plan.single[i]));
    for (std::size_t i = 0; i < plan.pairs; i++) {
      const F d = plan.d(plan.plus[i]);
      last_.set(i, d), square_.set(i, d.square());
      half_.set(i, d.halve()), half_square_.set(i, d.square().halve());
    }
  }

  static VOUCH_INLINE Word zero() { return {{_mm512_setzero_si512(), _mm512_setzero_si512()}}; }

  // From Montgomery words (R = 2^32): times 2^20.
  static VOUCH_INLINE Word lift(Lanes v) {
    const __m512i even = _mm512_and_si512(v.r, all(0xFFFFFFFF)), odd = _mm512_srli_epi64(v.r, 32);
    return {{scaled(even, up), scaled(odd, up)}};
  }
  // Back, and reduced.
  static VOUCH_INLINE Lanes lower(const Word& w) {
    const __m512i even = scaled(w.half[0], down), odd = scaled(w.half[1], down);
    const Lanes r{_mm512_mask_blend_epi32(0xAAAA, even, _mm512_slli_epi64(odd, 32))};  // below 2p
    return Lanes::min(r, r - Lanes::all(F::modulus));
  }

  void permute(State& s) const { permute_all<1>(&s); }
  // Two at once: more work beside the chain through x[0] of the partial rounds.
  void permute(State (&s)[2]) const { permute_all<2>(s); }

 private:
  using State0 = typename Poseidon2<F, W>::State;
  static constexpr int partial = Poseidon2<F, W>::partial_rounds();
  static constexpr auto plan = DiagonalPairs<F, W>::find();
  static constexpr u64 p = F::modulus, mask52 = (u64(1) << 52) - 1;
  static constexpr u64 inverse() {  // p^-1 mod 2^52
    u64 x = 1;
    for (int i = 0; i < 6; i++) x *= 2 - p * x;
    return x & mask52;
  }
  static constexpr u64 negated_inverse = (mask52 + 1) - inverse();
  static constexpr u64 correction = (F::one() - F(u32(1) << 26).inverse().square()).to_int();
  static constexpr u64 quotient_of(u32 d) { return u64((u128(d) << 52) / p); }
  static constexpr u64 work_form(F x) { return u64((u128(x.to_int()) << 52) % p); }
  static constexpr u32 up = u32(1) << 20;
  static constexpr u32 down = F(up).inverse().to_int();

  static VOUCH_INLINE __m512i all(u64 x) { return _mm512_set1_epi64(static_cast<long long>(x)); }
  static VOUCH_INLINE __m512i lo(__m512i acc, __m512i a, __m512i b) {
    return _mm512_madd52lo_epu64(acc, a, b);
  }
  static VOUCH_INLINE __m512i hi(__m512i acc, __m512i a, __m512i b) {
    return _mm512_madd52hi_epu64(acc, a, b);
  }
  static VOUCH_INLINE __m512i add(__m512i a, __m512i b) { return _mm512_add_epi64(a, b); }
  static VOUCH_INLINE __m512i sub(__m512i a, __m512i b) { return _mm512_sub_epi64(a, b); }
  static VOUCH_INLINE __m512i none() { return _mm512_setzero_si512(); }

  // bias: the correction, or the sum mod p of it and a constant to add. other: times_minus_inverse(y).
  static VOUCH_INLINE __m512i times_minus_inverse(__m512i y) { return lo(none(), y, all(negated_inverse)); }
  static VOUCH_INLINE __m512i mul(__m512i x, __m512i y, __m512i other, __m512i bias) {
    return hi(hi(bias, x, y), lo(all(negated_inverse), x, other), all(p));
  }
  static VOUCH_INLINE __m512i square(__m512i x, __m512i bias) {
    const __m512i minus = all(negated_inverse);
    return hi(hi(bias, x, x), lo(minus, lo(none(), x, x), minus), all(p));
  }
  static VOUCH_INLINE __m512i scaled_add(__m512i s, __m512i x, __m512i d, __m512i quotient) {
    return lo(lo(s, x, d), hi(none(), x, quotient), all(mask52 + 1 - p));
  }
  static VOUCH_INLINE __m512i scaled(__m512i x, u32 d) {
    return scaled_add(none(), x, all(d), all(quotient_of(d)));
  }
  static VOUCH_INLINE __m512i sbox(__m512i x, __m512i bias) {
    const __m512i other = times_minus_inverse(x), one = all(correction);
    const __m512i x2 = mul(x, x, other, one);
    if constexpr (poseidon2_alpha<F> == 3)
      return mul(x2, x, other, bias);
    else
      return mul(square(mul(x2, x, other, one), one), x, other, bias);
  }

  // The correction + M^-1 of the constants: M4^-1 in every group, from which 1/(groups + 1) of the sum over
  // groups is subtracted.
  static void set_bias(const State0& constants, u64* out) {
    const F scale = F(35).inverse(), share = F(W / 4 + 1).inverse();
    const std::array<F, 4> row = {-F(4) * scale, F(3) * scale, -F(11) * scale, F(17) * scale};
    State0 x{};
    std::array<F, 4> sum{};
    for (std::size_t i = 0; i < W; i++) {
      for (std::size_t j = 0; j < 4; j++) x[i] += row[(j + 4 - i % 4) % 4] * constants[i / 4 * 4 + j];
      sum[i % 4] += x[i];
    }
    for (std::size_t i = 0; i < W; i++) out[i] = (correction + work_form(x[i] - sum[i % 4] * share)) % p;
  }

  template <int n>
  VOUCH_INLINE void permute_all(State* s) const {
    __m512i x[W];
    for (int h = 0; h < 2 * n; h++) {
      for (int i = 0; i < W; i++) x[i] = s[h / 2].x[i].half[h % 2];
      external(x);
      add_all(x, first_[0]);
      for (int r = 0; r < 4; r++) full_round(x, initial_[r]);
      for (int i = 0; i < W; i++) s[h / 2].x[i].half[h % 2] = x[i];
    }
    partial_rounds<2 * n>(s);
    for (int h = 0; h < 2 * n; h++) {
      for (int i = 0; i < W; i++) x[i] = s[h / 2].x[i].half[h % 2];
      for (int r = 0; r < 4; r++) full_round(x, terminal_[r]);
      for (int i = 0; i < W; i++) s[h / 2].x[i].half[h % 2] = x[i];
    }
  }
  static VOUCH_INLINE void add_all(__m512i* x, const u64* constants) {
#pragma GCC unroll 32
    for (int i = 0; i < W; i++) x[i] = add(x[i], all(constants[i]));
  }
  static VOUCH_INLINE void full_round(__m512i* x, const u64* bias) {
#pragma GCC unroll 32
    for (int i = 0; i < W; i++) x[i] = sbox(x[i], all(bias[i]));
    external(x);
  }
  static VOUCH_INLINE void external(__m512i* x) {
    __m512i sum[4];
#pragma GCC unroll 8
    for (int g = 0; g < W; g += 4) {
      const __m512i a = x[g], b = x[g + 1], c = x[g + 2], d = x[g + 3];
      const __m512i ab = add(a, b), cd = add(c, d), t = add(ab, cd), tb = add(t, b), td = add(t, d);
      x[g] = add(tb, ab);
      x[g + 1] = lo(tb, c, all(2));
      x[g + 2] = add(td, cd);
      x[g + 3] = lo(td, a, all(2));
      for (int i = 0; i < 4; i++) sum[i] = g == 0 ? x[i] : add(sum[i], x[g + i]);
    }
#pragma GCC unroll 32
    for (int i = 0; i < W; i++) x[i] = add(x[i], sum[i % 4]);
  }

  // Factors of elements or pairs, with their quotients.
  struct Factors {
    u64 d[W], quotient[W];
    void set(std::size_t i, F x) { d[i] = x.to_int(), quotient[i] = quotient_of(x.to_int()); }
    VOUCH_INLINE __m512i times(__m512i s, __m512i x, std::size_t i) const {
      return scaled_add(s, x, all(d[i]), all(quotient[i]));
    }
  };
  struct Partial {
    __m512i x0, rest;         // the sum of all but x0
    __m512i single[W];        // the first plan.singles count
    __m512i chain[2][W / 2];  // u of the pairs: of this round, and of the round before
  };
  enum class Reduce { none, large, all };  // large: factors above 16

  void split(const State& s, int h, Partial& t) const {
    t.x0 = add(s.x[0].half[h], all(internal_));
    t.rest = none();
    for (std::size_t i = 0; i < plan.singles; i++) {
      t.single[i] = s.x[plan.single[i]].half[h];
      t.rest = add(t.rest, t.single[i]);
    }
    for (std::size_t i = 0; i < plan.pairs; i++) {
      const __m512i x = s.x[plan.plus[i]].half[h], y = s.x[plan.minus[i]].half[h];
      t.chain[0][i] = add(x, y);
      t.chain[1][i] = sub(add(x, all(p << 10)), y);
      t.rest = add(t.rest, t.chain[0][i]);
    }
  }
  // With the first constants of the terminal rounds.
  void join(const Partial& t, int h, State& s) const {
    const u64* constants = first_[1];
    s.x[0].half[h] = add(t.x0, all(constants[0]));
    for (std::size_t i = 0; i < plan.singles; i++)
      s.x[plan.single[i]].half[h] = add(t.single[i], all(constants[plan.single[i]]));
    for (std::size_t i = 0; i < plan.pairs; i++) {
      const __m512i u = t.chain[partial & 1][i], v = last_.times(none(), t.chain[~partial & 1][i], i);
      s.x[plan.plus[i]].half[h] = add(add(u, v), all(constants[plan.plus[i]]));
      s.x[plan.minus[i]].half[h] = sub(add(u, all(constants[plan.minus[i]] + 2 * p)), v);
    }
  }

  // Halves of states in turn, so that one's multiplications fill the gaps of the others' chains through x[0].
  template <int n>
  void partial_rounds(State* s) const {
    Partial t[n];
    for (int h = 0; h < n; h++) split(s[h / 2], h % 2, t[h]);
    for (int r = 0; r < partial; r++) {
      __m512i sum[n];
#pragma GCC unroll 4
      for (int h = 0; h < n; h++) {
        const __m512i y = sbox(t[h].x0, all(correction));
        const __m512i all_of_it = add(y, t[h].rest);
        t[h].x0 = sub(add(t[h].rest, all(next_[r])), y);  // d = -2
        sum[h] =
            lo(all_of_it, hi(none(), all_of_it, all((mask52 + 1) / p)), all(mask52 + 1 - p));  // below 2p
      }
      const int phase = r % 8, other = ~r & 1;
      if (r < 2)
        step<n, Reduce::all>(t, other, sum, r == 0 ? half_ : half_square_);
      else if (phase < 2)
        step<n, Reduce::all>(t, other, sum, square_);
      else if (phase == 4 || phase == 5)
        step<n, Reduce::large>(t, other, sum, square_);
      else
        step<n, Reduce::none>(t, other, sum, square_);
    }
    for (int h = 0; h < n; h++) join(t[h], h % 2, s[h / 2]);
  }
  // factor[i] chain[which][i] + sum for the pairs, d x + sum for the singles.
  template <int n, Reduce reduce>
  VOUCH_INLINE void step(Partial* t, int which, const __m512i* sum, const Factors& factor) const {
#pragma GCC unroll 4
    for (int h = 0; h < n; h++) {
      __m512i singles = none(), pairs = none();
      __m512i* u = t[h].chain[which];
#pragma GCC unroll 16
      for (std::size_t i = 0; i < plan.pairs; i++) {
        const u64 d2 = plan.square[i];  // known to the compiler
        if (d2 > 256 || reduce == Reduce::all || (d2 > 16 && reduce == Reduce::large))
          u[i] = factor.times(sum[h], u[i], i);
        else
          u[i] = lo(sum[h], u[i], all(d2));
        pairs = i == 0 ? u[i] : add(pairs, u[i]);
      }
#pragma GCC unroll 32
      for (std::size_t i = 0; i < plan.singles; i++) {
        const u64 d = plan.factor[i];
        __m512i& x = t[h].single[i];
        if (d == 1)
          x = add(x, sum[h]);
        else if (d == 2 && reduce != Reduce::all)
          x = lo(sum[h], x, all(2));
        else
          x = single_.times(sum[h], x, i);
        singles = i == 0 ? x : add(singles, x);
      }
      t[h].rest = lo(singles, pairs, all(2));
    }
  }

  u64 first_[2][W], initial_[4][W], terminal_[4][W], internal_ = 0, next_[partial];
  Factors single_{}, square_{}, half_{}, half_square_{}, last_{};
};
