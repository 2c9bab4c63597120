// PlainOps<E>: the heavy steps of the prover in their plainest form.
#pragma once

#include <span>
#include <vector>

#include "vouch/hash/merkle.h"
#include "vouch/whir/multilinear.h"
#include "vouch/whir/setup.h"

namespace vouch::whir {

template <class E>
struct PlainOps {
  using F = typename E::Base;
  static constexpr std::size_t degree = E::degree;

  struct Codeword {
    std::size_t rows = 0, row_words = 0;
    std::vector<F> values;
    MerkleTree<F> tree;
  };

  static void dft(std::vector<F>& a) {
    const std::size_t n = a.size();
    int log = 0;
    while ((std::size_t(1) << log) < n) log++;
    for (std::size_t i = 0, j = 0; i < n; i++) {
      if (i < j) std::swap(a[i], a[j]);
      std::size_t bit = n >> 1;
      for (; bit && (j & bit); bit >>= 1) j ^= bit;
      j |= bit;
    }
    for (int s = 1; s <= log; s++) {
      const std::size_t m = std::size_t(1) << s, h = m / 2;
      const F w = F::root_of_unity(s);
      for (std::size_t b = 0; b < n; b += m) {
        F t = F::one();
        for (std::size_t k = 0; k < h; k++, t = t * w) {
          const F u = a[b + k], v = a[b + k + h] * t;
          a[b + k] = u + v, a[b + k + h] = u - v;
        }
      }
    }
  }

  // T: F or E
  template <class T>
  static Codeword encode(const std::vector<T>& f, int fold, int log_height, Layout layout, const MerkleHash<F>& hash, int cap) {
    constexpr std::size_t d = sizeof(T) / sizeof(F);
    const std::size_t width = std::size_t(1) << fold, in = f.size() >> fold, height = std::size_t(1) << log_height;
    Codeword c;
    c.rows = height, c.row_words = width * d;
    c.values.resize(height * width * d);
    for (std::size_t col = 0; col < width; col++)
      for (std::size_t k = 0; k < d; k++) {
        std::vector<F> a(height);
        for (std::size_t i = 0; i < in; i++)
          a[i] = reinterpret_cast<const F*>(&f[layout == Layout::prefix ? col * in + i : i * width + col])[k];
        dft(a);
        for (std::size_t i = 0; i < height; i++) c.values[i * c.row_words + col * d + k] = a[i];
      }
    std::vector<Digest<F>> leaves(height);
    for (std::size_t i = 0; i < height; i++) leaves[i] = hash.leaf(std::span<const F>(c.values).subspan(i * c.row_words, c.row_words));
    c.tree = MerkleTree<F>::build(hash, std::move(leaves), cap);
    return c;
  }
  static Cap cap(const Codeword& c) {
    Cap r;
    for (const auto& d : c.tree.cap()) r.push_back(words(d));
    return r;
  }
  static DigestWords words(const Digest<F>& d) {
    DigestWords w;
    for (std::size_t i = 0; i < 8; i++) w[i] = d[i].montgomery();
    return w;
  }
  static Openings open(const Codeword& c, std::vector<std::size_t> nodes, bool extension) {
    Openings o;
    o.extension = extension, o.rows = nodes.size(), o.row_words = nodes.empty() ? 0 : c.row_words;
    for (std::size_t q : nodes)
      for (std::size_t i = 0; i < c.row_words; i++) o.values.push_back(c.values[q * c.row_words + i].montgomery());
    for (const auto& d : c.tree.open(nodes)) o.siblings.push_back(words(d));
    return o;
  }
  static std::vector<E> eq_table(std::span<const E> point, E scale) {
    std::vector<E> t{scale};
    for (const E& r : point) {
      std::vector<E> n;
      for (const E& v : t) {
        const E h = v * r;
        n.push_back(v - h), n.push_back(h);
      }
      t = n;
    }
    return t;
  }
  static std::vector<E> next_table(std::span<const E> point, E scale) {
    const auto e = eq_table(point, scale);
    std::vector<E> t(e.size());
    for (std::size_t i = 1; i < t.size(); i++) t[i] = e[i - 1];
    t.back() += e.back();
    return t;
  }
  static Word grind(const Transcript::Candidate& c, int bits, const Poseidon2<F, 16>& p) {
    typename Poseidon2<F, 16>::State base;
    for (std::size_t i = 0; i < 16; i++) base[i] = F::raw(c.state[i]);
    for (std::uint32_t w = 0;; w++) {
      auto s = base;
      s[std::size_t(c.position)] = F(w);
      p.permute(s);
      if ((s[7].to_int() & ((1u << bits) - 1)) == 0) return F(w).montgomery();
    }
  }
};

}  // namespace vouch::whir
