// Prime31<P>: the integers mod a 31-bit prime, in Montgomery form with R = 2^32, always fully reduced.
//
// P gives the modulus, a generator of the multiplicative group and the extensions' polynomials; every other
// constant is derived here at compile time, so adding a field means writing one struct (end of this file).
#pragma once

#include <cstdint>

namespace vouch {

template <class P>
class Prime31 {
 public:
  using Params = P;
  static constexpr std::uint32_t modulus = P::modulus;
  static_assert(modulus % 2 == 1 && modulus >> 30 == 1, "the code below relies on 2^30 < modulus < 2^31");

  constexpr Prime31() = default;                                                      // zero
  constexpr explicit Prime31(std::uint32_t x) : m_(reduce(std::uint64_t(x) * r2)) {}  // any x, reduced

  static constexpr Prime31 zero() { return {}; }
  static constexpr Prime31 one() { return raw(r1); }
  static constexpr Prime31 raw(std::uint32_t montgomery) {
    Prime31 r;
    r.m_ = montgomery;
    return r;
  }
  static constexpr Prime31 from_int(std::uint32_t x) { return Prime31(x); }

  constexpr std::uint32_t to_int() const { return reduce(m_); }
  constexpr std::uint32_t montgomery() const { return m_; }
  constexpr bool is_zero() const { return m_ == 0; }

  friend constexpr Prime31 operator+(Prime31 a, Prime31 b) {
    const std::uint32_t s = a.m_ + b.m_;  // < 2^32
    return raw(s >= modulus ? s - modulus : s);
  }
  friend constexpr Prime31 operator-(Prime31 a, Prime31 b) {
    const std::uint32_t d = a.m_ - b.m_;
    return raw(a.m_ < b.m_ ? d + modulus : d);
  }
  friend constexpr Prime31 operator*(Prime31 a, Prime31 b) { return raw(reduce(std::uint64_t(a.m_) * b.m_)); }
  constexpr Prime31 operator-() const { return raw(m_ == 0 ? 0 : modulus - m_); }
  constexpr Prime31& operator+=(Prime31 b) { return *this = *this + b; }
  constexpr Prime31& operator-=(Prime31 b) { return *this = *this - b; }
  constexpr Prime31& operator*=(Prime31 b) { return *this = *this * b; }
  constexpr Prime31 square() const { return *this * *this; }
  constexpr Prime31 dbl() const { return *this + *this; }
  constexpr Prime31 halve() const { return raw((m_ & 1) ? (m_ >> 1) + (modulus >> 1) + 1 : m_ >> 1); }
  constexpr bool operator==(const Prime31&) const = default;

  constexpr Prime31 pow(std::uint64_t e) const {
    Prime31 r = one(), x = *this;
    for (; e; e >>= 1, x = x * x)
      if (e & 1) r = r * x;
    return r;
  }
  constexpr Prime31 inverse() const { return pow(modulus - 2); }  // zero maps to zero

  // The largest k such that 2^k divides modulus - 1, and a primitive root of unity of order 2^log_n.
  static constexpr int two_adicity() {
    int k = 0;
    while (((modulus - 1) >> k) % 2 == 0) k++;
    return k;
  }
  static constexpr Prime31 root_of_unity(int log_n) {
    return Prime31(P::generator).pow((modulus - 1) >> log_n);
  }

  // x / R mod modulus for x < modulus * 2^32, fully reduced.
  static constexpr std::uint32_t reduce(std::uint64_t x) {
    const std::uint32_t q = std::uint32_t(x) * inverse_mod_r;
    const std::uint32_t high = std::uint32_t(x >> 32);
    const std::uint32_t borrow =
        std::uint32_t((std::uint64_t(q) * modulus) >> 32);  // equal low halves cancel
    return high >= borrow ? high - borrow : high - borrow + modulus;
  }

 private:
  // modulus^-1 mod 2^32, by Newton's iteration: each step doubles the number of correct bits.
  static constexpr std::uint32_t derive_inverse() {
    std::uint32_t x = 1;
    for (int i = 0; i < 5; i++) x *= 2 - modulus * x;
    return x;
  }

 public:
  static constexpr std::uint32_t inverse_mod_r = derive_inverse();
  static constexpr std::uint32_t r1 = std::uint32_t((std::uint64_t(1) << 32) % modulus);  // R mod modulus
  static constexpr std::uint32_t r2 = std::uint32_t((std::uint64_t(r1) * r1) % modulus);  // R^2 mod modulus

 private:
  std::uint32_t m_ = 0;
};

// binomial(D) is the w of the degree-D extension X^D - w; 0 means the trinomial X^5 + X^2 - 1 (see ext31.h).
struct BabyBearParams {
  static constexpr std::uint32_t modulus = 0x78000001;  // 15 * 2^27 + 1
  static constexpr std::uint32_t generator = 31;
  static constexpr std::uint32_t binomial(int degree) { return degree == 4 ? 11 : 2; }
  static constexpr const char* name = "BabyBear";
};
using BabyBear = Prime31<BabyBearParams>;

struct KoalaBearParams {
  static constexpr std::uint32_t modulus = 0x7f000001;  // 127 * 2^24 + 1
  static constexpr std::uint32_t generator = 3;
  static constexpr std::uint32_t binomial(int degree) { return degree == 4 ? 3 : 0; }
  static constexpr const char* name = "KoalaBear";
};
using KoalaBear = Prime31<KoalaBearParams>;

static_assert(BabyBear::two_adicity() == 27 && BabyBear::root_of_unity(27).to_int() == 440564289);
static_assert(KoalaBear::two_adicity() == 24 && KoalaBear::root_of_unity(24).to_int() == 1791270792);
static_assert(BabyBear::inverse_mod_r == 0x88000001 && KoalaBear::inverse_mod_r == 0x81000001);

}  // namespace vouch
