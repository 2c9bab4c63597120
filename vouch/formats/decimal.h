// Field elements as decimal strings, the form snarkjs uses in JSON. One value has exactly one spelling here.
#pragma once

#include <string>
#include <string_view>

#include "vouch/core/result.h"
#include "vouch/field/uint.h"

namespace vouch::formats {

std::string to_decimal(UInt<4> x);

// The integer below `modulus` that `text` spells: digits only, no leading zero, no sign. The error is the end
// of a sentence about the value ("is hexadecimal; ...").
Result<UInt<4>> parse_decimal(std::string_view text, const UInt<4>& modulus);

}  // namespace vouch::formats
