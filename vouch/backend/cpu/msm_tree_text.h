// The text of add_level, included once per instruction set inside its namespace (no include guard), over L, a
// pack of L::width points (scalar_msm::Lanes shows what L has).
//
// Backward, the product of all x2 - x1, every prefix kept; one inversion; forward, each inverse by two
// products, then the addition. The sums are items again: pair k of an even number becomes item k; of an odd
// number, the first item stays and pair k becomes item k + 1. So a sum never falls on an item that is still
// to be read.
//
// Pairs with an exception in some lane take a path of their own. Where x is equal, the points are equal (then
// 3x^2 / 2y replaces the chord's slope) or opposite (then the sum is infinity, stored as (0, 0), and the
// denominator 1 keeps the shared product invertible); where a lane's list is shorter, or a point is at
// infinity, the sum is the other point.

// A first pass does not look for equal x: a denominator of zero makes the shared product zero, and then the
// pass is done again with care.

template <class L>
struct Exceptions {
  typename L::Point p, q;                // settled; of no use in lanes without that point
  typename L::Mask no_first, no_second;  // lanes without that point
  typename L::Mask tangent, opposite;
};

// lanes: how many have a second point.
template <class L>
__attribute__((noinline)) Exceptions<L> find_exceptions(const typename L::Point& p,
                                                        const typename L::Point& q, u32 lanes) {
  using Mask = typename L::Mask;
  Exceptions<L> e{L::settle(p), L::settle(q), {}, {}, {}, {}};
  e.no_first = L::is_infinity(p);
  e.no_second = Mask(L::is_infinity(q) | ~Mask((u64(1) << lanes) - 1));
  const Mask same_x = Mask(L::is_zero_exact(L::sub(e.q.x, e.p.x)) & ~e.no_first & ~e.no_second);
  e.tangent = L::tangent(same_x, e.p, e.q);
  e.opposite = Mask(same_x & ~e.tangent);
  return e;
}

template <class L>
__attribute__((noinline)) void exceptional_denominator(typename L::Elem& d, const typename L::Point& p,
                                                       const typename L::Point& q, u32 lanes) {
  const Exceptions<L> e = find_exceptions<L>(p, q, lanes);
  d = L::select(e.tangent, L::add(e.p.y, e.p.y), L::sub(e.q.x, e.p.x));
  d = L::select(typename L::Mask(e.no_first | e.no_second | e.opposite), L::one(), d);
}

// Sets `infinity` if any lane's sum is. The sum may take the place of p.
template <class L>
__attribute__((noinline)) void exceptional_sum(typename L::Point& sum, const typename L::Point& p,
                                               const typename L::Point& q, const typename L::Elem& inverse,
                                               u32 lanes, bool& infinity) {
  using Point = typename L::Point;
  const Exceptions<L> e = find_exceptions<L>(p, q, lanes);
  typename L::Elem xx, slope;
  L::mul(xx, e.p.x, e.p.x);
  xx = L::settle(xx);
  const auto rise = L::select(e.tangent, L::add(L::add(xx, xx), xx), L::rise(e.q.y, e.p.y));
  L::mul(slope, rise, inverse);
  L::template third<true>(sum, slope, e.p, e.q);
  sum = L::select(e.no_first, e.q, sum);
  sum = L::select(e.no_second, e.p, sum);
  sum = L::select(typename L::Mask(e.opposite | (e.no_first & e.no_second)), Point{}, sum);
  infinity |= e.opposite != 0;
}

// What the pairs of a step keep between the passes: a denominator each, and products[k], that of the
// denominators from k on.
template <class L>
struct Shared {
  typename L::Elem *denominators, *products;
  u8* exceptional;
  explicit Shared(const MsmStep& step)
      : denominators(static_cast<typename L::Elem*>(step.scratch)),
        products(denominators + step.pair_count),
        exceptional(reinterpret_cast<u8*>(products + step.pair_count + 1)) {}
};

// A group's denominators, from its last pair to its first; `k` is one past the last pair's number.
template <class L, bool fresh, bool source, bool careful>
void multiply_denominators(const MsmStep& step, const MsmGroup& group, std::size_t k, const Shared<L>& shared,
                           typename L::Ahead& ahead) {
  using Point = typename L::Point;
  const auto* const items = reinterpret_cast<const Point*>(group.slots);
  for (u32 at = group.items; at >= 2;) {
    at -= 2, k--;
    const u32* const refs = fresh ? group.refs + at * L::width : nullptr;
    typename L::Elem& d = shared.denominators[k];
    if constexpr (fresh)
      L::template run<true>(d, L::template load_x<source>(step.base, refs + L::width),
                            L::template load_x<source>(step.base, refs));
    else
      L::template run<false>(d, items[at + 1].x, items[at].x);
    bool exceptional = group.with_infinity || group.lanes[at + 1] < L::width;
    if constexpr (careful) exceptional |= L::vanishing(d) != 0;
    shared.exceptional[k] = exceptional;
    if (exceptional) [[unlikely]] {
      if constexpr (fresh)
        exceptional_denominator<L>(d, L::template load<source>(step.base, refs),
                                   L::template load<source>(step.base, refs + L::width), group.lanes[at + 1]);
      else
        exceptional_denominator<L>(d, items[at], items[at + 1], group.lanes[at + 1]);
    }
    L::mul(shared.products[k], d, shared.products[k + 1], ahead);
  }
}

// A group's additions, from its first pair to its last; `k` is the first pair's number. `rest`: one over the
// product of the denominators from k on.
template <class L, bool fresh, bool source>
void add_inverted(const MsmStep& step, MsmGroup& group, std::size_t k, const Shared<L>& shared,
                  typename L::Elem& rest, typename L::Ahead& ahead) {
  using Elem = typename L::Elem;
  using Point = typename L::Point;
  auto* const items = reinterpret_cast<Point*>(group.slots);
  const u32 odd = group.items & 1;
  bool infinity = false;
  if constexpr (fresh) {
    if (odd) items[0] = L::as_sum(L::template load<source>(step.base, group.refs));
  }
  Elem inverse, slope;
  const auto add = [&](Point& sum, const Point& p, const Point& q, u32 lanes) {
    if (shared.exceptional[k]) [[unlikely]]
      return exceptional_sum<L>(sum, p, q, inverse, lanes, infinity);
    L::mul(slope, L::rise(q.y, p.y), inverse, ahead);
    L::template third<fresh>(sum, slope, p, q);
  };
  for (u32 at = odd, to = odd; at + 1 < group.items; at += 2, to++, k++) {
    L::mul(inverse, rest, shared.products[k + 1], ahead);
    L::mul(rest, shared.denominators[k], rest, ahead);
    if constexpr (fresh) {
      const u32* const refs = group.refs + at * L::width;
      add(items[to], L::template load<source>(step.base, refs),
          L::template load<source>(step.base, refs + L::width), group.lanes[at + 1]);
    } else {
      add(items[to], items[at], items[at + 1], group.lanes[at + 1]);
    }
    group.lanes[to] = group.lanes[at];
  }
  group.with_infinity |= infinity;
  group.items = (group.items + 1) / 2;
  group.refs = nullptr;
}

template <class L, bool source, bool careful>
void multiply_all(const MsmStep& step, const Shared<L>& shared, typename L::Ahead& ahead) {
  std::size_t k = step.pair_count;
  shared.products[k] = L::one();
  for (std::size_t g = step.group_count; g-- > 0;) {
    const MsmGroup& group = *step.groups[g];
    if (group.refs)
      multiply_denominators<L, true, source, careful>(step, group, k, shared, ahead);
    else
      multiply_denominators<L, false, source, careful>(step, group, k, shared, ahead);
    k -= group.items / 2;
  }
}

// Halves the lists of every group and stores those of one item. Returns whether any of these may be at
// infinity. Where x was equal in some pair, `step.careful` is set, which saves the next step a futile pass.
template <class L, bool source>
bool add_level(MsmStep& step) {
  const Shared<L> shared(step);
  typename L::Ahead ahead(step);
  if (!step.careful) {
    multiply_all<L, source, false>(step, shared, ahead);
    step.careful = L::vanishing(shared.products[0]) != 0;
  }
  if (step.careful) multiply_all<L, source, true>(step, shared, ahead);
  typename L::Elem rest = shared.products[0];
  if (step.pair_count > 0) rest = L::invert(rest);
  bool infinity = false;
  std::size_t k = 0;
  for (std::size_t g = 0; g < step.group_count; g++) {
    MsmGroup& group = *step.groups[g];
    const std::size_t pairs = group.items / 2;
    if (group.refs)
      add_inverted<L, true, source>(step, group, k, shared, rest, ahead);
    else
      add_inverted<L, false, source>(step, group, k, shared, rest, ahead);
    k += pairs;
    if (group.items > 1) continue;
    L::store(step.base_out, group.out, *reinterpret_cast<const typename L::Point*>(group.slots),
             group.with_infinity);
    infinity |= group.with_infinity;
  }
  return infinity;
}

// What a block of points that are doubled together needs: packs, and two elements and a mask for each.
template <class L>
struct DoublingBlock {
  typename L::Point* points;
  typename L::Elem *denominators, *prefixes;
  typename L::Mask* at_infinity;
  DoublingBlock(void* scratch, std::size_t packs)
      : points(static_cast<typename L::Point*>(scratch)),
        denominators(reinterpret_cast<typename L::Elem*>(points + packs)),
        prefixes(denominators + packs),
        at_infinity(reinterpret_cast<typename L::Mask*>(prefixes + packs)) {}
};

// Takes `count` source points into a block.
template <class L>
void load_block(const u8* base, std::size_t count, void* scratch, std::size_t packs) {
  const DoublingBlock<L> block(scratch, packs);
  u32 refs[L::width];
  for (std::size_t i = 0; i < packs; i++) {
    for (std::size_t lane = 0; lane < L::width; lane++)
      refs[lane] = u32(std::min(count - 1, i * L::width + lane));
    block.points[i] = L::settle(L::template load<true>(base, refs));
  }
}

// Doubles every point of a block so many times, and stores them in work form. One inversion a time; where 2 y
// is zero the double is infinity, which covers infinity itself, as (0, 0).
template <class L>
void double_block(void* scratch, std::size_t packs, int times, u8* work) {
  using Elem = typename L::Elem;
  using Point = typename L::Point;
  const DoublingBlock<L> block(scratch, packs);
  for (int time = 0; time < times; time++) {
    Elem product = L::one();
    for (std::size_t i = 0; i < packs; i++) {
      Elem& d = block.denominators[i];
      d = L::add(block.points[i].y, block.points[i].y);
      block.at_infinity[i] = L::is_zero_exact(d);
      if (block.at_infinity[i]) [[unlikely]]
        d = L::select(block.at_infinity[i], L::one(), d);
      block.prefixes[i] = product;
      L::mul(product, d, product);
    }
    product = L::invert(product);
    for (std::size_t i = packs; i-- > 0;) {
      Elem inverse, xx, slope;
      L::mul(inverse, product, block.prefixes[i]);
      L::mul(product, block.denominators[i], product);
      Point& p = block.points[i];
      L::mul(xx, p.x, p.x);
      xx = L::settle(xx);
      L::mul(slope, L::add(L::add(xx, xx), xx), inverse);
      L::template third<true>(p, slope, p, p);
      p = L::settle(p);
      if (block.at_infinity[i]) [[unlikely]]
        p = L::select(block.at_infinity[i], Point{}, p);
    }
  }
  u32 out[L::width];
  for (std::size_t i = 0; i < packs; i++) {
    for (std::size_t lane = 0; lane < L::width; lane++) out[lane] = u32(i * L::width + lane);
    L::store(work, out, block.points[i], true);
  }
}
