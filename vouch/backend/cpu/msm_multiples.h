// Tables of multiples of points (MsmTables) for sums over fixed bases: blocks of points are doubled together,
// in the packed form of the sums (msm_tree_text.h), with one inversion a doubling and block.
#pragma once

#include "vouch/backend/backend.h"
#include "vouch/backend/cpu/instructions.h"

namespace vouch {

// Runs on the threads of the arena it is called in.
void cpu_multiples(Backend::Group group, const std::uint8_t* points, std::size_t count,
                   const MsmTables& tables, std::uint8_t* data, Instructions form, Progress& progress);

}  // namespace vouch
