/* Multi-scalar multiplication over one group, a template by inclusion: MG(n) names a function, MG_T the coordinate type,
 * MF2(n) its operations, MG_W the words of a coordinate.
 *
 * Sums are kept as X, Y, ZZ, ZZZ (x = X / ZZ, y = Y / ZZZ; ZZ = 0 is infinity). Every addition is complete: equal, opposite
 * and infinite operands are handled. The order of a bucket's entries is free, its sum is not: results are canonical after
 * the conversion to affine on the host. */
/* clang-format off */
typedef struct { MG_T x; MG_T y; MG_T zz; MG_T zzz; } MG(sum);

GK_FN MG(sum) MG(infinity)(void) { MG(sum) r; r.x = MF2(zero)(); r.y = MF2(zero)(); r.zz = MF2(zero)(); r.zzz = MF2(zero)(); return r; }
GK_FN MG(sum) MG(load)(GK_GLOBAL const u32* p, u32 i) {
  const u64 at = (u64)i * (4u * MG_W);
  MG(sum) r;
  r.x = MF2(load_at)(p, at); r.y = MF2(load_at)(p, at + MG_W); r.zz = MF2(load_at)(p, at + 2u * MG_W); r.zzz = MF2(load_at)(p, at + 3u * MG_W);
  return r;
}
GK_FN void MG(store)(GK_GLOBAL u32* p, u32 i, MG(sum) s) {
  const u64 at = (u64)i * (4u * MG_W);
  MF2(store_at)(p, at, s.x); MF2(store_at)(p, at + MG_W, s.y); MF2(store_at)(p, at + 2u * MG_W, s.zz); MF2(store_at)(p, at + 3u * MG_W, s.zzz);
}
GK_FN_NOINLINE MG(sum) MG(dbl)(MG(sum) a) {
  if (MF2(is_zero)(a.zz) != 0u || MF2(is_zero)(a.y) != 0u) return MG(infinity)();
  MG_T u = MF2(add)(a.y, a.y), v = MF2(mul)(u, u), w = MF2(mul)(u, v), s = MF2(mul)(a.x, v);
  MG_T x2 = MF2(mul)(a.x, a.x), m = MF2(add)(MF2(add)(x2, x2), x2);
  MG(sum) r;
  r.x = MF2(sub)(MF2(mul)(m, m), MF2(add)(s, s));
  r.y = MF2(sub)(MF2(mul)(m, MF2(sub)(s, r.x)), MF2(mul)(w, a.y));
  r.zz = MF2(mul)(v, a.zz);
  r.zzz = MF2(mul)(w, a.zzz);
  return r;
}
/* a + (x, y), an affine point other than infinity. */
GK_FN MG(sum) MG(add_affine)(MG(sum) a, MG_T x, MG_T y) {
  MG(sum) r;
  if (MF2(is_zero)(a.zz) != 0u) { r.x = x; r.y = y; r.zz = MF2(one)(); r.zzz = MF2(one)(); return r; }
  MG_T p = MF2(sub)(MF2(mul)(x, a.zz), a.x), d = MF2(sub)(MF2(mul)(y, a.zzz), a.y);
  if (MF2(is_zero)(p) != 0u) { if (MF2(is_zero)(d) != 0u) return MG(dbl)(a); return MG(infinity)(); }
  MG_T pp = MF2(mul)(p, p), ppp = MF2(mul)(p, pp), q = MF2(mul)(a.x, pp);
  r.x = MF2(sub)(MF2(sub)(MF2(mul)(d, d), ppp), MF2(add)(q, q));
  r.y = MF2(sub)(MF2(mul)(d, MF2(sub)(q, r.x)), MF2(mul)(a.y, ppp));
  r.zz = MF2(mul)(a.zz, pp);
  r.zzz = MF2(mul)(a.zzz, ppp);
  return r;
}
GK_FN_NOINLINE MG(sum) MG(add)(MG(sum) a, MG(sum) b) {
  if (MF2(is_zero)(b.zz) != 0u) return a;
  if (MF2(is_zero)(a.zz) != 0u) return b;
  MG_T u = MF2(mul)(a.x, b.zz), s = MF2(mul)(a.y, b.zzz);
  MG_T p = MF2(sub)(MF2(mul)(b.x, a.zz), u), d = MF2(sub)(MF2(mul)(b.y, a.zzz), s);
  if (MF2(is_zero)(p) != 0u) { if (MF2(is_zero)(d) != 0u) return MG(dbl)(a); return MG(infinity)(); }
  MG_T pp = MF2(mul)(p, p), ppp = MF2(mul)(p, pp), q = MF2(mul)(u, pp);
  MG(sum) r;
  r.x = MF2(sub)(MF2(sub)(MF2(mul)(d, d), ppp), MF2(add)(q, q));
  r.y = MF2(sub)(MF2(mul)(d, MF2(sub)(q, r.x)), MF2(mul)(s, ppp));
  r.zz = MF2(mul)(MF2(mul)(a.zz, b.zz), pp);
  r.zzz = MF2(mul)(MF2(mul)(a.zzz, b.zzz), ppp);
  return r;
}

/* Work-item t sums entries t*len .. of the sorted list. A bucket that lies wholly inside goes to buckets; the one it shares
 * with the work-item before and the one it shares with the one after go to partials 2t and 2t+1, with their keys. */
GK_KERNEL_B(MG(accumulate), 128)(GK_IN(0, u32, points), GK_IN(1, u32, entries), GK_IN(2, u32, start), GK_OUT(3, u32, buckets), GK_OUT(4, u32, partials),
                            GK_OUT(5, u32, partial_keys), GK_PARAMS(6, MsmSumParams, p) GK_ARGS_END) {
  GK_PHASE
    const u32 t = GK_GID_GROUP * GK_LSZ + lid;
    if (t < p.items) {
      const u32 total = start[p.keys], first = t * p.len, last = first + p.len < total ? first + p.len : total;
      partial_keys[2u * t] = MSM_NO_KEY;
      partial_keys[2u * t + 1u] = MSM_NO_KEY;
      if (first < total) {
        u32 key = msm_key_of(start, 0u, p.keys, first), e = first;
        while (e < last) {
          if (start[key + 1u] <= e) key++;
          if (start[key + 1u] <= e) key = msm_key_of(start, key, p.keys, e); /* empty buckets may be many */
          const u32 end = start[key + 1u] < last ? start[key + 1u] : last;
          MG(sum) acc = MG(infinity)();
          GK_NO_UNROLL for (; e < end; e++) {
            const u32 entry = entries[e];
            const u64 at = (u64)(entry >> 1) * (2u * MG_W);
            MG_T x = MF2(load_at)(points, at), y = MF2(load_at)(points, at + MG_W);
            if ((MF2(is_zero)(x) & MF2(is_zero)(y)) == 0u) acc = MG(add_affine)(acc, x, (entry & 1u) != 0u ? MF2(neg)(y) : y);
          }
          if (start[key] < first) { MG(store)(partials, 2u * t, acc); partial_keys[2u * t] = key; }
          else if (start[key + 1u] > last) { MG(store)(partials, 2u * t + 1u, acc); partial_keys[2u * t + 1u] = key; }
          else MG(store)(buckets, key, acc);
        }
      }
    }
  GK_PHASE_LAST_END
}

/* The same over partial sums: work-item t adds up runs of one key in slots t*len ...; its first and last run go on to the
 * next level (they may continue in a neighbour), the others to buckets. final = 1: there is one work-item, all go to buckets. */
GK_KERNEL_B(MG(merge), 128)(GK_IN(0, u32, in), GK_IN(1, u32, in_keys), GK_OUT(2, u32, buckets), GK_OUT(3, u32, out), GK_OUT(4, u32, out_keys),
                       GK_PARAMS(5, MsmSumParams, p) GK_ARGS_END) {
  GK_PHASE
    const u32 t = GK_GID_GROUP * GK_LSZ + lid;
    if (t < p.items) {
      const u32 last = (t + 1u) * p.len < p.slots ? (t + 1u) * p.len : p.slots;
      u32 emitted = 0u, key = MSM_NO_KEY;
      MG(sum) acc = MG(infinity)();
      if (p.final == 0u) { out_keys[2u * t] = MSM_NO_KEY; out_keys[2u * t + 1u] = MSM_NO_KEY; }
      GK_NO_UNROLL for (u32 k = t * p.len; k <= last; k++) {
        const u32 next = k < last ? in_keys[k] : MSM_NO_KEY;
        if (k < last && next == MSM_NO_KEY) continue;
        if (next != key && key != MSM_NO_KEY) {
          if (p.final != 0u || (emitted != 0u && k < last)) MG(store)(buckets, key, acc);
          else { const u32 o = 2u * t + (emitted != 0u ? 1u : 0u); MG(store)(out, o, acc); out_keys[o] = key; emitted = 1u; }
          acc = MG(infinity)();
        }
        key = next;
        if (k < last) acc = MG(add)(acc, MG(load)(in, k));
      }
    }
  GK_PHASE_LAST_END
}

/* Work-item t: the weighted sum of a run of len buckets of one window, weight = place in the window + 1. */
GK_KERNEL_B(MG(reduce), 128)(GK_IN(0, u32, buckets), GK_OUT(1, u32, out), GK_PARAMS(2, MsmSumParams, p) GK_ARGS_END) {
  GK_PHASE
    const u32 t = GK_GID_GROUP * GK_LSZ + lid;
    if (t < p.items) {
      const u32 first = t * p.len, place = first & (p.slots - 1u); /* slots: buckets of a window, a power of two */
      MG(sum) run = MG(infinity)(), total = MG(infinity)();
      GK_NO_UNROLL for (u32 k = p.len; k-- > 0u;) { run = MG(add)(run, MG(load)(buckets, first + k)); total = MG(add)(total, run); }
      MG(sum) shifted = MG(infinity)(); /* place * run */
      GK_NO_UNROLL for (u32 bit = 32u; bit-- > 0u;) {
        shifted = MG(dbl)(shifted);
        if (((place >> bit) & 1u) != 0u) shifted = MG(add)(shifted, run);
      }
      MG(store)(out, t, MG(add)(total, shifted));
    }
  GK_PHASE_LAST_END
}

/* out[t] = the sum of in[t*len .. (t+1)*len). */
GK_KERNEL_B(MG(fold), 128)(GK_IN(0, u32, in), GK_OUT(1, u32, out), GK_PARAMS(2, MsmSumParams, p) GK_ARGS_END) {
  GK_PHASE
    const u32 t = GK_GID_GROUP * GK_LSZ + lid;
    if (t < p.items) {
      MG(sum) acc = MG(infinity)();
      GK_NO_UNROLL for (u32 k = 0u; k < p.len; k++) acc = MG(add)(acc, MG(load)(in, t * p.len + k));
      MG(store)(out, t, acc);
    }
  GK_PHASE_LAST_END
}
