// How much memory the prover takes, known before it starts, and what a budget makes it give up.
#pragma once

#include <cstdint>
#include <vector>

#include "vouch/whir/setup.h"

namespace vouch::whir {

struct MemoryPlan {
  std::vector<int> dropped_layers;  // of each codeword's tree: hashed again when opened
  // Bytes at the highest point, the caller's tables not included. A device holds the same vectors: there it
  // is a bound for the device's memory, and the processor's holds one copy of f while it goes up.
  std::uint64_t peak = 0;
  // The largest vector of all, which a device keeps in one buffer: a codeword, or the layers of its tree that
  // stay.
  std::uint64_t largest = 0;
  bool within_budget = true;
};

// What may be used; 0: no limit. largest: of one buffer of a device.
struct MemoryBudget {
  std::uint64_t bytes = 0, largest = 0;
};

// The prover's largest moment is a round: two codewords with their trees, the polynomial and its weights. If
// that exceeds the budget, the lowest layers of the trees are dropped, as few as suffice.
MemoryPlan plan_memory(const Setup& setup, const MemoryBudget& budget);
MemoryPlan plan_memory(const Setup& setup, std::uint64_t bytes = 0);

// Bytes of the proof as postcard (Profile::p3_0_7), sibling digests at their most: an upper bound that real
// proofs miss by a few per cent. Permutations of all trees together.
std::uint64_t proof_size_bound(const Setup& setup);
std::uint64_t tree_permutations(const Setup& setup);

}  // namespace vouch::whir
