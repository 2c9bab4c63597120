// A short self-test: every operation on a small problem, compared with the processor's own answer. Run when a
// device is chosen, because a GPU or a driver that computes wrongly is not rare.
#pragma once

#include "vouch/backend/backend.h"
#include "vouch/backend/poly.h"

namespace vouch {

// Transforms, the quotient, sums in G1 and G2. Error: Code::device with the operation that went wrong, or the
// error of the operation that failed.
Status check_known_answers(Backend& backend);

// Commitment, opening, claims, weights, a sumcheck round and folding. Instantiated for BabyBear and
// KoalaBear, degrees 4 and 5.
template <class F, int D>
Status check_known_answers(PolyOps<F, D>& ops);

}  // namespace vouch
