// The names of all kernels, by module: X(name). A module is one entry file and the unit that a device
// compiles, on first use of one of its kernels. The host device keeps a pointer to each kernel.
#pragma once

// X(module, list of its kernels)
#define VOUCH_KERNEL_MODULES(X)             \
  X(probes, VOUCH_KERNELS_PROBES)           \
  X(groth16, VOUCH_KERNELS_GROTH16)         \
  X(msmcomplete, VOUCH_KERNELS_MSMCOMPLETE) \
  X(msmtables, VOUCH_KERNELS_MSMTABLES)     \
  X(babybear, VOUCH_KERNELS_BABYBEAR)       \
  X(koalabear, VOUCH_KERNELS_KOALABEAR)

#define VOUCH_KERNELS_PROBES(X) \
  X(mem_copy)                   \
  X(probe_products31)

#define VOUCH_KERNELS_GROTH16(X) \
  X(fr_ntt_head)                 \
  X(fr_ntt_tail)                 \
  X(fr_join)                     \
  X(fr_gather)                   \
  X(fr_scale)                    \
  X(probe_products254)           \
  X(msm_recode)                  \
  X(msm_split)                   \
  X(msm_digits)                  \
  X(msm_zero)                    \
  X(msm_sort_count)              \
  X(msm_sort_place)              \
  X(msm_scan)                    \
  X(msm_g1_accumulate)           \
  X(msm_g1_merge)                \
  X(msm_g1_reduce)               \
  X(msm_g1_fold)                 \
  X(msm_g2_accumulate)           \
  X(msm_g2_merge)                \
  X(msm_g2_reduce)               \
  X(msm_g2_fold)

// The same sums with additions that cost the same whatever is added.
#define VOUCH_KERNELS_MSMCOMPLETE(X) \
  X(msmc_g1_accumulate)              \
  X(msmc_g1_merge)                   \
  X(msmc_g1_reduce)                  \
  X(msmc_g1_fold)                    \
  X(msmc_g2_accumulate)              \
  X(msmc_g2_merge)                   \
  X(msmc_g2_reduce)                  \
  X(msmc_g2_fold)

// What is made of a key's points once.
#define VOUCH_KERNELS_MSMTABLES(X) \
  X(msmt_g1_images)                \
  X(msmt_g1_multiples)             \
  X(msmt_g2_images)                \
  X(msmt_g2_multiples)

// Encoding, hashing, opening and proof of work over a 31-bit field (encode31_*.h); p is its prefix.
#define VOUCH_KERNELS_ENCODE31(X, p) \
  X(p##_ntt_pass1)                   \
  X(p##_ntt_pass2)                   \
  X(p##_ntt_pass3)                   \
  X(p##_ntt_pass4)                   \
  X(p##_ntt_pass5)                   \
  X(p##_ntt_tail)                    \
  X(p##_p16_leaves)                  \
  X(p##_p24_leaves)                  \
  X(p##_p16_quads)                   \
  X(p##_p24_quads)                   \
  X(p##_p16_tree)                    \
  X(p##_p32_tree)                    \
  X(p##_gather_rows)                 \
  X(p##_gather_digests)              \
  X(p##_grind)

// Sums, weights and folds of whole polynomials (poly31_*.h); v names a field and a degree.
#define VOUCH_KERNELS_POLY31(X, v) \
  X(v##_tables)                    \
  X(v##_dot_base)                  \
  X(v##_dot_ext)                   \
  X(v##_finish)                    \
  X(v##_gather)                    \
  X(v##_bind)                      \
  X(v##_power_table)               \
  X(v##_powers)                    \
  X(v##_weights)                   \
  X(v##_cells)                     \
  X(v##_sums)                      \
  X(v##_fold_round)                \
  X(v##_fold)

#define VOUCH_KERNELS_BABYBEAR(X) \
  VOUCH_KERNELS_ENCODE31(X, bb)   \
  VOUCH_KERNELS_POLY31(X, bb4)    \
  VOUCH_KERNELS_POLY31(X, bb5)

#define VOUCH_KERNELS_KOALABEAR(X) \
  VOUCH_KERNELS_ENCODE31(X, kb)    \
  VOUCH_KERNELS_POLY31(X, kb4)     \
  VOUCH_KERNELS_POLY31(X, kb5)

#define VOUCH_KERNELS(X)       \
  VOUCH_KERNELS_PROBES(X)      \
  VOUCH_KERNELS_GROTH16(X)     \
  VOUCH_KERNELS_MSMCOMPLETE(X) \
  VOUCH_KERNELS_MSMTABLES(X)   \
  VOUCH_KERNELS_BABYBEAR(X)    \
  VOUCH_KERNELS_KOALABEAR(X)
