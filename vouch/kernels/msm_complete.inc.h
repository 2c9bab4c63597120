/* Sums as X, Y, Z (x = X / Z, y = Y / Z; Z = 0 is infinity) with complete formulas (Renes, Costello, Batina 2015, algorithms
 * 7 to 9): every addition makes the same products whatever its operands, without a branch. A template by inclusion, see
 * msm_group.inc.h. They are complete because no point of these curves has order 2. MG(times_b3): the product by 3 b. */
/* clang-format off */
typedef struct { MG_T x; MG_T y; MG_T z; } MG(sum);

GK_FN MG(sum) MG(infinity)(void) { MG(sum) r; r.x = MF2(zero)(); r.y = MF2(one)(); r.z = MF2(zero)(); return r; }
/* Memory that was cleared reads as infinity. */
GK_FN MG(sum) MG(load)(GK_GLOBAL const u32* p, u32 i) {
  const u64 at = (u64)i * (3u * MG_W);
  MG(sum) r;
  r.x = MF2(load_at)(p, at); r.y = MF2(load_at)(p, at + MG_W); r.z = MF2(load_at)(p, at + 2u * MG_W);
  r.y = MF2(pick)(0u - MF2(is_zero)(r.z), MF2(one)(), r.y);
  return r;
}
GK_FN void MG(store)(GK_GLOBAL u32* p, u32 i, MG(sum) s) {
  const u64 at = (u64)i * (3u * MG_W);
  MF2(store_at)(p, at, s.x); MF2(store_at)(p, at + MG_W, s.y); MF2(store_at)(p, at + 2u * MG_W, s.z);
}
GK_FN_NOINLINE MG(sum) MG(dbl)(MG(sum) a) {
  MG_T t0 = MF2(mul)(a.y, a.y), z8 = MF2(add)(t0, t0);
  z8 = MF2(add)(z8, z8); z8 = MF2(add)(z8, z8);
  MG_T t1 = MF2(mul)(a.y, a.z), t2 = MG(times_b3)(MF2(mul)(a.z, a.z)), xy = MF2(mul)(a.x, a.y);
  MG(sum) r;
  r.x = MF2(mul)(t2, z8);
  r.z = MF2(mul)(t1, z8);
  r.y = MF2(add)(t0, t2);
  t0 = MF2(sub)(t0, MF2(add)(MF2(add)(t2, t2), t2));
  r.y = MF2(add)(r.x, MF2(mul)(t0, r.y));
  r.x = MF2(mul)(t0, xy);
  r.x = MF2(add)(r.x, r.x);
  return r;
}
/* The end of both additions: t0 = x1 x2, t1 = y1 y2, b3z = 3 b z1 z2, and the sums of crosswise products. */
GK_FN MG(sum) MG(finish)(MG_T t0, MG_T t1, MG_T b3z, MG_T xy, MG_T yz, MG_T xz) {
  MG_T x3 = MF2(add)(MF2(add)(t0, t0), t0), plus = MF2(add)(t1, b3z), minus = MF2(sub)(t1, b3z), b3xz = MG(times_b3)(xz);
  MG(sum) r;
  r.x = MF2(sub)(MF2(mul)(xy, minus), MF2(mul)(yz, b3xz));
  r.y = MF2(add)(MF2(mul)(minus, plus), MF2(mul)(b3xz, x3));
  r.z = MF2(add)(MF2(mul)(plus, yz), MF2(mul)(x3, xy));
  return r;
}
/* a + (x, y), (0, 0) being infinity. */
GK_FN MG(sum) MG(add_affine)(MG(sum) a, MG_T x, MG_T y) {
  MG_T t0 = MF2(mul)(a.x, x), t1 = MF2(mul)(a.y, y);
  MG_T xy = MF2(sub)(MF2(mul)(MF2(add)(x, y), MF2(add)(a.x, a.y)), MF2(add)(t0, t1));
  MG_T yz = MF2(add)(MF2(mul)(y, a.z), a.y), xz = MF2(add)(MF2(mul)(x, a.z), a.x);
  MG(sum) r = MG(finish)(t0, t1, MG(times_b3)(a.z), xy, yz, xz);
  const u32 none = 0u - (MF2(is_zero)(x) & MF2(is_zero)(y));
  r.x = MF2(pick)(none, a.x, r.x); r.y = MF2(pick)(none, a.y, r.y); r.z = MF2(pick)(none, a.z, r.z);
  return r;
}
GK_FN_NOINLINE MG(sum) MG(add)(MG(sum) a, MG(sum) b) {
  MG_T t0 = MF2(mul)(a.x, b.x), t1 = MF2(mul)(a.y, b.y), t2 = MF2(mul)(a.z, b.z);
  MG_T xy = MF2(sub)(MF2(mul)(MF2(add)(a.x, a.y), MF2(add)(b.x, b.y)), MF2(add)(t0, t1));
  MG_T yz = MF2(sub)(MF2(mul)(MF2(add)(a.y, a.z), MF2(add)(b.y, b.z)), MF2(add)(t1, t2));
  MG_T xz = MF2(sub)(MF2(mul)(MF2(add)(a.x, a.z), MF2(add)(b.x, b.z)), MF2(add)(t0, t2));
  return MG(finish)(t0, t1, MG(times_b3)(t2), xy, yz, xz);
}
