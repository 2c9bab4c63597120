// Section 6 of the protocol, in IEEE doubles and in the order of operations it gives: the ceilings must come
// out the same as everybody else's.
#include "vouch/whir/params.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace vouch::whir {
namespace {

constexpr int direct_send = 6;  // stop folding when at most this many variables are left
constexpr int max_variables = 40;
constexpr int max_rate = 20;
constexpr int max_security = 256;

Error invalid(std::string what) {
  return {Code::invalid_argument, "whir parameters: " + std::move(what)};
}

// Section 6.3. d: number of variables, r: log-inverse rate.
struct Errors {
  Soundness soundness;
  double security;
  double beta;  // bits of the extension field

  static constexpr double log2_10 = 3.32192809488736234787031942948939018;

  double log_one_minus_delta(double r) const {
    switch (soundness) {
      case Soundness::unique_decoding:
        return std::log2(1 + std::pow(2.0, -r)) - 1;
      case Soundness::johnson_bound:
        return std::log2(21.0 / 20) - 0.5 * r;
      case Soundness::capacity_bound:
        break;
    }
    return std::log2(21.0 / 20) - r;
  }
  double log_eta(double r) const {
    return soundness == Soundness::johnson_bound ? -(0.5 * r + log2_10 + 1) : -(r + log2_10 + 1);
  }
  double list_size(double d, double r) const {
    switch (soundness) {
      case Soundness::unique_decoding:
        return 0;
      case Soundness::johnson_bound:
        return r / 2 - (1 + log_eta(r));
      case Soundness::capacity_bound:
        break;
    }
    return (d + r) - log_eta(r);
  }
  double proximity_gap(double d, double r) const {
    switch (soundness) {
      case Soundness::unique_decoding:
        return beta - (d + r);
      case Soundness::johnson_bound:
        return beta - ((d + r) + std::log2(2 * std::pow(10.5, 5) / 3) + 1.5 * r);
      case Soundness::capacity_bound:
        break;
    }
    return beta - ((d + 2 * r) - log_eta(r));
  }
  Result<int> ood_samples(double d, double r) const {
    if (soundness == Soundness::unique_decoding) return 0;
    for (int s = 1; s < 64; s++)
      if (s * beta + 1 - (2 * list_size(d, r) + d * s) >= security) return s;
    return invalid("no number of out-of-domain samples reaches " + std::to_string(int(security)) +
                   " bits with this extension field; use degree 5 or lower the security");
  }
  double fold_pow(double d, double r) const {
    return std::max(0.0, security - std::min(proximity_gap(d, r), beta - (list_size(d, r) + 1)));
  }
  int queries(double r, double pow_bits) const {
    return int(std::ceil(-std::max(0.0, security - pow_bits) / log_one_minus_delta(r)));
  }
  double query_error(double r, int queries) const { return -queries * log_one_minus_delta(r); }
};

int ceil_int(double x) {
  return int(std::ceil(x));
}

Result<std::vector<int>> folding_schedule(const Folding& folding, int n) {
  const auto& f = folding.factors;
  using Rule = Folding::Rule;
  const std::size_t wanted = folding.rule == Rule::constant    ? 1
                             : folding.rule == Rule::per_round ? f.size()
                                                               : 2;
  if (f.size() != wanted || f.empty())
    return invalid("folding rule " + to_string(folding) + " has the wrong number of factors");
  for (int k : f)
    if (k < 1) return invalid("folding factor " + std::to_string(k) + " is below 1");
  std::vector<int> schedule;
  int remaining = n;
  auto push = [&](int k) { schedule.push_back(k), remaining -= k; };
  if (f[0] > n) {
    return invalid("the first folding factor " + std::to_string(f[0]) + " exceeds the " + std::to_string(n) +
                   " variables");
  }
  push(f[0]);
  if (folding.rule != Rule::per_round) {
    while (remaining > direct_send) push(std::min(f.back(), remaining));
    return schedule;
  }
  std::size_t used = 1;
  for (; used < f.size() && remaining > direct_send; used++) {
    if (f[used] > remaining) {
      return invalid("folding factor " + std::to_string(f[used]) + " of round " + std::to_string(used) +
                     " exceeds the " + std::to_string(remaining) + " variables left");
    }
    push(f[used]);
  }
  if (remaining > direct_send) {
    return invalid("the folding factors leave " + std::to_string(remaining) + " variables, more than " +
                   std::to_string(direct_send) + "; add a factor");
  }
  if (used != f.size()) {
    return invalid("only " + std::to_string(used) + " of the " + std::to_string(f.size()) +
                   " folding factors are needed; remove the rest");
  }
  return schedule;
}

Status check_ranges(const Params& p, int n) {
  auto range = [](const char* what, int value, int low, int high) -> Status {
    if (value >= low && value <= high) return ok();
    return invalid(std::string(what) + " is " + std::to_string(value) + ", not in " + std::to_string(low) +
                   " to " + std::to_string(high));
  };
  VOUCH_CHECK(range("the number of variables", n, 1, max_variables));
  VOUCH_CHECK(range("the log-inverse rate", p.log_inv_rate, 1, max_rate));
  VOUCH_CHECK(range("the security", p.security, 1, max_security));
  VOUCH_CHECK(range("the grinding budget", p.pow_bits, 0, 60));
  VOUCH_CHECK(range("the extension degree", p.degree, 4, 5));
  VOUCH_CHECK(range("the cap height", p.hashing.cap_height, 0, 30));
  if (p.hashing.leaf_width != 16 && p.hashing.leaf_width != 24)
    return invalid("the leaf sponge has width 16 or 24");
  if (p.hashing.arity != 2 && p.hashing.arity != 4) return invalid("a tree node has 2 or 4 children");
  return ok();
}

// Section 6.2: r_1 .. r_t.
Result<std::vector<int>> later_rates(const Params& p, const std::vector<int>& schedule) {
  const std::size_t t = schedule.size() - 1;
  std::vector<int> rates = p.round_rates;
  if (!rates.empty() && rates.size() != t) {
    return invalid("there are " + std::to_string(rates.size()) + " later rates for " + std::to_string(t) +
                   " rounds");
  }
  int previous = p.log_inv_rate;
  for (std::size_t i = 0; i < t; i++) {
    if (p.round_rates.empty()) rates.push_back(previous + schedule[i] - 1);
    if (rates[i] < 1 || rates[i] > previous + schedule[i]) {
      return invalid("rate " + std::to_string(rates[i]) + " of round " + std::to_string(i) +
                     " is not in 1 to " + std::to_string(previous + schedule[i]));
    }
    previous = rates[i];
  }
  return rates;
}

Status check_budget(const Params& p, const Config& c) {
  auto within = [&](int bits, const std::string& where) -> Status {
    if (bits <= p.pow_bits) return ok();
    return invalid("PowBitsExceedBudget: " + where + " needs " + std::to_string(bits) +
                   " bits of grinding, the budget is " + std::to_string(p.pow_bits) +
                   (p.degree == 4 ? "; use extension degree 5 or raise the budget" : "; raise the budget"));
  };
  VOUCH_CHECK(within(c.fold_pow_bits, "the first sumcheck"));
  for (std::size_t i = 0; i < c.rounds.size(); i++) {
    VOUCH_CHECK(within(c.rounds[i].pow_bits, "round " + std::to_string(i)));
    VOUCH_CHECK(within(c.rounds[i].fold_pow_bits, "the sumcheck of round " + std::to_string(i)));
  }
  VOUCH_CHECK(within(c.final_pow_bits, "the final round"));
  return within(c.final_fold_pow_bits, "the final sumcheck");
}

}  // namespace

int Config::max_pow_bits() const {
  int m = std::max({fold_pow_bits, final_pow_bits, final_fold_pow_bits});
  for (const RoundConfig& r : rounds) m = std::max({m, r.pow_bits, r.fold_pow_bits});
  return m;
}

Result<Config> derive(const Params& p, int n) {
  VOUCH_CHECK(check_ranges(p, n));
  Config c;
  c.variables = n;
  c.ext_bits = ext_bits(p.degree);
  VOUCH_TRY(c.folding, folding_schedule(p.folding, n));
  VOUCH_TRY(const std::vector<int> rates, later_rates(p, c.folding));
  const Errors e{p.soundness, double(p.security), double(c.ext_bits)};
  const std::size_t t = c.folding.size() - 1;
  c.final_sumcheck_rounds = n - std::accumulate(c.folding.begin(), c.folding.end(), 0);

  VOUCH_TRY(c.ood_samples, e.ood_samples(n, p.log_inv_rate));
  c.fold_pow_bits = ceil_int(e.fold_pow(n, p.log_inv_rate));
  int d = n - c.folding[0], r = p.log_inv_rate, log_domain = n + r;
  for (std::size_t i = 0; i < t; i++) {
    const int next = rates[i];
    RoundConfig round;
    round.queries = e.queries(r, p.pow_bits);
    VOUCH_TRY(round.ood_samples, e.ood_samples(d, next));
    const double combination =
        e.beta - (std::log2(double(round.ood_samples + round.queries)) + e.list_size(d, next) + 1);
    round.pow_bits =
        ceil_int(std::max(0.0, e.security - std::min(e.query_error(r, round.queries), combination)));
    round.fold_pow_bits = ceil_int(e.fold_pow(d, next));
    round.variables = d;
    round.folding_factor = c.folding[i];
    round.log_inv_rate = next;
    round.log_domain = log_domain;
    c.rounds.push_back(round);
    log_domain -= r + c.folding[i] - next;
    d -= c.folding[i + 1];
    r = next;
  }
  c.final_log_domain = log_domain;
  c.final_queries = e.queries(r, p.pow_bits);
  c.final_pow_bits = ceil_int(std::max(0.0, e.security - e.query_error(r, c.final_queries)));
  c.final_fold_pow_bits = ceil_int(std::max(0.0, e.security - (e.beta - 1)));

  for (std::size_t i = 0; i <= t; i++) {
    if (c.log_height(i) > two_adicity(p.field)) {
      return invalid("codeword " + std::to_string(i) + " needs a domain of 2^" +
                     std::to_string(c.log_height(i)) + ", more than the 2^" +
                     std::to_string(two_adicity(p.field)) + " of " + std::string(name(p.field)) +
                     "; fold more, or raise the rate less");
    }
  }
  VOUCH_CHECK(check_budget(p, c));
  return c;
}

Result<std::vector<int>> metal_rates(const Folding& folding, int variables, int log_inv_rate) {
  VOUCH_TRY(const std::vector<int> schedule, folding_schedule(folding, variables));
  std::vector<int> rates;
  int r = log_inv_rate;
  for (std::size_t i = 0; i + 1 < schedule.size(); i++) {
    r += schedule[i] - (i == 0 ? std::min(schedule[0], 3) : 1);
    rates.push_back(r);
  }
  return rates;
}

int two_adicity(FieldId field) {
  return field == FieldId::baby_bear ? 27 : 24;
}
std::uint32_t modulus(FieldId field) {
  return field == FieldId::baby_bear ? 0x78000001u : 0x7f000001u;
}
int ext_bits(int degree) {
  return degree * 31;
}

std::string_view name(FieldId field) {
  return field == FieldId::baby_bear ? "BabyBear" : "KoalaBear";
}
std::string_view name(Soundness s) {
  return s == Soundness::unique_decoding ? "UniqueDecoding"
         : s == Soundness::johnson_bound ? "JohnsonBound"
                                         : "CapacityBound";
}
std::string_view name(Layout layout) {
  return layout == Layout::prefix ? "prefix" : "suffix";
}

std::string to_string(const Folding& folding) {
  std::string list;
  for (int k : folding.factors) list += (list.empty() ? "" : ", ") + std::to_string(k);
  switch (folding.rule) {
    case Folding::Rule::constant:
      return "Constant(" + list + ")";
    case Folding::Rule::constant_from_second_round:
      return "ConstantFromSecondRound(" + list + ")";
    case Folding::Rule::per_round:
      break;
  }
  return "PerRound([" + list + "])";
}

Result<FieldId> parse_field(std::string_view text) {
  for (FieldId f : {FieldId::baby_bear, FieldId::koala_bear})
    if (text == name(f)) return f;
  return invalid("field \"" + std::string(text) + "\" is neither BabyBear nor KoalaBear");
}
Result<Soundness> parse_soundness(std::string_view text) {
  for (Soundness s : {Soundness::unique_decoding, Soundness::johnson_bound, Soundness::capacity_bound})
    if (text == name(s)) return s;
  return invalid("soundness \"" + std::string(text) +
                 "\" is none of UniqueDecoding, JohnsonBound, CapacityBound");
}
Result<Layout> parse_layout(std::string_view text) {
  for (Layout l : {Layout::prefix, Layout::suffix})
    if (text == name(l)) return l;
  return invalid("layout \"" + std::string(text) + "\" is neither prefix nor suffix");
}

Result<Folding> parse_folding(std::string_view text) {
  const Error bad =
      invalid("folding \"" + std::string(text.substr(0, 60)) +
              "\" is none of Constant(k), ConstantFromSecondRound(a, b), PerRound([a, b, ...])");
  Folding folding;
  using Rule = Folding::Rule;
  std::string_view tail;
  for (Rule rule : {Rule::constant, Rule::constant_from_second_round, Rule::per_round}) {
    const std::string whole = to_string({rule, {}});
    const std::string head = whole.substr(0, whole.find(')') - (rule == Rule::per_round ? 1 : 0));
    const std::string end = rule == Rule::per_round ? "])" : ")";
    if (text.size() < head.size() + end.size() || !text.starts_with(head) || !text.ends_with(end)) continue;
    folding = {rule, {}};
    tail = text.substr(head.size(), text.size() - head.size() - end.size());
  }
  if (tail.empty() || tail.size() > 400) return bad;
  while (true) {
    int k = 0;
    const auto [end, error] = std::from_chars(tail.data(), tail.data() + tail.size(), k);
    if (error != std::errc() || k < 1 || k > max_variables) return bad;
    folding.factors.push_back(k);
    tail.remove_prefix(std::size_t(end - tail.data()));
    if (tail.empty()) return folding;
    if (!tail.starts_with(",")) return bad;
    tail.remove_prefix(1);
    while (tail.starts_with(" ")) tail.remove_prefix(1);
  }
}

}  // namespace vouch::whir
