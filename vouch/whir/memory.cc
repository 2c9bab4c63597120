#include "vouch/whir/memory.h"

#include <algorithm>

#include "vouch/hash/merkle.h"

namespace vouch::whir {
namespace {

using u64 = std::uint64_t;
constexpr u64 digest_bytes = 32;

struct Sizes {
  const Setup& setup;
  const Config& c = setup.config();

  u64 rows(std::size_t i) const { return u64(1) << c.log_height(i); }
  u64 row_words(std::size_t i) const {
    return (u64(1) << c.folding[i]) * (i ? u64(setup.params().degree) : 1);
  }
  u64 codeword(std::size_t i) const { return 4 * rows(i) * row_words(i); }
  MerkleShape shape(std::size_t i) const {
    return MerkleShape::of(rows(i), setup.params().hashing.arity, setup.params().hashing.cap_height);
  }
  // The layers that stay.
  u64 tree(std::size_t i, int dropped) const {
    const MerkleShape s = shape(i);
    u64 digests = 0;
    for (std::size_t l = std::size_t(std::min(dropped, s.cap_layer)); l < s.sizes.size(); l++)
      digests += s.sizes[l];
    return digests * digest_bytes;
  }
  // While it is built, a layer that will be dropped stays until the next one is there.
  u64 tree_while_built(std::size_t i, int dropped) const {
    const MerkleShape s = shape(i);
    u64 most = 0, kept = 0;
    for (std::size_t l = 0; l < s.sizes.size(); l++) {
      const u64 next = l + 1 < s.sizes.size() ? s.sizes[l + 1] : 0;
      most = std::max(most, kept + s.sizes[l] + next);
      if (int(l) >= std::min(dropped, s.cap_layer)) kept += s.sizes[l];
    }
    return most * digest_bytes;
  }
  // 2^variables extension elements.
  u64 extension(int variables) const { return u64(setup.params().degree) * 4 << variables; }
  // Roots of unity of the largest transform.
  u64 twiddles() const {
    u64 most = 0;
    for (std::size_t i = 0; i < c.folding.size(); i++) most = std::max(most, rows(i));
    return most * 3 / 8;
  }
};

u64 peak_with(const Sizes& s, const std::vector<int>& dropped) {
  const Config& c = s.c;
  const auto kept = [&](std::size_t i) { return s.codeword(i) + s.tree(i, dropped[i]); };
  const auto built = [&](std::size_t i) { return s.codeword(i) + s.tree_while_built(i, dropped[i]); };
  const u64 base = u64(4) << c.variables;
  // f and W once the first sumcheck has folded them; later folds happen in place. In suffix order a fold
  // needs half of that again, and a code's columns are copied out of f.
  const u64 first = s.extension(c.variables - c.folding[0]);
  const bool suffix = s.setup.params().layout == Layout::suffix;
  u64 peak = std::max(base * (suffix ? 2 : 1), base + built(0));
  peak = std::max(peak, kept(0) + std::max(base + first, 2 * first));
  for (std::size_t i = 0; i < c.rounds.size(); i++) {
    const u64 spare = suffix ? s.extension(c.rounds[i].variables) + (i > 0 ? first / 2 : 0) : 0;
    peak = std::max(peak, kept(i) + 2 * first + spare + built(i + 1));
  }
  return peak + s.twiddles();
}

}  // namespace

MemoryPlan plan_memory(const Setup& setup, const MemoryBudget& budget) {
  const Sizes s{setup};
  MemoryPlan plan;
  std::vector<int>& dropped = plan.dropped_layers;
  dropped.assign(setup.config().folding.size(), 0);
  const auto can_drop = [&](std::size_t i) { return dropped[i] + 1 < int(s.shape(i).sizes.size()) - 10; };
  for (std::size_t i = 0; i < dropped.size(); i++)
    while (budget.largest && s.tree(i, dropped[i]) > budget.largest && can_drop(i)) dropped[i]++;
  plan.peak = peak_with(s, dropped);
  while (budget.bytes && plan.peak > budget.bytes) {
    // Drop a layer of the tree that still holds most.
    std::size_t most = dropped.size();
    for (std::size_t i = 0; i < dropped.size(); i++) {
      if (!can_drop(i)) continue;
      if (most == dropped.size() || s.tree(i, dropped[i]) > s.tree(most, dropped[most])) most = i;
    }
    if (most == dropped.size()) break;
    dropped[most]++;
    plan.peak = peak_with(s, dropped);
  }
  for (std::size_t i = 0; i < dropped.size(); i++)
    plan.largest = std::max({plan.largest, s.codeword(i), s.tree(i, dropped[i])});
  plan.within_budget =
      (!budget.bytes || plan.peak <= budget.bytes) && (!budget.largest || plan.largest <= budget.largest);
  return plan;
}

MemoryPlan plan_memory(const Setup& setup, std::uint64_t bytes) {
  return plan_memory(setup, MemoryBudget{bytes, 0});
}

std::uint64_t proof_size_bound(const Setup& setup) {
  const Sizes s{setup};
  const Config& c = s.c;
  const u64 degree = u64(setup.params().degree), ext = 4 * degree;
  const auto varint = [](u64 x) { return x < 128 ? u64(1) : x < 16384 ? u64(2) : u64(3); };
  const auto sumcheck = [&](int rounds, int pow_bits) {
    return 2 + u64(rounds) * (2 * ext + (pow_bits > 0 ? 4 : 0));
  };
  const auto openings = [&](std::size_t i, int queries) {
    const u64 q = std::min<u64>(u64(queries), s.rows(i));
    const MerkleShape shape = s.shape(i);
    u64 siblings = 0, known = q;
    for (int l = 0; l < shape.cap_layer; l++) {  // most: queries spread evenly
      const u64 parents = std::min<u64>(known, shape.sizes[std::size_t(l)] / u64(shape.arity));
      siblings += parents * u64(shape.arity) - known;
      known = parents;
    }
    const u64 entries = u64(1) << c.folding[i];
    return 1 + varint(q) + q * (varint(entries) + 4 * s.row_words(i)) + varint(siblings) +
           siblings * digest_bytes;
  };
  u64 bytes = 1 + u64(c.ood_samples) * ext + sumcheck(c.folding[0], c.fold_pow_bits) + 1;
  for (std::size_t i = 0; i < c.rounds.size(); i++) {
    const RoundConfig& r = c.rounds[i];
    bytes += 1 + varint(setup.cap_size(i + 1)) + setup.cap_size(i + 1) * digest_bytes;
    bytes += 1 + u64(r.ood_samples) * ext + 4 + openings(i, r.queries) +
             sumcheck(c.folding[i + 1], r.fold_pow_bits);
  }
  bytes += 2 + (ext << c.final_sumcheck_rounds) + 4 + openings(c.rounds.size(), c.final_queries) + 1;
  if (c.final_sumcheck_rounds > 0) bytes += sumcheck(c.final_sumcheck_rounds, c.final_fold_pow_bits);
  bytes += varint(batch_count(setup.statement().schedule));
  for (const BatchRef& b : batches(setup))
    bytes += 2 + (b.batch->current.size() + b.batch->next.size()) * ext;
  return bytes;
}

std::uint64_t tree_permutations(const Setup& setup) {
  const Sizes s{setup};
  const u64 rate = setup.params().hashing.leaf_width == 24 ? 16 : 8;
  u64 total = 0;
  for (std::size_t i = 0; i < s.c.folding.size(); i++) {
    total += s.rows(i) * ((s.row_words(i) + rate - 1) / rate);
    const MerkleShape shape = s.shape(i);
    for (std::size_t l = 0; l + 1 < shape.sizes.size(); l++) total += shape.sizes[l] / u64(shape.arity);
  }
  return total;
}

}  // namespace vouch::whir
