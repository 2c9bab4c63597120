// Sums of multiples by one double-and-add per scalar: the oracle for every faster form.
#pragma once

#include "vouch/backend/backend.h"

namespace vouch {

Result<MsmSums> reference_msm(const MsmSet& set, Progress& progress);
// The same with as many additions and products whatever the scalars are: 254 doublings, and 254 complete
// additions a term.
MsmSums reference_constant_msm(const MsmSet& set, Progress& progress);

void reference_multiples(Backend::Group group, const std::uint8_t* points, std::size_t count,
                         const MsmTables& tables, std::uint8_t* data);

}  // namespace vouch
