// Batches of leaves and nodes, compiled once per instruction set.
#pragma once

#include "vouch/backend/row_hash.h"

namespace vouch {

#define VOUCH_DECLARE_OPEN_ROW_HASHER \
  template <class F>                  \
  std::unique_ptr<RowHasher<F>> open_row_hasher(const MerkleHash<F>& hash)

namespace portable {
VOUCH_DECLARE_OPEN_ROW_HASHER;
}
namespace avx2 {
VOUCH_DECLARE_OPEN_ROW_HASHER;
}
namespace avx512 {
VOUCH_DECLARE_OPEN_ROW_HASHER;
}
namespace avx512_ifma {
VOUCH_DECLARE_OPEN_ROW_HASHER;
}
namespace neon {
VOUCH_DECLARE_OPEN_ROW_HASHER;
}
#undef VOUCH_DECLARE_OPEN_ROW_HASHER

}  // namespace vouch
