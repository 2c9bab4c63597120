// UInt<N>: N 64-bit limbs, little-endian. Only what Prime needs, all of it constexpr.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

namespace vouch {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
__extension__ using u128 = unsigned __int128;

template <int N>
struct UInt {
  std::array<u64, N> limb{};

  static constexpr UInt of(u64 x) {
    UInt r;
    r.limb[0] = x;
    return r;
  }

  constexpr bool is_zero() const { return *this == UInt{}; }
  constexpr bool bit(int i) const { return (limb[i / 64] >> (i % 64)) & 1; }
  constexpr int bit_length() const {
    for (int i = 64 * N; i-- > 0;)
      if (bit(i)) return i + 1;
    return 0;
  }
  constexpr bool operator==(const UInt&) const = default;
  constexpr std::strong_ordering operator<=>(const UInt& b) const {
    for (int i = N; i-- > 0;)
      if (limb[i] != b.limb[i]) return limb[i] <=> b.limb[i];
    return std::strong_ordering::equal;
  }
  constexpr UInt operator>>(int s) const {  // 0 <= s < 64
    UInt r;
    for (int i = 0; i < N; i++) r.limb[i] = limb[i] >> s | (s && i + 1 < N ? limb[i + 1] << (64 - s) : 0);
    return r;
  }
};

// a += b, returning the carry out.
template <int N>
constexpr u64 add(UInt<N>& a, const UInt<N>& b) {
  u128 c = 0;
  for (int i = 0; i < N; i++) c += u128(a.limb[i]) + b.limb[i], a.limb[i] = u64(c), c >>= 64;
  return u64(c);
}

// a -= b, returning the borrow out.
template <int N>
constexpr u64 sub(UInt<N>& a, const UInt<N>& b) {
  u64 borrow = 0;
  for (int i = 0; i < N; i++) {
    u128 d = u128(a.limb[i]) - b.limb[i] - borrow;
    a.limb[i] = u64(d), borrow = u64(d >> 64) & 1;
  }
  return borrow;
}

// Moduli are written as papers print them: hex<4>("0x30644e72...").
template <int N>
consteval UInt<N> hex(const char* s) {
  UInt<N> r;
  for (s += 2; *s; s++) {
    if (*s == '\'') continue;
    const u64 d = u64(*s <= '9' ? *s - '0' : (*s | 32) - 'a' + 10);
    for (int i = N; i-- > 0;) r.limb[i] = r.limb[i] << 4 | (i ? r.limb[i - 1] >> 60 : d);
  }
  return r;
}

}  // namespace vouch
