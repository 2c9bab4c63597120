/* Fq2 = Fq[u] / (u^2 + 1) in kernel text: the coordinates of G2. Words: c0 then c1, 8 each. */
/* clang-format off */
#ifndef GK_FQ2
#define GK_FQ2
typedef struct { Fq c0; Fq c1; } Fq2;

GK_FN u32 fq_is_zero(Fq a) { u32 o = 0u; GK_UNROLL for (int i = 0; i < 8; i++) o |= a.v[i]; return (u32)(o == 0u); }
GK_FN Fq fq_one(void) {
  Fq r;
  r.v[0] = FQ_R1_0; r.v[1] = FQ_R1_1; r.v[2] = FQ_R1_2; r.v[3] = FQ_R1_3; r.v[4] = FQ_R1_4; r.v[5] = FQ_R1_5; r.v[6] = FQ_R1_6; r.v[7] = FQ_R1_7;
  return r;
}
GK_FN Fq fq_neg(Fq a) { return fq_sub(fq_zero(), a); }
GK_FN Fq2 fq2_zero(void) { Fq2 r; r.c0 = fq_zero(); r.c1 = fq_zero(); return r; }
GK_FN Fq2 fq2_one(void) { Fq2 r; r.c0 = fq_one(); r.c1 = fq_zero(); return r; }
GK_FN u32 fq2_is_zero(Fq2 a) { return fq_is_zero(a.c0) & fq_is_zero(a.c1); }
GK_FN Fq2 fq2_add(Fq2 a, Fq2 b) { Fq2 r; r.c0 = fq_add(a.c0, b.c0); r.c1 = fq_add(a.c1, b.c1); return r; }
GK_FN Fq2 fq2_sub(Fq2 a, Fq2 b) { Fq2 r; r.c0 = fq_sub(a.c0, b.c0); r.c1 = fq_sub(a.c1, b.c1); return r; }
GK_FN Fq2 fq2_neg(Fq2 a) { Fq2 r; r.c0 = fq_neg(a.c0); r.c1 = fq_neg(a.c1); return r; }
/* Karatsuba. Not inlined: G2 formulas hold it a dozen times, and compile time is part of the first proof. */
GK_FN_NOINLINE Fq2 fq2_mul(Fq2 a, Fq2 b) {
  Fq low = fq_mul(a.c0, b.c0), high = fq_mul(a.c1, b.c1);
  Fq cross = fq_mul(fq_add(a.c0, a.c1), fq_add(b.c0, b.c1));
  Fq2 r;
  r.c0 = fq_sub(low, high);
  r.c1 = fq_sub(fq_sub(cross, low), high);
  return r;
}
GK_FN Fq2 fq2_load_at(GK_GLOBAL const u32* p, u64 at) {
  Fq2 r;
  GK_UNROLL for (int k = 0; k < 8; k++) { r.c0.v[k] = p[at + (u32)k]; r.c1.v[k] = p[at + 8u + (u32)k]; }
  return r;
}
GK_FN void fq2_store_at(GK_GLOBAL u32* p, u64 at, Fq2 x) {
  GK_UNROLL for (int k = 0; k < 8; k++) { p[at + (u32)k] = x.c0.v[k]; p[at + 8u + (u32)k] = x.c1.v[k]; }
}
GK_FN Fq fq_load_at(GK_GLOBAL const u32* p, u64 at) { Fq r; GK_UNROLL for (int k = 0; k < 8; k++) r.v[k] = p[at + (u32)k]; return r; }
GK_FN void fq_store_at(GK_GLOBAL u32* p, u64 at, Fq x) { GK_UNROLL for (int k = 0; k < 8; k++) p[at + (u32)k] = x.v[k]; }
/* mask: all ones for a, zero for b. */
GK_FN Fq fq_pick(u32 mask, Fq a, Fq b) { Fq r; GK_UNROLL for (int k = 0; k < 8; k++) r.v[k] = (a.v[k] & mask) | (b.v[k] & ~mask); return r; }
GK_FN Fq2 fq2_pick(u32 mask, Fq2 a, Fq2 b) { Fq2 r; r.c0 = fq_pick(mask, a.c0, b.c0); r.c1 = fq_pick(mask, a.c1, b.c1); return r; }
#endif
