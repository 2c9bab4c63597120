/* A template by inclusion: leaves by the sponge of width P2_W. See merkle31.inc.h. */
/* clang-format off */

/* One work-item a row. */
GK_KERNEL_B(P2(leaves), 128)(GK_IN(0, u32, codeword), GK_IN(1, u32, list), GK_IN(2, u32, rc), GK_OUT(3, u32, kept), GK_OUT(4, u32, temporary),
                             GK_PARAMS(5, Leaf31Params, p) GK_ARGS_END) {
  GK_PHASE
    const u32 i = GK_GID_GROUP * GK_LSZ + lid;
    if (i < p.count) {
      u32 s[P2_W];
      P2(leaf)(s, codeword, p.listed != 0u ? list[p.list_at + i] : i, p.log_n, p.words, rc);
      N31(put_digest)(kept, temporary, p.rows, p.listed != 0u ? i : N31(reversed)(i, p.log_n), s);
    }
  GK_PHASE_LAST_END
}

/* One work-item four neighbouring rows and the two levels of a binary tree above them. Work-items side by side read positions
 * side by side; row 4 i + k is at position brev(i) + brev(k) / 4 of all. A work-item keeps two digests in local memory, not in
 * registers: its own words only, so no barrier is needed. */
GK_KERNEL_B(P2(quads), 128)(GK_IN(0, u32, codeword), GK_IN(1, u32, rc), GK_IN(2, u32, rc_node), GK_OUT(3, u32, kept),
                            GK_OUT(4, u32, temporary), GK_PARAMS(5, Leaf31Params, p) GK_DYN_LOCAL_ARG(u32, sh) GK_ARGS_END) {
  GK_DYN_LOCAL(u32, sh);
  const u32 lsz = GK_LSZ;
  GK_PHASE
    const u32 q = GK_GID_GROUP * GK_LSZ + lid, quarter = p.log_n - 2u;
    if (q < p.count) {
      const u32 i = N31(reversed)(q, quarter);
      GK_NO_UNROLL for (u32 k = 0u; k < 4u; k++) {
        u32 s[P2_W], node[16];
        P2(leaf)(s, codeword, q + ((((k & 1u) << 1u) | (k >> 1u)) << quarter), p.log_n, p.words, rc);
        N31(put_digest)(kept, temporary, p.rows, 4u * i + k, s);
        GK_UNROLL for (u32 c = 0u; c < 8u; c++) node[c] = s[c];
        GK_NO_UNROLL for (u32 up = 0u; up < 2u && (k & 1u) != 0u && (k >> up) != 0u; up++) {
          GK_UNROLL for (u32 c = 0u; c < 8u; c++) { node[8u + c] = node[c]; node[c] = sh[(8u * up + c) * lsz + lid]; }
          N31(p16_permute)(node, rc_node);
          N31(put_digest)(kept, temporary, up == 0u ? p.pairs : p.quads, up == 0u ? 2u * i + (k >> 1u) : i, node);
        }
        GK_UNROLL for (u32 c = 0u; c < 8u; c++) sh[(k == 1u ? 8u + c : c) * lsz + lid] = node[c];
      }
    }
  GK_PHASE_LAST_END
}
