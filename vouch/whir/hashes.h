// The permutations of one statement: the published ones, or seeded ones that this object owns.
#pragma once

#include <memory>

#include "vouch/hash/merkle.h"
#include "vouch/whir/params.h"

namespace vouch::whir {

template <class F>
class Hashes {
 public:
  explicit Hashes(const Hashing& h) {
    if (h.seed) {  // one generator: width 16 first, then the others (appendix B)
      SmallRng rng(*h.seed);
      p16_ = std::make_unique<const Poseidon2<F, 16>>(Poseidon2<F, 16>::from_rng128(rng));
      if (h.leaf_width == 24)
        p24_ = std::make_unique<const Poseidon2<F, 24>>(Poseidon2<F, 24>::from_rng128(rng));
      if (h.arity == 4) p32_ = std::make_unique<const Poseidon2<F, 32>>(Poseidon2<F, 32>::from_rng128(rng));
    }
    merkle_.p16 = p16_ ? p16_.get() : &Poseidon2<F, 16>::standard();
    if (h.leaf_width == 24) merkle_.p24 = p24_ ? p24_.get() : &Poseidon2<F, 24>::standard();
    if (h.arity == 4) merkle_.p32 = p32_ ? p32_.get() : &Poseidon2<F, 32>::standard();
  }

  const MerkleHash<F>& merkle() const { return merkle_; }
  const Poseidon2<F, 16>& p16() const { return *merkle_.p16; }

 private:
  std::unique_ptr<const Poseidon2<F, 16>> p16_;
  std::unique_ptr<const Poseidon2<F, 24>> p24_;
  std::unique_ptr<const Poseidon2<F, 32>> p32_;
  MerkleHash<F> merkle_;
};

}  // namespace vouch::whir
