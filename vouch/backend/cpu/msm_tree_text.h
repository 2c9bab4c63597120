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

template <class L>
struct Exceptions {
  typename L::Mask no_first, no_second;  // lanes without that point
  typename L::Mask tangent, opposite;
};

// lanes: how many have a second point.
template <class L>
__attribute__((noinline)) Exceptions<L> find_exceptions(const typename L::Point& p,
                                                        const typename L::Point& q,
                                                        const typename L::Elem& difference, u32 lanes) {
  using Mask = typename L::Mask;
  Exceptions<L> e;
  const Mask second = Mask((u64(1) << lanes) - 1);
  e.no_first = L::is_infinity(p);
  e.no_second = Mask(L::is_infinity(q) | ~second);
  const Mask same_x = Mask(L::is_zero_exact(difference) & ~e.no_first & ~e.no_second);
  e.tangent = L::tangent(same_x, p, q);
  e.opposite = Mask(same_x & ~e.tangent);
  return e;
}

template <class L>
__attribute__((noinline)) typename L::Elem exceptional_denominator(const typename L::Point& p,
                                                                   const typename L::Point& q,
                                                                   const typename L::Elem& difference,
                                                                   u32 lanes) {
  const Exceptions<L> e = find_exceptions<L>(p, q, difference, lanes);
  const auto d = L::select(e.tangent, L::add(p.y, p.y), difference);
  return L::select(typename L::Mask(e.no_first | e.no_second | e.opposite), L::one(), d);
}

// Sets `infinity` if any lane's sum is.
template <class L>
__attribute__((noinline)) typename L::Point exceptional_sum(const typename L::Point& p,
                                                            const typename L::Point& q,
                                                            const typename L::Elem& inverse, u32 lanes,
                                                            bool& infinity) {
  using Point = typename L::Point;
  const Exceptions<L> e = find_exceptions<L>(p, q, L::sub(q.x, p.x), lanes);
  const auto xx = L::sqr(p.x);
  const auto rise = L::select(e.tangent, L::add(L::add(xx, xx), xx), L::rise(q.y, p.y));
  Point sum = L::third(L::mul(rise, inverse), p, q);
  sum = L::select(e.no_first, L::settle(q), sum);
  sum = L::select(e.no_second, L::settle(p), sum);
  sum = L::select(typename L::Mask(e.opposite | (e.no_first & e.no_second)), Point{}, sum);
  infinity |= e.opposite != 0;
  return sum;
}

// A group's denominators, from its last pair to its first; `k` is one past the last pair's number.
template <class L, bool fresh, bool source>
void multiply_denominators(const MsmStep& step, const MsmGroup& group, std::size_t k,
                           typename L::Elem* denominators, typename L::Elem* prefixes, u8* exceptional,
                           typename L::Elem& product) {
  using Elem = typename L::Elem;
  using Point = typename L::Point;
  const auto* const items = reinterpret_cast<const Point*>(group.slots);
  for (u32 at = group.items; at >= 2;) {
    at -= 2, k--;
    prefetch_part<L::bytes>(step, k, 0);
    const u32* const refs = fresh ? group.refs + at * L::width : nullptr;
    Elem& d = denominators[k];
    if constexpr (fresh)
      d = L::sub(L::template load_x<source>(step.base, refs + L::width),
                 L::template load_x<source>(step.base, refs));
    else
      d = L::sub(items[at + 1].x, items[at].x);
    prefetch_part<L::bytes>(step, k, 1);
    exceptional[k] = group.with_infinity || group.lanes[at + 1] < L::width ||
                     L::template is_zero < fresh && source > (d) != 0;
    if (exceptional[k]) [[unlikely]] {
      if constexpr (fresh)
        d = exceptional_denominator<L>(L::template load<source>(step.base, refs),
                                       L::template load<source>(step.base, refs + L::width), d,
                                       group.lanes[at + 1]);
      else
        d = exceptional_denominator<L>(items[at], items[at + 1], d, group.lanes[at + 1]);
    }
    prefixes[k] = product;
    prefetch_part<L::bytes>(step, k, 2);
    product = L::mul(d, product);
    prefetch_part<L::bytes>(step, k, 3);
  }
}

// A group's additions, from its first pair to its last; `k` is the first pair's number.
template <class L, bool fresh, bool source>
void add_inverted(const MsmStep& step, MsmGroup& group, std::size_t k, const typename L::Elem* denominators,
                  const typename L::Elem* prefixes, const u8* exceptional, typename L::Elem& product) {
  using Elem = typename L::Elem;
  using Point = typename L::Point;
  auto* const items = reinterpret_cast<Point*>(group.slots);
  const u32 odd = group.items & 1;
  bool infinity = false;
  if constexpr (fresh) {
    if (odd) items[0] = L::settle(L::template load<source>(step.base, group.refs));
  }
  for (u32 at = odd, to = odd; at + 1 < group.items; at += 2, to++, k++) {
    prefetch_part<L::bytes>(step, step.pair_count + k, 0);
    const Elem inverse = L::mul(product, prefixes[k]);
    prefetch_part<L::bytes>(step, step.pair_count + k, 1);
    product = L::mul(denominators[k], product);
    prefetch_part<L::bytes>(step, step.pair_count + k, 2);
    const auto add = [&](const Point& p, const Point& q) {
      if (exceptional[k]) [[unlikely]]
        items[to] = exceptional_sum<L>(p, q, inverse, group.lanes[at + 1], infinity);
      else
        items[to] = L::third(L::mul(L::rise(q.y, p.y), inverse), p, q);
    };
    if constexpr (fresh) {
      const u32* const refs = group.refs + at * L::width;
      add(L::template load<source>(step.base, refs), L::template load<source>(step.base, refs + L::width));
    } else {
      add(items[at], items[at + 1]);
    }
    group.lanes[to] = group.lanes[at];
    prefetch_part<L::bytes>(step, step.pair_count + k, 3);
  }
  group.with_infinity |= infinity;
  group.items = (group.items + 1) / 2;
  group.refs = nullptr;
}

// Halves the lists of every group and stores those of one item. Returns whether any of these may be at
// infinity.
template <class L, bool source>
bool add_level(const MsmStep& step) {
  using Elem = typename L::Elem;
  Elem* const denominators = static_cast<Elem*>(step.scratch);
  Elem* const prefixes = denominators + step.pair_count;
  u8* const exceptional = reinterpret_cast<u8*>(prefixes + step.pair_count);
  Elem product = L::one();
  std::size_t k = step.pair_count;
  for (std::size_t g = step.group_count; g-- > 0;) {
    const MsmGroup& group = *step.groups[g];
    if (group.refs)
      multiply_denominators<L, true, source>(step, group, k, denominators, prefixes, exceptional, product);
    else
      multiply_denominators<L, false, source>(step, group, k, denominators, prefixes, exceptional, product);
    k -= group.items / 2;
  }
  if (step.pair_count > 0) product = L::invert(product);
  bool infinity = false;
  for (std::size_t g = 0; g < step.group_count; g++) {
    MsmGroup& group = *step.groups[g];
    const std::size_t pairs = group.items / 2;
    if (group.refs)
      add_inverted<L, true, source>(step, group, k, denominators, prefixes, exceptional, product);
    else
      add_inverted<L, false, source>(step, group, k, denominators, prefixes, exceptional, product);
    k += pairs;
    if (group.items > 1) continue;
    L::store(step.base_out, group.out, *reinterpret_cast<const typename L::Point*>(group.slots));
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
      product = L::mul(d, product);
    }
    product = L::invert(product);
    for (std::size_t i = packs; i-- > 0;) {
      const Elem inverse = L::mul(product, block.prefixes[i]);
      product = L::mul(block.denominators[i], product);
      Point& p = block.points[i];
      const Elem xx = L::sqr(p.x);
      p = L::third(L::mul(L::add(L::add(xx, xx), xx), inverse), p, p);
      if (block.at_infinity[i]) [[unlikely]]
        p = L::select(block.at_infinity[i], Point{}, p);
    }
  }
  u32 out[L::width];
  for (std::size_t i = 0; i < packs; i++) {
    for (std::size_t lane = 0; lane < L::width; lane++) out[lane] = u32(i * L::width + lane);
    L::store(work, out, block.points[i]);
  }
}
