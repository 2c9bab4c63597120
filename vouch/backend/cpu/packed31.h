// Packed<F>: Lanes::count elements of a 31-bit field, reduced, and Packed extension elements. Text: included
// inside a namespace after a lanes_*.h.

template <class F>
struct Packed {
  static constexpr int lanes = Lanes::count;
  Lanes v;

  static VOUCH_INLINE Packed load(const u32* p) { return {Lanes::load(p)}; }
  VOUCH_INLINE void store(u32* p) const { v.store(p); }
  static VOUCH_INLINE Packed all(F x) { return {Lanes::all(x.montgomery())}; }
  static VOUCH_INLINE Packed zero() { return {Lanes::all(0)}; }

  friend VOUCH_INLINE Packed operator+(Packed a, Packed b) {
    const Lanes s = a.v + b.v;  // below 2^32; subtracting p wraps exactly if it was below p
    return {Lanes::min(s, s - Lanes::all(F::modulus))};
  }
  friend VOUCH_INLINE Packed operator-(Packed a, Packed b) {
    const Lanes d = a.v - b.v;
    return {Lanes::min(d, d + Lanes::all(F::modulus))};
  }
  friend VOUCH_INLINE Packed operator*(Packed a, Packed b) {
    return reduce(Lanes::mul_even(a.v, b.v), Lanes::mul_even(a.v.odd(), b.v.odd()));
  }
  // b is the same in every lane.
  VOUCH_INLINE Packed times_all(Packed b) const {
    return reduce(Lanes::mul_even(v, b.v), Lanes::mul_even(v.odd(), b.v));
  }

  // Montgomery reduction of products (even lanes, odd lanes), each below p * 2^32.
  static VOUCH_INLINE Packed reduce(Wide even, Wide odd) {
    const Lanes d = Lanes::high_halves(even, odd) - quotients(even, odd);
    return {Lanes::min(d, d + Lanes::all(F::modulus))};
  }
  // The same for sums below 2^64, whose high half is below 2p.
  static VOUCH_INLINE Packed reduce_sum(Wide even, Wide odd) {
    const Lanes p = Lanes::all(F::modulus), h = Lanes::high_halves(even, odd);
    const Lanes d = Lanes::min(h, h - p) - quotients(even, odd);
    return {Lanes::min(d, d + p)};
  }
  // Subtracts p * 2^32 where that keeps a sum positive: below 2p * 2^32 before, below p * 2^32 after. Then
  // two more products fit, as 2 p^2 < p * 2^32; and four products fit on zero, as 4 p^2 < 2p * 2^32.
  static VOUCH_INLINE Wide partial(Wide x) {
    const Lanes l = Lanes::from_wide(x);
    return Lanes::min(l, l - Lanes::odd_only(F::modulus)).wide();
  }

 private:
  static VOUCH_INLINE Lanes quotients(Wide even, Wide odd) {
    const Lanes inv = Lanes::all(F::inverse_mod_r), p = Lanes::all(F::modulus);
    const Wide qe = Lanes::mul_even(Lanes::from_wide(even), inv),
               qo = Lanes::mul_even(Lanes::from_wide(odd), inv);
    return Lanes::high_halves(Lanes::mul_even(Lanes::from_wide(qe), p),
                              Lanes::mul_even(Lanes::from_wide(qo), p));
  }
};

// A running sum of products, even and odd lanes apart. Up to four products, then settle() before every second
// more.
template <class F>
struct PackedSum {
  Wide even, odd;

  // Written out: an implicit constructor would not be compiled for the target region.
  VOUCH_INLINE PackedSum() : even(Lanes::all(0).wide()), odd(Lanes::all(0).wide()) {}

  // The odd lanes of each factor are given apart so that callers can share them.
  VOUCH_INLINE void add(Lanes a, Lanes a_odd, Lanes b, Lanes b_odd) {
    even = even + Lanes::mul_even(a, b);
    odd = odd + Lanes::mul_even(a_odd, b_odd);
  }
  VOUCH_INLINE void settle() {
    even = Packed<F>::partial(even);
    odd = Packed<F>::partial(odd);
  }
  VOUCH_INLINE Packed<F> value() const { return Packed<F>::reduce_sum(even, odd); }
};

template <class F, int D>
struct PackedExt {
  using P = Packed<F>;
  using E = Ext31<F, D>;
  P c[D];

  static VOUCH_INLINE PackedExt all(const E& x) {
    PackedExt r;
    for (int i = 0; i < D; i++) r.c[i] = P::all(x.c[i]);
    return r;
  }
  static VOUCH_INLINE PackedExt zero() {
    PackedExt r;
    for (int i = 0; i < D; i++) r.c[i] = P::zero();
    return r;
  }
  // Coefficient planes `stride` apart.
  static VOUCH_INLINE PackedExt load(const u32* p, std::size_t stride) {
    PackedExt r;
    for (int i = 0; i < D; i++) r.c[i] = P::load(p + i * stride);
    return r;
  }
  VOUCH_INLINE void store(u32* p, std::size_t stride) const {
    for (int i = 0; i < D; i++) c[i].store(p + i * stride);
  }
  friend VOUCH_INLINE PackedExt operator+(PackedExt a, const PackedExt& b) {
    for (int i = 0; i < D; i++) a.c[i] = a.c[i] + b.c[i];
    return a;
  }
  friend VOUCH_INLINE PackedExt operator-(PackedExt a, const PackedExt& b) {
    for (int i = 0; i < D; i++) a.c[i] = a.c[i] - b.c[i];
    return a;
  }
  friend VOUCH_INLINE PackedExt operator*(const PackedExt& a, const PackedExt& b) {
    Lanes ao[D], bo[D];
    for (int i = 0; i < D; i++) ao[i] = a.c[i].v.odd(), bo[i] = b.c[i].v.odd();
    PackedExt r;
    if constexpr (E::binomial != 0) {
      Lanes w[D], wo[D];  // w * b for the products that wrap around
      for (int i = 1; i < D; i++) w[i] = times_binomial(b.c[i]).v, wo[i] = w[i].odd();
      for (int k = 0; k < D; k++) {
        PackedSum<F> s;
        for (int i = 0; i < D; i++) {
          if (i == 4) s.settle();
          if (i <= k)
            s.add(a.c[i].v, ao[i], b.c[k - i].v, bo[k - i]);
          else
            s.add(a.c[i].v, ao[i], w[k + D - i], wo[k + D - i]);
        }
        r.c[k] = s.value();
      }
    } else {
      P p[2 * D - 1];
      for (int k = 0; k < 2 * D - 1; k++) {
        PackedSum<F> s;
        const int first = k < D ? 0 : k - D + 1;
        for (int i = first; i < D && i <= k; i++) {
          if (i == first + 4) s.settle();
          s.add(a.c[i].v, ao[i], b.c[k - i].v, bo[k - i]);
        }
        p[k] = s.value();
      }
      // X^5 = 1 - X^2 and so on, see Ext31
      r.c[0] = p[0] + p[5] - p[8];
      r.c[1] = p[1] + p[6];
      r.c[2] = p[2] - p[5] + p[7] + p[8];
      r.c[3] = p[3] - p[6] + p[8];
      r.c[4] = p[4] - p[7];
    }
    return r;
  }
  friend VOUCH_INLINE PackedExt operator*(PackedExt a, P b) {
    for (int i = 0; i < D; i++) a.c[i] = a.c[i] * b;
    return a;
  }
  // The sum of all lanes.
  E sum() const {
    E r;
    for (int i = 0; i < D; i++) {
      u32 x[P::lanes];
      c[i].store(x);
      for (int j = 0; j < P::lanes; j++) r.c[i] += F::raw(x[j]);
    }
    return r;
  }

 private:
  static VOUCH_INLINE P times_binomial(P x) {
    P r = x;
    int top = 3;
    while (!(E::binomial >> top & 1)) top--;
    for (int bit = top; bit-- > 0;) {
      r = r + r;
      if (E::binomial >> bit & 1) r = r + x;
    }
    return r;
  }
};
