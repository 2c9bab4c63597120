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
template <class L, bool source_a, bool source_b>
bool multiply_denominators(const PairBatch& batch, typename L::Elem* denominators, typename L::Elem* prefixes,
                           typename L::Elem* products) {
  using Elem = typename L::Elem;
  using Mask = typename L::Mask;
  bool exceptional = false;
  const std::size_t n = batch.count / L::width;
  for (std::size_t k = 0; k < n; k++) {
    prefetch_part<L::bytes>(batch, k, 2 * n);
    const u32 *const a = batch.a + k * L::width, *const b = batch.b + k * L::width;
    Elem d =
        L::sub(L::template load_x<source_b>(batch.base_b, b), L::template load_x<source_a>(batch.base_a, a));
    if (const Mask same_x = L::template is_zero<source_a, source_b>(d); same_x) [[unlikely]] {
      const auto p = L::template load<source_a>(batch.base_a, a),
                 q = L::template load<source_b>(batch.base_b, b);
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
template <class L, bool source_a, bool source_b, bool exceptional>
bool add_inverted(const PairBatch& batch, const typename L::Elem* denominators,
                  const typename L::Elem* prefixes, typename L::Elem* products) {
  using Elem = typename L::Elem;
  using Mask = typename L::Mask;
  Mask infinity{};
  const std::size_t n = batch.count / L::width;
  for (std::size_t k = n; k-- > 0;) {
    prefetch_part<L::bytes>(batch, n + k, 2 * n);
    const auto p = L::template load<source_a>(batch.base_a, batch.a + k * L::width);
    const auto q = L::template load<source_b>(batch.base_b, batch.b + k * L::width);
    Elem& product = products[k % L::chains];
    const Elem inverse = L::mul(product, prefixes[k]);
    product = L::mul(denominators[k], product);
    Elem rise = L::sub(q.y, p.y);
    Mask vanishing{};
    if constexpr (exceptional) {
      if (const Mask same_x = L::template is_zero<source_a, source_b>(L::sub(q.x, p.x)); same_x) {
        const Mask tangent = L::tangent(same_x, p, q);
        const Elem xx = L::sqr(p.x);
        rise = L::select(tangent, L::add(L::add(xx, xx), xx), rise);
        vanishing = Mask(same_x & ~tangent);
        infinity = Mask(infinity | vanishing);
      }
    }
    auto sum = L::third(L::mul(rise, inverse), p, q);
    if (exceptional && vanishing) sum = L::clear(vanishing, sum);
    L::store(batch.base_out, batch.out + k * L::width, sum);
  }
  return infinity != Mask{};
}

// Returns whether any sum is at infinity.
template <class L, bool source_a, bool source_b>
bool add_pairs(const PairBatch& batch) {
  using Elem = typename L::Elem;
  Elem* const denominators = static_cast<Elem*>(batch.scratch);
  Elem* const prefixes = denominators + batch.count / L::width;
  Elem products[L::chains];
  for (Elem& product : products) product = L::one();
  const bool exceptional =
      multiply_denominators<L, source_a, source_b>(batch, denominators, prefixes, products);
  invert_chains<L>(products);
  return exceptional ? add_inverted<L, source_a, source_b, true>(batch, denominators, prefixes, products)
                     : add_inverted<L, source_a, source_b, false>(batch, denominators, prefixes, products);
}
