/* What the kernels over either group take, in each module that has them. */
/* clang-format off */
#ifndef GK_MSM_PARAMS
#define GK_MSM_PARAMS
/* entries: all of them, per_set of each set of buckets; buckets: of a set; n: points that are the caller's, the others are in tables */
typedef struct { u32 items; u32 len; u32 entries; u32 per_set; u32 buckets; u32 n; } MsmAddParams;
typedef struct { u32 items; u32 len; u32 slots; u32 final; } MsmSumParams;
#define MSM_NO_KEY 0xffffffffu
#define MG_CAT(a, b) a##b
#endif
