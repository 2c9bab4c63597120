// A batch of affine additions that share one inversion: what is handed to a form of arithmetic, and the plain
// form.
#pragma once

#include <algorithm>

#include "vouch/backend/cpu/msm_digits.h"
#include "vouch/core/bytes.h"
#include "vouch/field/inverse.h"

namespace vouch {

// Point of ref r: at the base + (r without MsmDigits::negative) * the size of a point.
struct PairBatch {
  const u8 *base_a = nullptr, *base_b = nullptr;
  const u32* a = nullptr;    // the first summands
  const u32* b = nullptr;    // the second; none is at infinity
  u8* base_out = nullptr;    // aligned to 64 bytes
  const u32* out = nullptr;  // where the sums go, in work form
  std::size_t count = 0;     // a multiple of the form's width
  void* scratch = nullptr;   // scratch_bytes per pair, aligned to 64 bytes
  // Points of later batches, which are fetched into the cache meanwhile.
  const u8* ahead_base = nullptr;
  const u32* ahead = nullptr;
  std::size_t ahead_count = 0;
};

// One of the parts, equal in size, of what is to be fetched ahead. Points are rarely aligned to cache lines:
// the last byte is asked for, and the first where the point before did not end there.
template <std::size_t bytes>
inline void prefetch_part(const PairBatch& batch, std::size_t part, std::size_t parts) {
  const std::size_t size = (batch.ahead_count + parts - 1) / parts;
  const std::size_t end = std::min(batch.ahead_count, (part + 1) * size);
  u32 previous = 0;
  for (std::size_t i = part * size; i < end; i++) {
    const u32 ref = batch.ahead[i] & ~MsmDigits::negative;
    const u8* p = batch.ahead_base + std::size_t(ref) * bytes;
    if (ref != previous + 1) __builtin_prefetch(p, 0, 2);
    for (std::size_t at = 63; at < bytes; at += 64) __builtin_prefetch(p + at, 0, 2);
    previous = ref;
  }
}

namespace scalar_msm {

// Plain arithmetic on the curve C, on two pairs of points at a time: one addition is a chain of products that
// wait for one another, and two chains fill the multiplier. Work form is the caller's form.
template <class C>
struct Lanes {
  using Field = typename C::Field;
  using Affine = typename C::Affine;
  using Mask = unsigned;  // one bit per lane
  static constexpr std::size_t width = 2, bytes = sizeof(Affine), chains = 1;
  struct Elem {
    Field v[width];
  };
  struct Point {
    Elem x, y;
  };

  static Elem one() { return {{Field::one(), Field::one()}}; }
  static Elem invert(const Elem& a) {
    const Field both = inverse_vartime(a.v[0] * a.v[1]);
    return {{both * a.v[1], both * a.v[0]}};
  }
  static Elem mul(const Elem& a, const Elem& b) { return {{a.v[0] * b.v[0], a.v[1] * b.v[1]}}; }
  static Elem sqr(const Elem& a) { return {{a.v[0].square(), a.v[1].square()}}; }
  static Elem add(const Elem& a, const Elem& b) { return {{a.v[0] + b.v[0], a.v[1] + b.v[1]}}; }
  static Elem sub(const Elem& a, const Elem& b) { return {{a.v[0] - b.v[0], a.v[1] - b.v[1]}}; }
  static Elem select(Mask m, const Elem& a, const Elem& b) {
    return {{m & 1 ? a.v[0] : b.v[0], m & 2 ? a.v[1] : b.v[1]}};
  }
  template <bool source_a, bool source_b>  // of a difference of two x
  static Mask is_zero(const Elem& a) {
    return Mask(a.v[0].is_zero()) | Mask(a.v[1].is_zero()) << 1;
  }
  // Of the lanes in which x is equal: those in which the line through the points is a tangent.
  static Mask tangent(Mask same_x, const Point& p, const Point& q) {
    Mask m = 0;
    for (std::size_t i = 0; i < width; i++) m |= Mask(p.y.v[i] == q.y.v[i] && !p.y.v[i].is_zero()) << i;
    return m & same_x;
  }

  template <bool source>
  static Elem load_x(const u8* base, const u32* ref) {
    Elem x;
    for (std::size_t i = 0; i < width; i++)
      x.v[i] = load_le<Field>(base + std::size_t(ref[i] & ~MsmDigits::negative) * bytes);
    return x;
  }
  template <bool source>
  static Point load(const u8* base, const u32* ref) {
    Point p;
    for (std::size_t i = 0; i < width; i++) {
      const auto a = load_le<Affine>(base + std::size_t(ref[i] & ~MsmDigits::negative) * bytes);
      p.x.v[i] = a.x;
      p.y.v[i] = source && (ref[i] & MsmDigits::negative) ? -a.y : a.y;
    }
    return p;
  }
  static void store(u8* base, const u32* out, const Point& p) {
    for (std::size_t i = 0; i < width; i++) {
      const Affine a{p.x.v[i], p.y.v[i]};
      std::memcpy(base + std::size_t(out[i]) * bytes, &a, bytes);
    }
  }
  static Point clear(Mask m, Point p) {
    for (std::size_t i = 0; i < width; i++)
      if (m >> i & 1) p.x.v[i] = p.y.v[i] = Field::zero();
    return p;
  }

  // The third point of the line of this slope through p and q, reflected.
  static Point third(const Elem& slope, const Point& p, const Point& q) {
    const Elem x = sub(sub(sqr(slope), p.x), q.x);
    return {x, sub(mul(sub(p.x, x), slope), p.y)};
  }
};

#include "vouch/backend/cpu/msm_pairs_text.h"

}  // namespace scalar_msm

// A form of arithmetic for MsmKernel.
template <class C>
struct ScalarForm {
  using Curve = C;
  using Lanes = scalar_msm::Lanes<C>;
  static constexpr std::size_t width = Lanes::width;
  static constexpr std::size_t scratch_bytes = 2 * sizeof(typename C::Field);

  template <bool source_a, bool source_b>
  static bool add_pairs(const PairBatch& batch) {
    return scalar_msm::add_pairs<Lanes, source_a, source_b>(batch);
  }
  template <bool source>
  static void copy(const u8* base, u32 ref, u8* out) {
    auto p = load_le<typename C::Affine>(base + std::size_t(ref & ~MsmDigits::negative) *
                                                    sizeof(typename C::Affine));
    if (source && (ref & MsmDigits::negative)) p = -p;
    std::memcpy(out, &p, sizeof p);
  }
  static typename C::Affine from_work(const u8* p) { return load_le<typename C::Affine>(p); }
};

}  // namespace vouch
