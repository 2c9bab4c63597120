/* The NTT over Fr as head and tail kernels, and the gather of the constraint rows that feeds it.
 *
 * A transform of 2^log_n is split into batches of k butterfly levels; a group holds a slice of 2^k elements in local memory.
 * head: the first batch. It reads through bit reversal and multiplies by 1/n or by the shift table on the way in.
 * tail: a later batch, over slices strided by 2^s0, in place. The last store may join: a * b - c in plain form.
 * Vectors of one length lie behind one another: a launch covers as many as its grid has room for. Domain 1 is one head with k = 0. */
/* clang-format off */
typedef struct { u32 log_n; u32 s0; u32 k; u32 first; u32 scale; u32 join; } FrNttParams;
typedef struct { u32 rows; u32 log_n; } FrGatherParams;

/* `levels` butterfly levels on the slice in local memory; level t pairs elements 2^t apart. low: position of the slice. */
GK_FN void fr_ntt_levels(GK_COOP_PARAMS GK_LOCAL u32* sh, GK_GLOBAL const u32* tw, u32 log_n, u32 s0, u32 k, u32 low) {
  if (k == 0u) return;
  const u32 halves = 1u << (k - 1u), size = 1u << k, lsz = GK_LSZ;
  for (u32 t = 0; t < k; t++) {
    const u32 span = 1u << t, shift = log_n - s0 - t - 1u;
    GK_PHASE
      for (u32 b = lid; b < halves; b += lsz) {
        const u32 j = b & (span - 1u), lo = ((b >> t) << (t + 1u)) | j, hi = lo + span;
        Fr u = fr_load_l(sh, size, lo);
        Fr v = fr_mul(fr_load_l(sh, size, hi), fr_load_g(tw, (low + (j << s0)) << shift));
        fr_store_l(sh, size, lo, fr_add(u, v));
        fr_store_l(sh, size, hi, fr_sub(u, v));
      }
    GK_PHASE_END
  }
}

/* src: vectors of 2^log_n; dst: the same; scale = 1: element s is multiplied by table[s] (natural index). */
GK_KERNEL_B(fr_ntt_head, 256)(GK_IN(0, u32, src), GK_OUT(1, u32, dst), GK_IN(2, u32, tw), GK_IN(3, u32, table),
                       GK_PARAMS(4, FrNttParams, p) GK_DYN_LOCAL_ARG(u32, sh) GK_ARGS_END) {
  GK_DYN_LOCAL(u32, sh);
  const u32 size = 1u << p.k, lsz = GK_LSZ, groups = 1u << (p.log_n - p.k);
  const u32 vec = GK_GID_GROUP / groups, first = (GK_GID_GROUP % groups) << p.k;
  GK_GLOBAL const u32* in = src + ((u64)vec << (p.log_n + 3u));
  GK_GLOBAL u32* out = dst + ((u64)vec << (p.log_n + 3u));
  GK_PHASE
    for (u32 m = lid; m < size; m += lsz) {
      const u32 s = p.log_n == 0u ? 0u : (GK_BREV(first + m) >> (32u - p.log_n));
      Fr x = fr_load_g(in, s);
      if (p.scale != 0u) x = fr_mul(x, fr_load_g(table, s));
      fr_store_l(sh, size, m, x);
    }
  GK_PHASE_END
  fr_ntt_levels(GK_COOP_ARGS sh, tw, p.log_n, 0u, p.k, 0u);
  GK_PHASE
    for (u32 m = lid; m < size; m += lsz) fr_store_g(out, first + m, fr_load_l(sh, size, m));
  GK_PHASE_LAST_END
}

/* x: vectors first.. of `count`, in place. join = 1: x holds a, b, c behind one another, this launch finishes c, and
 * plain[i] = the integer a[i] * b[i] - c[i]. */
GK_KERNEL_B(fr_ntt_tail, 256)(GK_INOUT(0, u32, x), GK_IN(1, u32, tw), GK_OUT(2, u32, plain), GK_PARAMS(3, FrNttParams, p)
                       GK_DYN_LOCAL_ARG(u32, sh) GK_ARGS_END) {
  GK_DYN_LOCAL(u32, sh);
  const u32 size = 1u << p.k, lsz = GK_LSZ, groups = 1u << (p.log_n - p.k);
  const u32 vec = p.first + GK_GID_GROUP / groups, slice = GK_GID_GROUP % groups;
  const u32 low = slice & ((1u << p.s0) - 1u), first = low + ((slice >> p.s0) << (p.s0 + p.k));
  GK_GLOBAL u32* io = x + ((u64)vec << (p.log_n + 3u));
  GK_PHASE
    for (u32 m = lid; m < size; m += lsz) fr_store_l(sh, size, m, fr_load_g(io, first + (m << p.s0)));
  GK_PHASE_END
  fr_ntt_levels(GK_COOP_ARGS sh, tw, p.log_n, p.s0, p.k, low);
  GK_PHASE
    for (u32 m = lid; m < size; m += lsz) {
      const u32 i = first + (m << p.s0);
      Fr y = fr_load_l(sh, size, m);
      if (p.join != 0u) fr_store_g(plain, i, fr_to_plain(fr_sub(fr_mul(fr_load_g(x, i), fr_load_g(x, (1u << p.log_n) + i)), y)));
      else fr_store_g(io, i, y);
    }
  GK_PHASE_LAST_END
}

/* The join alone, for a domain so small that there is no tail: plain = a * b - c of the three vectors behind one another. */
GK_KERNEL_B(fr_join, 256)(GK_IN(0, u32, abc), GK_OUT(1, u32, plain), GK_PARAMS(2, FrGatherParams, p) GK_ARGS_END) {
  GK_PHASE
    const u32 i = GK_GID_GROUP * GK_LSZ + lid;
    if (i < p.rows) {
      const u32 n = p.rows;
      fr_store_g(plain, i, fr_to_plain(fr_sub(fr_mul(fr_load_g(abc, i), fr_load_g(abc, n + i)), fr_load_g(abc, 2u * n + i))));
    }
  GK_PHASE_LAST_END
}

/* abc: three vectors of 2^log_n: rows of A, of B, and C = A o B. records: 11 words each as in a .zkey, grouped by row;
 * order[k]: the k-th record by row; start[i]..start[i+1]: the records of row i (rows beyond the last are empty). */
GK_KERNEL_B(fr_gather, 128)(GK_IN(0, u32, records), GK_IN(1, u32, start), GK_IN(2, u32, order), GK_IN(3, u32, witness), GK_OUT(4, u32, abc),
                     GK_PARAMS(5, FrGatherParams, p) GK_ARGS_END) {
  GK_PHASE
    const u32 i = GK_GID_GROUP * GK_LSZ + lid;
    if (i < p.rows) {
      Fr a = fr_zero(), b = fr_zero();
      for (u32 k = start[i]; k < start[i + 1u]; k++) {
        const u64 at = (u64)order[k] * 11u;
        Fr v, w = fr_load_g(witness, records[at + 2u]);
        GK_UNROLL for (u32 q = 0; q < 8u; q++) v.v[q] = records[at + 3u + q];
        v = fr_mul(v, w);
        if (records[at] == 0u) a = fr_add(a, v);
        else b = fr_add(b, v);
      }
      fr_store_g(abc, i, a);
      fr_store_g(abc + ((u64)8u << p.log_n), i, b);
      fr_store_g(abc + ((u64)16u << p.log_n), i, fr_mul(a, b));
    }
  GK_PHASE_LAST_END
}

/* x[i] *= table[i], i < rows. */
GK_KERNEL_B(fr_scale, 256)(GK_INOUT(0, u32, x), GK_IN(1, u32, table), GK_PARAMS(2, FrGatherParams, p) GK_ARGS_END) {
  GK_PHASE
    const u32 i = GK_GID_GROUP * GK_LSZ + lid;
    if (i < p.rows) fr_store_g(x, i, fr_mul(fr_load_g(x, i), fr_load_g(table, i)));
  GK_PHASE_LAST_END
}
