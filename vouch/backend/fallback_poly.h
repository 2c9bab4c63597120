// The processor standing in for a device in WHIR's operations.
//
// What an instance was asked, and what it answered, is kept: f and a list of small values. When the device
// fails, a new instance, the first time on the device and then on the processor, is asked the same again and
// goes on from there; when the processor's answers differ, the device had computed wrongly, and what was made
// of them cannot be saved.
#pragma once

#include "vouch/backend/fallback.h"
#include "vouch/backend/poly.h"

namespace vouch {

// Instantiated for BabyBear and KoalaBear, degrees 4 and 5.
template <class F, int D>
std::unique_ptr<PolyOps<F, D>> with_fallback(std::unique_ptr<PolyOps<F, D>> device,
                                             std::unique_ptr<PolyOps<F, D>> cpu, Warn warn);

}  // namespace vouch
