// WHIR's operations compared: one table of operation x size, for any two implementations. For tests.
#pragma once

#include <gtest/gtest.h>

#include <iostream>

#include "vouch/backend/poly.h"
#include "vouch/core/rng.h"

namespace vouch {

template <class F>
F random_base(InsecureTestRng& rng) {
  const std::uint64_t x = rng.next();
  if (x % 8 == 0)
    return F::raw(F::modulus - 1);  // the largest word, so that unreduced sums are as large as they get
  if (x % 8 == 1) return F::zero();
  return F(static_cast<std::uint32_t>(x >> 32));
}
template <class E>
E random_ext(InsecureTestRng& rng) {
  E e;
  for (auto& c : e.c) c = random_base<typename E::Base>(rng);
  return e;
}
template <class E>
std::vector<E> random_point(InsecureTestRng& rng, int n) {
  std::vector<E> p;
  while (int(p.size()) < n) p.push_back(random_ext<E>(rng));
  return p;
}

// The value, or the end of the test run with the reason.
template <class T>
T must(Result<T> r) {
  if (!r.ok()) std::cerr << r.error().what << std::endl;
  return std::move(r).value();
}

// Both sides of a comparison: the reference and one form of the cpu backend, given the same calls.
template <class F, int D>
struct Pair {
  using E = Ext31<F, D>;
  std::unique_ptr<PolyInstance<F, D>> plain, fast;
  InsecureTestRng rng;

  Pair(PolyOps<F, D>& a, PolyOps<F, D>& b, int n, FoldOrder order, int first_rounds, std::uint64_t seed)
      : rng(seed) {
    std::vector<F> f(std::size_t(1) << n);
    for (F& x : f) x = random_base<F>(rng);
    plain = a.start(f, order, first_rounds).value();
    fast = must(b.start(f, order, first_rounds));
  }
  void claims(const std::vector<Slot>& slots, int arity, bool next) {
    const std::vector<E> point = random_point<E>(rng, arity);
    const ClaimBatch<E> batch{point, next, slots};
    EXPECT_EQ(plain->claim(batch).value(), must(fast->claim(batch)))
        << "claims, next " << next << ", arity " << arity;
    pending += slots.size();
  }
  void combine() {
    const std::vector<E> c = random_point<E>(rng, int(pending));
    EXPECT_TRUE(plain->combine(c).ok() && fast->combine(c).ok());
    pending = 0;
  }
  void powers(int count) {
    std::vector<F> z;
    for (int i = 0; i < count; i++) z.push_back(random_base<F>(rng));
    add_powers(z);
  }
  void root_powers(int count, int log_order) {  // of roots of unity, as queries give them
    std::vector<F> z;
    for (int i = 0; i < count; i++) z.push_back(F::root_of_unity(log_order).pow(rng.next() >> 32));
    add_powers(z);
  }
  void add_powers(const std::vector<F>& z) {
    const std::vector<E> c = random_point<E>(rng, int(z.size()));
    EXPECT_TRUE(plain->add_powers(z, c).ok() && fast->add_powers(z, c).ok());
  }
  void rounds(int count) {
    for (int i = 0; i < count; i++) {
      const auto a = plain->round().value(), b = must(fast->round());
      EXPECT_EQ(a.at_zero, b.at_zero) << "round with " << plain->variables() << " variables";
      EXPECT_EQ(a.leading, b.leading) << "round with " << plain->variables() << " variables";
      const E r = random_ext<E>(rng);
      EXPECT_TRUE(plain->fold(r).ok() && fast->fold(r).ok());
    }
    EXPECT_EQ(plain->variables(), fast->variables());
    EXPECT_EQ(plain->values().value(), must(fast->values())) << "values";
  }
  void encode(const EncodeShape& shape, const MerkleHash<F>& hash) {
    const auto a = plain->encode(shape, hash).value(), b = must(fast->encode(shape, hash));
    const auto name = ::testing::Message()
                      << "encode " << plain->variables() << " variables, fold " << shape.fold << ", rate "
                      << shape.log_inv_rate << ", cap " << shape.cap_height;
    ASSERT_EQ(a->rows(), b->rows()) << name;
    ASSERT_EQ(a->row_words(), b->row_words()) << name;
    EXPECT_EQ(a->permutations(), b->permutations()) << name;
    const auto cap = a->cap();
    ASSERT_EQ(cap.size(), b->cap().size()) << name;
    for (std::size_t i = 0; i < cap.size(); i++)
      EXPECT_EQ(cap[i], b->cap()[i]) << name << ", cap entry " << i;
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < a->rows(); i++)
      if (rng.next() % 7 == 0 || i + 1 == a->rows()) indices.push_back(i);
    const auto x = a->open(indices).value(), y = must(b->open(indices));
    EXPECT_EQ(x.rows, y.rows) << name;
    EXPECT_EQ(x.siblings, y.siblings) << name;
  }
  std::size_t pending = 0;
};

template <class F, int D>
void compare_encoding(PolyOps<F, D>& plain, PolyOps<F, D>& fast, int largest) {
  struct Case {
    int n, fold, rate, cap, dropped;
  };
  const Case cases[] = {{1, 1, 1, 0, 0},  {3, 2, 1, 1, 0},  {6, 6, 3, 0, 1},  {6, 1, 2, 2, 0},
                        {7, 2, 5, 0, 0},  {8, 4, 6, 0, 2},  {9, 1, 1, 0, 0},  {9, 5, 4, 1, 3},
                        {10, 1, 3, 0, 3}, {12, 3, 1, 2, 0}, {12, 2, 2, 0, 5}, {13, 1, 1, 0, 0}};
  for (const FoldOrder order : {FoldOrder::prefix, FoldOrder::suffix})
    for (const Case& c : cases)
      for (const int hashing : {0, 1, 2}) {
        if (hashing != 0 && c.n > 10) continue;
        if (c.n > largest) continue;
        MerkleHash<F> hash;
        if (hashing == 1) hash.p24 = &Poseidon2<F, 24>::standard();
        if (hashing == 2) hash.p32 = &Poseidon2<F, 32>::standard();
        Pair<F, D> pair(plain, fast, c.n, order, c.fold, std::uint64_t(c.n));
        pair.encode({c.fold, c.rate, c.cap, c.dropped}, hash);
        if (c.fold == c.n || c.n > 10) continue;
        pair.rounds(c.fold);  // extension values from here on
        const int left = c.n - c.fold, fold = std::min(left, 2);
        pair.encode({fold, c.rate + 1, c.cap, c.dropped}, hash);
      }
}

template <class F, int D>
void compare_claims_and_rounds(PolyOps<F, D>& plain, PolyOps<F, D>& fast, int largest) {
  for (const FoldOrder order : {FoldOrder::prefix, FoldOrder::suffix})
    for (const int n : {1, 2, 5, 8, 12})
      for (const int first : {1, 3}) {
        if (first > n || n > largest) continue;
        Pair<F, D> pair(plain, fast, n, order, first, std::uint64_t(10 * n + first));
        pair.claims({Slot{}}, n, false);
        pair.claims({Slot{}}, n, true);
        if (n > first) {  // columns in the lower or upper half, or interleaved
          const bool prefix = order == FoldOrder::prefix;
          const Slot zero{0, prefix ? 1 : 0}, one{prefix ? 1 : std::size_t(1) << (n - 1), prefix ? 1 : 0};
          pair.claims({one, zero}, n - 1, false);
          pair.claims({one}, n - 1, true);
        }
        pair.combine();
        if (n == 5) pair.powers(3);
        pair.rounds(first);
        const int left = n - first;
        pair.claims({Slot{}}, left, false);
        pair.claims({Slot{}}, left, true);
        if (left > 0) pair.claims({Slot{1, 1}}, left - 1, false);
        pair.combine();
        pair.powers(0);
        pair.powers(1);
        pair.powers(12);
        pair.powers(17);
        for (const int rate : {0, 1, 2, 3}) pair.root_powers(16 + 10 * rate, left + rate);
        pair.rounds(left);
      }
}

// Tables of many columns, interleaved (prefix) or one after the other (suffix), some asked for twice, and
// claims of several shapes in one constraint; of one value there is no round.
template <class F, int D>
void compare_many_columns(PolyOps<F, D>& plain, PolyOps<F, D>& fast) {
  for (const FoldOrder order : {FoldOrder::prefix, FoldOrder::suffix}) {
    const bool prefix = order == FoldOrder::prefix;
    const auto columns = [&](int arity, int bits, std::initializer_list<std::size_t> numbers) {
      std::vector<Slot> slots;
      for (const std::size_t i : numbers) slots.push_back(prefix ? Slot{i, bits} : Slot{i << arity, 0});
      return slots;
    };
    Pair<F, D> pair(plain, fast, 9, order, 2, 11);
    pair.claims(columns(5, 4, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}), 5, false);
    pair.claims(columns(5, 4, {3, 9, 3}), 5, true);
    pair.claims(columns(2, 7, {0, 127, 64}), 2, true);
    pair.combine();
    pair.rounds(2);
    pair.claims(columns(4, 3, {0, 1, 5, 7, 5}), 4, false);
    pair.claims(columns(4, 3, {2, 1, 2}), 4, true);
    pair.claims({Slot{0, 0}, Slot{4, 0}, Slot{100, 0}, Slot{2, 1}}, 4, false);  // some overlap
    pair.claims(columns(0, 7, {127, 3}), 0, true);
    pair.combine();
    pair.powers(2);
    pair.rounds(7);

    Pair<F, D> one(plain, fast, 0, order, 0, 12);
    one.encode({0, 1, 0, 0}, {});
    one.claims({Slot{}}, 0, false);
    one.claims({Slot{}}, 0, true);
    one.rounds(0);
  }
}

// A size where every pass and every table is used.
template <class F, int D>
void compare_large(PolyOps<F, D>& plain, PolyOps<F, D>& fast) {
  for (const FoldOrder order : {FoldOrder::prefix, FoldOrder::suffix}) {
    Pair<F, D> pair(plain, fast, 14, order, 1, 7);
    pair.encode({1, 2, 0, 0}, {});
    pair.claims({Slot{}}, 14, false);
    pair.combine();
    pair.rounds(1);
    pair.encode({1, 1, 3, 0}, {});
    pair.claims({Slot{}}, 13, false);
    pair.combine();
    pair.powers(150);
    pair.root_powers(90, 14);
    pair.root_powers(50, 15);
    pair.rounds(4);
  }
}

template <class F, int D>
void compare_grinding(PolyOps<F, D>& plain, PolyOps<F, D>& fast) {
  InsecureTestRng rng(5);
  for (int i = 0; i < 4; i++) {
    GrindJob<F> job;
    job.permutation = &Poseidon2<F, 16>::standard();
    for (F& x : job.state) x = random_base<F>(rng);
    job.position = 2 * i;
    job.bits = 1 + 3 * i;
    EXPECT_EQ(plain.grind(job).value(), fast.grind(job).value());
    const std::atomic<bool> cancelled = true;
    job.cancel = &cancelled;
    EXPECT_FALSE(fast.grind(job).ok());
  }
}

}  // namespace vouch
