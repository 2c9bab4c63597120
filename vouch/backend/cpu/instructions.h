// The forms of 254-bit arithmetic that the cpu backend is compiled in, and which of them a processor can run.
#pragma once

#include <string>
#include <vector>

#include "vouch/core/result.h"

namespace vouch {

// In the order of speed.
enum class Instructions {
  portable,     // plain C++
  adx,          // mulx, adcx, adox
  avx2,         // adx, and four lanes of double-precision multiply-add (FMA)
  avx512_ifma,  // adx, and eight lanes of 52-bit multiply-add
};

const char* name_of(Instructions form);

// "auto" is the fastest form this processor has; a form it does not have is refused.
Result<Instructions> choose_instructions(const std::string& name);

// The forms this processor has, in the order of speed.
std::vector<std::string> groth16_instructions();

}  // namespace vouch
