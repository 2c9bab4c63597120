/* A template by inclusion: N31_T levels of a decimation-in-frequency NTT on 2^N31_T elements in registers, and a pass with
 * them. Before including: N31, N31K(n) names a function of this radix, N31_T is its logarithm. See ntt31.inc.h. */
/* clang-format off */
#define N31_R (1u << N31_T)

/* The levels without the twiddles that depend on the position: x[e] becomes the value at frequency brev(e). */
GK_FN void N31K(ntt_levels)(GK_PRIVATE u32* x, GK_GLOBAL const u32* tw) {
  GK_UNROLL for (u32 l = 0u; l < N31_T; l++) {
    GK_UNROLL for (u32 b = 0u; b < N31_R / 2u; b++) {
      const u32 reach = 1u << (N31_T - 1u - l), j = b & (reach - 1u), lo = ((b >> (N31_T - 1u - l)) << (N31_T - l)) | j, hi = lo + reach;
      const u32 u = x[lo], v = x[hi], d = N31(sub)(u, v);
      x[lo] = N31(add)(u, v);
      x[hi] = j == 0u ? d : N31(mul)(d, tw[j << (12u - N31_T + l)]);
    }
  }
}

/* x[brev(f)] *= g^f: a product of a power below 4 and a multiple of 4, so that no chain is long. */
GK_FN void N31K(ntt_twist)(GK_PRIVATE u32* x, u32 g) {
  const u32 g2 = N31(mul)(g, g), g3 = N31(mul)(g2, g), g4 = N31(mul)(g2, g2);
  u32 giant = g4;
  GK_UNROLL for (u32 f = 1u; f < N31_R; f++) {
    const u32 e = GK_BREV(f) >> (32u - N31_T), baby = (f & 3u) == 1u ? g : (f & 3u) == 2u ? g2 : g3;
    if (f > 4u && (f & 3u) == 0u) giant = N31(mul)(giant, g4);
    x[e] = N31(mul)(x[e], f < 4u ? baby : (f & 3u) == 0u ? giant : N31(mul)(giant, baby));
  }
}
#undef N31_R
