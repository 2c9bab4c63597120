// Levels of lists of points in double-precision multiply-add, included inside the region and namespace of an
// instruction set of field/fma.h (no include guard).
//
// A pack is two vectors. On G1 they are different points; on G2 the two coefficients of elements of Fq2.
// Bounds, in p: x of a source is 2x less p or in [-1, 1], y in [-2, 2], both of size 2; sums are in [-1/2,
// 1/2] and in digits, up to 2^-40. Denominators are brought to [-1/2, 1/2] and so size 4; then prefixes are
// below 0.62 (0.81 on G2), inverses below 0.68 (1.18), slopes below 1.52 (0.95), and their squares below 1.37
// (1.18).

using Fq = Prime<Bn254FqParams, AdxArith>;
using FqParams = Bn254FqParams;

VOUCH_INLINE const u8* row(const u8* base, u32 ref, std::size_t bytes) {
  return base + std::size_t(ref & ~MsmDigits::negative) * bytes;
}

// coordinates: of an element of the curve's field, 1 on G1 and 2 on G2.
template <class C, int coordinates>
struct Lanes {
  using Elem = Pack;
  using Mask = unsigned;
  struct Point {
    Pack x, y;
  };
  using Field = typename C::Field;
  static constexpr bool complex = coordinates == 2;
  static constexpr int groups = vectors / coordinates;  // of points
  static constexpr std::size_t width = std::size_t(lanes * groups), bytes = 64 * coordinates;

  template <class F>
  static VOUCH_INLINE Pack each(F&& f) {
    Pack r;
    for (int h = 0; h < vectors; h++) r.v[h] = f(h);
    return r;
  }

  // Not inlined: a product is 600 instructions, and six of them would crowd out the instruction cache.
  static VOUCH_NOINLINE void mul(Pack& r, const Pack& a, const Pack& b) {
    if constexpr (complex)
      r = mul_complex<FqParams>(a, b);
    else
      r = PACKED::mul<FqParams>(a, b);
  }
  using Ahead = MsmAhead<width, bytes>;
  static VOUCH_INLINE void mul(Pack& r, const Pack& a, const Pack& b, Ahead& ahead) {
    ahead.fetch();
    mul(r, a, b);
  }
  static VOUCH_NOINLINE Pack sqr_digits(const Pack& a) {
    if constexpr (complex) return sqr_complex<FqParams>(a);
    return PACKED::sqr<FqParams>(a);
  }
  static Pack add(const Pack& a, const Pack& b) {  // of size 2, up to 2 p
    return each([&](int h) { return reduce<FqParams>(PACKED::add(a.v[h], b.v[h])); });
  }
  // Of x. The result is of size 4.
  static VOUCH_INLINE Pack sub(const Pack& a, const Pack& b) {
    return each([&](int h) { return nearest<FqParams>(PACKED::sub(a.v[h], b.v[h])); });
  }
  template <bool first>
  static VOUCH_INLINE void run(Pack& r, const Pack& a, const Pack& b) {
    r = sub(a, b);
  }
  // Of y, as a factor: size 4 and up to 4 p on G1, where the other factor is small enough for that.
  static VOUCH_INLINE Pack rise(const Pack& a, const Pack& b) {
    return each([&](int h) {
      const Number d = PACKED::sub(a.v[h], b.v[h]);
      return complex ? reduce<FqParams>(d) : d;
    });
  }
  static Pack one() {
    constexpr auto half = Prime<FqParams>(2).inverse();  // 2^255 mod p
    constexpr auto one_digits = fma::Digits51::centred(half.montgomery(), Fq::modulus);
    return each([&](int h) { return complex && h == 1 ? Number{} : splat(one_digits); });
  }

  // A mask has one bit per point; both coefficients of a complex number obey the same.
  static VOUCH_INLINE unsigned lanes_of(Mask m, int h) { return complex ? m : m >> (lanes * h); }
  static VOUCH_INLINE Mask join_masks(const unsigned (&m)[vectors]) {
    return complex ? m[0] & m[1] : m[0] | m[1] << lanes;
  }
  static Mask vanishing(const Pack& a) { return is_zero_exact(a); }
  static VOUCH_NOINLINE Mask is_zero_exact(const Pack& a) {
    unsigned zero[vectors];
    for (int h = 0; h < vectors; h++) {
      const Number r = reduce<FqParams>(digits(a.v[h]));
      zero[h] = ~0u;
      for (int i = 0; i < 5; i++) zero[h] &= equal_lanes(r.limb[i], splat(0.0));
      zero[h] &= (1u << lanes) - 1;
    }
    return join_masks(zero);
  }
  static Mask tangent(Mask same_x, const Point& p, const Point& q) {
    const Pack difference = each([&](int h) { return PACKED::sub(p.y.v[h], q.y.v[h]); });
    return same_x & is_zero_exact(difference) & ~is_zero_exact(p.y);
  }
  static Pack select(Mask m, const Pack& a, const Pack& b) {
    Pack r;
    for (int h = 0; h < vectors; h++)
      for (int i = 0; i < 5; i++) r.v[h].limb[i] = choose(lanes_of(m, h), a.v[h].limb[i], b.v[h].limb[i]);
    return r;
  }
  static Point select(Mask m, const Point& a, const Point& b) {
    return {select(m, a.x, b.x), select(m, a.y, b.y)};
  }
  // No point has both coordinates zero mod p.
  static Mask is_infinity(const Point& p) { return is_zero_exact(p.x) & is_zero_exact(p.y); }
  static Point as_sum(const Point& p) { return settle(p); }
  static Pack settle(const Pack& a) { return a; }
  // As sums are.
  static Point settle(const Point& p) {
    return {each([&](int h) { return reduce<FqParams>(p.x.v[h]); }),
            each([&](int h) { return reduce<FqParams>(p.y.v[h]); })};
  }

  // The words of coordinate `at` (of x, then y) of a vector's points.
  static VOUCH_INLINE void load_words(V (&w)[4], const u8* base, const u32* ref, int at) {
    load_columns(w, [&](int k) { return row(base, ref[k], bytes) + 32 * at; });
  }
  // Only differences of these are taken, so that nothing is subtracted yet.
  template <bool source>
  static VOUCH_INLINE Pack load_x(const u8* base, const u32* ref) {
    return each([&](int h) {
      V w[4];
      load_words(w, base, ref + (complex ? 0 : lanes * h), complex ? h : 0);
      return split<FqParams, source ? 1 : 0, 0>(w);
    });
  }
  template <bool source>
  static VOUCH_INLINE Point load(const u8* base, const u32* ref) {
    Point p;
    for (int h = 0; h < vectors; h++) {
      const u32* const refs = ref + (complex ? 0 : lanes * h);
      V w[4];
      load_words(w, base, refs, complex ? h : 0);
      p.x.v[h] = split<FqParams, source ? 1 : 0, 1>(w);
      load_words(w, base, refs, complex ? 2 + h : 1);
      p.y.v[h] = split<FqParams, source ? 2 : 0, source ? 2 : 1>(w);
      if constexpr (source) {
        const D signs = signs_of(refs);
        for (int i = 0; i < 5; i++) p.y.v[h].limb[i] = flip(p.y.v[h].limb[i], signs);
      }
    }
    return p;
  }
  static VOUCH_INLINE void store(u8* base, const u32* out, const Point& p, bool) {
    for (int h = 0; h < vectors; h++) {
      const u32* const to = out + (complex ? 0 : lanes * h);
      store_words(base, to, complex ? h : 0, p.x.v[h], infinite(p, h));
      store_words(base, to, complex ? 2 + h : 1, p.y.v[h], infinite(p, h));
    }
  }
  // Lanes that hold Point{}.
  static VOUCH_INLINE V infinite(const Point& p, int h) {
    V any = splat(u64(0));
    for (int g = complex ? 0 : h; g < (complex ? vectors : h + 1); g++)
      for (int i = 0; i < 5; i++)
        any = either(any, either(PACKED::bits(p.x.v[g].limb[i]), PACKED::bits(p.y.v[g].limb[i])));
    return zero_lanes(any);
  }
  static VOUCH_INLINE void store_words(u8* base, const u32* out, int at, const Number& a, V none) {
    V w[4];
    join_plus_p<FqParams>(w, a);
    for (V& word : w) word = without(word, none);
    store_columns([&](int k) { return base + std::size_t(out[k]) * bytes + 32 * at; }, w);
  }

  // The third point of the line of this slope through p and q, reflected; it may take the place of p. Below
  // 3.4 p, then 3.6 p, of size 5.
  template <bool first>
  static VOUCH_INLINE void third(Point& sum, const Pack& slope, const Point& p, const Point& q) {
    const Pack square = sqr_digits(slope);
    Pack run, product;
    for (int h = 0; h < vectors; h++) {
      const Number x = p.x.v[h];
      sum.x.v[h] = reduce<FqParams>(PACKED::sub(PACKED::sub(square.v[h], x), q.x.v[h]));
      run.v[h] = PACKED::sub(x, sum.x.v[h]);
    }
    mul(product, run, slope);
    for (int h = 0; h < vectors; h++) sum.y.v[h] = reduce<FqParams>(PACKED::sub(product.v[h], p.y.v[h]));
  }

  // On G1 both vectors are multiplied together, so that one is inverted.
  static Pack invert(const Pack& a) {
    if constexpr (complex) return invert_group(a);
    const Pack others{{a.v[1], a.v[0]}};
    Pack r;
    mul(r, a, others);
    mul(r, invert_group(r), others);
    return r;
  }
  // The first group inverted, in every group. A lane holds a 2^255 = (a / 2) 2^256, so ordinary arithmetic
  // sees a / 2, and 1 / a is to be handed back as 1 / (2 a) = (1 / 4) / (a / 2).
  static Pack invert_group(const Pack& a) {
    Field value[lanes], prefix[lanes], product = Field::one();
    Fq c[coordinates][lanes];
    for (int h = 0; h < coordinates; h++) {
      V w[4];
      join_plus_p<FqParams>(w, reduce<FqParams>(digits(a.v[h])));
      store_columns([&](int k) { return &c[h][k]; }, w);
    }
    for (int k = 0; k < lanes; k++) {
      Fq one[coordinates];
      for (int h = 0; h < coordinates; h++) one[h] = c[h][k] * Fq::one();  // below p
      std::memcpy(static_cast<void*>(&value[k]), one, sizeof one);
      prefix[k] = product;
      product *= value[k];
    }
    Field inverse = inverse_vartime(product) * (Fq(2).inverse() * Fq(2).inverse());
    for (int k = lanes; k-- > 0;) {
      const Field one_over = inverse * prefix[k];
      inverse *= value[k];
      Fq one[coordinates];
      std::memcpy(static_cast<void*>(one), &one_over, sizeof one);
      for (int h = 0; h < coordinates; h++) c[h][k] = one[h];
    }
    return each([&](int h) {
      V w[4];
      load_columns(w, [&](int k) { return &c[h % coordinates][k]; });
      return reduce<FqParams>(split<FqParams, 0, 0>(w));
    });
  }
};

#include "vouch/backend/cpu/msm_tree_text.h"

template <class C, bool source>
bool run(MsmStep& step) {
  return add_level<Lanes<C, int(sizeof(typename C::Field) / sizeof(Fq))>, source>(step);
}
