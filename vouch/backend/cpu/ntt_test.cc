// How often the transforms go over memory, sizes that backend_test.cc does not reach, and the packed form's
// factors.
#include "vouch/backend/cpu/ntt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

#include "vouch/backend/cpu/ntt_fixed.h"
#include "vouch/core/cpu_features.h"
#include "vouch/core/rng.h"
#include "vouch/core/trace.h"

namespace vouch {
namespace {

using F = Bn254Fr;

// Every pass over an array of n elements is a span whose name ends in "sweep".
int sweeps(const Trace& trace) {
  int count = 0;
  for (const auto& event : nlohmann::json::parse(trace.json()))
    if (event.at("ph") == "X" && event.at("cat") == "stage")
      count += event.at("name").get<std::string>().ends_with(" sweep");
  return count;
}

TEST(CpuNtt, ATransformIsTwoSweepsAndAQuotientThree) {
  constexpr int log_n = 12;
  constexpr std::size_t n = std::size_t(1) << log_n;
  for (const Instructions form : {Instructions::portable, Instructions::avx512_ifma}) {
    if (form == Instructions::avx512_ifma && !cpu_features().avx512_ifma) continue;
    const auto ntt = open_cpu_ntt(form);
    std::vector<F> values(n, F(3));
    Trace one;
    {
      const Span all(one, "transform");
      ntt->transform(values, log_n, Direction::forward, F::one());
    }
    EXPECT_EQ(sweeps(one), 2);

    const std::vector<std::uint8_t> witness(32);
    std::vector<UInt<4>> h(n);
    Progress progress;
    Trace six;
    {
      const Span all(six, "quotient");
      ntt->quotient({nullptr, 0, witness.data(), 1, log_n}, h, progress);
    }
    EXPECT_EQ(sweeps(six), 3);
  }
}

// Above 2^20 rows have twiddles of their own: a few coefficients there, whose values are known.
TEST(CpuNtt, SizesWithoutScaledRows) {
  constexpr int log_n = 21;
  constexpr std::size_t n = std::size_t(1) << log_n;
  const F root = F::root_of_unity(log_n), shift(5);
  const std::size_t places[] = {1, 3 * (n / 8) + 77, n - 2};
  for (const Instructions form : {Instructions::portable, Instructions::avx512_ifma}) {
    if (form == Instructions::avx512_ifma && !cpu_features().avx512_ifma) continue;
    const auto ntt = open_cpu_ntt(form);
    for (const F& s : {F::one(), shift}) {
      std::vector<F> values(n);
      F term[3], step[3];
      for (std::size_t k = 0; k < 3; k++) {
        values[places[k]] = F(k + 2);
        term[k] = F(k + 2) * s.pow(UInt<1>::of(places[k]));
        step[k] = root.pow(UInt<1>::of(places[k]));
      }
      ntt->transform(values, log_n, Direction::forward, s);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < n; i++) {
        wrong += values[i] != term[0] + term[1] + term[2];
        for (int k = 0; k < 3; k++) term[k] *= step[k];
      }
      EXPECT_EQ(wrong, 0u);
    }
  }
}

#ifdef VOUCH_HAS_IFMA
}  // namespace
}  // namespace vouch

VOUCH_TARGET_BEGIN(VOUCH_TARGET_IFMA)
namespace vouch::ifma {
namespace {
using P = Bn254FrParams;

// times p + y for each of eight y, with limbs of either sign.
VOUCH_INLINE Loose8<P, 40, 40> sum_of(int times, const Fixed52<P>::F (&y)[8]) {
  const Limbs52 p = Limbs52::multiple(Bn254Fr::modulus, u64(times < 0 ? -times : times));
  V words[4];
  load_row(words, y);
  const auto low = Packed8<P, 1>::split(words);
  Loose8<P, 40, 40> r;
  for (int i = 0; i < 5; i++)
    r.limb[i] = times < 0 ? _mm512_sub_epi64(low.limb[i], splat(p.limb[i]))
                          : _mm512_add_epi64(low.limb[i], splat(p.limb[i]));
  return r;
}

// The product of each with w, and the largest size among them in p.
template <class W>
VOUCH_INLINE double product_of(Fixed52<P>::F (&y)[8], int times, const W& w) {
  const auto t = mul_fixed(sum_of(times, y), w);
  V words[4];
  t.reduce().canonical().join(words);
  store_row(y, words);
  auto lifted = t.tight();  // by 5p
  lifted.limb[4] = _mm512_and_si512(lifted.limb[4], splat(mask52));
  alignas(64) u64 top[8];
  _mm512_store_si512(top, lifted.limb[4]);
  double size = 0;
  for (const u64 x : top) {
    const double in_p = double(x) / double(Constants52<P>::p.limb[4]) - 5;
    size = std::max(size, in_p < 0 ? -in_p : in_p);
  }
  return size;
}

double fixed_product(Fixed52<P>::F (&y)[8], int times, const Fixed52<P>::F& w) {
  return product_of(y, times, Fixed52<P>::of(w));
}
// w as 2^260 w, in every lane.
double lanes_product(Fixed52<P>::F (&y)[8], int times, const Fixed52<P>::F& w) {
  const auto lanes = Packed8<P, 1>::splat_limbs(Limbs52::of((w * Fixed52<P>::F(16)).montgomery()));
  return product_of(y, times, FixedLanes<P>::of(lanes));
}
}  // namespace
}  // namespace vouch::ifma
VOUCH_TARGET_END

namespace vouch {
namespace {

TEST(CpuNtt, FixedFactorsMultiplySignedSums) {
  using G = ifma::Fixed52<Bn254FrParams>::F;
  if (!cpu_features().avx512_ifma) GTEST_SKIP() << "needs AVX-512 IFMA";
  InsecureTestRng rng(4);
  std::vector<G> w{G::zero(), G::one(), -G::one(), G(2).inverse()};
  for (int i = 0; i < 200; i++) w.push_back(G(rng.next()).pow(UInt<1>::of(9)));
  for (const G& x : w) {
    for (const int times : {0, 1, -1, 5, -17, 39, -40}) {
      G y[8] = {G::zero(), G::one(), -G::one(), x, -x};
      for (int k = 5; k < 8; k++) y[k] = G(rng.next()).pow(UInt<1>::of(9));
      for (const auto product : {ifma::fixed_product, ifma::lanes_product}) {
        G got[8];
        std::copy(std::begin(y), std::end(y), got);
        EXPECT_LT(product(got, times, x), product == ifma::fixed_product ? 3.49 : 4.2);
        for (int k = 0; k < 8; k++) EXPECT_EQ(got[k], y[k] * x) << times;
      }
    }
  }
}
#endif

}  // namespace
}  // namespace vouch
