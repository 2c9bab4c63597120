// The arithmetic of fma.h, included once per instruction set inside its namespace (no include guard), over
// its vector operations.

// One number a lane.
struct Number {
  D limb[5];
};
// Vectors that are worked on in lockstep: one alone would wait for its own latencies.
inline constexpr int vectors = 2;
struct Pack {
  Number v[vectors];
};

// Words of numbers below 2^(256 - shift), shifted left: size 2, not negative.
template <int shift>
VOUCH_INLINE void split_bits(V (&limb)[5], const V (&w)[4]) {
  const V m = splat(fma::mask51), one = splat(fma::bits_of(fma::unit));
  limb[0] = masked_either(shift_left<shift>(w[0]), m, one);
  limb[1] = masked_either(either(shift_right<51 - shift>(w[0]), shift_left<13 + shift>(w[1])), m, one);
  limb[2] = masked_either(either(shift_right<38 - shift>(w[1]), shift_left<26 + shift>(w[2])), m, one);
  limb[3] = masked_either(either(shift_right<25 - shift>(w[2]), shift_left<39 + shift>(w[3])), m, one);
  limb[4] = either(shift_right<12 - shift>(w[3]), one);  // below 2^(44 + shift)
}
// The words' number, shifted left, less `times` p, in size 2 if times = 0, 1 or 2: limbs of both are in
// [0, 2^51).
template <class P, int shift, int times>
VOUCH_INLINE Number split(const V (&w)[4]) {
  static_assert(shift <= 7);
  constexpr auto offset = [] {
    UInt<4> x;
    for (int i = 0; i < times; i++) vouch::add(x, Prime<P>::modulus);
    return fma::Limbs51::of(x);
  }();
  V limb[5];
  split_bits<shift>(limb, w);
  Number r;
  for (int i = 0; i < 5; i++) r.limb[i] = sub(as_double(limb[i]), splat(fma::unit + double(offset.limb[i])));
  return r;
}
// Whole doubles as integers, for numbers that are not negative but may have negative limbs: `from` borrows,
// so that limbs before the carries are from 0 to 2^52 - 1 (but the top one, which may lack its carry).
VOUCH_INLINE void join(V (&w)[4], const Number& a, const D (&from)[5]) {
  const V m = splat(fma::mask51);
  V n[5];
  for (int i = 0; i < 5; i++) {
    n[i] = bits(add(a.limb[i], from[i]));
    n[i] = add(n[i], splat(u64(0) - fma::bits_of(i < 4 ? fma::unit : fma::c2)));
  }
  for (int i = 0; i < 4; i++) {
    n[i + 1] = add(n[i + 1], shift_right<51>(n[i]));
    n[i] = both(n[i], m);
  }
  w[0] = either(n[0], shift_left<51>(n[1]));
  w[1] = either(shift_right<13>(n[1]), shift_left<38>(n[2]));
  w[2] = either(shift_right<26>(n[2]), shift_left<25>(n[3]));
  w[3] = either(shift_right<39>(n[3]), shift_left<12>(n[4]));
}
// 0 or p for join(), with the doubles that make integers of limbs.
template <class P>
constexpr double join_from(int i, bool with_p) {
  const double borrowed = (i < 4 ? 0x1p51 : 0) - (i > 0 ? 1 : 0);
  return (i < 4 ? fma::unit : fma::c2) + borrowed + (with_p ? fma::Constants51<P>::p.limb[i] : 0);
}
// Digits plus p as words, for numbers from -p to p.
template <class P>
VOUCH_INLINE void join_plus_p(V (&w)[4], const Number& a) {
  D from[5];
  for (int i = 0; i < 5; i++) from[i] = splat(join_from<P>(i, true));
  join(w, a, from);
}
// Digits mod p as words, from 0 to p - 1, for numbers between -p and p.
template <class P>
VOUCH_INLINE void join_canonical(V (&w)[4], const Number& a) {
  // The carries decide whether the number is negative: then its top limb is.
  V carry = splat(u64(0)), top{};
  for (int i = 0; i < 5; i++) {
    V n = bits(add(a.limb[i], splat(join_from<P>(i, false))));
    n = add(n, splat(u64(0) - fma::bits_of(i < 4 ? fma::unit : fma::c2)));
    top = add(n, carry);
    carry = shift_right<51>(top);
  }
  D from[5];
  for (int i = 0; i < 5; i++)
    from[i] = where_negative(top, splat(join_from<P>(i, true)), splat(join_from<P>(i, false)));
  join(w, a, from);
}
VOUCH_INLINE Number splat(const fma::Digits51& x) {
  Number r;
  for (int i = 0; i < 5; i++) r.limb[i] = splat(x.limb[i]);
  return r;
}

// Sizes, and bounds of the values, add up.
VOUCH_INLINE Number add(const Number& a, const Number& b) {
  Number r;
  for (int i = 0; i < 5; i++) r.limb[i] = add(a.limb[i], b.limb[i]);
  return r;
}
VOUCH_INLINE Number sub(const Number& a, const Number& b) {
  Number r;
  for (int i = 0; i < 5; i++) r.limb[i] = sub(a.limb[i], b.limb[i]);
  return r;
}
// The same number in digits, for sizes up to 8 (limbs of doubles are whole numbers up to 2^53).
VOUCH_INLINE Number digits(Number a) {
  const D anchor = splat(fma::c1);
  for (int i = 0; i < 4; i++) {
    const D carry = sub(add(a.limb[i], anchor), anchor);  // the nearest multiple of 2^51
    a.limb[i] = sub(a.limb[i], carry);
    a.limb[i + 1] = fma(carry, splat(0x1p-51), a.limb[i + 1]);
  }
  return a;
}
// Less the nearest multiple k p: from -(1/2 + 2^-40) p to (1/2 + 2^-40) p. The size grows by |k| and must not
// pass 8; k is at most 8.
template <class P>
VOUCH_INLINE Number nearest(const Number& a) {
  using C = fma::Constants51<P>;
  const D k = sub(fma(a.limb[4], splat(C::per_p), splat(fma::c2)), splat(fma::c2));
  Number r;
  for (int i = 0; i < 5; i++) r.limb[i] = fnma(k, splat(C::p.limb[i]), a.limb[i]);
  return r;
}
template <class P>
VOUCH_INLINE Number reduce(const Number& a) {
  return digits(nearest<P>(a));
}

// Products. For |a| <= A p and |b| <= B p, the result is at most (0.379 A B + 0.501) p in size, as 2^255 >
// 2.64 p, and in digits. Sizes multiply to at most 4, and so do the top limbs in units of 2^50 with each
// other and with the sizes: a top limb is 0.756 A of them.

// c[k] += the limbs' product, or minus it.
VOUCH_INLINE void accumulate(V& c_low, V& c_high, D a, D b) {
  const D hi = fma(a, b, splat(fma::c1));
  const D lo = fma(a, b, sub(splat(fma::c12), hi));
  c_high = add(c_high, bits(hi));
  c_low = add(c_low, bits(lo));
}
VOUCH_INLINE void accumulate_minus(V& c_low, V& c_high, D a, D b) {
  const D hi = fnma(a, b, splat(fma::c1));
  const D lo = fnma(a, b, sub(splat(fma::c12), hi));
  c_high = add(c_high, bits(hi));
  c_low = add(c_low, bits(lo));
}
template <fma::Columns kind>
VOUCH_INLINE void start(V (&c)[10][vectors]) {
  constexpr auto starts = [] {
    struct {
      u64 k[10];
    } r{};
    for (int k = 0; k < 10; k++) r.k[k] = fma::column_start(kind, k);
    return r;
  }();
  for (int k = 0; k < 10; k++)
    for (int h = 0; h < vectors; h++) c[k][h] = splat(starts.k[k]);
}
// A column's digit, once what is below it has been handed on.
VOUCH_INLINE D digit(V column) {
  const V low = masked_either(column, splat(fma::mask51), splat(fma::bits_of(fma::unit)));
  return sub(as_double(low), splat(fma::unit + 0x1p50));
}
// Row i: column i becomes a multiple of 2^51, and that is handed on to column i + 1.
template <class P>
VOUCH_INLINE void reduce_row(V (&c)[10][vectors], int i) {
  using C = fma::Constants51<P>;
  D q[vectors];
  for (int h = 0; h < vectors; h++) {
    const D x = digit(c[i][h]);
    const D multiple = sub(fma(x, splat(C::neg_inv), splat(C::q_anchor)), splat(C::q_anchor));
    q[h] = fms(x, splat(C::neg_inv), multiple);  // x neg_inv mod 2^51
    c[i + 1][h] = add(c[i + 1][h], shift_right<51>(c[i][h]));
    c[i + 1][h] = add(c[i + 1][h], bits(fma(q[h], splat(C::p.limb[0]), splat(fma::c1))));
  }
  for (int j = 1; j < 5; j++)
    for (int h = 0; h < vectors; h++) accumulate(c[i + j][h], c[i + j + 1][h], q[h], splat(C::p.limb[j]));
}
VOUCH_INLINE Pack finish(V (&c)[10][vectors]) {
  Pack r;
  for (int i = 0; i < 4; i++)
    for (int h = 0; h < vectors; h++) {
      c[i + 6][h] = add(c[i + 6][h], shift_right<51>(c[i + 5][h]));
      r.v[h].limb[i] = digit(c[i + 5][h]);
    }
  for (int h = 0; h < vectors; h++)
    r.v[h].limb[4] = sub(as_double(add(c[9][h], splat(fma::bits_of(fma::c2)))), splat(fma::c2));
  return r;
}
// a b / 2^255.
template <class P>
VOUCH_INLINE Pack mul(const Pack& a, const Pack& b) {
  V c[10][vectors];
  start<fma::Columns::product>(c);
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) {
#pragma GCC unroll 5
    for (int j = 0; j < 5; j++)
      for (int h = 0; h < vectors; h++)
        accumulate(c[i + j][h], c[i + j + 1][h], a.v[h].limb[j], b.v[h].limb[i]);
    reduce_row<P>(c, i);
  }
  return finish(c);
}
template <class P>
VOUCH_INLINE Pack mul(const Pack& a, const fma::Digits51& b) {  // b the same in every lane
  V c[10][vectors];
  start<fma::Columns::product>(c);
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) {
    const D bi = splat(b.limb[i]);
#pragma GCC unroll 5
    for (int j = 0; j < 5; j++)
      for (int h = 0; h < vectors; h++) accumulate(c[i + j][h], c[i + j + 1][h], a.v[h].limb[j], bi);
    reduce_row<P>(c, i);
  }
  return finish(c);
}
// a a / 2^255, for digits: the size doubles on one side.
template <class P>
VOUCH_INLINE Pack sqr(const Pack& a) {
  V c[10][vectors];
  start<fma::Columns::square>(c);
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) {
#pragma GCC unroll 5
    for (int j = i; j < 5; j++)
      for (int h = 0; h < vectors; h++) {
        const D x = a.v[h].limb[i];
        accumulate(c[i + j][h], c[i + j + 1][h], i == j ? x : add(x, x), a.v[h].limb[j]);
      }
    reduce_row<P>(c, i);
  }
  return finish(c);
}
// Of v[0] + v[1] u with u^2 = -1; A B counts twice in the bound.
template <class P>
VOUCH_INLINE Pack mul_complex(const Pack& a, const Pack& b) {
  static_assert(vectors == 2);
  V c[10][vectors];
  start<fma::Columns::two_products>(c);
#pragma GCC unroll 5
  for (int i = 0; i < 5; i++) {
#pragma GCC unroll 5
    for (int j = 0; j < 5; j++) {
      accumulate(c[i + j][0], c[i + j + 1][0], a.v[0].limb[j], b.v[0].limb[i]);
      accumulate(c[i + j][1], c[i + j + 1][1], a.v[0].limb[j], b.v[1].limb[i]);
      accumulate_minus(c[i + j][0], c[i + j + 1][0], a.v[1].limb[j], b.v[1].limb[i]);
      accumulate(c[i + j][1], c[i + j + 1][1], a.v[1].limb[j], b.v[0].limb[i]);
    }
    reduce_row<P>(c, i);
  }
  return finish(c);
}
// (c0 + c1 u)^2 = (c0 + c1)(c0 - c1) + 2 c0 c1 u, of digits.
template <class P>
VOUCH_INLINE Pack sqr_complex(const Pack& a) {
  const Pack left{{add(a.v[0], a.v[1]), add(a.v[0], a.v[0])}};
  const Pack right{{sub(a.v[0], a.v[1]), a.v[1]}};
  return mul<P>(left, right);
}
