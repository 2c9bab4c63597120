/* A template by inclusion: levels of a tree of arity TR_A whose nodes are permutations of width P2_W. See merkle31.inc.h.
 *
 * A group of TR_A^g work-items makes up to as many nodes of the first level, then their parents through local memory, level by
 * level. A missing last child (arity 4, two nodes left) is a zero digest. Digests in local memory are planes of words, in two
 * regions by turns, of GK_LSZ and GK_LSZ / TR_A digests. */
/* clang-format off */
GK_KERNEL_B(P2(tree), 256)(GK_INOUT(0, u32, kept), GK_INOUT(1, u32, temporary), GK_IN(2, u32, rc), GK_PARAMS(3, Tree31Params, p)
                           GK_DYN_LOCAL_ARG(u32, sh) GK_ARGS_END) {
  GK_DYN_LOCAL(u32, sh);
  u32 nodes = p.nodes, width = GK_LSZ;
  for (u32 t = 0u; t < p.levels; t++) {
    const u32 stride = (t & 1u) != 0u ? GK_LSZ / TR_A : GK_LSZ, stride_below = (t & 1u) != 0u ? GK_LSZ : GK_LSZ / TR_A;
    const u32 out = (t & 1u) != 0u ? 8u * GK_LSZ : 0u, below = (t & 1u) != 0u ? 0u : 8u * GK_LSZ;
    GK_PHASE
      const u32 i = GK_GID_GROUP * width + lid;
      if (lid < width && i < (nodes + TR_A - 1u) / TR_A) {
        u32 s[P2_W];
        GK_GLOBAL const u32* from = N31(digest)(kept, temporary, p.src, 0u);
        GK_UNROLL for (u32 c = 0u; c < P2_W; c++) s[c] = 0u;
        GK_UNROLL for (u32 c = 0u; c < TR_A; c++) {
          if (TR_A * i + c < nodes) {
            GK_UNROLL for (u32 k = 0u; k < 8u; k++)
              s[8u * c + k] = t == 0u ? from[(u64)8u * (TR_A * i + c) + k] : sh[below + k * stride_below + TR_A * lid + c];
          }
        }
        P2(permute)(s, rc);
        GK_UNROLL for (u32 k = 0u; k < 8u; k++) sh[out + k * stride + lid] = s[k];
        N31(put_digest)(kept, temporary, p.to[t], i, s);
      }
    GK_PHASE_END
    nodes = (nodes + TR_A - 1u) / TR_A;
    width /= TR_A;
  }
}
