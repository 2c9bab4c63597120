// cpu_msm against reference_msm: sizes x distributions of scalars and points x forms x threads.
#include "vouch/backend/cpu/msm.h"

#include <gtest/gtest.h>

#include "vouch/backend/cpu/msm_digits.h"
#include "vouch/backend/cpu/msm_kernel.h"
#include "vouch/backend/cpu/msm_sample.h"
#include "vouch/backend/reference/msm.h"

namespace vouch {
namespace {

using namespace msm_sample;

UInt<4> minus(UInt<4> x) {
  UInt<4> r = Bn254Fr::modulus;
  sub(r, x);
  return x.is_zero() ? x : r;
}

enum class Scalars { random, zeros, ones, minus_ones, small, equal, bits, skewed, near_half, powers };
enum class Points { distinct, infinity_mixed, all_infinity, opposite, equal };
constexpr Scalars all_scalars[] = {Scalars::random,    Scalars::zeros, Scalars::ones, Scalars::minus_ones,
                                   Scalars::small,     Scalars::equal, Scalars::bits, Scalars::skewed,
                                   Scalars::near_half, Scalars::powers};
constexpr Points all_points[] = {Points::distinct, Points::infinity_mixed, Points::all_infinity,
                                 Points::opposite, Points::equal};

UInt<4> make_scalar(Scalars kind, std::size_t i, Random& random, const UInt<4>& fixed) {
  switch (kind) {
    case Scalars::random:
      return random.scalar();
    case Scalars::zeros:
      return {};
    case Scalars::ones:
      return UInt<4>::of(1);
    case Scalars::minus_ones:
      return minus(UInt<4>::of(1));
    case Scalars::small:
      return i % 3 ? UInt<4>::of(random.next() % 1000) : minus(UInt<4>::of(random.next() % 70000));
    case Scalars::equal:
      return fixed;
    case Scalars::bits:
      return UInt<4>::of(random.next() & 1);
    case Scalars::skewed:
      return i % 10 ? (i % 10 < 8 ? fixed : UInt<4>::of(i % 3)) : random.scalar();
    case Scalars::near_half: {
      UInt<4> x = Bn254Fr::modulus >> 1;
      i % 2 ? sub(x, UInt<4>::of(i / 2 % 5)) : add(x, UInt<4>::of(i / 2 % 5));
      return x;
    }
    case Scalars::powers: {
      UInt<4> x, one = UInt<4>::of(i / 2 % 3);
      x.limb[i % 254 / 64] = u64(1) << (i % 254 % 64);
      i % 2 ? sub(x, one) : add(x, one);
      return x < Bn254Fr::modulus ? x : UInt<4>::of(7);
    }
  }
  return {};
}

template <class C>
std::vector<typename C::Affine> make_points(Points kind, std::size_t n, Random& random) {
  auto points = multiples<C>(1 + random.next() % 1000, n);
  for (std::size_t i = 0; i < n; i++) {
    if (kind == Points::all_infinity || (kind == Points::infinity_mixed && random.next() % 3 == 0))
      points[i] = {};
    if (kind == Points::opposite && i % 2) points[i] = -points[i - 1];
    if (kind == Points::equal) points[i] = points[0];
  }
  return points;
}

// The same bytes at an odd address.
template <class T>
std::vector<u8> unaligned(const std::vector<T>& items) {
  std::vector<u8> bytes(items.size() * sizeof(T) + 1);
  if (!items.empty()) std::memcpy(bytes.data() + 1, items.data(), items.size() * sizeof(T));
  return bytes;
}

void expect_same(const MsmSums& a, const MsmSums& b, const std::string& what) {
  ASSERT_EQ(a.g1.size(), b.g1.size());
  ASSERT_EQ(a.g2.size(), b.g2.size());
  for (std::size_t i = 0; i < a.g1.size(); i++) EXPECT_TRUE(a.g1[i] == b.g1[i]) << what << " g1 " << i;
  for (std::size_t i = 0; i < a.g2.size(); i++) EXPECT_TRUE(a.g2[i] == b.g2[i]) << what << " g2 " << i;
}

TEST(Msm, AgreesWithReference) {
  Random random(1);
  Progress progress;
  for (const std::size_t n : {0, 1, 2, 3, 7, 64, 1000}) {
    for (const Scalars kind : all_scalars) {
      for (const Points points : all_points) {
        if (n == 1000 && kind != Scalars::random && points != Points::distinct) continue;
        const UInt<4> fixed = random.scalar();
        std::vector<UInt<4>> scalars;
        for (std::size_t i = 0; i < n; i++) scalars.push_back(make_scalar(kind, i, random, fixed));
        const std::size_t n2 = std::min<std::size_t>(n, 64);
        const auto p1 = unaligned(make_points<Bn254G1>(points, n, random));
        const auto p2 = unaligned(make_points<Bn254G2>(points, n2, random));
        const auto k = unaligned(scalars);
        MsmSet set;
        set.g1.push_back({p1.data() + 1, k.data() + 1, n});
        set.g2.push_back({p2.data() + 1, k.data() + 1, n2});
        const MsmSums expected = reference_msm(set, progress).value();
        for (const Instructions form : forms_here())
          for (const int threads : {1, 2})
            expect_same(on_cpu(set, form, threads), expected,
                        "n " + std::to_string(n) + " scalars " + std::to_string(int(kind)) + " points " +
                            std::to_string(int(points)) + " form " + std::to_string(int(form)) + " threads " +
                            std::to_string(threads));
      }
    }
  }
}

// Over multiples of the generator, point i being (first + i) G or its negative, a sum is a multiple that
// plain arithmetic knows: large sets need no reference.
struct KnownSum {
  u64 first;
  std::vector<UInt<4>> scalars;
  std::vector<bool> negative;

  template <class C>
  typename C::Affine expected(std::size_t skip = 0) const {
    Bn254Fr k;
    for (std::size_t i = skip; i < scalars.size(); i++) {
      const Bn254Fr term = Bn254Fr::from_int(scalars[i]) * Bn254Fr(first + i);
      k = negative[i] ? k - term : k + term;
    }
    return C::Xyzz::from(C::generator()).mul_vartime(k.to_int()).to_affine();
  }
  template <class C>
  std::vector<typename C::Affine> points() const {
    auto p = multiples<C>(first, scalars.size());
    for (std::size_t i = 0; i < p.size(); i++)
      if (negative[i]) p[i] = -p[i];
    return p;
  }
};

KnownSum known_sum(Scalars kind, std::size_t n, u64 seed) {
  Random random(seed);
  const UInt<4> fixed = random.scalar();
  KnownSum known{1 + random.next() % 1000, {}, {}};
  for (std::size_t i = 0; i < n; i++) {
    known.scalars.push_back(make_scalar(kind, i, random, fixed));
    known.negative.push_back(random.next() & 1);
  }
  return known;
}

MsmJob job_of(const void* points, const void* scalars, std::size_t count) {
  return {static_cast<const u8*>(points), static_cast<const u8*>(scalars), count};
}

// Larger than a segment and a batch; small multiples of one point meet themselves and their negatives in
// buckets.
TEST(Msm, KnownSumsOfManyPoints) {
  for (const Scalars kind : all_scalars) {
    const KnownSum known = known_sum(kind, 6000, 11 + u64(kind));
    const auto p1 = known.points<Bn254G1>();
    const auto p2 = known.points<Bn254G2>();
    MsmSet set;
    set.g1 = {job_of(p1.data(), known.scalars.data(), p1.size())};
    set.g2 = {job_of(p2.data(), known.scalars.data(), p2.size())};
    const MsmSums expected{{known.expected<Bn254G1>()}, {known.expected<Bn254G2>()}};
    for (const Instructions form : forms_here())
      expect_same(on_cpu(set, form, 2), expected,
                  "scalars " + std::to_string(int(kind)) + " form " + std::to_string(int(form)));
  }
}

// The sums of a proof: one witness for A, B1 and B2, a part of it for L, other scalars for H, an empty sum.
TEST(Msm, SharedScalars) {
  for (const Scalars kind : {Scalars::random, Scalars::skewed}) {
    const KnownSum witness = known_sum(kind, 5000, 3), h = known_sum(Scalars::random, 4200, 4);
    const auto a = witness.points<Bn254G1>(), hp = h.points<Bn254G1>();
    const auto b2 = witness.points<Bn254G2>();
    MsmSet set;
    set.g1 = {job_of(a.data(), witness.scalars.data(), 5000),
              job_of(&a[70], &witness.scalars[70], 5000 - 70),
              job_of(hp.data(), h.scalars.data(), 4200),
              {}};
    set.g2 = {job_of(b2.data(), witness.scalars.data(), 5000)};
    const MsmSums expected{{witness.expected<Bn254G1>(), witness.expected<Bn254G1>(70), h.expected<Bn254G1>(),
                            Bn254G1::Affine::infinity()},
                           {witness.expected<Bn254G2>()}};
    for (const Instructions form : forms_here())
      for (const int threads : {1, 2, 5})
        expect_same(on_cpu(set, form, threads), expected, "form " + std::to_string(int(form)));
  }
}

// Scalars that a job gives up are not read afterwards, and other jobs over them are counted too.
TEST(Msm, ScalarsMayGoWhenTheyHaveBeenRead) {
  const KnownSum witness = known_sum(Scalars::skewed, 3000, 5), h = known_sum(Scalars::random, 2500, 6);
  const auto a = witness.points<Bn254G1>(), hp = h.points<Bn254G1>();
  const auto b2 = h.points<Bn254G2>();
  const MsmSums expected{{witness.expected<Bn254G1>(), h.expected<Bn254G1>()}, {h.expected<Bn254G2>()}};
  for (const Instructions form : forms_here())
    for (const int threads : {1, 2, 5}) {
      std::vector<UInt<4>> going = h.scalars;
      int times = 0;
      MsmSet set;
      set.g1 = {job_of(a.data(), witness.scalars.data(), 3000), job_of(hp.data(), going.data(), 2500)};
      set.g2 = {job_of(b2.data(), going.data(), 2500)};
      set.g1[1].scalars_read = [&] {
        times++;
        std::fill(going.begin(), going.end(), UInt<4>::of(12345));
      };
      expect_same(on_cpu(set, form, threads), expected, "form " + std::to_string(int(form)));
      EXPECT_EQ(times, 1);
    }
}

// Many threads share a window by ranges of digits: their sums give the window's.
TEST(Msm, RangesOfDigitsGiveTheWindow) {
  const KnownSum known = known_sum(Scalars::skewed, 3000, 21);
  const auto points = known.points<Bn254G1>();
  constexpr int c = 7;
  const MsmDigits digits(reinterpret_cast<const u8*>(known.scalars.data()), known.scalars.size(), c);
  ASSERT_GT(digits.longs(), 0u);
  const u8* const data = reinterpret_cast<const u8*>(points.data());
  const std::array<MsmEntries, 2> windows{digits.long_entries(0, 0, digits.longs()),
                                          digits.long_entries(5, 0, digits.longs())};
  MsmKernel<ScalarForm<Bn254G1>> kernel;
  MsmPlacement placed;
  const u32 end = u32(digits.buckets());
  std::array<Bn254G1::Xyzz, 2> whole, part, sum{};
  placed.place(windows, 1, end);
  kernel.sum(placed, data, whole);
  for (const auto& [low, high] : {std::pair<u32, u32>{1, 3}, {3, 40}, {40, end}}) {
    placed.place(windows, low, high);
    kernel.sum(placed, data, part);
    for (std::size_t w = 0; w < 2; w++) sum[w] += part[w];
  }
  EXPECT_FALSE(whole[0].is_infinity());
  for (std::size_t w = 0; w < 2; w++) EXPECT_TRUE(sum[w] == whole[w]) << "window " << w;
}

}  // namespace
}  // namespace vouch
