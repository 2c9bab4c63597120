#include "vouch/whir/cost.h"

#include <cmath>

#include "vouch/backend/backend.h"
#include "vouch/hash/poseidon2.h"
#include "vouch/whir/memory.h"

namespace vouch::whir {
namespace {

// x^7 takes 4 products and x^3 takes 2; 9 entries of the internal diagonal take none.
template <class F, int W>
double permutation_products() {
  const int sbox = poseidon2_alpha<F> == 7 ? 4 : 2;
  return 8 * W * sbox + Poseidon2<F, W>::partial_rounds() * (sbox + W - 9);
}
template <int W>
double permutation_products(FieldId field) {
  return field == FieldId::baby_bear ? permutation_products<BabyBear, W>()
                                     : permutation_products<KoalaBear, W>();
}

double expected_tries(int bits) {
  return bits > 0 ? std::ldexp(1.0, bits) : 0;
}

// A codeword of 2^log_rows rows: half a butterfly a value and level, and as much again for every third
// level's twiddles.
double transform_products(int log_rows, double words) {
  return std::ldexp(words, log_rows) * log_rows * 0.67;
}

double grinding(const Config& c) {
  double tries = c.folding[0] * expected_tries(c.fold_pow_bits) + expected_tries(c.final_pow_bits) +
                 c.final_sumcheck_rounds * expected_tries(c.final_fold_pow_bits);
  for (std::size_t i = 0; i < c.rounds.size(); i++)
    tries +=
        expected_tries(c.rounds[i].pow_bits) + c.folding[i + 1] * expected_tries(c.rounds[i].fold_pow_bits);
  return tries;
}

}  // namespace

double estimated_products(const Setup& setup) {
  const Params& p = setup.params();
  const Config& c = setup.config();
  const double degree = p.degree;
  // Nodes are fewer than leaves' blocks, mostly: all permutations count as those of leaves.
  const double leaf =
      p.hashing.leaf_width == 24 ? permutation_products<24>(p.field) : permutation_products<16>(p.field);
  double products = double(tree_permutations(setup)) * leaf + grinding(c) * permutation_products<16>(p.field);
  for (std::size_t i = 0; i < c.folding.size(); i++)
    products += transform_products(c.log_height(i), std::ldexp(i ? degree : 1, c.folding[i]));
  // Claims on f and its fold: base values times extension weights.
  double claims = c.ood_samples + 1;
  for (const BatchRef& b : batches(setup)) claims += double(b.batch->current.size() + b.batch->next.size());
  products += std::ldexp(claims * degree, c.variables);
  // Then extension values: a claim is a product of elements for each, a query is `degree` products for each,
  // and the rounds are about four products of elements.
  for (const RoundConfig& r : c.rounds)
    products += std::ldexp((r.ood_samples + 4) * degree * degree + r.queries * degree, r.variables);
  return products;
}

double estimated_seconds(const Setup& setup) {
  return estimated_products(setup) / thread_products31;
}

}  // namespace vouch::whir
