// The text of add_pairs, included once per instruction set inside its namespace (no include guard), over L, a
// pack of L::width field elements.
//
// Forward, the product of all x2 - x1, every prefix kept; one inversion; backward, each inverse by two
// products, then the addition. The products run in L::chains independent chains, so that their latencies
// overlap. Where x is equal, the points are equal (then 3x^2 / 2y replaces the chord's slope) or opposite
// (then the sum is stored as infinity, with the denominator 1 to keep the shared product invertible).

template <class L>
inline typename L::Mask tangent_lanes(typename L::Mask same_x, const typename L::Point& p,
                                      const typename L::Point& q) {
  return typename L::Mask(same_x & L::equal(p.y, q.y) & ~L::equal(p.y, L::zero()));
}

// Inverts the chains' products with one inversion.
template <class L>
inline void invert_chains(typename L::Elem* products) {
  typename L::Elem before[L::chains], all = products[0];
  for (std::size_t j = 1; j < L::chains; j++) {
    before[j] = all;
    all = L::mul(all, products[j]);
  }
  all = L::invert(all);
  for (std::size_t j = L::chains; j-- > 1;) {
    const typename L::Elem product = products[j];
    products[j] = L::mul(all, before[j]);
    all = L::mul(all, product);
  }
  products[0] = all;
}

// Returns whether any sum is at infinity.
template <class L, bool source>
bool add_pairs(const PairBatch& batch) {
  using Elem = typename L::Elem;
  using Mask = typename L::Mask;
  const std::size_t n = batch.count / L::width;
  Elem* const denominators = static_cast<Elem*>(batch.scratch);
  Elem* const prefixes = denominators + n;

  Elem products[L::chains];
  for (Elem& product : products) product = L::one();
  for (std::size_t k = 0; k < n; k++) {
    const auto p = L::template load<source>(batch.base, batch.a + k * L::width);
    const auto q = L::template load<source>(batch.base, batch.b + k * L::width);
    Elem d = L::sub(q.x, p.x);
    if (const Mask same_x = L::equal(p.x, q.x); same_x) [[unlikely]] {
      const Mask tangent = tangent_lanes<L>(same_x, p, q);
      d = L::select(same_x, L::select(tangent, L::add(p.y, p.y), L::one()), d);
    }
    Elem& product = products[k % L::chains];
    denominators[k] = d;
    prefixes[k] = product;
    product = L::mul(product, d);
  }
  invert_chains<L>(products);

  Mask infinity{};
  for (std::size_t k = n; k-- > 0;) {
    const auto p = L::template load<source>(batch.base, batch.a + k * L::width);
    const auto q = L::template load<source>(batch.base, batch.b + k * L::width);
    Elem& product = products[k % L::chains];
    const Elem inverse = L::mul(product, prefixes[k]);
    product = L::mul(product, denominators[k]);
    Elem rise = L::sub(q.y, p.y);
    Mask vanishing{};
    if (const Mask same_x = L::equal(p.x, q.x); same_x) [[unlikely]] {
      const Mask tangent = tangent_lanes<L>(same_x, p, q);
      const Elem xx = L::sqr(p.x);
      rise = L::select(tangent, L::add(L::add(xx, xx), xx), rise);
      vanishing = Mask(same_x & ~tangent);
      infinity = Mask(infinity | vanishing);
    }
    const auto sum = L::third(L::mul(rise, inverse), p, q);
    L::store(batch.out + k * L::width, vanishing ? L::clear(vanishing, sum) : sum);
  }
  return infinity != Mask{};
}
