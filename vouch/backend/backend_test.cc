// Every backend and every form of arithmetic against the reference, and what the door refuses.
#include "vouch/backend/backend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "vouch/backend/domain.h"
#include "vouch/core/rng.h"

namespace vouch {
namespace {

using F = Bn254Fr;

F random_element(InsecureTestRng& rng) {
  UInt<4> x;
  do {
    for (u64& limb : x.limb) limb = rng.next();
    x.limb[3] >>= F::spare_bits;
  } while (x >= F::modulus);
  return F::raw(x);
}

std::vector<F> random_elements(InsecureTestRng& rng, std::size_t n) {
  std::vector<F> v(n);
  for (F& x : v) x = random_element(rng);
  return v;
}

// Each form that this processor has, on one thread and on several.
struct Opened {
  std::string name;
  std::unique_ptr<Backend> backend;
};
std::vector<Opened> cpu_backends() {
  std::vector<Opened> r;
  for (const char* form : {"portable", "adx", "avx2", "avx512-ifma"})
    for (const int threads : {1, 3}) {
      auto backend = open_backend("cpu", {.threads = threads, .instructions = form});
      if (!backend.ok()) {
        EXPECT_EQ(backend.error().code, Code::unsupported);
        continue;
      }
      r.push_back({std::string(form) + " on " + std::to_string(threads), std::move(backend).value()});
    }
  return r;
}
std::unique_ptr<Backend> reference() {
  return std::move(open_backend("reference")).value();
}

std::vector<F> transformed(Backend& backend, std::vector<F> v, Direction direction,
                           const F& shift = F::one()) {
  const Status s = backend.ntt(v, direction, shift);
  EXPECT_TRUE(s.ok());
  return v;
}

// sum_i v[i] x^i.
F evaluate(const std::vector<F>& v, const F& x) {
  F r;
  for (std::size_t i = v.size(); i-- > 0;) r = r * x + v[i];
  return r;
}

TEST(Ntt, ReferenceEvaluatesPolynomials) {
  InsecureTestRng rng(1);
  for (int log_n = 0; log_n <= 6; log_n++) {
    const auto v = random_elements(rng, std::size_t(1) << log_n);
    const F shift = random_element(rng);
    const auto out = transformed(*reference(), v, Direction::forward, shift);
    F x = shift;
    for (const F& y : out) {
      EXPECT_EQ(y, evaluate(v, x));
      x *= F::root_of_unity(log_n);
    }
  }
}

TEST(Ntt, EveryFormEqualsReference) {
  const auto backends = cpu_backends();
  InsecureTestRng rng(2);
  for (int log_n = 0; log_n <= 14; log_n++)
    for (const F& shift : {F::one(), F(5), random_element(rng)}) {
      const auto v = random_elements(rng, std::size_t(1) << log_n);
      for (const Direction direction : {Direction::forward, Direction::inverse}) {
        const auto expected = transformed(*reference(), v, direction, shift);
        for (const auto& [name, backend] : backends)
          ASSERT_EQ(transformed(*backend, v, direction, shift), expected) << name << ", 2^" << log_n;
      }
    }
}

TEST(Ntt, ExtremeValues) {  // all zero, all one, all modulus - 1
  for (const auto& [name, backend] : cpu_backends())
    for (int log_n = 0; log_n <= 11; log_n++)
      for (const F& x : {F::zero(), F::one(), -F::one(), F::raw(UInt<4>::of(1)), -F::raw(UInt<4>::of(1))}) {
        const std::vector<F> v(std::size_t(1) << log_n, x);
        std::vector<F> expected(v.size());
        expected[0] = x * F(v.size());
        EXPECT_EQ(transformed(*backend, v, Direction::forward), expected) << name << ", 2^" << log_n;
        EXPECT_EQ(transformed(*backend, expected, Direction::inverse), v) << name << ", 2^" << log_n;
      }
}

TEST(Ntt, RoundTripAndLinearity) {
  InsecureTestRng rng(3);
  for (const auto& [name, backend] : cpu_backends())
    for (int log_n = 0; log_n <= 16; log_n += 3) {
      const auto a = random_elements(rng, std::size_t(1) << log_n), b = random_elements(rng, a.size());
      const F shift = random_element(rng), factor = random_element(rng);
      const auto fa = transformed(*backend, a, Direction::forward, shift);
      const auto fb = transformed(*backend, b, Direction::forward, shift);
      EXPECT_EQ(transformed(*backend, fa, Direction::inverse, shift), a) << name << ", 2^" << log_n;
      auto mixed = a, expected = fa;
      for (std::size_t i = 0; i < a.size(); i++) mixed[i] += b[i] * factor, expected[i] += fb[i] * factor;
      EXPECT_EQ(transformed(*backend, mixed, Direction::forward, shift), expected) << name << ", 2^" << log_n;
    }
}

// A size whose data pass the second-level cache, against the definition at a few points.
TEST(Ntt, LargeTransformEvaluates) {
  InsecureTestRng rng(5);
  constexpr int log_n = 19;
  const auto v = random_elements(rng, std::size_t(1) << log_n);
  const F shift = random_element(rng);
  const auto backend = std::move(open_backend("cpu")).value();
  const auto out = transformed(*backend, v, Direction::forward, shift);
  for (const u64 j : {u64(0), u64(1), u64(v.size() - 1), rng.next() % v.size()})
    EXPECT_EQ(out[j], evaluate(v, shift * F::root_of_unity(log_n).pow(UInt<1>::of(j)))) << j;
  EXPECT_EQ(transformed(*backend, out, Direction::inverse, shift), v);
}

// A made-up coefficient section: `per_row` records in each row of A and B, sorted by row or shuffled.
struct Section {
  std::vector<std::uint8_t> records, witness;
  QuotientInput input(int log_n) const {
    return {records.data(), records.size() / 44, witness.data(), witness.size() / 32, log_n};
  }
};
void append(std::vector<std::uint8_t>& out, const void* p, std::size_t n) {
  const auto* bytes = static_cast<const std::uint8_t*>(p);
  out.insert(out.end(), bytes, bytes + n);
}
Section random_section(InsecureTestRng& rng, int log_n, int per_row, bool shuffled) {
  Section s;
  const std::size_t rows = std::size_t(1) << log_n, signals = rows + 3;
  for (std::size_t i = 0; i < signals; i++) {  // zeros, ones and other words
    const UInt<4> w = i % 3 == 0   ? UInt<4>::of(i % 2)
                      : i % 7 == 0 ? UInt<4>::of(rng.next())
                                   : random_element(rng).to_int();
    append(s.witness, &w, 32);
  }
  std::vector<std::array<std::uint8_t, 44>> list;
  for (std::uint32_t row = 0; row < rows; row++)
    for (std::uint32_t matrix = 0; matrix < 2; matrix++)
      for (int k = int(rng.next() % u64(per_row + 1)); k-- > 0;) {
        const auto signal = std::uint32_t(rng.next() % signals);
        const u64 kind = rng.next() % 4;
        const F v = kind == 0 ? F::one() : kind == 1 ? -F::one() : random_element(rng);
        const UInt<4> value = (v * F::raw(F::r2)).montgomery();
        std::array<std::uint8_t, 44> record;
        std::memcpy(record.data(), &matrix, 4), std::memcpy(record.data() + 4, &row, 4);
        std::memcpy(record.data() + 8, &signal, 4), std::memcpy(record.data() + 12, &value, 32);
        list.push_back(record);
      }
  if (shuffled)
    for (std::size_t i = list.size(); i > 1; i--) std::swap(list[i - 1], list[rng.next() % i]);
  for (const auto& record : list) append(s.records, record.data(), record.size());
  return s;
}

std::vector<UInt<4>> quotient(Backend& backend, const Section& s, int log_n) {
  std::vector<UInt<4>> h(std::size_t(1) << log_n, UInt<4>::of(77));
  const Status status = backend.groth16_quotient(s.input(log_n), h);
  EXPECT_TRUE(status.ok());
  return h;
}

TEST(Quotient, EveryFormEqualsReference) {
  const auto backends = cpu_backends();
  InsecureTestRng rng(4);
  for (int log_n = 0; log_n <= 13; log_n++)
    for (const bool shuffled : {false, true}) {
      const Section s = random_section(rng, log_n, log_n < 4 ? 3 : 2, shuffled);
      const auto expected = quotient(*reference(), s, log_n);
      for (const UInt<4>& x : expected) ASSERT_LT(x, F::modulus);
      for (const auto& [name, backend] : backends)
        ASSERT_EQ(quotient(*backend, s, log_n), expected) << name << ", 2^" << log_n;
    }
}

TEST(Quotient, WithoutRecordsIsZero) {
  for (const auto& [name, backend] : cpu_backends())
    for (int log_n = 0; log_n <= 8; log_n++)
      EXPECT_EQ(quotient(*backend, Section{}, log_n), std::vector<UInt<4>>(std::size_t(1) << log_n)) << name;
}

TEST(Quotient, ShiftOfTheLargestDomain) {
  EXPECT_EQ(quotient_shift(28), F(25));
  EXPECT_EQ(quotient_shift(27).square(), F::root_of_unity(27));
}

TEST(Door, RefusesWhatHasNoMeaning) {
  for (const char* name : {"reference", "cpu"}) {
    auto backend = std::move(open_backend(name)).value();
    std::vector<F> v(12);
    const auto message = [](const Status& s) { return s.ok() ? std::string("accepted") : s.error().what; };
    EXPECT_EQ(message(backend->ntt(v, Direction::forward)), "ntt: 12 values are not a power of two");
    EXPECT_EQ(message(backend->ntt(std::span<F>(), Direction::forward)),
              "ntt: 0 values are not a power of two");
    EXPECT_EQ(message(backend->ntt(std::span(v).first(8), Direction::forward, F::zero())),
              "ntt: the shift is zero, so the points of the domain coincide");
    std::vector<UInt<4>> h(4);
    EXPECT_EQ(message(backend->groth16_quotient({.log_n = 3}, h)),
              "groth16_quotient: room for 4 results in a domain of 2^3");
    EXPECT_EQ(message(backend->groth16_quotient({.log_n = 29}, h)),
              "groth16_quotient: domain 2^29 is outside 2^0 to 2^28");
    EXPECT_EQ(message(backend->groth16_quotient({.record_count = 1, .log_n = 2}, h)),
              "groth16_quotient: a count without data");
    MsmSet set;
    set.g1.push_back({nullptr, nullptr, 5});
    const auto sums = backend->msm(set);
    EXPECT_FALSE(sums.ok());
    EXPECT_EQ(sums.error().what, "msm: a count without points or scalars");
  }
}

TEST(Door, NamesOfBackendsAndForms) {
  const std::string message = open_backend("gpu").error().what;
  EXPECT_EQ(message.rfind("backend: 'gpu' is not one of auto, cpu, reference", 0), 0u) << message;
  EXPECT_EQ(open_backend("cpu", {.instructions = "mmx"}).error().what,
            "instructions: 'mmx' is not one of auto, portable, adx, avx2, avx512-ifma");
  EXPECT_EQ(open_backend("cpu", {.threads = -1}).error().what, "threads: -1 is negative");
  EXPECT_EQ(open_backend("auto", {.threads = 2}).value()->info().threads, 2);
}

}  // namespace
}  // namespace vouch
