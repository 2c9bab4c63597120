// The host's part of sums and weights: which terms a claim consists of.
//
// While f is in the base field (the first sumcheck), x = (bound part, rest) and each claim's weight is a sum
// of terms u(bound) v(rest). A device makes r(bound) = sum over rest of v(rest) f(bound, rest); u and r are
// short, so the claim's value and the rounds are made here. Afterwards u has one entry, the coefficient of v
// in W.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "vouch/backend/poly.h"

namespace vouch::gpu {

enum class TermKind : std::uint8_t {
  eq,       // v(x) = eq(y, x)
  shifted,  // v(x) = eq(y, x - 1), v(0) = 0
  cell,     // v is 1 at one cell
  power,    // v(x) = z^x
};

template <class F, int D>
struct Term {
  using E = Ext31<F, D>;
  TermKind kind = TermKind::eq;
  std::vector<E> u, r;
  std::shared_ptr<const std::vector<E>> y;  // shared by the claims of a batch
  Slot slot;                                // of the rest
  std::size_t cell = 0;                     // its number in the slot
  F z;
};

// eq(point, x) for all x.
template <class E>
std::vector<E> eq_values(std::span<const E> point) {
  std::vector<E> t = {E::one()};
  for (const E& y : point) {
    std::vector<E> next(2 * t.size());
    for (std::size_t x = 0; x < t.size(); x++)
      next[2 * x + 1] = t[x] * y, next[2 * x] = t[x] - next[2 * x + 1];
    t = std::move(next);
  }
  return t;
}

// eq(y, .) as a tensor: for each coordinate the factor of index bit 0, 1 - y, and of bit 1, y.
template <class E>
std::vector<E> eq_factors(std::span<const E> y) {
  std::vector<E> f;
  for (const E& c : y) f.push_back(E::one() - c), f.push_back(c);
  return f;
}

// The terms of a claim on a column `slot` of f, r still empty. bits: bound coordinates, the first ones of an
// index in prefix order, the last ones in suffix order.
//
// For `next`, index (a, b) + 1 is (a, b + 1), or (a + 1, 0) where b is all ones; the very last index stays.
// So in prefix order (a bound) the rest steps, or wraps to cell 0 and carries into a; in suffix order (b
// bound) b steps, or wraps to 0 and the rest steps.
template <class F, int D>
std::vector<Term<F, D>> early_terms(bool next, const std::vector<Ext31<F, D>>& eq, const Slot& slot, int bits,
                                    FoldOrder order, std::shared_ptr<const std::vector<Ext31<F, D>>> y) {
  using E = Ext31<F, D>;
  const bool prefix = order == FoldOrder::prefix;
  Term<F, D> t;
  t.u = eq;
  t.slot = prefix ? slot : Slot{slot.offset >> bits, slot.stride};
  t.y = std::move(y);
  if (!next) return {t};
  E all_ones = E::one();
  for (const E& c : *t.y) all_ones *= c;
  std::vector<E> carried(eq.size());
  std::copy(eq.begin(), eq.end() - 1, carried.begin() + 1);
  Term<F, D> end = t, other = t;
  end.kind = TermKind::cell;
  end.cell = (std::size_t(1) << t.y->size()) - 1;
  end.u.assign(eq.size(), E::zero());
  end.u.back() = eq.back() * all_ones;
  if (prefix) {
    t.kind = TermKind::shifted;
    other.kind = TermKind::cell;
    other.cell = 0;
    for (std::size_t i = 0; i < carried.size(); i++) other.u[i] = carried[i] * all_ones;
  } else {
    t.u = carried;
    other.kind = TermKind::shifted;
    other.u.assign(eq.size(), E::zero());
    other.u[0] = eq.back();
  }
  return {t, other, end};
}

// The terms of a claim on a column of f in the extension: u is the weight's coefficient.
template <class F, int D>
std::vector<Term<F, D>> late_terms(bool next, const Slot& slot,
                                   std::shared_ptr<const std::vector<Ext31<F, D>>> y) {
  using E = Ext31<F, D>;
  Term<F, D> t;
  t.u = {E::one()};
  t.slot = slot;
  t.y = std::move(y);
  if (!next) return {t};
  t.kind = TermKind::shifted;
  Term<F, D> end = t;
  end.kind = TermKind::cell;
  end.cell = (std::size_t(1) << t.y->size()) - 1;
  for (const E& c : *t.y) end.u[0] *= c;
  return {t, end};
}

// One round on the short vectors, and binding it.
template <class F, int D>
typename PolyInstance<F, D>::Round short_round(const std::vector<Term<F, D>>& terms, FoldOrder order) {
  typename PolyInstance<F, D>::Round s;
  for (const Term<F, D>& t : terms)
    for (std::size_t x = 0, half = t.u.size() / 2; x < half; x++) {
      const bool prefix = order == FoldOrder::prefix;
      const std::size_t l = prefix ? x : 2 * x, h = prefix ? x + half : 2 * x + 1;
      s.at_zero += t.r[l] * t.u[l];
      s.leading += (t.r[h] - t.r[l]) * (t.u[h] - t.u[l]);
    }
  return s;
}
template <class F, int D>
void short_fold(std::vector<Term<F, D>>& terms, FoldOrder order, const Ext31<F, D>& r) {
  for (Term<F, D>& t : terms)
    for (auto* v : {&t.u, &t.r}) {
      const std::size_t half = v->size() / 2;
      std::vector<Ext31<F, D>> next(half);
      for (std::size_t x = 0; x < half; x++) {
        const bool prefix = order == FoldOrder::prefix;
        const auto &low = (*v)[prefix ? x : 2 * x], &high = (*v)[prefix ? x + half : 2 * x + 1];
        next[x] = low + r * (high - low);
      }
      *v = std::move(next);
    }
}

}  // namespace vouch::gpu
