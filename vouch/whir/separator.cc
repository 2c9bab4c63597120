// Section 7: the domain separator documents the shape of a run as a list of field elements. It lists grinding
// after the folding challenge although the protocol grinds before it; that is how it is defined.
#include <algorithm>
#include <bit>

#include "vouch/whir/params.h"

namespace vouch::whir {
namespace {

enum class Sample : unsigned {
  initial_combination,
  folding,
  combination,
  stir_queries,
  final_queries,
  pow,
  ood,
  checkpoint
};
enum class Observe : unsigned { merkle_digest, ood_answers, sumcheck_poly, final_coeffs, pow_nonce, param };
enum class Hint : unsigned { stir_queries, stir_answers, merkle_proof, deferred_weights };

class Separator {
 public:
  void add(Sample label, std::uint32_t count) { entry(0, unsigned(label), count); }
  void add(Observe label, std::uint32_t count) { entry(1, unsigned(label), count); }
  void add(Hint label) { entry(2, unsigned(label), 0); }
  void param(int value) {
    add(Observe::param, 0);
    out.push_back(std::uint32_t(value));
  }
  void pow(int bits) {
    if (bits == 0) return;
    add(Sample::pow, 32);
    add(Observe::pow_nonce, 8);
  }
  void ood(int samples) {
    if (samples == 0) return;
    add(Sample::ood, std::uint32_t(samples));
    add(Observe::ood_answers, std::uint32_t(samples));
  }
  void sumcheck(int rounds, int pow_bits) {
    for (int i = 0; i < rounds; i++) {
      add(Observe::sumcheck_poly, 2);
      add(Sample::folding, 1);
      pow(pow_bits);
    }
  }
  std::vector<std::uint32_t> out;

 private:
  void entry(std::uint32_t tag, std::uint32_t label, std::uint32_t count) {
    out.push_back(tag << 24 | label << 16 | count);
  }
};

// ceil(floor(log2(2d - 1)) / 8) for d = 2^log_d: the floor is log_d.
std::uint32_t query_bytes(int log_d) {
  return std::uint32_t(log_d + 7) / 8;
}

void add_params(Separator& s, const Params& p, const Config& c) {
  s.param(c.variables);
  s.param(p.security);
  s.param(p.log_inv_rate);
  s.param(p.pow_bits);
  s.param(int(c.rounds.size()));
  for (const RoundConfig& r : c.rounds) s.param(r.log_inv_rate);
  s.param(int(p.soundness));
  s.param(int(p.folding.rule));
  if (p.folding.rule == Folding::Rule::per_round) s.param(int(p.folding.factors.size()));
  for (int k : p.folding.factors) s.param(k);
}

}  // namespace

std::vector<std::uint32_t> domain_separator(const Params& p, const Config& c) {
  Separator s;
  add_params(s, p, c);
  s.add(Observe::merkle_digest, 8);
  s.ood(c.ood_samples);
  s.add(Sample::initial_combination, 1);
  s.sumcheck(c.folding[0], c.fold_pow_bits);
  for (std::size_t i = 0; i < c.rounds.size(); i++) {
    const RoundConfig& r = c.rounds[i];
    s.add(Observe::merkle_digest, 8);
    s.ood(r.ood_samples);
    s.pow(r.pow_bits);
    s.add(Sample::checkpoint, 1);
    s.add(Sample::stir_queries, std::uint32_t(r.queries) * query_bytes(c.log_height(i)));
    s.add(Hint::stir_queries);
    s.add(Hint::merkle_proof);
    s.add(Sample::combination, 1);
    s.sumcheck(c.folding[i + 1], r.fold_pow_bits);
  }
  s.add(Observe::final_coeffs, 1u << c.final_sumcheck_rounds);
  s.pow(c.final_pow_bits);
  s.add(Sample::final_queries, query_bytes(c.log_height(c.rounds.size())) * std::uint32_t(c.final_queries));
  s.add(Hint::stir_answers);
  s.add(Hint::merkle_proof);
  s.sumcheck(c.final_sumcheck_rounds, c.final_fold_pow_bits);
  s.add(Hint::deferred_weights);
  return std::move(s.out);
}

}  // namespace vouch::whir
