// What a file looks like from its first bytes, for errors that say what was given instead of what was
// expected.
#pragma once

#include <string>
#include <string_view>

#include "vouch/core/bytes.h"

namespace vouch::formats {

enum class FileKind {
  zkey,  // any protocol: see zkey_protocol
  wtns,
  r1cs,
  ptau,
  json,
  other,
};

FileKind kind_of(Bytes file);

// "a witness (.wtns)", "a PLONK proving key (.zkey)", "JSON", "a gzip archive", ...; never empty.
std::string describe(Bytes file);

// "Groth16", "PLONK", "FFLONK" for the protocol number in section 1 of a .zkey; empty for another number.
std::string_view protocol_name(std::uint32_t number);

// "BN254", "BLS12-381", ... for the prime of a scalar or coordinate field, little-endian; empty when not
// known.
std::string_view curve_of_prime(Bytes prime);

}  // namespace vouch::formats
