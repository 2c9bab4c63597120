// Merkle trees over rows of field elements (arity 2 or 4, with a cap) and pruned multiproofs, in plain form.
//
// A tree is its list of layers, leaves first; a proof for several leaves holds, level by level and left to
// right, exactly the digests a verifier cannot compute itself.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "vouch/core/result.h"
#include "vouch/hash/poseidon2.h"

namespace vouch {

// How leaves and nodes are hashed. Leaves: sponge of width 16 (rate 8) or 24 (rate 16). Nodes: two children
// by a width-16 permutation or four by a width-32 one. The permutations must outlive the hasher.
template <class F>
struct MerkleHash {
  const Poseidon2<F, 16>* p16 = &Poseidon2<F, 16>::standard();
  const Poseidon2<F, 24>* p24 = nullptr;  // set: leaves use it
  const Poseidon2<F, 32>* p32 = nullptr;  // set: the tree has arity 4

  int arity() const { return p32 ? 4 : 2; }
  int leaf_rate() const { return p24 ? 16 : 8; }
  Digest<F> leaf(std::span<const F> row) const {
    return p24 ? sponge_hash(*p24, row) : sponge_hash(*p16, row);
  }
  Digest<F> node(std::span<const Digest<F>> children) const {
    return p32 ? compress(*p32, children) : compress(*p16, children);
  }
};

// The shape of a tree: what each layer stores, zero digests that pad it to a multiple of the arity included.
struct MerkleShape {
  int arity = 2;
  std::vector<std::size_t> sizes;  // sizes[0]: leaves; the last is 1, the root
  int cap_layer = 0;               // this layer is the commitment
  std::size_t leaves = 1;

  static MerkleShape of(std::size_t leaves, int arity, int cap_height) {
    const auto pad = [arity](std::size_t n) { return n <= 1 ? 1 : (n + arity - 1) / arity * arity; };
    MerkleShape s;
    s.arity = arity, s.leaves = leaves;
    for (std::size_t size = pad(leaves);; size = pad(size / arity)) {
      s.sizes.push_back(size);
      if (size == 1) break;
    }
    const int steps = int(s.sizes.size()) - 1;
    s.cap_layer = steps - std::clamp(cap_height, 0, steps);
    return s;
  }
  std::size_t cap_size() const { return sizes[cap_layer]; }
};

// For the leaves `indices` (sorted, distinct): calls missing(layer, index) for every digest the proof lists,
// in proof order.
template <class Missing>
void walk_multiproof(const MerkleShape& shape, std::vector<std::size_t> indices, Missing missing) {
  const std::size_t arity = shape.arity;
  for (int layer = 0; layer < shape.cap_layer; layer++) {
    std::vector<std::size_t> parents;
    for (std::size_t i = 0; i < indices.size();) {
      const std::size_t parent = indices[i] / arity;
      for (std::size_t child = parent * arity; child < (parent + 1) * arity; child++) {
        if (i < indices.size() && indices[i] == child)
          i++;
        else
          missing(layer, child);
      }
      parents.push_back(parent);
    }
    indices = std::move(parents);
  }
}

template <class F>
struct MerkleTree {
  MerkleShape shape;
  std::vector<std::vector<Digest<F>>> layers;  // layers[l] has shape.sizes[l] entries

  static MerkleTree build(const MerkleHash<F>& hash, std::vector<Digest<F>> leaves, int cap_height) {
    MerkleTree t;
    t.shape = MerkleShape::of(leaves.size(), hash.arity(), cap_height);
    leaves.resize(t.shape.sizes[0]);
    t.layers.push_back(std::move(leaves));
    for (std::size_t l = 1; l < t.shape.sizes.size(); l++) {
      const auto& below = t.layers.back();
      std::vector<Digest<F>> layer(t.shape.sizes[l]);
      const std::size_t arity = t.shape.arity;
      for (std::size_t i = 0; i < below.size() / arity; i++)
        layer[i] = hash.node(std::span(below).subspan(i * arity, arity));
      t.layers.push_back(std::move(layer));
    }
    return t;
  }

  std::span<const Digest<F>> cap() const { return layers[shape.cap_layer]; }

  // The digests that, with the leaves `indices` (sorted, distinct, in range), determine the cap entries above
  // them.
  std::vector<Digest<F>> open(std::span<const std::size_t> indices) const {
    std::vector<Digest<F>> proof;
    walk_multiproof(shape, {indices.begin(), indices.end()},
                    [&](int layer, std::size_t i) { proof.push_back(layers[layer][i]); });
    return proof;
  }
};

// Checks that leaf digests `leaves` stand at `indices` (sorted, distinct) of the tree of that shape with that
// cap. The proof must be used up exactly. hash_nodes(children, out) hashes a layer's nodes at once, arity
// children each.
template <class F, class HashNodes>
Status verify_multiproof_by(HashNodes&& hash_nodes, const MerkleShape& shape, std::span<const Digest<F>> cap,
                            std::span<const std::size_t> indices, std::span<const Digest<F>> leaves,
                            std::span<const Digest<F>> proof) {
  if (cap.size() != shape.cap_size()) return Error{Code::rejected, "Merkle cap: wrong number of digests"};
  if (indices.size() != leaves.size()) return Error{Code::rejected, "Merkle proof: wrong number of rows"};
  for (std::size_t i = 0; i < indices.size(); i++)
    if (indices[i] >= shape.leaves || (i > 0 && indices[i] <= indices[i - 1]))
      return Error{Code::rejected, "Merkle proof: row indices out of range or not ascending"};
  std::vector<Digest<F>> known(leaves.begin(), leaves.end()), children;
  std::vector<std::size_t> nodes(indices.begin(), indices.end());
  const std::size_t arity = std::size_t(shape.arity);
  std::size_t used = 0;
  for (int layer = 0; layer < shape.cap_layer; layer++) {
    std::vector<std::size_t> parents;
    children.clear();
    for (std::size_t i = 0; i < nodes.size();) {
      const std::size_t parent = nodes[i] / arity;
      for (std::size_t k = 0; k < arity; k++) {
        if (i < nodes.size() && nodes[i] == parent * arity + k)
          children.push_back(known[i++]);
        else if (used < proof.size())
          children.push_back(proof[used++]);
        else
          return Error{Code::rejected, "Merkle proof: too few digests"};
      }
      parents.push_back(parent);
    }
    known.resize(parents.size());
    hash_nodes(std::span<const Digest<F>>(children), std::span<Digest<F>>(known));
    nodes.swap(parents);
  }
  if (used != proof.size()) return Error{Code::rejected, "Merkle proof: too many digests"};
  for (std::size_t i = 0; i < nodes.size(); i++)
    if (known[i] != cap[nodes[i]])
      return Error{Code::rejected, "Merkle proof: does not lead to the commitment"};
  return ok();
}

// The same, one node at a time.
template <class F>
Status verify_multiproof(const MerkleHash<F>& hash, const MerkleShape& shape, std::span<const Digest<F>> cap,
                         std::span<const std::size_t> indices, std::span<const Digest<F>> leaves,
                         std::span<const Digest<F>> proof) {
  const std::size_t arity = std::size_t(shape.arity);
  const auto hash_nodes = [&](std::span<const Digest<F>> children, std::span<Digest<F>> out) {
    for (std::size_t i = 0; i < out.size(); i++) out[i] = hash.node(children.subspan(i * arity, arity));
  };
  return verify_multiproof_by<F>(hash_nodes, shape, cap, indices, leaves, proof);
}

}  // namespace vouch
