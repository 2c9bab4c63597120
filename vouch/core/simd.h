// Regions of code compiled for more than the plain processor: everything defined between VOUCH_TARGET_BEGIN
// and VOUCH_TARGET_END may use the features named (as in the target attribute), and must only be called where
// the processor has them. Include standard and library headers before the region, never inside: their inline
// functions are shared with the rest of the program.
//
//   VOUCH_TARGET_BEGIN("avx2")
//   namespace vouch::avx2 { ... }
//   VOUCH_TARGET_END
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#define VOUCH_X86 1
#elif defined(__aarch64__)
#include <arm_neon.h>
#define VOUCH_ARM 1
#endif

// clang-format off: it finds no fixed point for these continued lines
#define VOUCH_PRAGMA_(x) _Pragma(#x)
#if defined(__clang__)
#define VOUCH_TARGET_BEGIN(features) \
  VOUCH_PRAGMA_(clang attribute push(__attribute__((target(features))), apply_to = function))
#define VOUCH_TARGET_END VOUCH_PRAGMA_(clang attribute pop)
#else
// GCC 12 takes the vectors that its own headers leave undefined for mistakes (bug 105593).
#define VOUCH_TARGET_BEGIN(features)                      \
  VOUCH_PRAGMA_(GCC push_options)                         \
  VOUCH_PRAGMA_(GCC target(features))                     \
  VOUCH_PRAGMA_(GCC diagnostic push)                      \
  VOUCH_PRAGMA_(GCC diagnostic ignored "-Wuninitialized") \
      VOUCH_PRAGMA_(GCC diagnostic ignored "-Wmaybe-uninitialized")
#define VOUCH_TARGET_END VOUCH_PRAGMA_(GCC diagnostic pop) VOUCH_PRAGMA_(GCC pop_options)
#endif
// clang-format on

#define VOUCH_INLINE inline __attribute__((always_inline))
