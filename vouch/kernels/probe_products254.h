/* Montgomery products of 254-bit elements and nothing else: what a device's multipliers can do at best here. */
/* clang-format off */
typedef struct { u32 rounds; u32 y; } Products254Params;

/* Two chains: 2 i and 2 i + 1, times y 2^224, 4 * rounds times, all Montgomery forms; out[i] is their sum. */
GK_KERNEL_B(probe_products254, 256)(GK_OUT(0, u32, out), GK_PARAMS(1, Products254Params, p) GK_ARGS_END) {
  GK_PHASE
    const u32 i = GK_GID_GROUP * GK_LSZ + lid;
    Fr a = fr_zero(), b = fr_zero(), y = fr_zero();
    a.v[0] = 2u * i; b.v[0] = 2u * i + 1u; y.v[7] = p.y;
    GK_NO_UNROLL for (u32 r = 0u; r < p.rounds; r++) {
      GK_UNROLL for (u32 k = 0u; k < 4u; k++) { a = fr_mul(a, y); b = fr_mul(b, y); }
    }
    fr_store_g(out, i, fr_add(a, b));
  GK_PHASE_LAST_END
}
