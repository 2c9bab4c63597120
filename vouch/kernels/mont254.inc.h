/* A template by inclusion: a 254-bit prime field, 8 u32 words little-endian, Montgomery form, fully reduced.
 * Before including: MF(n) names a function, MF_T the type, MF_N(i) a word of the modulus, MF_N0INV -1/N mod 2^32.
 * On NVIDIA every operation is a carry chain in assembly: 225 instructions a product instead of 569 from the portable text. */
/* clang-format off */
typedef struct GK_ALIGN(16) { u32 v[8]; } MF_T;

#if defined(GK_CUDA) && defined(GK_USE_PTX)
GK_FN MF_T MF(reduce_once)(MF_T a, u32 top) {
  MF_T s; u32 b; (void)top;
  asm("{ sub.cc.u32 %0, %9, %17; subc.cc.u32 %1, %10, %18; subc.cc.u32 %2, %11, %19; subc.cc.u32 %3, %12, %20;\n\t"
      "  subc.cc.u32 %4, %13, %21; subc.cc.u32 %5, %14, %22; subc.cc.u32 %6, %15, %23; subc.cc.u32 %7, %16, %24; subc.u32 %8, 0, 0; }"
      : "=&r"(s.v[0]), "=&r"(s.v[1]), "=&r"(s.v[2]), "=&r"(s.v[3]), "=&r"(s.v[4]), "=&r"(s.v[5]), "=&r"(s.v[6]), "=&r"(s.v[7]), "=&r"(b)
      : "r"(a.v[0]), "r"(a.v[1]), "r"(a.v[2]), "r"(a.v[3]), "r"(a.v[4]), "r"(a.v[5]), "r"(a.v[6]), "r"(a.v[7]),
        "r"(MF_N(0)), "r"(MF_N(1)), "r"(MF_N(2)), "r"(MF_N(3)), "r"(MF_N(4)), "r"(MF_N(5)), "r"(MF_N(6)), "r"(MF_N(7)));
  GK_UNROLL for (int i = 0; i < 8; i++) s.v[i] = b ? a.v[i] : s.v[i];
  return s;
}
GK_FN MF_T MF(add)(MF_T a, MF_T b) {
  MF_T s;
  asm("{ add.cc.u32 %0, %8, %16; addc.cc.u32 %1, %9, %17; addc.cc.u32 %2, %10, %18; addc.cc.u32 %3, %11, %19;\n\t"
      "  addc.cc.u32 %4, %12, %20; addc.cc.u32 %5, %13, %21; addc.cc.u32 %6, %14, %22; addc.u32 %7, %15, %23; }"
      : "=&r"(s.v[0]), "=&r"(s.v[1]), "=&r"(s.v[2]), "=&r"(s.v[3]), "=&r"(s.v[4]), "=&r"(s.v[5]), "=&r"(s.v[6]), "=&r"(s.v[7])
      : "r"(a.v[0]), "r"(a.v[1]), "r"(a.v[2]), "r"(a.v[3]), "r"(a.v[4]), "r"(a.v[5]), "r"(a.v[6]), "r"(a.v[7]),
        "r"(b.v[0]), "r"(b.v[1]), "r"(b.v[2]), "r"(b.v[3]), "r"(b.v[4]), "r"(b.v[5]), "r"(b.v[6]), "r"(b.v[7]));
  return MF(reduce_once)(s, 0u);
}
GK_FN MF_T MF(sub)(MF_T a, MF_T b) {
  MF_T s; u32 m;
  asm("{ sub.cc.u32 %0, %9, %17; subc.cc.u32 %1, %10, %18; subc.cc.u32 %2, %11, %19; subc.cc.u32 %3, %12, %20;\n\t"
      "  subc.cc.u32 %4, %13, %21; subc.cc.u32 %5, %14, %22; subc.cc.u32 %6, %15, %23; subc.cc.u32 %7, %16, %24; subc.u32 %8, 0, 0; }"
      : "=&r"(s.v[0]), "=&r"(s.v[1]), "=&r"(s.v[2]), "=&r"(s.v[3]), "=&r"(s.v[4]), "=&r"(s.v[5]), "=&r"(s.v[6]), "=&r"(s.v[7]), "=&r"(m)
      : "r"(a.v[0]), "r"(a.v[1]), "r"(a.v[2]), "r"(a.v[3]), "r"(a.v[4]), "r"(a.v[5]), "r"(a.v[6]), "r"(a.v[7]),
        "r"(b.v[0]), "r"(b.v[1]), "r"(b.v[2]), "r"(b.v[3]), "r"(b.v[4]), "r"(b.v[5]), "r"(b.v[6]), "r"(b.v[7]));
  asm("{ add.cc.u32 %0, %0, %8; addc.cc.u32 %1, %1, %9; addc.cc.u32 %2, %2, %10; addc.cc.u32 %3, %3, %11;\n\t"
      "  addc.cc.u32 %4, %4, %12; addc.cc.u32 %5, %5, %13; addc.cc.u32 %6, %6, %14; addc.u32 %7, %7, %15; }"
      : "+r"(s.v[0]), "+r"(s.v[1]), "+r"(s.v[2]), "+r"(s.v[3]), "+r"(s.v[4]), "+r"(s.v[5]), "+r"(s.v[6]), "+r"(s.v[7])
      : "r"(MF_N(0) & m), "r"(MF_N(1) & m), "r"(MF_N(2) & m), "r"(MF_N(3) & m), "r"(MF_N(4) & m), "r"(MF_N(5) & m), "r"(MF_N(6) & m), "r"(MF_N(7) & m));
  return s;
}
#else
GK_FN MF_T MF(reduce_once)(MF_T a, u32 top) {
  /* subtract N if a >= N (or if top carry set) */
  MF_T s; u32 b = 0;
  GK_SUBB(s.v[0], a.v[0], MF_N(0), b); GK_SUBB(s.v[1], a.v[1], MF_N(1), b);
  GK_SUBB(s.v[2], a.v[2], MF_N(2), b); GK_SUBB(s.v[3], a.v[3], MF_N(3), b);
  GK_SUBB(s.v[4], a.v[4], MF_N(4), b); GK_SUBB(s.v[5], a.v[5], MF_N(5), b);
  GK_SUBB(s.v[6], a.v[6], MF_N(6), b); GK_SUBB(s.v[7], a.v[7], MF_N(7), b);
  u32 keep = (b != 0u && top == 0u) ? 1u : 0u;
  GK_UNROLL for (int i = 0; i < 8; i++) s.v[i] = keep ? a.v[i] : s.v[i];
  return s;
}
GK_FN MF_T MF(add)(MF_T a, MF_T b) {
  MF_T s; u32 c = 0;
  GK_UNROLL for (int i = 0; i < 8; i++) GK_ADDC(s.v[i], a.v[i], b.v[i], c);
  return MF(reduce_once)(s, 0u);
}
GK_FN MF_T MF(sub)(MF_T a, MF_T b) {
  MF_T d; u32 c = 0;
  GK_UNROLL for (int i = 0; i < 8; i++) GK_SUBB(d.v[i], a.v[i], b.v[i], c);
  u32 m = 0u - c, k = 0;
  GK_ADDC(d.v[0], d.v[0], (MF_N(0) & m), k); GK_ADDC(d.v[1], d.v[1], (MF_N(1) & m), k);
  GK_ADDC(d.v[2], d.v[2], (MF_N(2) & m), k); GK_ADDC(d.v[3], d.v[3], (MF_N(3) & m), k);
  GK_ADDC(d.v[4], d.v[4], (MF_N(4) & m), k); GK_ADDC(d.v[5], d.v[5], (MF_N(5) & m), k);
  GK_ADDC(d.v[6], d.v[6], (MF_N(6) & m), k); GK_ADDC(d.v[7], d.v[7], (MF_N(7) & m), k);
  return d;
}

#endif

#if defined(GK_CUDA) && defined(GK_USE_PTX)
/* even/odd carry chains: every lo/hi product pair lands on an aligned register pair, one CC chain per asm block */
GK_FN void MF(muln)(u32* acc, const u32* a, u32 b) {        /* acc[0..7] = sum a[2k]*b << 64k */
  asm("{ mul.lo.u32 %0, %8, %12; mul.hi.u32 %1, %8, %12; mul.lo.u32 %2, %9, %12; mul.hi.u32 %3, %9, %12;\n\t"
      "  mul.lo.u32 %4, %10, %12; mul.hi.u32 %5, %10, %12; mul.lo.u32 %6, %11, %12; mul.hi.u32 %7, %11, %12; }"
      : "=&r"(acc[0]), "=&r"(acc[1]), "=&r"(acc[2]), "=&r"(acc[3]), "=&r"(acc[4]), "=&r"(acc[5]), "=&r"(acc[6]), "=&r"(acc[7])
      : "r"(a[0]), "r"(a[2]), "r"(a[4]), "r"(a[6]), "r"(b));
}
/* acc += a_even*b ; carry-out added to *top */
GK_FN void MF(cmad)(u32* acc, u32 a0, u32 a2, u32 a4, u32 a6, u32 b, u32* top) {
  asm("{ mad.lo.cc.u32 %0, %9, %13, %0; madc.hi.cc.u32 %1, %9, %13, %1; madc.lo.cc.u32 %2, %10, %13, %2; madc.hi.cc.u32 %3, %10, %13, %3;\n\t"
      "  madc.lo.cc.u32 %4, %11, %13, %4; madc.hi.cc.u32 %5, %11, %13, %5; madc.lo.cc.u32 %6, %12, %13, %6; madc.hi.cc.u32 %7, %12, %13, %7;\n\t"
      "  addc.u32 %8, %8, 0; }"
      : "+r"(acc[0]), "+r"(acc[1]), "+r"(acc[2]), "+r"(acc[3]), "+r"(acc[4]), "+r"(acc[5]), "+r"(acc[6]), "+r"(acc[7]), "+r"(*top)
      : "r"(a0), "r"(a2), "r"(a4), "r"(a6), "r"(b));
}
/* last even chain in a row: no carry can leave limb 7 (modulus < 2^254) */
GK_FN void MF(cmad_nc)(u32* acc, u32 a0, u32 a2, u32 a4, u32 a6, u32 b) {
  asm("{ mad.lo.cc.u32 %0, %8, %12, %0; madc.hi.cc.u32 %1, %8, %12, %1; madc.lo.cc.u32 %2, %9, %12, %2; madc.hi.cc.u32 %3, %9, %12, %3;\n\t"
      "  madc.lo.cc.u32 %4, %10, %12, %4; madc.hi.cc.u32 %5, %10, %12, %5; madc.lo.cc.u32 %6, %11, %12, %6; madc.hi.u32 %7, %11, %12, %7; }"
      : "+r"(acc[0]), "+r"(acc[1]), "+r"(acc[2]), "+r"(acc[3]), "+r"(acc[4]), "+r"(acc[5]), "+r"(acc[6]), "+r"(acc[7])
      : "r"(a0), "r"(a2), "r"(a4), "r"(a6), "r"(b));
}
/* even[0] += odd[1] (carry in), then odd = (odd >> 64) + a_odd*b + carry */
GK_FN void MF(shift_mad)(u32* even, u32* odd, const u32* a, u32 b) {
  asm("{ add.cc.u32 %0, %0, %2;\n\t"
      "  madc.lo.cc.u32 %1, %9, %13, %3; madc.hi.cc.u32 %2, %9, %13, %4; madc.lo.cc.u32 %3, %10, %13, %5; madc.hi.cc.u32 %4, %10, %13, %6;\n\t"
      "  madc.lo.cc.u32 %5, %11, %13, %7; madc.hi.cc.u32 %6, %11, %13, %8; madc.lo.cc.u32 %7, %12, %13, 0; madc.hi.u32 %8, %12, %13, 0; }"
      : "+r"(even[0]), "+r"(odd[0]), "+r"(odd[1]), "+r"(odd[2]), "+r"(odd[3]), "+r"(odd[4]), "+r"(odd[5]), "+r"(odd[6]), "+r"(odd[7])
      : "r"(a[1]), "r"(a[3]), "r"(a[5]), "r"(a[7]), "r"(b));
}
GK_FN void MF(row)(u32* even, u32* odd, const u32* a, u32 b, int first) {
  if (first) {
    MF(muln)(odd, a + 1, b); MF(muln)(even, a, b);
  } else {
    MF(shift_mad)(even, odd, a, b);
    MF(cmad)(even, a[0], a[2], a[4], a[6], b, &odd[7]);
  }
  u32 m = even[0] * MF_N0INV;
  MF(cmad_nc)(odd, MF_N(1), MF_N(3), MF_N(5), MF_N(7), m);
  MF(cmad)(even, MF_N(0), MF_N(2), MF_N(4), MF_N(6), m, &odd[7]);
}
GK_FN MF_T MF(mul)(MF_T a, MF_T b) {
  u32 ev[8], od[8]; MF_T r;
  MF(row)(ev, od, a.v, b.v[0], 1); MF(row)(od, ev, a.v, b.v[1], 0);
  MF(row)(ev, od, a.v, b.v[2], 0); MF(row)(od, ev, a.v, b.v[3], 0);
  MF(row)(ev, od, a.v, b.v[4], 0); MF(row)(od, ev, a.v, b.v[5], 0);
  MF(row)(ev, od, a.v, b.v[6], 0); MF(row)(od, ev, a.v, b.v[7], 0);
  /* result = ev + (od >> 32) */
  asm("{ add.cc.u32 %0, %8, %17; addc.cc.u32 %1, %9, %18; addc.cc.u32 %2, %10, %19; addc.cc.u32 %3, %11, %20;\n\t"
      "  addc.cc.u32 %4, %12, %21; addc.cc.u32 %5, %13, %22; addc.cc.u32 %6, %14, %23; addc.u32 %7, %15, 0; }"
      : "=&r"(r.v[0]), "=&r"(r.v[1]), "=&r"(r.v[2]), "=&r"(r.v[3]), "=&r"(r.v[4]), "=&r"(r.v[5]), "=&r"(r.v[6]), "=&r"(r.v[7])
      : "r"(ev[0]), "r"(ev[1]), "r"(ev[2]), "r"(ev[3]), "r"(ev[4]), "r"(ev[5]), "r"(ev[6]), "r"(ev[7]),
        "r"(od[0]), "r"(od[1]), "r"(od[2]), "r"(od[3]), "r"(od[4]), "r"(od[5]), "r"(od[6]), "r"(od[7]));
  return MF(reduce_once)(r, 0u);
}
#elif defined(GK_NO_U64)
/* CIOS with mul.lo / mulhi and explicit 32-bit carries (for targets with slow emulated 64-bit) */
#define GK_MAC32(t, a, b, c) do { u32 gk_l = (a) * (b), gk_h = GK_MULHI(a, b); u32 gk_s = (t) + gk_l; gk_h += (u32)(gk_s < gk_l); \
    u32 gk_r = gk_s + (c); gk_h += (u32)(gk_r < gk_s); (t) = gk_r; (c) = gk_h; } while (0)
GK_FN MF_T MF(mul)(MF_T a, MF_T b) {
  u32 t[8]; u32 nn[8] = { MF_N(0), MF_N(1), MF_N(2), MF_N(3), MF_N(4), MF_N(5), MF_N(6), MF_N(7) };
  GK_UNROLL for (int i = 0; i < 8; i++) t[i] = 0;
  GK_UNROLL for (int i = 0; i < 8; i++) {
    u32 c = 0, k = 0;
    GK_UNROLL for (int j = 0; j < 8; j++) GK_MAC32(t[j], a.v[j], b.v[i], c);
    u32 m = t[0] * MF_N0INV;
    GK_MAC32(t[0], m, nn[0], k);
    GK_UNROLL for (int j = 1; j < 8; j++) { GK_MAC32(t[j], m, nn[j], k); t[j - 1] = t[j]; }
    t[7] = c + k;
  }
  MF_T r;
  GK_UNROLL for (int i = 0; i < 8; i++) r.v[i] = t[i];
  return MF(reduce_once)(r, 0u);
}
#else
/* portable CIOS, u64 accumulator, "no-carry" variant (top limb of N < 2^31 - 1) */
GK_FN MF_T MF(mul)(MF_T a, MF_T b) {
  u32 t[8];
  GK_COUNT_PRODUCT();
  GK_UNROLL for (int i = 0; i < 8; i++) t[i] = 0;
  GK_UNROLL for (int i = 0; i < 8; i++) {
    u32 c = 0, k; u64 w;
    GK_UNROLL for (int j = 0; j < 8; j++) { w = (u64)a.v[j] * b.v[i] + t[j] + c; t[j] = (u32)w; c = (u32)(w >> 32); }
    u32 m = t[0] * MF_N0INV;
    w = (u64)m * MF_N(0) + t[0]; k = (u32)(w >> 32);
#define GK_ROW(j) w = (u64)m * MF_N(j) + t[j] + k; t[j - 1] = (u32)w; k = (u32)(w >> 32);
    GK_ROW(1) GK_ROW(2) GK_ROW(3) GK_ROW(4) GK_ROW(5) GK_ROW(6) GK_ROW(7)
#undef GK_ROW
    t[7] = c + k;
  }
  MF_T r;
  GK_UNROLL for (int i = 0; i < 8; i++) r.v[i] = t[i];
  return MF(reduce_once)(r, 0u);
}
#endif
/* memory access is always explicit and address-space specific: struct copies out of device/constant memory
 * are not portable (C++ copy-ctor address space rules) */
GK_FN MF_T MF(load_g)(GK_GLOBAL const u32* p, u32 i) { MF_T r; GK_UNROLL for (int k = 0; k < 8; k++) r.v[k] = p[8u * i + k]; return r; }
GK_FN void MF(store_g)(GK_GLOBAL u32* p, u32 i, MF_T x) { GK_UNROLL for (int k = 0; k < 8; k++) p[8u * i + k] = x.v[k]; }
/* local memory is limb-planar: limb k of element i at p[k*stride + i] -> bank-conflict free */
GK_FN MF_T MF(load_l)(GK_LOCAL const u32* p, u32 stride, u32 i) { MF_T r; GK_UNROLL for (int k = 0; k < 8; k++) r.v[k] = p[k * stride + i]; return r; }
GK_FN void MF(store_l)(GK_LOCAL u32* p, u32 stride, u32 i, MF_T x) { GK_UNROLL for (int k = 0; k < 8; k++) p[k * stride + i] = x.v[k]; }

GK_FN MF_T MF(zero)(void) { MF_T r; GK_UNROLL for (int k = 0; k < 8; k++) r.v[k] = 0u; return r; }
/* The integer that a stands for: one product by the integer 1. */
GK_FN MF_T MF(to_plain)(MF_T a) { MF_T one = MF(zero)(); one.v[0] = 1u; return MF(mul)(a, one); }
