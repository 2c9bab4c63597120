// How often the transforms go over memory, sizes that backend_test.cc does not reach, and the packed form's
// factors.
#include "vouch/backend/cpu/ntt.h"

#include <gtest/gtest.h>

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
// floor(w 2^260 / p) by long division, a bit at a time.
ifma::Limbs52 naive_quotient(const F& w) {
  UInt<4> rest = w.to_int();
  ifma::Limbs52 q{};
  for (int i = 259; i >= 0; i--) {
    add(rest, UInt<4>(rest));
    if (rest >= F::modulus) {
      sub(rest, F::modulus);
      q.limb[i / 52] |= u64(1) << i % 52;
    }
  }
  return q;
}

TEST(CpuNtt, FixedFactorsCarryTheirQuotient) {
  using Fixed = ifma::Fixed52<Bn254FrParams>;
  if (!cpu_features().avx512_ifma) GTEST_SKIP() << "needs AVX-512 IFMA";
  InsecureTestRng rng(4);
  std::vector<F> w{F::zero(), F::one(), -F::one(), F(2).inverse()};
  for (int i = 0; i < 60; i++) w.push_back(F(rng.next()).pow(UInt<1>::of(9)));
  for (const F& x : w) {
    const auto fixed = Fixed::of(Fixed::F::raw(x.montgomery()));
    const auto value = ifma::Limbs52::of(x.to_int()), quotient = naive_quotient(x);
    for (int i = 0; i < 5; i++) {
      EXPECT_EQ(fixed.value.limb[i], value.limb[i]);
      EXPECT_EQ(fixed.quotient.limb[i], quotient.limb[i]);
    }
  }
}
#endif

}  // namespace
}  // namespace vouch
