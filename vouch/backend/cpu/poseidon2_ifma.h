// Poseidon2 over sixteen states at once in 52-bit multiply-adds (AVX-512 IFMA). Text: included inside a
// namespace after lanes_avx512.h.
//
// A state element is a 64-bit lane whose low 52 bits count; it is an integer congruent to X * 2^52, not
// reduced: only multiplications reduce, so additions cost one instruction and the linear layers need no
// correction. The carry out of bit 52 is ignored everywhere, as the multipliers read 52 bits and only low
// bits are stored in the end.
//
//   mul(x, y): Montgomery with R = 2^52, result below p + xy / 2^52 + 1
//   scaled_add(s, x, d): s + d x - q p, q the quotient estimated from d' = floor(d 2^52 / p); d x - q p < 2p
//
// A round's constants are added by the round before it: its S-boxes add M^-1 of them, in the accumulator that
// keeps their result positive anyway. Diagonal entries 2, 3, 4, -3, -4 multiply without reduction in four of
// five partial rounds, the negative ones on top of a multiple of p.
//
// Bounds: an S-box input is below 63 * (2^32 + 2^25) + 2^32 < 2^39, so xy is below 2^78, and an S-box's
// result below 2p + 2^26 < 2^32 + 2^25 (2^31 + 2^25 without constants). In partial rounds an element is below
// 2^39 at first; below 4p after a reducing round; then at most 2^36.1, 2^39.1, 2^42.1, 2^45.1 (see bias).
// With d = 1 it grows by at most 2p a round. So sums of W are below 2^50.

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
    for (std::size_t r = 0; r < partial;
         r++) {  // x[0] is -2 y + sum + 4p, and the constant of the next round
      if (r == 0) internal_ = work_form(from.internal()[0]);
      next_[r] = 4 * p + (r + 1 < partial ? work_form(from.internal()[r + 1]) : 0);
    }
    for (std::size_t i = 0; i < W; i++) {
      factor_[i] = Poseidon2<F, W>::diagonal()[i].to_int();
      quotient_[i] = quotient_of(u32(factor_[i]));
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

  void permute(State& s) const {
    for (int h = 0; h < 2; h++) {
      __m512i x[W];
      for (int i = 0; i < W; i++) x[i] = s.x[i].half[h];
      external(x);
      add_all(x, first_[0]);
      for (int r = 0; r < 4; r++) full_round(x, initial_[r]);
      for (int i = 0; i < W; i++) s.x[i].half[h] = x[i];
    }
    partial_rounds(s);
    for (int h = 0; h < 2; h++) {
      __m512i x[W];
      for (int i = 0; i < W; i++) x[i] = s.x[i].half[h];
      add_all(x, first_[1]);
      for (int r = 0; r < 4; r++) full_round(x, terminal_[r]);
      for (int i = 0; i < W; i++) s.x[i].half[h] = x[i];
    }
  }

 private:
  using State0 = typename Poseidon2<F, W>::State;
  static constexpr int partial = Poseidon2<F, W>::partial_rounds();
  static constexpr u64 p = F::modulus, mask52 = (u64(1) << 52) - 1;
  static constexpr u64 inverse() {  // p^-1 mod 2^52
    u64 x = 1;
    for (int i = 0; i < 6; i++) x *= 2 - p * x;
    return x & mask52;
  }
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

  // bias: p, or p + a constant to add.
  static VOUCH_INLINE __m512i mul(__m512i x, __m512i y, __m512i bias) {
    const __m512i q = lo(none(), lo(none(), x, y), all(inverse()));
    return sub(hi(bias, x, y), hi(none(), q, all(p)));  // equal low halves cancel
  }
  static VOUCH_INLINE __m512i scaled_add(__m512i s, __m512i x, __m512i d, __m512i quotient) {
    return lo(lo(s, x, d), hi(none(), x, quotient), all(mask52 + 1 - p));
  }
  static VOUCH_INLINE __m512i scaled(__m512i x, u32 d) {
    return scaled_add(none(), x, all(d), all(quotient_of(d)));
  }
  static VOUCH_INLINE __m512i sbox(__m512i x, __m512i bias) {
    const __m512i x2 = mul(x, x, all(p));
    if constexpr (poseidon2_alpha<F> == 3)
      return mul(x2, x, bias);
    else
      return mul(mul(x2, x2, all(p)), mul(x2, x, all(p)), bias);
  }

  // p + M^-1 of the constants: M4^-1 in every group, from which 1/(groups + 1) of the sum over groups is
  // subtracted.
  static void set_bias(const State0& constants, u64* out) {
    const F scale = F(35).inverse();
    const std::array<F, 4> row = {-F(4) * scale, F(3) * scale, -F(11) * scale, F(17) * scale};
    State0 x{};
    std::array<F, 4> sum{};
    for (std::size_t i = 0; i < W; i++) {
      for (std::size_t j = 0; j < 4; j++) x[i] += row[(j + 4 - i % 4) % 4] * constants[i / 4 * 4 + j];
      sum[i % 4] += x[i];
    }
    for (std::size_t i = 0; i < W; i++) out[i] = p + work_form(x[i] - sum[i % 4] * F(W / 4 + 1).inverse());
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

  // Both halves in turn, so that one's multiplications fill the gaps of the other's chain through x[0].
  void partial_rounds(State& s) const {
    __m512i rest[2];  // the sum of all but element 0
    for (int h = 0; h < 2; h++) {
      rest[h] = s.x[1].half[h];
      for (int i = 2; i < W; i++) rest[h] = add(rest[h], s.x[i].half[h]);
      s.x[0].half[h] = add(s.x[0].half[h], all(internal_));
    }
    for (int r = 0; r < partial; r++) {
      __m512i sum[2];
#pragma GCC unroll 2
      for (int h = 0; h < 2; h++) {
        const __m512i y = sbox(s.x[0].half[h], all(p));
        const __m512i t = add(y, rest[h]);
        sum[h] = lo(t, hi(none(), t, all((mask52 + 1) / p)), all(mask52 + 1 - p));  // below 2p
        s.x[0].half[h] = sub(add(sum[h], all(next_[r])), add(y, y));                // d = -2, y below 2p
      }
      // A multiple of p above 4 times the bound of the round before: 2^33, 2^36.1, ...
      const int since = r % 5;
      if (since == 0) {
        step<true>(s, sum, rest, none());
      } else {
        step<false>(s, sum, rest, all(p << (2 + 3 * since)));
      }
    }
  }
  template <bool reduce>
  VOUCH_INLINE void step(State& s, const __m512i* sum, __m512i* rest, __m512i bias) const {
#pragma GCC unroll 2
    for (int h = 0; h < 2; h++) {
      const __m512i lifted = add(sum[h], bias);
      __m512i part[3];
      s.x[1].half[h] = part[0] = add(s.x[1].half[h], sum[h]);  // d = 1
#pragma GCC unroll 32
      for (int i = 2; i < W; i++) {
        constexpr int small[9] = {0, 0, 2, 0, 3, 4, 0, -3, -4};
        const int d = reduce || i >= 9 ? 0 : small[i];
        const __m512i old = s.x[i].half[h];
        const __m512i x = d > 0   ? lo(sum[h], old, all(u64(d)))
                          : d < 0 ? lo(lifted, old, all(mask52 + 1 - u64(-d)))
                                  : scaled_add(sum[h], old, all(factor_[i]), all(quotient_[i]));
        s.x[i].half[h] = x;
        part[i % 3] = i == 2 || i == 4 ? x : add(part[i % 3], x);
      }
      rest[h] = add(add(part[0], part[1]), part[2]);
    }
  }

  u64 first_[2][W], initial_[4][W], terminal_[4][W], internal_ = 0, next_[partial], factor_[W], quotient_[W];
};
