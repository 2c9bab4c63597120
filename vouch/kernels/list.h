// The names of all kernels: X(name). A device builds each; the host device keeps a pointer to each.
#pragma once

#define VOUCH_KERNELS(X) \
  X(fr_ntt_head)         \
  X(fr_ntt_tail)         \
  X(fr_join)             \
  X(fr_gather)           \
  X(fr_scale)            \
  X(msm_count)           \
  X(msm_scatter)         \
  X(msm_zero)            \
  X(msm_scan_groups)     \
  X(msm_scan_sums)       \
  X(msm_scan_add)        \
  X(msm_g1_accumulate)   \
  X(msm_g1_merge)        \
  X(msm_g1_reduce)       \
  X(msm_g1_fold)         \
  X(msm_g2_accumulate)   \
  X(msm_g2_merge)        \
  X(msm_g2_reduce)       \
  X(msm_g2_fold)
