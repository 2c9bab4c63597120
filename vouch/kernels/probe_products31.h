/* Montgomery products of BabyBear and nothing else: what a device's multipliers can do at best. */
/* clang-format off */
#define PROBE31_CHAINS 8u
typedef struct { u32 rounds; u32 y; } Products31Params;

/* Work-item i, chain c: x = 8 i + c (below P) times y, 16 * rounds times; out[i] is the sum of the chains. Independent chains,
 * so that no device waits for a product. */
GK_KERNEL_B(probe_products31, 256)(GK_OUT(0, u32, out), GK_PARAMS(1, Products31Params, p) GK_ARGS_END) {
  GK_PHASE
    const u32 i = GK_GID_GROUP * GK_LSZ + lid, y = p.y;
    u32 x[PROBE31_CHAINS];
    GK_UNROLL for (u32 c = 0u; c < PROBE31_CHAINS; c++) x[c] = PROBE31_CHAINS * i + c;
    GK_NO_UNROLL for (u32 r = 0u; r < p.rounds; r++) {
      GK_UNROLL for (u32 k = 0u; k < 16u; k++) {
        GK_UNROLL for (u32 c = 0u; c < PROBE31_CHAINS; c++) x[c] = probe31_mul(x[c], y);
      }
    }
    u32 sum = 0u;
    GK_UNROLL for (u32 c = 0u; c < PROBE31_CHAINS; c++) sum = probe31_add(sum, x[c]);
    out[i] = sum;
  GK_PHASE_LAST_END
}
#undef PROBE31_CHAINS
