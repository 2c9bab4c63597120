// Sums with constant work: equal to the reference, and as many products of field elements whatever the
// scalars are.
#include "vouch/backend/cpu/constant_sums.h"

#include <gtest/gtest.h>

#include "vouch/backend/cpu/constant_sums_text.h"
#include "vouch/backend/cpu/msm_sample.h"
#include "vouch/backend/reference/msm.h"

namespace vouch {
namespace {

using msm_sample::Random;

// PortableArith that counts products and sums of field elements.
struct CountedArith : PortableArith {
  static inline std::atomic<u64> products, sums;
  template <class Field>
  static typename Field::Int mul(const typename Field::Int& a, const typename Field::Int& b) {
    products++;
    return PortableArith::mul<Field>(a, b);
  }
  template <class Field>
  static typename Field::Int sqr(const typename Field::Int& a) {
    return mul<Field>(a, a);
  }
  template <class Field>
  static typename Field::Int add(const typename Field::Int& a, const typename Field::Int& b) {
    sums++;
    return PortableArith::add<Field>(a, b);
  }
  template <class Field>
  static typename Field::Int sub(const typename Field::Int& a, const typename Field::Int& b) {
    sums++;
    return PortableArith::sub<Field>(a, b);
  }
};

UInt<4> largest() {
  UInt<4> x = Bn254Fr::modulus;
  sub(x, UInt<4>::of(1));
  return x;
}

// Vectors of scalars between which ordinary sums tell apart.
std::vector<std::vector<UInt<4>>> distributions(std::size_t n) {
  Random random(3);
  std::vector<UInt<4>> drawn(n);
  for (auto& s : drawn) s = random.scalar();
  return {std::vector<UInt<4>>(n), std::vector<UInt<4>>(n, UInt<4>::of(1)), drawn,
          std::vector<UInt<4>>(n, largest()), std::vector<UInt<4>>(n, drawn.empty() ? UInt<4>{} : drawn[0])};
}

template <class C>
std::vector<typename C::Affine> some_points(std::size_t n) {
  std::vector<typename C::Affine> points(n);
  auto p = C::Xyzz::from(C::generator());
  for (std::size_t i = 0; i < n; i++) {
    points[i] = i % 7 == 4 ? C::Affine::infinity() : p.to_affine();
    if (i % 3) p += C::generator();
    if (i % 5 == 0) p = -p;
  }
  return points;
}

template <class T>
const u8* bytes(const std::vector<T>& v) {
  return reinterpret_cast<const u8*>(v.data());
}

template <class C>
void expect_equal_counts(std::size_t n) {
  using Counted = std::conditional_t<sizeof(typename C::Affine) == 64, Bn254G1With<CountedArith>,
                                     Bn254G2With<CountedArith>>;
  const auto points = some_points<C>(n);
  const Threads threads(2);
  std::vector<std::pair<u64, u64>> counts;
  for (const auto& scalars : distributions(n)) {
    CountedArith::products = CountedArith::sums = 0;
    threads.run([&] { (void)constant::sum<Counted>({bytes(points), bytes(scalars), n}, threads); });
    counts.push_back({CountedArith::products, CountedArith::sums});
  }
  EXPECT_GT(counts[0].first, n * 11 * 10);
  for (const auto& count : counts) EXPECT_EQ(count, counts[0]) << n;
}

TEST(ConstantSums, CountsDoNotDependOnScalars) {
  for (const std::size_t n : {1, 2, 100, 700}) expect_equal_counts<Bn254G1>(n);
  expect_equal_counts<Bn254G2>(60);
}

TEST(ConstantSums, AgreeWithReference) {
  Progress progress;
  for (const std::size_t n : {0, 1, 2, 3, 65, 400}) {
    const auto g1 = some_points<Bn254G1>(n);
    const auto g2 = some_points<Bn254G2>(n);
    for (const auto& scalars : distributions(n)) {
      MsmSet set;
      set.g1 = {{bytes(g1), bytes(scalars), n}};
      set.g2 = {{bytes(g2), bytes(scalars), n}};
      const MsmSums expected = reference_msm(set, progress).value();
      const MsmSums plain = reference_constant_msm(set, progress);
      EXPECT_TRUE(plain.g1 == expected.g1 && plain.g2 == expected.g2) << n;
      for (const Instructions form : msm_sample::forms_here())
        for (const int count : {1, 3, 40}) {
          const Threads threads(count);
          MsmSums sums;
          threads.run([&] { sums = constant_sums(set, threads, form, progress); });
          EXPECT_TRUE(sums.g1 == expected.g1 && sums.g2 == expected.g2) << n << " on " << count;
        }
    }
  }
}

// What --constant-work is plumbed to: a set as a proof has it, through every backend that needs no driver.
TEST(ConstantSums, OfEveryBackend) {
  const std::size_t n = 90;
  const auto g1 = some_points<Bn254G1>(n);
  const auto g2 = some_points<Bn254G2>(n);
  for (const auto& scalars : distributions(n)) {
    MsmSet set;
    set.g1 = {{bytes(g1), bytes(scalars), n}, {bytes(g1) + 64 * 3, bytes(scalars) + 32 * 3, n - 3}};
    set.g2 = {{bytes(g2), bytes(scalars), n}};
    const MsmSums expected = std::move(open_backend("cpu")).value()->msm(set).value();
    for (const char* name : {"reference", "cpu", "host"}) {
      const auto backend = std::move(open_backend(name, {.threads = 2, .constant_work = true})).value();
      const MsmSums sums = backend->msm(set).value();
      EXPECT_TRUE(sums.g1 == expected.g1 && sums.g2 == expected.g2) << name;
    }
  }
}

}  // namespace
}  // namespace vouch
