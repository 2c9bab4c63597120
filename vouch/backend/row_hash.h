// RowHasher<F>: leaves and nodes of Merkle trees by the batch, side by side in vector lanes. What a verifier
// hashes; provers build whole trees (poly.h). Calls run on the caller's thread.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "vouch/core/result.h"
#include "vouch/hash/merkle.h"

namespace vouch {

template <class F>
class RowHasher {
 public:
  virtual ~RowHasher() = default;
  // rows: out.size() rows of equal length, one after the other.
  virtual void leaves(std::span<const F> rows, std::span<Digest<F>> out) const = 0;
  // children: arity digests for each of out.size() nodes.
  virtual void nodes(std::span<const Digest<F>> children, std::span<Digest<F>> out) const = 0;
};

// The permutations of `hash` must outlive the hasher. instructions: as for open_poly, or "reference".
template <class F>
Result<std::unique_ptr<RowHasher<F>>> open_row_hasher(const MerkleHash<F>& hash,
                                                      const std::string& instructions = "auto");

}  // namespace vouch
