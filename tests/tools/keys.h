// Writes .zkey and .ptau files from known secrets, section for section what snarkjs writes from a ceremony.
#pragma once

#include <string>

#include "circuit.h"
#include "secrets.h"
#include "vouch/core/result.h"

namespace vouch::tools {

// snarkjs `groth16 setup` followed by one `zkey contribute` that multiplied delta by secrets.delta.
// Uncontributed: delta is 1 whatever the secrets say, and there is no contribution in section 10. (csHash and
// the hashes of the contribution are zero: they would take the whole powers of tau.)
Status write_zkey(const Circuit& circuit, const Secrets& secrets, bool contributed, const std::string& path);

// snarkjs `powersoftau prepare phase2` of a ceremony with these secrets: power <= 20 or so.
Status write_ptau(int power, const Secrets& secrets, const std::string& path);

}  // namespace vouch::tools
