// The text of add_pairs, included once per instruction set inside its namespace (no include guard), over L, a
// pack of L::width points (scalar_msm::Lanes shows what L has).
//
// Forward, the product of all x2 - x1, every prefix kept; one inversion; backward, each inverse by two
// products, then the addition. The products run in L::chains independent chains, so that their latencies
// overlap. Where x is equal, the points are equal (then 3x^2 / 2y replaces the chord's slope) or opposite
// (then the sum is stored as infinity, with the denominator 1 to keep the shared product invertible).

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

// The first pass; returns whether any lane had equal x.
template <class L, bool source>
bool multiply_denominators(const PairBatch& batch, typename L::Elem* denominators, typename L::Elem* prefixes,
                           typename L::Elem* products) {
  using Elem = typename L::Elem;
  using Mask = typename L::Mask;
  bool exceptional = false;
  const std::size_t n = batch.count / L::width;
  for (std::size_t k = 0; k < n; k++) {
    const u32 *const a = batch.a + k * L::width, *const b = batch.b + k * L::width;
    Elem d = L::sub(L::template load_x<source>(batch.base, b), L::template load_x<source>(batch.base, a));
    if (const Mask same_x = L::template is_zero<source>(d); same_x) [[unlikely]] {
      const auto p = L::template load<source>(batch.base, a), q = L::template load<source>(batch.base, b);
      d = L::select(same_x, L::select(L::tangent(same_x, p, q), L::add(p.y, p.y), L::one()), d);
      exceptional = true;
    }
    Elem& product = products[k % L::chains];
    denominators[k] = d;
    prefixes[k] = product;
    product = L::mul(d, product);
  }
  return exceptional;
}

// The second pass, with `exceptional` for a batch in which some lane had equal x. Returns whether any sum is
// at infinity.
template <class L, bool source, bool exceptional>
bool add_inverted(const PairBatch& batch, const typename L::Elem* denominators,
                  const typename L::Elem* prefixes, typename L::Elem* products) {
  using Elem = typename L::Elem;
  using Mask = typename L::Mask;
  Mask infinity{};
  for (std::size_t k = batch.count / L::width; k-- > 0;) {
    const auto p = L::template load<source>(batch.base, batch.a + k * L::width);
    const auto q = L::template load<source>(batch.base, batch.b + k * L::width);
    Elem& product = products[k % L::chains];
    const Elem inverse = L::mul(product, prefixes[k]);
    product = L::mul(denominators[k], product);
    Elem rise = L::sub(q.y, p.y);
    Mask vanishing{};
    if constexpr (exceptional) {
      if (const Mask same_x = L::template is_zero<source>(L::sub(q.x, p.x)); same_x) {
        const Mask tangent = L::tangent(same_x, p, q);
        const Elem xx = L::sqr(p.x);
        rise = L::select(tangent, L::add(L::add(xx, xx), xx), rise);
        vanishing = Mask(same_x & ~tangent);
        infinity = Mask(infinity | vanishing);
      }
    }
    auto sum = L::third(L::mul(rise, inverse), p, q);
    if (exceptional && vanishing) sum = L::clear(vanishing, sum);
    L::store(batch.out + k * L::width, sum);
  }
  return infinity != Mask{};
}

// Returns whether any sum is at infinity.
template <class L, bool source>
bool add_pairs(const PairBatch& batch) {
  using Elem = typename L::Elem;
  Elem* const denominators = static_cast<Elem*>(batch.scratch);
  Elem* const prefixes = denominators + batch.count / L::width;
  Elem products[L::chains];
  for (Elem& product : products) product = L::one();
  const bool exceptional = multiply_denominators<L, source>(batch, denominators, prefixes, products);
  invert_chains<L>(products);
  return exceptional ? add_inverted<L, source, true>(batch, denominators, prefixes, products)
                     : add_inverted<L, source, false>(batch, denominators, prefixes, products);
}
