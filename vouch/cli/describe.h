// What the commands tell about a file: lines for people, and the same as JSON.
#pragma once

#include <string>

#include "vouch/cli/app.h"
#include "vouch/formats/r1cs.h"

namespace vouch::cli {

// One fact: "Constraints:    1,234", and under --json the member `key`.
void fact(Context& context, const std::string& label, const std::string& key, std::uint64_t value);
void fact(Context& context, const std::string& label, const std::string& key, const std::string& value);
void fact(Context& context, const std::string& label, const std::string& key, const char* value);

// Reads every constraint.
Status describe_r1cs(const formats::R1cs& r1cs, Context& context);

}  // namespace vouch::cli
