/* A template by inclusion: one pass of radix 2^N31_T over all columns, one work-item for 2^N31_T elements. */
/* clang-format off */
#include "ntt31_radix.inc.h"
GK_KERNEL_B(N31K(ntt_pass), 256)(GK_INOUT(0, u32, src), GK_INOUT(1, u32, dst), GK_IN(2, u32, tw), GK_PARAMS(3, Ntt31Params, p)
                                 GK_ARGS_END) {
  GK_PHASE
    const u32 span = p.s - N31_T, groups = (p.interleave << (p.log_n - N31_T)) / GK_LSZ; /* of a strip; divides exactly */
    const u32 q = (GK_GID_GROUP % groups) * GK_LSZ + lid, w = (GK_GID_GROUP / groups) * p.interleave + q % p.interleave;
    const u32 item = q / p.interleave, j = item & ((1u << span) - 1u);
    const u64 at = ((u64)w << p.log_n) + (((item >> span) << p.s) | j);
    u32 x[1u << N31_T];
    if (p.rows_in != 0u) {
      const u64 from = (u64)(w / p.degree) * p.step_column + w % p.degree;
      GK_UNROLL for (u32 e = 0u; e < 1u << N31_T; e++) {
        const u32 i = (e << span) | j;
        x[e] = i < p.rows_in ? src[from + (u64)i * p.step_row] : 0u;
      }
    } else {
      GK_UNROLL for (u32 e = 0u; e < 1u << N31_T; e++) x[e] = src[at + (e << span)];
    }
    N31K(ntt_levels)(x, tw);
    N31K(ntt_twist)(x, N31(ntt_root)(tw, p.order, j, p.s));
    GK_UNROLL for (u32 e = 0u; e < 1u << N31_T; e++) dst[at + (e << span)] = x[e];
  GK_PHASE_LAST_END
}
