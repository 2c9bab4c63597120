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
// Bounds: an S-box input is below 64 * 2^32 = 2^38 (linear layers multiply by at most 63, constants add p),
// so xy is below 2^76 and the S-box's result below p + 2^24 + 1 < 2^31 + 2^24. In partial rounds an element
// is below 2^39 at first and below 4p after one round (with d = 1 it grows by at most 2p a round), so the sum
// of W is below 2^45.

template <class F, int W>
class PackedPermutation {
 public:
  struct Word {
    __m512i half[2];  // even lanes, odd lanes
  };
  struct State {
    Word x[W];
  };

  explicit PackedPermutation(const Poseidon2<F, W>& p) {
    for (std::size_t r = 0; r < 4; r++)
      for (std::size_t i = 0; i < W; i++) {
        initial_[r][i] = work_form(p.initial()[r][i]);
        terminal_[r][i] = work_form(p.terminal()[r][i]);
      }
    for (std::size_t r = 0; r < partial; r++) internal_[r] = work_form(p.internal()[r]);
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
      for (int r = 0; r < 4; r++) full_round(x, initial_[r]);
      for (int i = 0; i < W; i++) s.x[i].half[h] = x[i];
    }
    partial_rounds(s);
    for (int h = 0; h < 2; h++) {
      __m512i x[W];
      for (int i = 0; i < W; i++) x[i] = s.x[i].half[h];
      for (int r = 0; r < 4; r++) full_round(x, terminal_[r]);
      for (int i = 0; i < W; i++) s.x[i].half[h] = x[i];
    }
  }

 private:
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

  static VOUCH_INLINE __m512i mul(__m512i x, __m512i y) {
    const __m512i q = lo(none(), lo(none(), x, y), all(inverse()));
    return sub(hi(all(p), x, y), hi(none(), q, all(p)));  // equal low halves cancel
  }
  static VOUCH_INLINE __m512i scaled_add(__m512i s, __m512i x, __m512i d, __m512i quotient) {
    return lo(lo(s, x, d), hi(none(), x, quotient), all(mask52 + 1 - p));
  }
  static VOUCH_INLINE __m512i scaled(__m512i x, u32 d) {
    return scaled_add(none(), x, all(d), all(quotient_of(d)));
  }
  static VOUCH_INLINE __m512i sbox(__m512i x) {
    const __m512i x2 = mul(x, x), x3 = mul(x2, x);
    if constexpr (poseidon2_alpha<F> == 3)
      return x3;
    else
      return mul(mul(x2, x2), x3);
  }

  static VOUCH_INLINE void full_round(__m512i* x, const u64* constants) {
#pragma GCC unroll 32
    for (int i = 0; i < W; i++) x[i] = sbox(add(x[i], all(constants[i])));
    external(x);
  }
  static VOUCH_INLINE void external(__m512i* x) {
    __m512i sum[4];
#pragma GCC unroll 8
    for (int g = 0; g < W; g += 4) {
      const __m512i a = x[g], b = x[g + 1], c = x[g + 2], d = x[g + 3];
      const __m512i ab = add(a, b), cd = add(c, d), t = add(ab, cd), tb = add(t, b), td = add(t, d);
      x[g] = add(tb, ab);
      x[g + 1] = add(tb, add(c, c));
      x[g + 2] = add(td, cd);
      x[g + 3] = add(td, add(a, a));
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
    }
    for (int r = 0; r < partial; r++) {
      __m512i sum[2];
#pragma GCC unroll 2
      for (int h = 0; h < 2; h++) {
        const __m512i y = sbox(add(s.x[0].half[h], all(internal_[r])));
        const __m512i t = add(y, rest[h]);
        sum[h] = lo(t, hi(none(), t, all((mask52 + 1) / p)), all(mask52 + 1 - p));  // below 2p
        // d = -2; the S-box's result is below 2p
        s.x[0].half[h] = sub(add(sum[h], all(4 * p)), add(y, y));
      }
#pragma GCC unroll 2
      for (int h = 0; h < 2; h++) {
        __m512i part[3];
        s.x[1].half[h] = part[0] = add(s.x[1].half[h], sum[h]);  // d = 1
#pragma GCC unroll 32
        for (int i = 2; i < W; i++) {
          const __m512i x = scaled_add(sum[h], s.x[i].half[h], all(factor_[i]), all(quotient_[i]));
          s.x[i].half[h] = x;
          part[i % 3] = i == 2 || i == 4 ? x : add(part[i % 3], x);
        }
        rest[h] = add(add(part[0], part[1]), part[2]);
      }
    }
  }

  u64 initial_[4][W], terminal_[4][W], internal_[partial], factor_[W], quotient_[W];
};
