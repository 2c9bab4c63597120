// Membership by the endomorphism psi, one point at a time or many by random sums.
#include "vouch/curve/subgroup.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <vector>

#include "vouch/core/parallel.h"
#include "vouch/curve/endomorphism.h"
#include "vouch/field/fastest_arith.h"

namespace vouch {
namespace {

constexpr std::size_t none = std::size_t(-1);

// Coefficients lie in 2^13 consecutive integers. The smallest prime factor of 2p - r is 10069 > 2^13, so for
// a point outside, at most one coefficient brings a random sum back into the group, whatever the other terms
// are.
constexpr int coefficient_bits = 13;
constexpr int rounds = 10;
constexpr std::size_t batch_from = std::size_t(1) << 13;  // below it, one by one is as fast
constexpr std::size_t block = std::size_t(1) << 12;       // points whose coefficients are drawn at once

// Lowers `first` to i.
void lower(std::atomic<std::size_t>& first, std::size_t i) {
  std::size_t seen = first.load(std::memory_order_relaxed);
  while (i < seen && !first.compare_exchange_weak(seen, i, std::memory_order_relaxed)) {
  }
}

// The first i below n for which bad(i), or none.
template <class Bad>
std::size_t find_first(std::size_t n, std::size_t grain, Bad&& bad) {
  std::atomic<std::size_t> first = none;
  parallel_for(n, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && i < first.load(std::memory_order_relaxed); i++)
      if (bad(i)) return lower(first, i);
  });
  return first;
}

template <class Arith>
struct Check {
  using Fq = Prime<Bn254FqParams, Arith>;
  using C1 = Bn254G1With<Arith>;
  using C2 = Bn254G2With<Arith>;
  using G1 = typename C1::Affine;
  using G2 = typename C2::Affine;
  using Sum = typename C2::Xyzz;
  static constexpr std::size_t size1 = 64, size2 = 128;
  static_assert(sizeof(G1) == size1 && sizeof(G2) == size2);

  // [x + 1]P + psi([x]P) + psi^2([x]P) = psi^3([2x]P). With psi^2 = t psi - p the difference of the sides is
  // (a + b psi)P for fixed integers a, b, and (a + b psi)P = 0 implies [a^2 + a b t + b^2 p]P = 0; that norm
  // has no factor in common with the cofactor 2p - r, so only points of order r (or 1) pass. On G2, where psi
  // is p, the equation holds because x + 1 + x p + x p^2 - 2 x p^3 = 0 mod r. (The norm was computed once,
  // with Python.)
  static bool in_subgroup(const G2& p) {
    if (p.is_infinity()) return true;
    Sum xp = Sum::from(p);
    for (int i = std::bit_width(bn254_x) - 1; i-- > 0;) {
      xp = xp.dbl();
      if (bn254_x >> i & 1) xp += p;
    }
    const Sum psi_xp = psi(xp);
    return xp + p + psi_xp + psi(psi_xp) == psi(psi(psi_xp.dbl()));
  }

  template <class Point>
  static Point load(Bytes points, std::size_t i) {
    return load_le<Point>(points.data() + i * sizeof(Point));
  }
  // Every 32-byte coordinate below the modulus.
  static bool canonical(Bytes points, std::size_t i, std::size_t size) {
    for (std::size_t at = i * size; at < (i + 1) * size; at += 32)
      if (load_le<UInt<4>>(points.data() + at) >= Fq::modulus) return false;
    return true;
  }
  template <class Point>
  static std::optional<BadPoint> find_malformed(Bytes points) {
    const std::size_t i = find_first(points.size() / sizeof(Point), 1024, [&](std::size_t k) {
      return !canonical(points, k, sizeof(Point)) || !load<Point>(points, k).on_curve();
    });
    if (i == none) return std::nullopt;
    return BadPoint{i,
                    canonical(points, i, sizeof(Point)) ? PointFault::off_curve : PointFault::not_canonical};
  }

  // One random sum, in buckets: bucket k holds the points of coefficient +-(k + 1).
  struct Round {
    std::vector<Sum> bucket = std::vector<Sum>(std::size_t(1) << (coefficient_bits - 1));

    void add_block(Bytes points, std::size_t begin, std::span<const std::uint16_t> random) {
      for (std::size_t i = 0; i < random.size(); i++) {
        const int c = int(random[i] & ((1 << coefficient_bits) - 1)) - (1 << (coefficient_bits - 1));
        if (c == 0) continue;
        const G2 p = load<G2>(points, begin + i);
        bucket[std::size_t(std::abs(c)) - 1] += c > 0 ? p : -p;
      }
    }
    Sum sum() const {
      Sum running = Sum::infinity(), total = Sum::infinity();
      for (std::size_t k = bucket.size(); k-- > 0;) running += bucket[k], total += running;
      return total;
    }
  };
  static Result<std::size_t> count_bad_sums(Bytes points, Rng& rng) {
    const std::size_t n = points.size() / size2;
    std::vector<Round> round(rounds);
    std::vector<std::uint16_t> random(std::min(block, n) * rounds);
    for (std::size_t begin = 0; begin < n; begin += block) {
      const std::size_t count = std::min(block, n - begin);
      VOUCH_CHECK(
          rng.fill({reinterpret_cast<std::uint8_t*>(random.data()), random.size() * sizeof random[0]}));
      parallel_for(rounds, 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t k = first; k < last; k++)
          round[k].add_block(points, begin, std::span(random).subspan(k * count, count));
      });
    }
    std::atomic<std::size_t> bad = 0;
    parallel_for(rounds, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t k = first; k < last; k++) bad += !in_subgroup(round[k].sum().to_affine());
    });
    return bad.load();
  }

  static Result<std::optional<BadPoint>> find_bad_g2(Bytes points, Rng& rng) {
    if (const auto bad = find_malformed<G2>(points)) return bad;
    const std::size_t n = points.size() / size2;
    if (n >= batch_from) {
      VOUCH_TRY(const std::size_t bad, count_bad_sums(points, rng));
      if (bad == 0) return std::optional<BadPoint>{};
    }
    const std::size_t i = find_first(n, 16, [&](std::size_t k) { return !in_subgroup(load<G2>(points, k)); });
    if (i == none) return std::optional<BadPoint>{};
    return std::optional(BadPoint{i, PointFault::outside_subgroup});
  }
};

// f(Check<the fastest form this processor has>).
template <class F>
auto with_fastest_check(F&& f) {
  return with_fastest_arith([&](auto tag) { return f(Check<typename decltype(tag)::Arith>{}); });
}

}  // namespace

bool in_subgroup(const Bn254G2::Affine& p) {
  return with_fastest_check(
      [&](auto check) { return check.in_subgroup(std::bit_cast<typename decltype(check)::G2>(p)); });
}

const char* describe(PointFault fault) {
  switch (fault) {
    case PointFault::not_canonical:
      return "has a coordinate that is not below the field modulus";
    case PointFault::off_curve:
      return "is not on the curve";
    case PointFault::outside_subgroup:
      return "is on the curve but outside the subgroup of order r";
  }
  return "";
}

std::optional<BadPoint> find_bad_g1(Bytes points) {
  return with_fastest_check(
      [&](auto check) { return check.template find_malformed<typename decltype(check)::G1>(points); });
}

Result<std::optional<BadPoint>> find_bad_g2(Bytes points, Rng& rng) {
  return with_fastest_check([&](auto check) { return check.find_bad_g2(points, rng); });
}

}  // namespace vouch
