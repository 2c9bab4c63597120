/* A template by inclusion: leaves, trees, openings and proof of work over a 31-bit field. Before including: N31(n) names a
 * function of the field, N31_ALPHA is Poseidon2's exponent, N31_R2 is R^2 mod P.
 *
 * Rows are read from the codeword in bit-reversed order (ntt31.inc.h), digests are written in natural order, eight words each,
 * so that a scattered write still fills whole memory sectors. */
/* clang-format off */
#if N31_ALPHA == 7
GK_FN u32 N31(sbox)(u32 x) { const u32 x2 = N31(mul)(x, x), x3 = N31(mul)(x2, x); return N31(mul)(x3, N31(mul)(x2, x2)); }
#else
GK_FN u32 N31(sbox)(u32 x) { return N31(mul)(N31(mul)(x, x), x); }
#endif
GK_FN u32 N31(halve)(u32 x) { return (x >> 1u) + ((x & 1u) != 0u ? (N31_P >> 1u) + 1u : 0u); }

GK_FN u32 N31(reversed)(u32 i, u32 bits) { return bits == 0u ? 0u : GK_BREV(i) >> (32u - bits); }

GK_FN GK_GLOBAL u32* N31(digest)(GK_GLOBAL u32* kept, GK_GLOBAL u32* temporary, u32 place, u32 i) {
  return (place & GK_TEMPORARY) != 0u ? temporary + (u64)8u * ((place & ~GK_TEMPORARY) + i) : kept + (u64)8u * (place + i);
}
GK_FN void N31(put_digest)(GK_GLOBAL u32* kept, GK_GLOBAL u32* temporary, u32 place, u32 i, GK_PRIVATE const u32* s) {
  if (place != GK_NOWHERE) {
    GK_GLOBAL u32* to = N31(digest)(kept, temporary, place, i);
    GK_UNROLL for (u32 k = 0u; k < 8u; k++) to[k] = s[k];
  }
}

#define P2(n) N31(N31_CAT(p16_, n))
#define P2_W 16
#include "poseidon2.inc.h"
#include "merkle31_leaf.inc.h"
#define TR_A 2u
#include "merkle31_tree.inc.h"
#undef TR_A
#undef P2
#undef P2_W
#define P2(n) N31(N31_CAT(p24_, n))
#define P2_W 24
#include "poseidon2.inc.h"
#include "merkle31_leaf.inc.h"
#undef P2
#undef P2_W
#define P2(n) N31(N31_CAT(p32_, n))
#define P2_W 32
#include "poseidon2.inc.h"
#define TR_A 4u
#include "merkle31_tree.inc.h"
#undef TR_A
#undef P2
#undef P2_W

/* Rows at the positions of the list, word by word. */
GK_KERNEL_B(N31(gather_rows), 256)(GK_IN(0, u32, codeword), GK_IN(1, u32, list), GK_OUT(2, u32, out), GK_PARAMS(3, Gather31Params, p)
                                   GK_ARGS_END) {
  GK_PHASE
    const u32 i = GK_GID_GROUP * GK_LSZ + lid;
    if (i < p.count) out[p.out_at + i] = codeword[((u64)(i % p.words) << p.log_n) + list[p.list_at + i / p.words]];
  GK_PHASE_LAST_END
}
/* Digests at the places of the list, word by word. */
GK_KERNEL_B(N31(gather_digests), 256)(GK_INOUT(0, u32, kept), GK_INOUT(1, u32, temporary), GK_IN(2, u32, list), GK_OUT(3, u32, out),
                                      GK_PARAMS(4, Gather31Params, p) GK_ARGS_END) {
  GK_PHASE
    const u32 i = GK_GID_GROUP * GK_LSZ + lid;
    if (i < p.count) out[p.out_at + i] = N31(digest)(kept, temporary, list[p.list_at + i / 8u], 0u)[i & 7u];
  GK_PHASE_LAST_END
}

/* found[group]: the smallest candidate of the group whose permutation has zeros under the mask in element 7, or all ones. */
GK_KERNEL_B(N31(grind), 256)(GK_IN(0, u32, rc), GK_OUT(1, u32, found), GK_PARAMS(2, Grind31Params, p) GK_DYN_LOCAL_ARG(u32, sh) GK_ARGS_END) {
  GK_DYN_LOCAL(u32, sh);
  const u32 lsz = GK_LSZ;
  GK_PHASE
    u32 best = 0xffffffffu;
    GK_NO_UNROLL for (u32 k = 0u; k < p.each && best == 0xffffffffu; k++) {
      const u32 w = p.first + (k * GK_NGROUPS + GK_GID_GROUP) * lsz + lid;
      if (w < N31_P) {
        const u32 candidate = N31(mul)(w, N31_R2);
        u32 s[16];
        GK_UNROLL for (u32 i = 0u; i < 16u; i++) s[i] = i == p.position ? candidate : p.state[i];
        N31(p16_permute)(s, rc);
        if ((N31(mul)(s[7], 1u) & p.mask) == 0u) best = w;
      }
    }
    sh[lid] = best;
  GK_PHASE_END
  GK_PHASE
    if (lid == 0u) {
      u32 best = 0xffffffffu;
      for (u32 i = 0u; i < lsz; i++) best = sh[i] < best ? sh[i] : best;
      found[GK_GID_GROUP] = best;
    }
  GK_PHASE_LAST_END
}
