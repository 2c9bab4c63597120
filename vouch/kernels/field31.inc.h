/* A template by inclusion: a 31-bit prime field in Montgomery form, R = 2^32, always in [0, P).
 * Before including: F31(n) names a function, F31_P is the modulus, F31_INV its inverse mod 2^32, F31_ONE is R mod P.
 * Products are 64-bit words; with GK_NO_U64 they are low and high halves, for devices that emulate 64 bits. */
/* clang-format off */
/* Of the two words, the one that wrapped around is the larger: compilers make it a minimum. */
GK_FN u32 F31(add)(u32 a, u32 b) { const u32 s = a + b, t = s - F31_P; return t < s ? t : s; } /* s < 2^32 */
GK_FN u32 F31(sub)(u32 a, u32 b) { const u32 d = a - b, t = d + F31_P; return t < d ? t : d; }
GK_FN u32 F31(neg)(u32 a) { return F31(sub)(0u, a); }
#if defined(GK_NO_U64)
GK_FN u32 F31(mul)(u32 a, u32 b) {
  const u32 lo = a * b, hi = GK_MULHI(a, b);
  return F31(sub)(hi, GK_MULHI(lo * F31_INV, F31_P)); /* equal low halves cancel; both operands are below P */
}
#else
/* x / R for x < P 2^32. */
GK_FN u32 F31(reduce)(u64 x) {
  return F31(sub)((u32)(x >> 32), (u32)(((u64)((u32)x * F31_INV) * F31_P) >> 32));
}
GK_FN u32 F31(mul)(u32 a, u32 b) { return F31(reduce)((u64)a * b); }
/* x < 2 P 2^32 to below P 2^32. Two products are below P 2^32 (2 P < 2^32), four below 2 P 2^32 (4 P < 2^33). */
GK_FN u64 F31(settle)(u64 x) { const u64 bound = (u64)F31_P << 32; return x >= bound ? x - bound : x; }
#endif
GK_FN u32 F31(pow)(u32 x, u64 e) {
  u32 r = F31_ONE;
  for (; e != 0u; e >>= 1) {
    if ((e & 1u) != 0u) r = F31(mul)(r, x);
    x = F31(mul)(x, x);
  }
  return r;
}
