// Prime<P>: the integers mod P::modulus, kept in Montgomery form and always fully reduced.
//
// P gives the modulus and a generator of the multiplicative group; every other constant is derived
// here at compile time, so adding a field means writing one five-line struct (see fields.h).
// Arith is how a product is computed at run time: every choice gives the same bits and the same layout.
#pragma once

#include <type_traits>

#include "vouch/field/uint.h"

namespace vouch {

// Montgomery product in plain C++, one row of schoolbook multiplication and one row of reduction per limb.
struct PortableArith {
  template <class Field>
  static constexpr typename Field::Int mul(const typename Field::Int& a, const typename Field::Int& b) {
    constexpr int n = Field::limbs;
    constexpr auto& p = Field::modulus;
    std::array<u64, n + 2> t{};
    for (int i = 0; i < n; i++) {
      u128 c = 0;
      for (int j = 0; j < n; j++) c += u128(a.limb[j]) * b.limb[i] + t[j], t[j] = u64(c), c >>= 64;
      c += t[n], t[n] = u64(c), t[n + 1] = u64(c >> 64);

      const u64 q = t[0] * Field::neg_inv;
      c = (u128(q) * p.limb[0] + t[0]) >> 64;
      for (int j = 1; j < n; j++) c += u128(q) * p.limb[j] + t[j], t[j - 1] = u64(c), c >>= 64;
      c += t[n], t[n - 1] = u64(c), t[n] = t[n + 1] + u64(c >> 64);
    }
    typename Field::Int r;
    for (int j = 0; j < n; j++) r.limb[j] = t[j];
    if (t[n] || r >= p) sub(r, p);
    return r;
  }
};

template <class P, class Arith = PortableArith>
class Prime {
 public:
  using Params = P;
  static constexpr int limbs = int(P::modulus.limb.size());
  using Int = UInt<limbs>;
  static constexpr Int modulus = P::modulus;

  constexpr Prime() = default;  // zero
  constexpr explicit Prime(u64 x) : m_((raw(Int::of(x)) * raw(r2)).m_) {}

  static constexpr Prime zero() { return {}; }
  static constexpr Prime one() { return raw(r1); }
  static constexpr Prime raw(const Int& montgomery) {
    Prime r;
    r.m_ = montgomery;
    return r;
  }
  static constexpr Prime from_int(const Int& x) { return raw(x) * raw(r2); }  // x < modulus

  constexpr Int to_int() const { return (*this * raw(Int::of(1))).m_; }
  constexpr const Int& montgomery() const { return m_; }
  constexpr bool is_zero() const { return m_.is_zero(); }

  friend constexpr Prime operator+(Prime a, const Prime& b) {
    if (add(a.m_, b.m_) || a.m_ >= modulus) sub(a.m_, modulus);
    return a;
  }
  friend constexpr Prime operator-(Prime a, const Prime& b) {
    if (sub(a.m_, b.m_)) add(a.m_, modulus);
    return a;
  }
  constexpr Prime operator-() const { return zero() - *this; }
  friend constexpr Prime operator*(const Prime& a, const Prime& b) {
    if (std::is_constant_evaluated()) return raw(PortableArith::mul<Prime>(a.m_, b.m_));
    return raw(Arith::template mul<Prime>(a.m_, b.m_));
  }
  constexpr Prime& operator+=(const Prime& b) { return *this = *this + b; }
  constexpr Prime& operator-=(const Prime& b) { return *this = *this - b; }
  constexpr Prime& operator*=(const Prime& b) { return *this = *this * b; }
  constexpr Prime square() const { return *this * *this; }
  constexpr Prime dbl() const { return *this + *this; }
  constexpr bool operator==(const Prime&) const = default;

  template <int N>
  constexpr Prime pow(const UInt<N>& e) const {
    Prime r = one();
    for (int i = e.bit_length(); i-- > 0;) {
      r = r * r;
      if (e.bit(i)) r = r * *this;
    }
    return r;
  }
  constexpr Prime inverse() const {  // zero maps to zero
    Int e = modulus;
    sub(e, Int::of(2));
    return pow(e);
  }

  // The largest k such that 2^k divides modulus - 1, and a primitive root of unity of order 2^log_n.
  static constexpr int two_adicity() {
    Int e = modulus;
    sub(e, Int::of(1));
    int k = 0;
    while (!e.bit(k)) k++;
    return k;
  }
  static constexpr Prime root_of_unity(int log_n) {
    Int e = modulus;
    sub(e, Int::of(1));
    for (int k = 0; k < two_adicity(); k++) e = e >> 1;
    Prime w = Prime(P::generator).pow(e);
    for (int k = two_adicity(); k > log_n; k--) w = w * w;
    return w;
  }

 private:
  // 2^bits mod modulus, by doubling.
  static constexpr Int power_of_two(int bits) {
    Int r = Int::of(1);
    for (int i = 0; i < bits; i++) {
      const Int copy = r;
      if (add(r, copy) || r >= modulus) sub(r, modulus);
    }
    return r;
  }
  // -modulus^-1 mod 2^64, by Newton's iteration: each step doubles the number of correct bits.
  static constexpr u64 derive_neg_inv() {
    u64 x = 1;
    for (int i = 0; i < 6; i++) x *= 2 - modulus.limb[0] * x;
    return 0 - x;
  }

 public:
  static constexpr u64 neg_inv = derive_neg_inv();
  static constexpr Int r1 = power_of_two(64 * limbs);      // R mod modulus, R = 2^(64 limbs)
  static constexpr Int r2 = power_of_two(2 * 64 * limbs);  // R^2 mod modulus

 private:
  Int m_;
};

}  // namespace vouch
