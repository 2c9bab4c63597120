// All sums of a proof at once: scalars become digits once per scalar vector (msm_digits.h); every job's
// windows are sorted by digit into buckets, whose points are summed lane by lane (msm_kernel.h, msm_tree.h).
//
// Work is cut as (job, chunk of scalars, windows, range of digits), and threads take the largest piece left.
// Memory besides the set: 4 + 2 windows bytes per scalar that is neither zero nor short (36 at 16-bit
// windows), 6 per short one, per distinct scalar vector; 64 bytes a point of G1 for the jobs under way; per
// thread 4 bytes per scalar of a chunk (at most 4 MiB) and about 6 MiB of buffers.
#pragma once

#include "vouch/backend/backend.h"
#include "vouch/backend/cpu/instructions.h"
#include "vouch/backend/cpu/msm_digits.h"

namespace vouch {

struct MsmCounts;

// Runs on the threads of the arena it is called in; `threads` tells how many those are. At most 2^31 - 1
// scalars a job.
Result<MsmSums> cpu_msm(const MsmSet& set, const Threads& threads, Instructions form, Progress& progress,
                        MsmCounts* counts = nullptr);

// What a sum costs, in shared-inversion additions on G1, as measured: see msm_bench.cc.
struct MsmCost {
  double g2 = 3;        // one addition on G2
  double sort = 0.03;   // placing one entry
  double window = 400;  // per window and job: the running sums, and inversions that few additions share
  double large = 1.25;  // an addition where buckets do not fit the second-level cache
};
MsmCost msm_cost(Instructions form);
double estimate_msm(const BitLengths& lengths, std::size_t g1_jobs, std::size_t g2_jobs, int window_bits,
                    const MsmCost& cost);
int choose_window_bits(const BitLengths& lengths, std::size_t g1_jobs, std::size_t g2_jobs,
                       const MsmCost& cost);

}  // namespace vouch
