// Prime<P>: the integers mod P::modulus, kept in Montgomery form and always fully reduced.
//
// P gives the modulus and a generator of the multiplicative group; every other constant is derived
// here at compile time, so adding a field means writing one five-line struct (see fields.h).
// Arith is how a product is computed at run time: every choice gives the same bits and the same layout.
#pragma once

#include <type_traits>

#include "vouch/field/uint.h"

namespace vouch {

// A form of arithmetic: mul, sqr, add, sub on reduced Montgomery values, without a branch that depends on
// them. This one is plain C++: one row of schoolbook multiplication and one row of reduction per limb.
struct PortableArith {
  template <class Field>
  static constexpr typename Field::Int mul(const typename Field::Int& a, const typename Field::Int& b) {
    constexpr int n = Field::limbs;
    constexpr auto& p = Field::modulus;
    typename Field::Int t{};
    u64 top = 0;
    for (int i = 0; i < n; i++) {
      u128 c = u128(a.limb[0]) * b.limb[i] + t.limb[0];
      const u64 q = u64(c) * Field::neg_inv;
      u128 d = u128(q) * p.limb[0] + u64(c);
      for (int j = 1; j < n; j++) {
        c = u128(a.limb[j]) * b.limb[i] + t.limb[j] + u64(c >> 64);
        d = u128(q) * p.limb[j] + u64(c) + u64(d >> 64);
        t.limb[j - 1] = u64(d);
      }
      // t < a + p at the end of every row, so with a free bit on top the row's last carries fit one limb.
      const u128 e = u128(u64(c >> 64)) + u64(d >> 64) + (Field::spare_bits > 0 ? 0 : top);
      t.limb[n - 1] = u64(e), top = u64(e >> 64);
    }
    return reduce_once<Field>(t, Field::spare_bits > 0 ? 0 : top);
  }
  template <class Field>
  static constexpr typename Field::Int sqr(const typename Field::Int& a) {
    return mul<Field>(a, a);
  }
  template <class Field>
  static constexpr typename Field::Int add(const typename Field::Int& a, const typename Field::Int& b) {
    typename Field::Int r = a;
    const u64 carry = vouch::add(r, b);
    return reduce_once<Field>(r, Field::spare_bits > 0 ? 0 : carry);
  }
  template <class Field>
  static constexpr typename Field::Int sub(const typename Field::Int& a, const typename Field::Int& b) {
    typename Field::Int r = a, correction = Field::modulus;
    const u64 mask = 0 - vouch::sub(r, b);
    for (u64& limb : correction.limb) limb &= mask;
    vouch::add(r, correction);
    return r;
  }
  // top * 2^(64 limbs) + t, below twice the modulus, brought below the modulus.
  template <class Field>
  static constexpr typename Field::Int reduce_once(const typename Field::Int& t, u64 top) {
    typename Field::Int r = t;
    const u64 keep = 0 - (vouch::sub(r, Field::modulus) & ~top);  // all ones: t was below the modulus
    for (int i = 0; i < Field::limbs; i++) r.limb[i] ^= (r.limb[i] ^ t.limb[i]) & keep;
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
  static constexpr int spare_bits = 64 * limbs - modulus.bit_length();

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

  friend constexpr Prime operator+(const Prime& a, const Prime& b) {
    if (std::is_constant_evaluated()) return raw(PortableArith::add<Prime>(a.m_, b.m_));
    return raw(Arith::template add<Prime>(a.m_, b.m_));
  }
  friend constexpr Prime operator-(const Prime& a, const Prime& b) {
    if (std::is_constant_evaluated()) return raw(PortableArith::sub<Prime>(a.m_, b.m_));
    return raw(Arith::template sub<Prime>(a.m_, b.m_));
  }
  constexpr Prime operator-() const { return zero() - *this; }
  friend constexpr Prime operator*(const Prime& a, const Prime& b) {
    if (std::is_constant_evaluated()) return raw(PortableArith::mul<Prime>(a.m_, b.m_));
    return raw(Arith::template mul<Prime>(a.m_, b.m_));
  }
  constexpr Prime& operator+=(const Prime& b) { return *this = *this + b; }
  constexpr Prime& operator-=(const Prime& b) { return *this = *this - b; }
  constexpr Prime& operator*=(const Prime& b) { return *this = *this * b; }
  constexpr Prime square() const {
    if (std::is_constant_evaluated()) return *this * *this;
    return raw(Arith::template sqr<Prime>(m_));
  }
  constexpr Prime dbl() const { return *this + *this; }
  constexpr bool operator==(const Prime&) const = default;

  template <int N>
  constexpr Prime pow(const UInt<N>& e) const {
    Prime r = one();
    for (int i = e.bit_length(); i-- > 0;) {
      r = r.square();
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
