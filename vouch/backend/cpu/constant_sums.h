// Sums whose work does not depend on the scalars (BackendOptions::constant_work), on threads.
//
// Every window of every scalar is one addition, a zero digit's into a bucket that counts for nothing;
// additions are complete (curve/complete.h). How work is cut follows from counts alone. What still depends on
// a scalar is which bucket is touched.
#pragma once

#include "vouch/backend/backend.h"
#include "vouch/backend/cpu/instructions.h"

namespace vouch {

// Runs on the threads of the arena it is called in.
MsmSums constant_sums(const MsmSet& set, const Threads& threads, Instructions form, Progress& progress);

}  // namespace vouch
