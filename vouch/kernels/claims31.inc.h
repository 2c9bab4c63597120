/* Sums of f against tensor weights, and f bound at the challenges of its first rounds. A template by inclusion over the
 * names of ext31.inc.h.
 *
 * tables: the two tables of a weight. dot_base, dot_ext: for each column and each row of the outer table, the sum against
 * the inner one. finish: those sums against the outer table. Nothing depends on the order of additions. */
/* clang-format off */

/* Adds `vectors` vectors of GK_LSZ elements in local memory each down to its first `lanes`, by halves. */
GK_FN void X31(sum_lanes)(GK_COOP_PARAMS GK_LOCAL u32* sh, u32 vectors, u32 lanes) {
  const u32 lsz = GK_LSZ;
  for (u32 s = lsz >> 1; s >= lanes; s >>= 1) {
    GK_PHASE
      if (lid < s)
        for (u32 v = 0u; v < vectors; v++) {
          GK_LOCAL u32* at = sh + v * (u32)X31_D * lsz;
          X31(store_l)(at, lsz, lid, X31(add)(X31(load_l)(at, lsz, lid), X31(load_l)(at, lsz, lid + s)));
        }
    GK_PHASE_END
  }
}

/* args: for each coordinate, most significant first, the factor of bit 0 and of bit 1. */
GK_KERNEL_B(X31(tables), 256)(GK_IN(0, u32, args), GK_OUT(1, u32, outer), GK_OUT(2, u32, inner), GK_PARAMS(3, P31Tables, p) GK_ARGS_END) {
  GK_PHASE
    const u32 i = GK_GID_GROUP * GK_LSZ + lid, outers = 1u << p.log_outer;
    if (i < outers + (1u << p.log_inner)) {
      const u32 is_inner = (u32)(i >= outers), x = is_inner != 0u ? i - outers : i;
      const u32 first = is_inner != 0u ? p.log_outer : 0u, bits = is_inner != 0u ? p.log_inner : p.log_outer;
      X31_T t = X31(one)();
      for (u32 c = 0u; c < bits; c++)
        t = X31(mul)(t, X31(load_g)(args + p.at, 2u * (first + c) + ((x >> (bits - 1u - c)) & 1u)));
      if (is_inner != 0u) X31(store_g)(inner, x, t);
      else X31(store_g)(outer, x, t);
    }
  GK_PHASE_LAST_END
}

/* partials[column][o]: the column's rows o << log_inner.. against the inner table. Group: columns of a block, one o. */
GK_KERNEL_B(X31(dot_base), 256)(GK_IN(0, u32, f), GK_IN(1, u32, args), GK_IN(2, u32, inner), GK_OUT(3, u32, partials),
                                GK_PARAMS(4, P31Dot, p) GK_DYN_LOCAL_ARG(u32, sh) GK_ARGS_END) {
  GK_DYN_LOCAL(u32, sh);
  const u32 log_outer = p.log_rows - p.log_inner, o = GK_GID_GROUP & ((1u << log_outer) - 1u), lanes = 1u << p.log_lanes;
  const u32 first = (GK_GID_GROUP >> log_outer) << p.log_lanes, lsz = GK_LSZ;
  GK_PHASE
    const u32 column = first + (lid & (lanes - 1u));
    X31_ACC sum = X31(acc_zero)();
    if (column < p.columns) {
      GK_GLOBAL const u32* at = f + p31_place(args + p.at, column);
      for (u32 r = lid >> p.log_lanes; r < (1u << p.log_inner); r += lsz >> p.log_lanes) {
        const u64 row = ((u64)o << p.log_inner) + r + p.skip;
        if ((row >> p.log_rows) == 0u) sum = X31(acc_add)(sum, X31(load_g)(inner, r), at[row << p.row_shift]);
      }
    }
    X31(store_l)(sh, lsz, lid, X31(acc_value)(sum));
  GK_PHASE_END
  X31(sum_lanes)(GK_COOP_ARGS sh, 1u, lanes);
  GK_PHASE
    if (lid < lanes && first + lid < p.columns)
      X31(store_g)(partials, ((u64)(first + lid) << log_outer) + o, X31(load_l)(sh, lsz, lid));
  GK_PHASE_LAST_END
}
/* The same for f in the extension. */
GK_KERNEL_B(X31(dot_ext), 256)(GK_IN(0, u32, f), GK_IN(1, u32, args), GK_IN(2, u32, inner), GK_OUT(3, u32, partials),
                               GK_PARAMS(4, P31Dot, p) GK_DYN_LOCAL_ARG(u32, sh) GK_ARGS_END) {
  GK_DYN_LOCAL(u32, sh);
  const u32 log_outer = p.log_rows - p.log_inner, o = GK_GID_GROUP & ((1u << log_outer) - 1u), lanes = 1u << p.log_lanes;
  const u32 first = (GK_GID_GROUP >> log_outer) << p.log_lanes, lsz = GK_LSZ;
  GK_PHASE
    const u32 column = first + (lid & (lanes - 1u));
    X31_T sum = X31(zero)();
    if (column < p.columns) {
      const u64 at = p31_place(args + p.at, column);
      for (u32 r = lid >> p.log_lanes; r < (1u << p.log_inner); r += lsz >> p.log_lanes) {
        const u64 row = ((u64)o << p.log_inner) + r + p.skip;
        if ((row >> p.log_rows) == 0u) sum = X31(add)(sum, X31(mul)(X31(load_g)(inner, r), X31(load_g)(f, at + (row << p.row_shift))));
      }
    }
    X31(store_l)(sh, lsz, lid, sum);
  GK_PHASE_END
  X31(sum_lanes)(GK_COOP_ARGS sh, 1u, lanes);
  GK_PHASE
    if (lid < lanes && first + lid < p.columns)
      X31(store_g)(partials, ((u64)(first + lid) << log_outer) + o, X31(load_l)(sh, lsz, lid));
  GK_PHASE_LAST_END
}

/* out[first + group] = the sum of the group's `count` partials, each times outer[.] if weighted. */
GK_KERNEL_B(X31(finish), 256)(GK_IN(0, u32, partials), GK_IN(1, u32, outer), GK_OUT(2, u32, out), GK_PARAMS(3, P31Finish, p)
                              GK_DYN_LOCAL_ARG(u32, sh) GK_ARGS_END) {
  GK_DYN_LOCAL(u32, sh);
  const u32 lsz = GK_LSZ;
  GK_PHASE
    X31_T sum = X31(zero)();
    for (u32 o = lid; o < p.count; o += lsz) {
      X31_T x = X31(load_g)(partials, (u64)GK_GID_GROUP * p.count + o);
      if (p.weighted != 0u) x = X31(mul)(x, X31(load_g)(outer, o));
      sum = X31(add)(sum, x);
    }
    X31(store_l)(sh, lsz, lid, sum);
  GK_PHASE_END
  X31(sum_lanes)(GK_COOP_ARGS sh, 1u, 1u);
  GK_PHASE
    if (lid == 0u) X31(store_g)(out, (u64)p.first + GK_GID_GROUP, X31(load_l)(sh, lsz, 0u));
  GK_PHASE_LAST_END
}

/* out: the cells of f (of `words` words each) at the places in args. */
GK_KERNEL_B(X31(gather), 256)(GK_IN(0, u32, f), GK_IN(1, u32, args), GK_OUT(2, u32, out), GK_PARAMS(3, P31Gather, p) GK_ARGS_END) {
  GK_PHASE
    const u32 i = GK_GID_GROUP * GK_LSZ + lid;
    if (i < p.cells) {
      const u64 at = p31_place(args + p.at, i) * p.words;
      for (u32 k = 0u; k < p.words; k++) out[p.to + (u64)i * p.words + k] = f[at + k];
    }
  GK_PHASE_LAST_END
}

/* out[x] = the sum over b of e[b] f(b, x), with b the high bits of an index of f (suffix: the low ones); e in args. */
GK_KERNEL_B(X31(bind), 256)(GK_IN(0, u32, f), GK_IN(1, u32, args), GK_OUT(2, u32, out), GK_PARAMS(3, P31Bind, p) GK_ARGS_END) {
  GK_PHASE
    const u64 x = (u64)GK_GID_GROUP * GK_LSZ + lid;
    if ((x >> p.log_rows) == 0u) {
      X31_ACC sum = X31(acc_zero)();
      for (u32 b = 0u; b < (1u << p.log_columns); b++) {
        const u64 at = p.suffix != 0u ? (x << p.log_columns) + b : ((u64)b << p.log_rows) + x;
        sum = X31(acc_add)(sum, X31(load_g)(args + p.at, b), f[at]);
      }
      X31(store_g)(out, x, X31(acc_value)(sum));
    }
  GK_PHASE_LAST_END
}
