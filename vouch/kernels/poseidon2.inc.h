/* A template by inclusion: Poseidon2 of width P2_W over a 31-bit field. Before including: N31(n) and P2(n) name functions of
 * the field and of the width, P2_W is 16, 24 or 32, N31_ALPHA the exponent, 7 or 3.
 *
 * rc: the number of internal rounds, 8 * P2_W external constants, the tail of the diagonal (P2_W - 9 values), the internal
 * constants. They are data because they may be seeded. The diagonal begins -2, 1, 2, 1/2, 3, 4, -1/2, -3, -4. */
/* clang-format off */

/* circ(2, 3, 1, 1) on each four, then every element gains the sum over fours at its place. */
GK_FN void P2(external)(GK_PRIVATE u32* s) {
  u32 sum[4];
  GK_UNROLL for (u32 g = 0u; g < P2_W; g += 4u) {
    const u32 ab = N31(add)(s[g], s[g + 1u]), cd = N31(add)(s[g + 2u], s[g + 3u]), all = N31(add)(ab, cd);
    const u32 b = N31(add)(all, s[g + 1u]), d = N31(add)(all, s[g + 3u]);
    s[g + 3u] = N31(add)(d, N31(add)(s[g], s[g]));
    s[g + 1u] = N31(add)(b, N31(add)(s[g + 2u], s[g + 2u]));
    s[g] = N31(add)(b, ab);
    s[g + 2u] = N31(add)(d, cd);
    GK_UNROLL for (u32 i = 0u; i < 4u; i++) sum[i] = g == 0u ? s[i] : N31(add)(sum[i], s[g + i]);
  }
  GK_UNROLL for (u32 i = 0u; i < P2_W; i++) s[i] = N31(add)(s[i], sum[i & 3u]);
}

GK_FN void P2(internal)(GK_PRIVATE u32* s, u32 round_constant, GK_GLOBAL const u32* tail) {
  u32 part[4]; /* four short chains instead of a long one */
  GK_UNROLL for (u32 i = 1u; i < P2_W; i++) part[i & 3u] = i < 5u ? s[i] : N31(add)(part[i & 3u], s[i]);
  const u32 rest = N31(add)(N31(add)(part[0], part[1]), N31(add)(part[2], part[3]));
  s[0] = N31(sbox)(N31(add)(s[0], round_constant));
  const u32 sum = N31(add)(rest, s[0]);
  s[0] = N31(sub)(N31(sub)(sum, s[0]), s[0]);
  s[1] = N31(add)(sum, s[1]);
  s[2] = N31(add)(sum, N31(add)(s[2], s[2]));
  s[3] = N31(add)(sum, N31(halve)(s[3]));
  s[4] = N31(add)(sum, N31(add)(N31(add)(s[4], s[4]), s[4]));
  s[5] = N31(add)(s[5], s[5]);
  s[5] = N31(add)(sum, N31(add)(s[5], s[5]));
  s[6] = N31(sub)(sum, N31(halve)(s[6]));
  s[7] = N31(sub)(sum, N31(add)(N31(add)(s[7], s[7]), s[7]));
  s[8] = N31(add)(s[8], s[8]);
  s[8] = N31(sub)(sum, N31(add)(s[8], s[8]));
  GK_UNROLL for (u32 i = 9u; i < P2_W; i++) s[i] = N31(add)(sum, N31(mul)(s[i], tail[i - 9u]));
}

GK_FN void P2(permute)(GK_PRIVATE u32* s, GK_GLOBAL const u32* rc) {
  GK_GLOBAL const u32* tail = rc + 1u + 8u * P2_W;
  const u32 rounds = rc[0];
  P2(external)(s);
  GK_NO_UNROLL for (u32 turn = 0u; turn < 2u; turn++) {
    GK_NO_UNROLL for (u32 r = 0u; r < 4u; r++) {
      GK_GLOBAL const u32* k = rc + 1u + (4u * turn + r) * P2_W;
      GK_UNROLL for (u32 i = 0u; i < P2_W; i++) s[i] = N31(sbox)(N31(add)(s[i], k[i]));
      P2(external)(s);
    }
    if (turn == 0u) {
      GK_NO_UNROLL for (u32 r = 0u; r < rounds; r++) P2(internal)(s, tail[P2_W - 9u + r], tail);
    }
  }
}

#if P2_W < 32
/* The row at `position` of a codeword. A short last block leaves the rest of the rate as it was. */
GK_FN void P2(leaf)(GK_PRIVATE u32* s, GK_GLOBAL const u32* codeword, u32 position, u32 log_n, u32 words, GK_GLOBAL const u32* rc) {
  GK_UNROLL for (u32 i = 0u; i < P2_W; i++) s[i] = 0u;
  GK_NO_UNROLL for (u32 w = 0u; w < words; w += P2_W - 8u) {
    GK_UNROLL for (u32 i = 0u; i < P2_W - 8u; i++)
      if (w + i < words) s[i] = codeword[((u64)(w + i) << log_n) + position];
    P2(permute)(s, rc);
  }
}
#endif
