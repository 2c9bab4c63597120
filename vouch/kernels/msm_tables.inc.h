/* Points that belong to a key's: their images under (x, y) -> (beta x, y), and their multiples. A template by inclusion,
 * see msm_group.inc.h. Table j of a key's n points holds the multiples by 2^(doublings j); table 0 are the points themselves,
 * where they are, the others lie behind one another in tables. */
/* clang-format off */
/* tables[i] = the image of points[i]. */
GK_KERNEL_B(MG(images), 256)(GK_IN(0, u32, points), GK_OUT(1, u32, tables), GK_PARAMS(2, MsmImageParams, p) GK_ARGS_END) {
  GK_PHASE
    const u32 i = GK_GID_GROUP * GK_LSZ + lid;
    if (i < p.n) {
      const u64 at = (u64)i * (2u * MG_W);
      Fq beta;
      GK_UNROLL for (u32 w = 0u; w < 8u; w++) beta.v[w] = p.beta[w];
      MF2(store_at)(tables, at, MG(times_beta)(MF2(load_at)(points, at), beta));
      MF2(store_at)(tables, at + MG_W, MF2(load_at)(points, at + MG_W));
    }
  GK_PHASE_LAST_END
}

/* Work-item t makes the multiples of point first + t, and brings them to affine form with one inversion: scratch holds ZZ, ZZZ
 * and the product of the ZZZ so far of each. Multiples of infinity are infinity. */
GK_KERNEL_B(MG(multiples), 64)(GK_IN(0, u32, points), GK_OUT(1, u32, tables), GK_INOUT(2, u32, scratch), GK_PARAMS(3, MsmMultiplesParams, p) GK_ARGS_END) {
  GK_PHASE
    const u32 t = GK_GID_GROUP * GK_LSZ + lid;
    if (t < p.count) {
      const u32 i = p.first + t;
      const MG_T x = MF2(load_at)(points, (u64)i * (2u * MG_W)), y = MF2(load_at)(points, (u64)i * (2u * MG_W) + MG_W);
      MG(sum) acc = MG(add_affine)(MG(infinity)(), x, y);
      MG_T product = MF2(one)();
      GK_NO_UNROLL for (u32 j = 1u; j < p.tables; j++) {
        GK_NO_UNROLL for (u32 k = 0u; k < p.doublings; k++) acc = MG(dbl)(acc);
        const u64 to = (u64)((j - 1u) * p.n + i) * (2u * MG_W), kept = (u64)((j - 1u) * p.count + t) * (3u * MG_W);
        MF2(store_at)(tables, to, acc.x);
        MF2(store_at)(tables, to + MG_W, acc.y);
        MF2(store_at)(scratch, kept, acc.zz);
        MF2(store_at)(scratch, kept + MG_W, acc.zzz);
        MF2(store_at)(scratch, kept + 2u * MG_W, product);
        if (MF2(is_zero)(acc.zz) == 0u) product = MF2(mul)(product, acc.zzz);
      }
      MG_T inverse = MG(inverse)(product);
      GK_NO_UNROLL for (u32 j = p.tables - 1u; j > 0u; j--) {
        const u64 to = (u64)((j - 1u) * p.n + i) * (2u * MG_W), kept = (u64)((j - 1u) * p.count + t) * (3u * MG_W);
        const MG_T zz = MF2(load_at)(scratch, kept), zzz = MF2(load_at)(scratch, kept + MG_W);
        if (MF2(is_zero)(zz) != 0u) continue;
        const MG_T inv = MF2(mul)(inverse, MF2(load_at)(scratch, kept + 2u * MG_W)), z_inv = MF2(mul)(inv, zz);
        inverse = MF2(mul)(inverse, zzz);
        MF2(store_at)(tables, to, MF2(mul)(MF2(load_at)(tables, to), MF2(mul)(z_inv, z_inv)));
        MF2(store_at)(tables, to + MG_W, MF2(mul)(MF2(load_at)(tables, to + MG_W), inv));
      }
    }
  GK_PHASE_LAST_END
}
#undef MG
#undef MF2
#undef MG_T
#undef MG_W
