// What a proof needs in memory, and how the key is streamed so that it needs less.
//
// The quotient needs its vectors whole; the sums do not: they are taken over parts of the wires and of the
// domain, one after the other, and the key's pages for a part are given back when its sum is known. What is
// counted is everything resident: working memory, the part of the mapped key in use, the mapped witness, and
// the program.
#pragma once

#include <cstdint>

#include "vouch/groth16/proving_key.h"

namespace vouch::groth16 {

struct MemoryPlan {
  std::size_t points = 0;   // in a part: wires of the witness, or rows of H
  bool streams = false;     // whether pages are given back at all
  std::uint64_t peak = 0;   // at most about this much
  std::uint64_t least = 0;  // the same with the smallest parts
};

// budget 0: none, and everything is taken at once. A peak above the budget is not within it.
MemoryPlan plan_memory(const ProvingKey& key, int threads, std::uint64_t budget);

}  // namespace vouch::groth16
