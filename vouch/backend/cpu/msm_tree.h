// Sums of many short lists of points, a list per lane: what is handed to a form of arithmetic, and the plain
// form.
//
// A group is as many lists as a form has lanes, of about the same length. A level halves the lists of a
// group: it adds their points in pairs, lane by lane, and all pairs of all groups of a step share one
// inversion. Between levels points stay in the form's own registers' layout, so only first points are
// gathered, and only sums are stored.
#pragma once

#include <algorithm>

#include "vouch/backend/cpu/msm_digits.h"
#include "vouch/core/bytes.h"
#include "vouch/core/simd.h"
#include "vouch/field/inverse.h"

namespace vouch {

struct MsmGroup {
  static constexpr u32 max_items = 16;
  u32 items = 0;               // of the longest list, now
  u32 lanes[max_items] = {};   // how many lists have more than k items; they are the first lanes
  const u32* refs = nullptr;   // [item][lane], of lists that no level has halved yet, else null
  const u32* out = nullptr;    // [lane], where the sums go
  u8* slots = nullptr;         // room for max_items / 2 points a lane, aligned to 64 bytes
  bool with_infinity = false;  // some item may be at infinity, as (0, 0)
};

// One level of several groups. Point of ref r: at the base + (r without MsmDigits::negative) * the size of a
// point.
struct MsmStep {
  const u8* base = nullptr;  // of the groups' refs
  u8* base_out = nullptr;    // aligned to 64 bytes
  MsmGroup* const* groups = nullptr;
  std::size_t group_count = 0;
  std::size_t pair_count = 0;  // of all groups: items / 2 each
  void* scratch = nullptr;     // two elements and a byte a pair and one element more, aligned to 64 bytes
  bool careful = false;        // x may be equal in some pair
  // Points of the next step's groups, which are fetched into the cache meanwhile; there is room for 16 more.
  const u32* ahead = nullptr;
  std::size_t ahead_count = 0;
};

// What was done: for benchmarks.
struct MsmCounts {
  u64 additions = 0;  // of points
  u64 lanes = 0;      // the same, and lanes that had nothing to add
  u64 steps = 0;      // inversions
  void operator+=(const MsmCounts& c) { additions += c.additions, lanes += c.lanes, steps += c.steps; }
};

// Points that are fetched into the cache meanwhile: a few before each of the four products of a pair that
// take one of these, because the processor waits when it has more than a dozen fetches under way. (Between a
// product's own instructions they cost it its registers, and 1.6 times the time.) lanes: points a pack;
// bytes: of a point.
template <std::size_t lanes, std::size_t bytes>
class MsmAhead {
 public:
  // Lists of four points and more ask for no more than five for every four additions.
  static constexpr int refs = (5 * int(lanes) + 15) / 16;

  explicit MsmAhead(const MsmStep& step)
      : base_(step.base),
        refs_(step.ahead),
        last_(step.ahead + (step.ahead_count > refs ? step.ahead_count - refs : 0)),
        straddle_(reinterpret_cast<std::uintptr_t>(step.base) % 64 == 0 ? 0 : bytes - 1) {}

  VOUCH_INLINE void fetch() {
    for (int i = 0; i < refs; i++) {
      const u8* const p = base_ + std::size_t(refs_[i] & ~MsmDigits::negative) * bytes;
      for (std::size_t at = 0; at < bytes; at += 64) __builtin_prefetch(p + at, 0, 2);
      // Points that are not aligned to cache lines take one line more.
      if (straddle_) __builtin_prefetch(p + straddle_, 0, 2);
    }
    refs_ = std::min(refs_ + refs, last_);
  }

 private:
  const u8* base_;
  const u32 *refs_, *last_;
  std::size_t straddle_;
};

namespace scalar_msm {

// Plain arithmetic on the curve C, on four points at a time: one addition is a chain of products that wait
// for one another, and several chains fill the multiplier. Work form is the caller's form.
template <class C>
struct Lanes {
  using Field = typename C::Field;
  using Affine = typename C::Affine;
  using Mask = unsigned;  // one bit per lane
  static constexpr std::size_t width = 4, bytes = sizeof(Affine);
  struct Elem {
    Field v[width];
  };
  struct Point {
    Elem x, y;
  };

  template <class F>
  static Elem each(F&& f) {
    Elem r;
    for (std::size_t i = 0; i < width; i++) r.v[i] = f(i);
    return r;
  }
  template <class F>
  static Mask where(F&& f) {
    Mask m = 0;
    for (std::size_t i = 0; i < width; i++) m |= Mask(f(i)) << i;
    return m;
  }
  static Elem one() {
    return each([](std::size_t) { return Field::one(); });
  }
  static Elem invert(const Elem& a) {
    Elem before;
    Field product = Field::one();
    for (std::size_t i = 0; i < width; i++) before.v[i] = product, product *= a.v[i];
    product = inverse_vartime(product);
    for (std::size_t i = width; i-- > 0;) before.v[i] *= product, product *= a.v[i];
    return before;
  }
  // Not inlined: the code of all products of an addition would crowd out the instruction cache.
  static __attribute__((noinline)) void mul(Elem& r, const Elem& a, const Elem& b) {
    r = each([&](std::size_t i) { return a.v[i] * b.v[i]; });
  }
  using Ahead = MsmAhead<width, bytes>;
  static void mul(Elem& r, const Elem& a, const Elem& b, Ahead& ahead) {
    ahead.fetch();
    mul(r, a, b);
  }
  static __attribute__((noinline)) void sqr(Elem& r, const Elem& a) {
    r = each([&](std::size_t i) { return a.v[i].square(); });
  }
  static Elem add(const Elem& a, const Elem& b) {
    return each([&](std::size_t i) { return a.v[i] + b.v[i]; });
  }
  static Elem sub(const Elem& a, const Elem& b) {
    return each([&](std::size_t i) { return a.v[i] - b.v[i]; });
  }
  template <bool first>  // of x, as a factor
  static void run(Elem& r, const Elem& a, const Elem& b) {
    r = sub(a, b);
  }
  static Elem rise(const Elem& a, const Elem& b) { return sub(a, b); }  // of y, as a factor
  static Elem select(Mask m, const Elem& a, const Elem& b) {
    return each([&](std::size_t i) { return m >> i & 1 ? a.v[i] : b.v[i]; });
  }
  static Point select(Mask m, const Point& a, const Point& b) {
    return {select(m, a.x, b.x), select(m, a.y, b.y)};
  }
  static Mask is_zero_exact(const Elem& a) {
    return where([&](std::size_t i) { return a.v[i].is_zero(); });
  }
  static Mask vanishing(const Elem& factors) { return is_zero_exact(factors); }
  // Of the lanes in which x is equal: those in which the line through the points is a tangent.
  static Mask tangent(Mask same_x, const Point& p, const Point& q) {
    return same_x & where([&](std::size_t i) { return p.y.v[i] == q.y.v[i] && !p.y.v[i].is_zero(); });
  }
  static Mask is_infinity(const Point& p) { return is_zero_exact(p.x) & is_zero_exact(p.y); }

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
  static const Point& as_sum(const Point& p) { return p; }
  // As fully reduced as exceptions need it.
  static Elem settle(const Elem& a) { return a; }
  static Point settle(const Point& p) { return p; }
  static void store(u8* base, const u32* out, const Point& p, bool /*infinity*/) {
    for (std::size_t i = 0; i < width; i++) {
      const Affine a{p.x.v[i], p.y.v[i]};
      std::memcpy(base + std::size_t(out[i]) * bytes, &a, bytes);
    }
  }

  // The third point of the line of this slope through p and q, reflected; it may take the place of p.
  template <bool first>
  static void third(Point& sum, const Elem& slope, const Point& p, const Point& q) {
    Elem square, product;
    sqr(square, slope);
    const Elem x = sub(sub(square, p.x), q.x);
    mul(product, sub(p.x, x), slope);
    sum.y = sub(product, p.y);
    sum.x = x;
  }
};

#include "vouch/backend/cpu/msm_tree_text.h"

}  // namespace scalar_msm

// A form of arithmetic for MsmKernel.
template <class C>
struct ScalarForm {
  using Curve = C;
  using Lanes = scalar_msm::Lanes<C>;
  static constexpr std::size_t width = Lanes::width;
  static constexpr std::size_t element_bytes = sizeof(typename Lanes::Elem);
  static constexpr std::size_t step_pairs = 1024;

  template <bool source>
  static bool add_level(MsmStep& step) {
    return scalar_msm::add_level<Lanes, source>(step);
  }
  static void load_block(const u8* points, std::size_t count, void* scratch, std::size_t packs) {
    scalar_msm::load_block<Lanes>(points, count, scratch, packs);
  }
  static void double_block(void* scratch, std::size_t packs, int times, u8* work) {
    scalar_msm::double_block<Lanes>(scratch, packs, times, work);
  }
  static typename C::Affine from_work(const u8* p) { return load_le<typename C::Affine>(p); }
};

}  // namespace vouch
