// Encoding a polynomial that lies on a device: transform, leaves, tree in one submission; only the cap comes
// back. Codeword and digests stay on the device until they are opened.
#pragma once

#include "vouch/backend/gpu/tables31.h"
#include "vouch/backend/poly.h"

namespace vouch::gpu {

// f: 2^variables values of `degree` consecutive base elements each (1: base values). The caller holds the
// turn of the tables' device. times: encode and hash grow by what the device reports for each launch (a
// device that reports nothing: by what the whole took, as hash).
template <class F>
Result<std::unique_ptr<Codeword<F>>> gpu_encode(Tables31<F>& tables, const Buffer& f, int variables,
                                                int degree, FoldOrder order, const EncodeShape& shape,
                                                const MerkleHash<F>& hash, PolyTimes& times);

}  // namespace vouch::gpu
