// A short self-test: every operation on a small problem, compared with the processor's own answer. Run when a
// device is chosen, because a GPU or a driver that computes wrongly is not rare.
#pragma once

#include "vouch/backend/backend.h"
#include "vouch/backend/poly.h"

namespace vouch {

// Transforms, quotients, sums in G1 and G2: every kernel that the backend's options lead to. Error:
// Code::device with the operation that went wrong, or the error of the operation that failed.
Status check_known_answers(Backend& backend);

// brief leaves out the kernels of large codewords, for devices that take seconds for those (drivers that
// compute on a processor).
enum class SelfTest : std::uint8_t { brief, every_kernel };

// Commitments with every hash, openings, claims, weights, sumcheck rounds and folding of base values and of
// extension elements, proof of work. Instantiated for BabyBear and KoalaBear, degrees 4 and 5.
template <class F, int D>
Status check_known_answers(PolyOps<F, D>& ops, SelfTest extent);

}  // namespace vouch
