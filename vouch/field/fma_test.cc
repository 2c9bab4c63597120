// The arithmetic of fma.h against Prime, lane by lane: products of field elements, and limbs at the ends of
// what is allowed, which no field element need have.
#include "vouch/field/fma.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "vouch/core/cpu_features.h"
#include "vouch/core/rng.h"
#include "vouch/field/fields.h"
#include "vouch/field/test_samples.h"

#ifdef VOUCH_HAS_FMA

namespace vouch {
namespace {

bool here() {
  return cpu_features().avx2 && cpu_features().fma && cpu_features().bmi2 && cpu_features().adx;
}

// A number as it is in a lane: five whole doubles.
struct Plain {
  double limb[5];
};

// The number mod p, as a Montgomery value's raw integer.
template <class F>
F mod_p(const Plain& x) {
  const F base = F(u64(1) << 51);
  F r = F::zero();
  for (int i = 5; i-- > 0;) {
    const double l = x.limb[i];
    r = r * base + (l < 0 ? -F(u64(-l)) : F(u64(l)));
  }
  return r;
}

// Sign and sizes of limbs: digits with every limb at one of its ends, and random ones.
std::vector<Plain> limb_samples(double size, double top) {
  std::vector<Plain> v;
  const double ends[] = {-size * 0x1p50, size * 0x1p50, 0, size * 0x1p50 - 1, 1, -size * 0x1p50 + 1};
  for (double a : ends)
    for (double b : ends)
      for (double t : {-top, 0.0, top}) v.push_back({{a, b, a, b, t}}), v.push_back({{a, a, b, b, t}});
  InsecureTestRng rng(3);
  const auto random = [&](double limit) { return double(std::int64_t(rng.next()) >> 11) * 0x1p-52 * limit; };
  while (v.size() < 320) {
    Plain x;
    for (double& l : x.limb) l = __builtin_trunc(random(size * 0x1p50));
    x.limb[4] = __builtin_trunc(random(top));
    v.push_back(x);
  }
  return v;
}

}  // namespace

VOUCH_TARGET_BEGIN(VOUCH_TARGET_AVX2_FMA)
namespace fma_avx2 {
namespace {

constexpr int width = lanes * vectors;

Pack load(const std::vector<Plain>& v, std::size_t first) {
  Pack r;
  for (int h = 0; h < vectors; h++)
    for (int i = 0; i < 5; i++) {
      alignas(64) double lane[lanes];
      for (int k = 0; k < lanes; k++) lane[k] = v[(first + std::size_t(h * lanes + k)) % v.size()].limb[i];
      r.v[h].limb[i] = _mm256_load_pd(lane);
    }
  return r;
}
Plain lane_of(const Pack& x, int at) {
  Plain r;
  for (int i = 0; i < 5; i++) {
    alignas(64) double lane[lanes];
    _mm256_store_pd(lane, x.v[at / lanes].limb[i]);
    r.limb[i] = lane[at % lanes];
  }
  return r;
}
void expect_digits(const Plain& x) {
  for (int i = 0; i < 4; i++) EXPECT_LE(std::abs(x.limb[i]), 0x1p50);
}

template <class P>
void check_limbs() {
  using F = Prime<P>;
  const F per_radix = F(2).pow(UInt<1>::of(255)).inverse();
  // Sizes that multiply to 4; a square's limbs are doubled.
  for (const double size : {1.0, 2.0, 4.0}) {
    const auto wide = limb_samples(size, 0x1p50), narrow = limb_samples(4 / size, 0x1p50),
               single = limb_samples(1, 0x1p50);
    for (std::size_t i = 0; i < wide.size(); i += width)
      for (std::size_t j = 0; j < narrow.size(); j += 3) {
        const Pack a = load(wide, i), b = load(narrow, j), s = load(single, i);
        const Pack product = mul<P>(a, b), complex = mul_complex<P>(a, b), square = sqr<P>(s),
                   complex_square = sqr_complex<P>(s);
        for (int k = 0; k < width; k++) {
          const F x = mod_p<F>(lane_of(a, k)), y = mod_p<F>(lane_of(b, k)), z = mod_p<F>(lane_of(s, k));
          expect_digits(lane_of(product, k));
          ASSERT_EQ(mod_p<F>(lane_of(product, k)), x * y * per_radix);
          ASSERT_EQ(mod_p<F>(lane_of(square, k)), z * z * per_radix);
          const int other = (k + lanes) % width;
          const F x1 = mod_p<F>(lane_of(a, other)), y1 = mod_p<F>(lane_of(b, other)),
                  z1 = mod_p<F>(lane_of(s, other));
          ASSERT_EQ(mod_p<F>(lane_of(complex, k)),
                    (k < lanes ? x * y - x1 * y1 : x1 * y + x * y1) * per_radix);
          ASSERT_EQ(mod_p<F>(lane_of(complex_square, k)),
                    (k < lanes ? z * z - z1 * z1 : z * z1 + z1 * z) * per_radix);
        }
      }
  }
  // Sizes up to 8 are brought to digits, and values near multiples of p near zero.
  const auto loose = limb_samples(7.5, 0x1p52);
  for (std::size_t i = 0; i < loose.size(); i += width) {
    const Pack a = load(loose, i);
    for (int h = 0; h < vectors; h++) {
      const Pack whole{{digits(a.v[h]), reduce<P>(digits(a.v[h]))}};
      for (int k = 0; k < lanes; k++) {
        const F x = mod_p<F>(lane_of(a, h * lanes + k));
        expect_digits(lane_of(whole, k));
        ASSERT_EQ(mod_p<F>(lane_of(whole, k)), x);
        expect_digits(lane_of(whole, lanes + k));
        ASSERT_EQ(mod_p<F>(lane_of(whole, lanes + k)), x);
        ASSERT_LE(std::abs(lane_of(whole, lanes + k).limb[4]), double(F::modulus.limb[3] >> 12) / 2 + 2);
      }
    }
  }
}

// A digit of -2^50 in a column to be reduced: the tie that Constants51::q_anchor is for.
template <class P>
void check_ties() {
  using F = Prime<P>;
  const F per_radix = F(2).pow(UInt<1>::of(255)).inverse();
  std::vector<Plain> v, ones;
  for (int i = 0; i < 5; i++)
    for (double sign : {1.0, -1.0}) {
      Plain x{};
      x.limb[i] = sign * 0x1p50;
      v.push_back(x);
      x.limb[(i + 1) % 5] = 3;
      v.push_back(x);
    }
  ones.push_back({{1, 0, 0, 0, 0}}), ones.push_back({{-1, 0, 0, 0, 0}}), ones.push_back({{3, 0, 0, 0, 0}});
  for (std::size_t i = 0; i < v.size(); i++)
    for (std::size_t j = 0; j < ones.size(); j++) {
      const Pack a = load(v, i), b = load(ones, j), product = mul<P>(a, b);
      for (int k = 0; k < width; k++)
        ASSERT_EQ(mod_p<F>(lane_of(product, k)),
                  mod_p<F>(lane_of(a, k)) * mod_p<F>(lane_of(b, k)) * per_radix);
    }
}

template <class P>
void check_memory() {
  using F = Prime<P>;
  const auto v = samples<F>();
  for (std::size_t i = 0; i + 8 <= v.size(); i++) {
    V w[4], out[4];
    load_columns(w, [&](int k) { return &v[i + std::size_t(k)]; });
    F back[lanes];
    store_columns([&](int k) { return &back[k]; }, w);
    for (int k = 0; k < lanes; k++) EXPECT_EQ(back[k].montgomery(), v[i + std::size_t(k)].montgomery());
    // x 2^256, shifted by 0 and less p, is -p to 0; in memory it is x again.
    join_plus_p<P>(out, digits(split<P, 0, 1>(w)));
    store_columns([&](int k) { return &back[k]; }, out);
    for (int k = 0; k < lanes; k++) EXPECT_EQ(back[k].montgomery(), v[i + std::size_t(k)].montgomery());
    for (const bool negative : {false, true}) {  // x or x - p is x mod p
      join_canonical<P>(out, digits(negative ? split<P, 0, 1>(w) : split<P, 0, 0>(w)));
      store_columns([&](int k) { return &back[k]; }, out);
      for (int k = 0; k < lanes; k++) EXPECT_EQ(back[k].montgomery(), v[i + std::size_t(k)].montgomery());
    }
    // A product with its radix: x 2^256 y 2^256 / 2^255 = 2 (x y 2^256).
    V u[4];
    load_columns(u, [&](int k) { return &v[(7 * i + std::size_t(k)) % 60]; });
    const Pack a{{split<P, 1, 1>(w), split<P, 2, 2>(w)}}, b{{split<P, 0, 0>(u), split<P, 0, 1>(u)}};
    const Pack product = mul<P>(a, b);
    for (int h = 0; h < vectors; h++) {
      join_plus_p<P>(out, reduce<P>(product.v[h]));
      store_columns([&](int k) { return &back[k]; }, out);
      for (int k = 0; k < lanes; k++) {
        const F expected = v[i + std::size_t(k)] * v[(7 * i + std::size_t(k)) % 60];
        // back is not canonical: below 1.6 p
        EXPECT_EQ(F::from_int(back[k].montgomery()),
                  F::from_int((expected * F(h == 0 ? 4 : 8)).montgomery()));
      }
    }
    const Pack equal{{split<P, 0, 0>(w), split<P, 0, 0>(w)}};
    EXPECT_EQ(equal_lanes(equal.v[0].limb[0], equal.v[1].limb[0]), (1u << lanes) - 1);
  }
}

TEST(FmaAvx2, Bn254Fr) {
  if (!here()) GTEST_SKIP() << "this processor has no AVX2, FMA and ADX";
  check_limbs<Bn254FrParams>();
  check_ties<Bn254FrParams>();
  check_memory<Bn254FrParams>();
}
TEST(FmaAvx2, Bn254Fq) {
  if (!here()) GTEST_SKIP() << "this processor has no AVX2, FMA and ADX";
  check_limbs<Bn254FqParams>();
  check_ties<Bn254FqParams>();
  check_memory<Bn254FqParams>();
}

}  // namespace
}  // namespace fma_avx2
VOUCH_TARGET_END

}  // namespace vouch

#endif
