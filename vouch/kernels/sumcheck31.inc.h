/* Sumcheck rounds over f and W in the extension, and folds by a challenge. A template by inclusion over the names of
 * ext31.inc.h. A round pairs cells x and x + half (suffix: 2x and 2x + 1) as low and high.
 *
 * Groups leave partial sums: of low f * low W at partials[group], of the product of the differences at
 * partials[groups + group]. */
/* clang-format off */

GK_FN X31_T X31(between)(X31_T low, X31_T high, X31_T r) { return X31(add)(low, X31(mul)(r, X31(sub)(high, low))); }

/* The sums of one round. */
GK_KERNEL_B(X31(sums), 256)(GK_IN(0, u32, f), GK_IN(1, u32, w), GK_OUT(2, u32, partials), GK_PARAMS(3, P31Round, p)
                             GK_DYN_LOCAL_ARG(u32, sh) GK_ARGS_END) {
  GK_DYN_LOCAL(u32, sh);
  const u64 middle = (u64)1u << (p.log_size - 1u);
  const u32 lsz = GK_LSZ;
  GK_PHASE
    X31_T zero = X31(zero)(), lead = X31(zero)();
    for (u64 x = (u64)GK_GID_GROUP * lsz + lid; x < middle; x += (u64)GK_NGROUPS * lsz) {
      const u64 low = p.suffix != 0u ? 2u * x : x, high = p.suffix != 0u ? 2u * x + 1u : x + middle;
      const X31_T f_low = X31(load_g)(f, low), w_low = X31(load_g)(w, low);
      zero = X31(add)(zero, X31(mul)(f_low, w_low));
      lead = X31(add)(lead, X31(mul)(X31(sub)(X31(load_g)(f, high), f_low), X31(sub)(X31(load_g)(w, high), w_low)));
    }
    X31(store_l)(sh, lsz, lid, zero);
    X31(store_l)(sh + (u32)X31_D * lsz, lsz, lid, lead);
  GK_PHASE_END
  X31(sum_lanes)(GK_COOP_ARGS sh, 2u, 1u);
  GK_PHASE
    if (lid < 2u) X31(store_g)(partials, lid * GK_NGROUPS + GK_GID_GROUP, X31(load_l)(sh + lid * (u32)X31_D * lsz, lsz, 0u));
  GK_PHASE_LAST_END
}

/* Folds by r from f, w into f_out, w_out (in prefix order they may be the same: a work-item writes only where it alone has
 * read) and makes the sums of the next round on the way. log_size >= 2. */
GK_KERNEL_B(X31(fold_round), 256)(GK_INOUT(0, u32, f), GK_INOUT(1, u32, w), GK_INOUT(2, u32, f_out), GK_INOUT(3, u32, w_out),
                                  GK_OUT(4, u32, partials), GK_PARAMS(5, P31Round, p) GK_DYN_LOCAL_ARG(u32, sh) GK_ARGS_END) {
  GK_DYN_LOCAL(u32, sh);
  const u64 quarter = (u64)1u << (p.log_size - 2u);
  const u32 lsz = GK_LSZ;
  GK_PHASE
    X31_T r;
    GK_UNROLL for (int k = 0; k < X31_D; k++) r.v[k] = p.r[k];
    X31_T zero = X31(zero)(), lead = X31(zero)();
    for (u64 x = (u64)GK_GID_GROUP * lsz + lid; x < quarter; x += (u64)GK_NGROUPS * lsz) {
      const u64 in = p.suffix != 0u ? 4u * x : x, up = p.suffix != 0u ? 1u : 2u * quarter, next = p.suffix != 0u ? 2u : quarter;
      const u64 low = p.suffix != 0u ? 2u * x : x, high = p.suffix != 0u ? 2u * x + 1u : x + quarter;
      const X31_T f_low = X31(between)(X31(load_g)(f, in), X31(load_g)(f, in + up), r);
      const X31_T f_high = X31(between)(X31(load_g)(f, in + next), X31(load_g)(f, in + next + up), r);
      X31(store_g)(f_out, low, f_low);
      X31(store_g)(f_out, high, f_high);
      const X31_T w_low = X31(between)(X31(load_g)(w, in), X31(load_g)(w, in + up), r);
      const X31_T w_high = X31(between)(X31(load_g)(w, in + next), X31(load_g)(w, in + next + up), r);
      X31(store_g)(w_out, low, w_low);
      X31(store_g)(w_out, high, w_high);
      zero = X31(add)(zero, X31(mul)(f_low, w_low));
      lead = X31(add)(lead, X31(mul)(X31(sub)(f_high, f_low), X31(sub)(w_high, w_low)));
    }
    X31(store_l)(sh, lsz, lid, zero);
    X31(store_l)(sh + (u32)X31_D * lsz, lsz, lid, lead);
  GK_PHASE_END
  X31(sum_lanes)(GK_COOP_ARGS sh, 2u, 1u);
  GK_PHASE
    if (lid < 2u) X31(store_g)(partials, lid * GK_NGROUPS + GK_GID_GROUP, X31(load_l)(sh + lid * (u32)X31_D * lsz, lsz, 0u));
  GK_PHASE_LAST_END
}

/* One fold of one vector into another. */
GK_KERNEL_B(X31(fold), 256)(GK_IN(0, u32, in), GK_OUT(1, u32, out), GK_PARAMS(2, P31Round, p) GK_ARGS_END) {
  GK_PHASE
    const u64 x = (u64)GK_GID_GROUP * GK_LSZ + lid, middle = (u64)1u << (p.log_size - 1u);
    if (x < middle) {
      const u64 low = p.suffix != 0u ? 2u * x : x, high = p.suffix != 0u ? 2u * x + 1u : x + middle;
      X31_T r;
      GK_UNROLL for (int k = 0; k < X31_D; k++) r.v[k] = p.r[k];
      X31(store_g)(out, x, X31(between)(X31(load_g)(in, low), X31(load_g)(in, high), r));
    }
  GK_PHASE_LAST_END
}
