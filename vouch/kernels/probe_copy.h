/* Moves words and does nothing else: what a device's memory can do at best. */
/* clang-format off */
typedef struct { u32 words; u32 each; } CopyParams;

/* to[i] = from[i], i < words. A group moves a block of each * its size; neighbours take neighbouring words. */
GK_KERNEL_B(mem_copy, 256)(GK_IN(0, u32, from), GK_OUT(1, u32, to), GK_PARAMS(2, CopyParams, p) GK_ARGS_END) {
  GK_PHASE
    const u64 first = (u64)GK_GID_GROUP * GK_LSZ * p.each + lid;
    for (u32 k = 0u; k < p.each; k++) {
      const u64 i = first + (u64)k * GK_LSZ;
      if (i < (u64)p.words) to[i] = from[i];
    }
  GK_PHASE_LAST_END
}
