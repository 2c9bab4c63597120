/* Sums as X, Y, ZZ, ZZZ (x = X / ZZ, y = Y / ZZZ; ZZ = 0 is infinity), the cheapest that need no inversion: a template by
 * inclusion, see msm_group.inc.h. Equal, opposite and infinite operands are told apart and handled; what an addition costs
 * depends on them. */
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
/* a + (x, y), (0, 0) being infinity. */
GK_FN MG(sum) MG(add_affine)(MG(sum) a, MG_T x, MG_T y) {
  MG(sum) r;
  if ((MF2(is_zero)(x) & MF2(is_zero)(y)) != 0u) return a;
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
#if !defined(MG_TABLES)
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
#endif
