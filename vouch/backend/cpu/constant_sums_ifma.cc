// See constant_sums_ifma.h. Elements are x 2^260, below 2p, and lie in buckets as four limbs; a bucket's
// scale is that of all its coordinates, so that what leaves is the same point in the field's own form.
#include "vouch/backend/cpu/constant_sums_ifma.h"

#ifdef VOUCH_HAS_IFMA

#include "vouch/core/simd.h"

// Inlined in every formula, the field takes the compiler minutes when each access is checked.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define VOUCH_STEP __attribute__((noinline))
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define VOUCH_STEP __attribute__((noinline))
#endif
#endif
#ifndef VOUCH_STEP
#define VOUCH_STEP VOUCH_INLINE
#endif

VOUCH_TARGET_BEGIN(VOUCH_TARGET_IFMA)
namespace vouch::constant {
namespace {

using ifma::V;
using Params = Bn254FqParams;
using Packed = ifma::Packed8<Params, 2>;

// Eight elements of Fq.
struct Lanes1 {
  Packed v;

  static constexpr std::size_t limbs = 4;
  static VOUCH_INLINE Lanes1 broadcast(const u64* x) {
    const V words[4] = {ifma::splat(x[0]), ifma::splat(x[1]), ifma::splat(x[2]), ifma::splat(x[3])};
    return {ifma::Packed8<Params, 1>::split_times_16(words).reduce()};
  }
  static VOUCH_INLINE Lanes1 load(u64* const (&at)[8], std::size_t offset) {
    V x[4];
    ifma::load_lanes(x, [&](int k) { return at[k] + offset; });
    return {Packed::split(x)};
  }
  VOUCH_INLINE void store(u64* const (&at)[8], std::size_t offset) const {
    V x[4];
    v.join(x);
    ifma::store_lanes([&](int k) { return at[k] + offset; }, x);
  }
  // a in the lanes of mask, b in the others.
  static VOUCH_INLINE Lanes1 select(__mmask8 mask, const Lanes1& a, const Lanes1& b) {
    Lanes1 r;
    for (int i = 0; i < 5; i++) r.v.limb[i] = _mm512_mask_mov_epi64(b.v.limb[i], mask, a.v.limb[i]);
    return r;
  }
  VOUCH_STEP Lanes1 times_b3() const {  // 9
    const auto x1 = ifma::loose(v);
    const auto x2 = x1 + x1;
    const auto x4 = x2 + x2;
    return {(x4 + x4 + x1).tight().reduce()};
  }
  friend VOUCH_STEP Lanes1 operator+(const Lanes1& a, const Lanes1& b) {
    return {(ifma::loose(a.v) + ifma::loose(b.v)).tight().reduce()};
  }
  friend VOUCH_STEP Lanes1 operator-(const Lanes1& a, const Lanes1& b) {
    return {(ifma::loose(a.v) - ifma::loose(b.v)).tight().reduce()};
  }
  friend VOUCH_STEP Lanes1 operator*(const Lanes1& a, const Lanes1& b) {
    return {ifma::mul(a.v, b.v).tight()};
  }
  VOUCH_INLINE Lanes1 negated() const { return Lanes1{Packed::zero()} - *this; }
};

// Eight elements of Fq2.
struct Lanes2 {
  Lanes1 c0, c1;

  static constexpr std::size_t limbs = 8;
  static VOUCH_INLINE Lanes2 broadcast(const u64* x) {
    return {Lanes1::broadcast(x), Lanes1::broadcast(x + 4)};
  }
  static VOUCH_INLINE Lanes2 load(u64* const (&at)[8], std::size_t offset) {
    return {Lanes1::load(at, offset), Lanes1::load(at, offset + 4)};
  }
  VOUCH_INLINE void store(u64* const (&at)[8], std::size_t offset) const {
    c0.store(at, offset), c1.store(at, offset + 4);
  }
  static VOUCH_INLINE Lanes2 select(__mmask8 mask, const Lanes2& a, const Lanes2& b) {
    return {Lanes1::select(mask, a.c0, b.c0), Lanes1::select(mask, a.c1, b.c1)};
  }
  VOUCH_INLINE Lanes2 times_b3() const {
    constexpr auto b3 = Bn254G2::b() * Bn254Fq(3 * 16);
    constexpr auto r0 = ifma::Limbs52::of(b3.c0.montgomery()), r1 = ifma::Limbs52::of(b3.c1.montgomery());
    return *this * Lanes2{{Packed::splat_limbs(r0)}, {Packed::splat_limbs(r1)}};
  }
  friend VOUCH_INLINE Lanes2 operator+(const Lanes2& a, const Lanes2& b) {
    return {a.c0 + b.c0, a.c1 + b.c1};
  }
  friend VOUCH_INLINE Lanes2 operator-(const Lanes2& a, const Lanes2& b) {
    return {a.c0 - b.c0, a.c1 - b.c1};
  }
  friend VOUCH_INLINE Lanes2 operator*(const Lanes2& a, const Lanes2& b) {
    const Lanes1 low = a.c0 * b.c0, high = a.c1 * b.c1;
    return {low - high, (a.c0 + a.c1) * (b.c0 + b.c1) - (low + high)};
  }
  VOUCH_INLINE Lanes2 negated() const { return {c0.negated(), c1.negated()}; }
};

template <class F>
struct Point {
  F x, y, z;

  static VOUCH_INLINE Point load(u64* const (&at)[8]) {
    return {F::load(at, 0), F::load(at, F::limbs), F::load(at, 2 * F::limbs)};
  }
  VOUCH_INLINE void store(u64* const (&at)[8]) const {
    x.store(at, 0), y.store(at, F::limbs), z.store(at, 2 * F::limbs);
  }
};

// The formulas of curve/complete.h.
template <class F>
VOUCH_INLINE Point<F> finish(const F& xx, const F& yy, const F& b3zz, const F& xy, const F& yz, const F& xz) {
  const F x3 = xx + xx + xx, plus = yy + b3zz, minus = yy - b3zz, b3xz = xz.times_b3();
  return {xy * minus - yz * b3xz, minus * plus + b3xz * x3, plus * yz + x3 * xy};
}
template <class F>
__attribute__((noinline)) Point<F> add_affine(const Point<F>& a, const F& x, const F& y) {
  const F xx = a.x * x, yy = a.y * y, xy = (x + y) * (a.x + a.y) - (xx + yy);
  return finish(xx, yy, a.z.times_b3(), xy, y * a.z + a.y, x * a.z + a.x);
}
template <class F>
__attribute__((noinline)) Point<F> add_sums(const Point<F>& a, const Point<F>& b) {
  const F xx = a.x * b.x, yy = a.y * b.y, zz = a.z * b.z;
  const F xy = (a.x + a.y) * (b.x + b.y) - (xx + yy), yz = (a.y + a.z) * (b.y + b.z) - (yy + zz),
          xz = (a.x + a.z) * (b.x + b.z) - (xx + zz);
  return finish(xx, yy, zz.times_b3(), xy, yz, xz);
}

template <class Field>
void canonical(Field& a) {
  if constexpr (requires { a.c0; })
    canonical(a.c0), canonical(a.c1);
  else
    a = Field::raw(PortableArith::reduce_once<Field>(a.montgomery(), 0));
}

// F: the lanes of C's field.
template <class C, class F>
std::array<CompletePoint<C>, 8> sums_in_lanes(const MsmJob& job, const Digits& digits, int first,
                                              std::size_t begin, std::size_t end) {
  using Sum = CompletePoint<C>;
  using Affine = typename C::Affine;
  static_assert(sizeof(Sum) == 3 * F::limbs * sizeof(u64));
  const std::size_t stride = digits.largest() + 1;
  std::vector<Sum> buckets(
      8 * stride);  // of digit 0 to 2^(c-1), a lane's after another's; (0, 1, 0) at any scale is infinity
  u64* at[8];
  const auto bucket = [&](int lane, std::size_t digit) {
    return reinterpret_cast<u64*>(&buckets[std::size_t(lane) * stride + digit]);
  };
  const int lanes = std::min(8, digits.windows() - first);
  for (std::size_t i = begin; i < end; i++) {
    u64 p[2 * F::limbs], any = 0;
    std::memcpy(p, job.points + i * sizeof(Affine), sizeof p);
    for (const u64 word : p) any |= word;
    const auto finite = static_cast<__mmask8>(0 - ((any | (0 - any)) >> 63));
    const UInt<4> k = digits.recoded(job.scalars + 32 * i);
    u64 negative = 0;
    for (int lane = 0; lane < 8; lane++) {
      const Digits::Digit d = lane < lanes ? digits.at(k, first + lane) : Digits::Digit{0, 0};
      at[lane] = bucket(lane, d.magnitude);
      negative |= (d.negative & 1) << lane;
    }
    const F x = F::broadcast(p), y = F::broadcast(p + F::limbs);
    const Point<F> old = Point<F>::load(at);
    const Point<F> sum = add_affine(old, x, F::select(static_cast<__mmask8>(negative), y.negated(), y));
    Point<F>{F::select(finite, sum.x, old.x), F::select(finite, sum.y, old.y),
             F::select(finite, sum.z, old.z)}
        .store(at);
  }
  std::array<Sum, 8> out;
  u64* to[8];
  for (int lane = 0; lane < 8; lane++) to[lane] = reinterpret_cast<u64*>(&out[std::size_t(lane)]);
  Point<F> run = Point<F>::load(to), total = run;
  for (std::size_t b = stride; b-- > 1;) {
    for (int lane = 0; lane < 8; lane++) at[lane] = bucket(lane, b);
    run = add_sums(run, Point<F>::load(at));
    total = add_sums(total, run);
  }
  total.store(to);
  for (Sum& sum : out) canonical(sum.x), canonical(sum.y), canonical(sum.z);
  wipe(std::span(buckets));
  return out;
}

}  // namespace

template <>
std::array<CompletePoint<Bn254G1With<AdxArith>>, 8> window_sums_ifma(const MsmJob& job, const Digits& digits,
                                                                     int first, std::size_t begin,
                                                                     std::size_t end) {
  return sums_in_lanes<Bn254G1With<AdxArith>, Lanes1>(job, digits, first, begin, end);
}
template <>
std::array<CompletePoint<Bn254G2With<AdxArith>>, 8> window_sums_ifma(const MsmJob& job, const Digits& digits,
                                                                     int first, std::size_t begin,
                                                                     std::size_t end) {
  return sums_in_lanes<Bn254G2With<AdxArith>, Lanes2>(job, digits, first, begin, end);
}

}  // namespace vouch::constant
VOUCH_TARGET_END

#endif  // VOUCH_HAS_IFMA
