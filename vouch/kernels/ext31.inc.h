/* A template by inclusion: the extension of degree X31_D (4 or 5) over a field of field31.inc.h, named by F31 as there.
 * Before including: X31(n) names a function, X31_T the type, X31_ACC that of sums, X31_W the w of X^D - w and X31_WM its
 * Montgomery form; X31_TRINOMIAL is defined where the polynomial is X^5 + X^2 - 1 instead. In memory an element is X31_D
 * consecutive words, as on the host (Ext31); in local memory word k of element i is at k * stride + i. */
/* clang-format off */
typedef struct { u32 v[X31_D]; } X31_T;

GK_FN X31_T X31(zero)(void) { X31_T r; GK_UNROLL for (int k = 0; k < X31_D; k++) r.v[k] = 0u; return r; }
GK_FN X31_T X31(from_base)(u32 a) { X31_T r = X31(zero)(); r.v[0] = a; return r; }
GK_FN X31_T X31(one)(void) { return X31(from_base)(F31_ONE); }
GK_FN X31_T X31(add)(X31_T a, X31_T b) { X31_T r; GK_UNROLL for (int k = 0; k < X31_D; k++) r.v[k] = F31(add)(a.v[k], b.v[k]); return r; }
GK_FN X31_T X31(sub)(X31_T a, X31_T b) { X31_T r; GK_UNROLL for (int k = 0; k < X31_D; k++) r.v[k] = F31(sub)(a.v[k], b.v[k]); return r; }
GK_FN X31_T X31(mul_base)(X31_T a, u32 b) { X31_T r; GK_UNROLL for (int k = 0; k < X31_D; k++) r.v[k] = F31(mul)(a.v[k], b); return r; }

#if defined(X31_TRINOMIAL)
#define X31_WRAPS 0
#else
#define X31_WRAPS 1
#endif
/* Coefficient k of the plain product a * b; where X^D = w, what lies D above it is in it: wb is w * b. */
GK_FN u32 X31(coefficient)(X31_T a, X31_T b, X31_T wb, int k) {
#if defined(GK_NO_U64)
  u32 t = 0u;
  GK_UNROLL for (int i = 0; i < X31_D; i++) {
    if (i <= k && k - i < X31_D) t = F31(add)(t, F31(mul)(a.v[i], b.v[k - i]));
    if (i > k && X31_WRAPS) t = F31(add)(t, F31(mul)(a.v[i], wb.v[k + X31_D - i]));
  }
  return t;
#else
  u64 t = 0u;
  GK_UNROLL for (int i = 0; i < X31_D; i++) {
    if (i <= k && k - i < X31_D) t += (u64)a.v[i] * b.v[k - i];
    if (i > k && X31_WRAPS) t += (u64)a.v[i] * wb.v[k + X31_D - i];
    if (i >= 3) t = F31(settle)(t); /* four products, and four settled with a fifth, are below 2 P 2^32 */
  }
  return F31(reduce)(t);
#endif
}
#undef X31_WRAPS
#if defined(X31_TRINOMIAL)
GK_FN X31_T X31(mul)(X31_T a, X31_T b) { /* X^5 = 1 - X^2, X^6 = X - X^3, X^7 = X^2 - X^4, X^8 = X^3 + X^2 - 1 */
  X31_T r;
  u32 p[9];
  GK_UNROLL for (int k = 0; k < 9; k++) p[k] = X31(coefficient)(a, b, b, k);
  r.v[0] = F31(sub)(F31(add)(p[0], p[5]), p[8]);
  r.v[1] = F31(add)(p[1], p[6]);
  r.v[2] = F31(add)(F31(sub)(p[2], p[5]), F31(add)(p[7], p[8]));
  r.v[3] = F31(add)(F31(sub)(p[3], p[6]), p[8]);
  r.v[4] = F31(sub)(p[4], p[7]);
  return r;
}
#else
GK_FN u32 X31(times_w)(u32 b) {
  if (X31_W == 2u) return F31(add)(b, b);
  if (X31_W == 3u) return F31(add)(F31(add)(b, b), b);
  return F31(mul)(b, X31_WM);
}
GK_FN X31_T X31(mul)(X31_T a, X31_T b) {
  X31_T r, wb = b; /* wb.v[0] is not met */
  GK_UNROLL for (int i = 1; i < X31_D; i++) wb.v[i] = X31(times_w)(b.v[i]);
  GK_UNROLL for (int k = 0; k < X31_D; k++) r.v[k] = X31(coefficient)(a, b, wb, k);
  return r;
}
#endif

GK_FN X31_T X31(load_g)(GK_GLOBAL const u32* p, u64 i) { X31_T r; GK_UNROLL for (int k = 0; k < X31_D; k++) r.v[k] = p[(u64)X31_D * i + (u32)k]; return r; }
GK_FN void X31(store_g)(GK_GLOBAL u32* p, u64 i, X31_T x) { GK_UNROLL for (int k = 0; k < X31_D; k++) p[(u64)X31_D * i + (u32)k] = x.v[k]; }
GK_FN X31_T X31(load_l)(GK_LOCAL const u32* p, u32 stride, u32 i) { X31_T r; GK_UNROLL for (int k = 0; k < X31_D; k++) r.v[k] = p[(u32)k * stride + i]; return r; }
GK_FN void X31(store_l)(GK_LOCAL u32* p, u32 stride, u32 i, X31_T x) { GK_UNROLL for (int k = 0; k < X31_D; k++) p[(u32)k * stride + i] = x.v[k]; }
/* The same with the words of an element side by side: for an element that all work-items read at once. */
GK_FN X31_T X31(load_lw)(GK_LOCAL const u32* p, u32 i) { X31_T r; GK_UNROLL for (int k = 0; k < X31_D; k++) r.v[k] = p[(u32)X31_D * i + (u32)k]; return r; }
GK_FN void X31(store_lw)(GK_LOCAL u32* p, u32 i, X31_T x) { GK_UNROLL for (int k = 0; k < X31_D; k++) p[(u32)X31_D * i + (u32)k] = x.v[k]; }

/* A sum of products with base elements, reduced once at its end: each word stays below P 2^32. */
#if defined(GK_NO_U64)
typedef X31_T X31_ACC;
GK_FN X31_ACC X31(acc_zero)(void) { return X31(zero)(); }
GK_FN X31_ACC X31(acc_add)(X31_ACC s, X31_T a, u32 b) { return X31(add)(s, X31(mul_base)(a, b)); }
GK_FN X31_T X31(acc_value)(X31_ACC s) { return s; }
#else
typedef struct { u64 v[X31_D]; } X31_ACC;
GK_FN X31_ACC X31(acc_zero)(void) { X31_ACC r; GK_UNROLL for (int k = 0; k < X31_D; k++) r.v[k] = 0u; return r; }
GK_FN X31_ACC X31(acc_add)(X31_ACC s, X31_T a, u32 b) {
  GK_UNROLL for (int k = 0; k < X31_D; k++) s.v[k] = F31(settle)(s.v[k] + (u64)a.v[k] * b);
  return s;
}
GK_FN X31_T X31(acc_value)(X31_ACC s) { X31_T r; GK_UNROLL for (int k = 0; k < X31_D; k++) r.v[k] = F31(reduce)(s.v[k]); return r; }
#endif
