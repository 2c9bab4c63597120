// The cpu backend's WHIR operations, compiled once per instruction set.
#pragma once

#include "vouch/backend/poly.h"

namespace vouch {

#define VOUCH_DECLARE_OPEN_POLY \
  template <class F, int D>     \
  std::unique_ptr<PolyOps<F, D>> open_poly(int threads, const char* name)

namespace portable {
VOUCH_DECLARE_OPEN_POLY;
}
namespace avx2 {
VOUCH_DECLARE_OPEN_POLY;
}
namespace avx512 {
VOUCH_DECLARE_OPEN_POLY;
}
namespace avx512_ifma {
VOUCH_DECLARE_OPEN_POLY;
}
namespace neon {
VOUCH_DECLARE_OPEN_POLY;
}
#undef VOUCH_DECLARE_OPEN_POLY

}  // namespace vouch
