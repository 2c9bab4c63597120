// How much work a proof is, known before it starts: by which a device is chosen, or not.
#pragma once

#include "vouch/whir/setup.h"

namespace vouch::whir {

// Products of base elements that a proof takes, roughly: hashing, grinding (as many witnesses as one expects
// to try), transforms, claims, weights and sumcheck rounds.
double estimated_products(const Setup& setup);
// What they would take one thread of a processor.
double estimated_seconds(const Setup& setup);

}  // namespace vouch::whir
