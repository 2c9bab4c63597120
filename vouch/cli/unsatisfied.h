// How a failed constraint is told.
#pragma once

#include <string>

#include "vouch/core/result.h"
#include "vouch/formats/r1cs.h"

namespace vouch::cli {

// "W: constraint 17 of C is not satisfied: A * B = C with A = 2, B = -1, C = 5".
Error unsatisfied_error(const std::string& witness, const std::string& r1cs, const formats::Unsatisfied& bad);

}  // namespace vouch::cli
