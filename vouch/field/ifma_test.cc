// Packed8 against Prime, lane by lane, at the ends of every bound.
#include "vouch/field/ifma.h"

#include <gtest/gtest.h>

#include <vector>

#include "vouch/core/cpu_features.h"
#include "vouch/field/fields.h"
#include "vouch/field/test_samples.h"

#ifdef VOUCH_HAS_IFMA

namespace vouch {

VOUCH_TARGET_BEGIN(VOUCH_TARGET_IFMA)
namespace ifma {
namespace {

template <class P>
Packed8<P, 2> load(const Prime<P>* p) {
  V x[4];
  load_lanes(x, [&](int k) { return p + k; });
  return Packed8<P, 1>::split_times_16(x).reduce();
}
template <class P, int A>
void store(Prime<P>* p, const Packed8<P, A>& v) {
  V x[4];
  v.divide_by_16().canonical().join(x);
  store_lanes([&](int k) { return p + k; }, x);
}

// Each operation of the type on eight lanes, and what it should be.
template <class P>
void check_eight(const Prime<P>* a, const Prime<P>* b) {
  using F = Prime<P>;
  const auto x = load<P>(a), y = load<P>(b);
  const auto expect = [&](const auto& packed, auto expected, const char* what) {
    F out[8];
    store<P>(out, packed);
    for (int k = 0; k < 8; k++)
      EXPECT_EQ(out[k].montgomery(), expected(a[k], b[k]).montgomery()) << what << k;
  };
  expect(x, [](F p, F) { return p; }, "copy");
  expect(mul(x, y).tight(), [](F p, F q) { return p * q; }, "mul");
  expect(sqr(x).tight(), [](F p, F) { return p.square(); }, "sqr");
  expect((loose(x) + loose(y)).tight(), [](F p, F q) { return p + q; }, "add");
  expect((loose(x) - loose(y)).tight(), [](F p, F q) { return p - q; }, "sub");
  expect((mul(x, y) - loose(x) - loose(y)).tight().reduce(), [](F p, F q) { return p * q - p - q; }, "chain");
  // Bounds as wide as they go: 8p * 10p, and 40p + 44p.
  const auto wide = (loose(x) - loose(y) - loose(y) - loose(y)).tight();  // below 8p
  const auto wider = (loose(x) - loose(y) - loose(y) - loose(y) - loose(y)).tight();
  const auto expected_wide = [](F p, F q) { return p - q - q - q; };
  expect(
      mul(wide, wider).tight(), [&](F p, F q) { return expected_wide(p, q) * (expected_wide(p, q) - q); },
      "wide");
  auto sum = loose(wider) + loose(wider) + loose(wider) + loose(wider);
  expect((sum + sum).tight().reduce(), [&](F p, F q) { return F(8) * (expected_wide(p, q) - q); }, "80p");
  expect((sum + sum).reduce(), [&](F p, F q) { return F(8) * (expected_wide(p, q) - q); }, "80p, loose");
  expect((loose(x) - loose(x)).reduce(), [](F, F) { return F::zero(); }, "zero, loose");
  expect((loose(x) - loose(y)).reduce(), [](F p, F q) { return p - q; }, "difference, loose");
  expect(loose(Packed8<P, 2>::zero()).reduce(), [](F, F) { return F::zero(); }, "zero");
  expect(mul(x, Limbs52::of(F(16).montgomery())).tight(), [](F p, F) { return p; }, "by constant");
}

template <class P>
void check_all() {
  const auto v = samples<Prime<P>>();
  for (std::size_t i = 0; i + 8 <= v.size(); i++)
    for (std::size_t j = 0; j + 8 <= v.size(); j++) check_eight<P>(&v[i], &v[j]);
}

template <class P>
void check_memory() {
  using F = Prime<P>;
  const auto v = samples<F>();
  std::vector<F> out(16);
  V x[4], y[4];
  load_row(x, v.data());
  Packed8<P, 1>::split(x).join(y);
  store_row(out.data(), y);
  for (int k = 0; k < 8; k++) EXPECT_EQ(out[k], v[k]);

  load_pairs(x, y, [&](int k) { return &v[5 * k]; });
  store_pairs([&](int k) { return &out[2 * k]; }, x, y);
  for (int k = 0; k < 8; k++) {
    EXPECT_EQ(out[2 * k], v[5 * k]);
    EXPECT_EQ(out[2 * k + 1], v[5 * k + 1]);
  }
  load_lanes(x, [&](int k) { return &v[5 * k + 1]; });
  store_lanes([&](int k) { return &out[k]; }, x);
  for (int k = 0; k < 8; k++) EXPECT_EQ(out[k], v[5 * k + 1]);
}

}  // namespace
}  // namespace ifma
VOUCH_TARGET_END

namespace {

bool here() {
  return cpu_features().avx512_ifma && cpu_features().bmi2 && cpu_features().adx;
}

TEST(Ifma, Bn254Fr) {
  if (!here()) GTEST_SKIP() << "this processor has no AVX-512 IFMA";
  ifma::check_all<Bn254FrParams>();
}
TEST(Ifma, Bn254Fq) {
  if (!here()) GTEST_SKIP() << "this processor has no AVX-512 IFMA";
  ifma::check_all<Bn254FqParams>();
}
TEST(Ifma, Memory) {
  if (!here()) GTEST_SKIP() << "this processor has no AVX-512 IFMA";
  ifma::check_memory<Bn254FrParams>();
}

}  // namespace
}  // namespace vouch

#endif
