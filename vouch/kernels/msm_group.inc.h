/* Multi-scalar multiplication over one group, a template by inclusion: MG(n) names a function, MG_T the coordinate type,
 * MF2(n) its operations, MG_W the words of a coordinate; MG(sum) and its additions come from msm_xyzz.inc.h, or from
 * msm_complete.inc.h with MG_CONSTANT = 1, where every loop makes as many additions whatever the digits are. MG,
 * MG_T, MF2 and MG_W are undefined at the end.
 *
 * Every addition is right for equal, opposite and infinite operands. Results are canonical after the conversion to affine
 * on the host. */
/* clang-format off */
/* Work-item t sums entries t*len .. of the sorted list, a bucket's after another's. A bucket that lies wholly inside goes to
 * buckets; the one it shares with the work-item before and the one it shares with the one after go to partials 2t and 2t+1,
 * with their keys. Zero digits are left out, or summed into a bucket behind the others that nobody reads (MG_CONSTANT). */
GK_KERNEL_B(MG(accumulate), 128)(GK_IN(0, u32, points), GK_IN(1, u32, tables), GK_IN(2, u32, digits), GK_IN(3, u32, values), GK_OUT(4, u32, buckets),
                            GK_OUT(5, u32, partials), GK_OUT(6, u32, partial_keys), GK_PARAMS(7, MsmAddParams, p) GK_ARGS_END) {
  GK_PHASE
    const u32 t = GK_GID_GROUP * GK_LSZ + lid;
    if (t < p.items) {
      const u32 first = t * p.len, last = p.entries - first > p.len ? first + p.len : p.entries, none = p.entries / p.per_set * p.buckets;
      u32 set = first / p.per_set, set_end = (set + 1u) * p.per_set, key = MSM_NO_KEY, started = 0u;
      const u32 before = (u32)(first > set * p.per_set && digits[first > 0u ? first - 1u : 0u] == digits[first]);
      const u32 after = (u32)(last % p.per_set != 0u && digits[last < p.entries ? last : first] == digits[last - 1u]);
      MG(sum) acc = MG(infinity)();
      partial_keys[2u * t] = MSM_NO_KEY;
      partial_keys[2u * t + 1u] = MSM_NO_KEY;
      if (MG_CONSTANT != 0) { MG(store)(partials, 2u * t, acc); MG(store)(partials, 2u * t + 1u, acc); }
      GK_NO_UNROLL for (u32 e = first; e <= last; e++) {
        u32 next = MSM_NO_KEY, digit = 0u;
        if (e < last) {
          if (e == set_end) { set++; set_end += p.per_set; }
          digit = digits[e];
          next = digit != 0u ? set * p.buckets + digit - 1u : none;
        }
        if (next != key) {
          if (key != MSM_NO_KEY && (MG_CONSTANT != 0 || key != none)) {
            const u32 slot = started == 0u && before != 0u ? 0u : e == last && after != 0u ? 1u : 2u;
            MG(store)(slot < 2u ? partials : buckets, slot < 2u ? 2u * t + slot : key, acc);
            if (slot < 2u) partial_keys[2u * t + slot] = key;
          }
          started = (u32)(key != MSM_NO_KEY);
          key = next;
          acc = MG(infinity)();
        }
        if (e < last && (MG_CONSTANT != 0 || digit != 0u)) {
          const u32 value = values[e], which = value >> 1, made = (u32)(which >= p.n);
          GK_GLOBAL const u32* from = made != 0u ? tables : points;
          const u64 at = (u64)(made != 0u ? which - p.n : which) * (2u * MG_W);
          MG_T x = MF2(load_at)(from, at), y = MF2(load_at)(from, at + MG_W);
          acc = MG(add_affine)(acc, x, MF2(pick)(0u - (value & 1u), MF2(neg)(y), y));
        }
      }
    }
  GK_PHASE_LAST_END
}

/* The same over partial sums: work-item t adds up runs of one key in slots t*len ...; its first and last run go on to the
 * next level (they may continue in a neighbour), the others to buckets. final = 1: there is one work-item, all go to buckets.
 * A slot without a key is passed over, or added as the infinity it holds (MG_CONSTANT). */
GK_KERNEL_B(MG(merge), 128)(GK_IN(0, u32, in), GK_IN(1, u32, in_keys), GK_OUT(2, u32, buckets), GK_OUT(3, u32, out), GK_OUT(4, u32, out_keys),
                       GK_PARAMS(5, MsmSumParams, p) GK_ARGS_END) {
  GK_PHASE
    const u32 t = GK_GID_GROUP * GK_LSZ + lid;
    if (t < p.items) {
      const u32 last = (t + 1u) * p.len < p.slots ? (t + 1u) * p.len : p.slots;
      u32 emitted = 0u, key = MSM_NO_KEY;
      MG(sum) acc = MG(infinity)();
      if (p.final == 0u) {
        out_keys[2u * t] = MSM_NO_KEY;
        out_keys[2u * t + 1u] = MSM_NO_KEY;
        if (MG_CONSTANT != 0) { MG(store)(out, 2u * t, acc); MG(store)(out, 2u * t + 1u, acc); }
      }
      GK_NO_UNROLL for (u32 k = t * p.len; k <= last; k++) {
        u32 next = k < last ? in_keys[k] : MSM_NO_KEY;
        if (k < last && next == MSM_NO_KEY) {
          if (MG_CONSTANT == 0) continue;
          next = key;
        }
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

/* Work-item t: the weighted sum of a run of len buckets of one set, weight = place in the set + 1. */
GK_KERNEL_B(MG(reduce), 128)(GK_IN(0, u32, buckets), GK_OUT(1, u32, out), GK_PARAMS(2, MsmSumParams, p) GK_ARGS_END) {
  GK_PHASE
    const u32 t = GK_GID_GROUP * GK_LSZ + lid;
    if (t < p.items) {
      const u32 first = t * p.len, place = first & (p.slots - 1u); /* slots: buckets of a set, a power of two */
      MG(sum) run = MG(infinity)(), total = MG(infinity)();
      GK_NO_UNROLL for (u32 k = p.len; k-- > 0u;) { run = MG(add)(run, MG(load)(buckets, first + k)); total = MG(add)(total, run); }
      MG(sum) shifted = MG(infinity)(); /* place * run */
      GK_NO_UNROLL for (u32 bit = 31u - GK_CLZ(p.slots); bit-- > 0u;) {
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
#undef MG
#undef MF2
#undef MG_T
#undef MG_W
