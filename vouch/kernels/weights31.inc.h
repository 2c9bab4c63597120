/* W, the combined weights of the claims: sums of powers, of tensor weights, and single cells. A template by inclusion over
 * the names of ext31.inc.h. */
/* clang-format off */

/* args: z, z^256 and z^1024 of each of `count` terms, then their coefficients. table[i][e] = z[i]^e, e < 256. */
GK_KERNEL_B(X31(power_table), 256)(GK_IN(0, u32, args), GK_OUT(1, u32, table), GK_PARAMS(2, P31Powers, p) GK_ARGS_END) {
  GK_PHASE
    const u32 i = GK_GID_GROUP * GK_LSZ + lid;
    if (i < (p.count << 8)) table[i] = F31(pow)(args[p.at + (i >> 8)], i & 255u);
  GK_PHASE_LAST_END
}

/* w[x] = (set: or +=) the sum of c[i] z[i]^x. A group of 256 takes 1024 cells: with x = 1024 block + 256 j + e, a work-item
 * has one e and four j, and c[i] z[i]^(1024 block + 256 j) is shared; 128 terms at a time. */
GK_KERNEL_B(X31(powers), 256)(GK_IN(0, u32, args), GK_IN(1, u32, table), GK_INOUT(2, u32, w), GK_PARAMS(3, P31Powers, p)
                              GK_DYN_LOCAL_ARG(u32, sh) GK_ARGS_END) {
  GK_DYN_LOCAL(u32, sh);
  const u32 block = GK_GID_GROUP, lsz = GK_LSZ;
  for (u32 start = 0u; start == 0u || start < p.count; start += 128u) {
    const u32 terms = p.count - start < 128u ? p.count - start : 128u;
    GK_PHASE
      for (u32 i = lid; i < terms; i += lsz) {
        const u32 hop = args[p.at + p.count + start + i];
        X31_T s = X31(mul_base)(X31(load_g)(args + p.at + 3u * p.count, start + i), F31(pow)(args[p.at + 2u * p.count + start + i], block));
        for (u32 j = 0u; j < 4u; j++) {
          X31(store_lw)(sh, 4u * i + j, s);
          s = X31(mul_base)(s, hop);
        }
      }
    GK_PHASE_END
    GK_PHASE
      X31_ACC sum[4];
      GK_UNROLL for (int j = 0; j < 4; j++) sum[j] = X31(acc_zero)();
      for (u32 i = 0u; i < terms; i++) {
        const u32 power = table[((start + i) << 8) + lid];
        GK_UNROLL for (int j = 0; j < 4; j++) sum[j] = X31(acc_add)(sum[j], X31(load_lw)(sh, 4u * i + (u32)j), power);
      }
      GK_UNROLL for (int j = 0; j < 4; j++) {
        const u64 x = ((u64)block << 10) + 256u * (u32)j + lid;
        if ((x >> p.log_cells) == 0u) {
          X31_T y = X31(acc_value)(sum[j]);
          if (p.set == 0u || start != 0u) y = X31(add)(y, X31(load_g)(w, x));
          X31(store_g)(w, x, y);
        }
      }
    GK_PHASE_END
  }
}

/* w at the rows of each column += scale of the column * outer * inner. Places and scales in args; the columns of a launch
 * have no cell in common. Group: one column, one row of the outer table. */
GK_KERNEL_B(X31(weights), 256)(GK_INOUT(0, u32, w), GK_IN(1, u32, args), GK_IN(2, u32, outer), GK_IN(3, u32, inner),
                               GK_PARAMS(4, P31Weights, p) GK_ARGS_END) {
  const u32 log_outer = p.log_rows - p.log_inner, o = GK_GID_GROUP & ((1u << log_outer) - 1u), column = GK_GID_GROUP >> log_outer;
  const u32 lsz = GK_LSZ;
  GK_PHASE
    const u64 at = p31_place(args + p.at, column);
    const X31_T scale = X31(mul)(X31(load_g)(args + p.scales, column), X31(load_g)(outer, o));
    for (u32 r = lid; r < (1u << p.log_inner); r += lsz) {
      const u64 row = ((u64)o << p.log_inner) + r + p.skip, x = at + (row << p.row_shift);
      if ((row >> p.log_rows) == 0u) X31(store_g)(w, x, X31(add)(X31(load_g)(w, x), X31(mul)(scale, X31(load_g)(inner, r))));
    }
  GK_PHASE_LAST_END
}

/* w at single cells += values: `cells` different places in args, then the values. */
GK_KERNEL_B(X31(cells), 256)(GK_INOUT(0, u32, w), GK_IN(1, u32, args), GK_PARAMS(2, P31Cells, p) GK_ARGS_END) {
  GK_PHASE
    const u32 i = GK_GID_GROUP * GK_LSZ + lid;
    if (i < p.cells) {
      const u64 x = p31_place(args + p.at, i);
      X31(store_g)(w, x, X31(add)(X31(load_g)(w, x), X31(load_g)(args + p.at + 2u * p.cells, i)));
    }
  GK_PHASE_LAST_END
}
