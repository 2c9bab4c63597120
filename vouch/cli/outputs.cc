// Output paths: see outputs.h.
#include "vouch/cli/outputs.h"

#include <filesystem>

#include "vouch/cli/app.h"

namespace vouch::cli {

namespace fs = std::filesystem;

Status check_outputs(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  std::error_code ignored;
  const auto same = [&](const std::string& a, const std::string& b) {
    return a == b || (fs::is_regular_file(b, ignored) && fs::equivalent(a, b, ignored));
  };
  for (std::size_t i = 0; i < outputs.size(); i++) {
    for (const std::string& input : inputs)
      if (same(input, outputs[i])) return usage_error(outputs[i] + ": is both an input and an output");
    for (std::size_t k = 0; k < i; k++)
      if (outputs[i] == outputs[k] && !fs::is_character_file(outputs[i], ignored))
        return usage_error(outputs[i] + ": is named for two outputs");
    if (fs::is_directory(outputs[i], ignored))
      return Error{Code::io, outputs[i] + ": cannot write: it is a directory"};
    const fs::path folder = fs::absolute(outputs[i], ignored).parent_path();
    if (!fs::is_directory(folder, ignored))
      return Error{Code::io, outputs[i] + ": cannot write: there is no folder " + folder.string()};
  }
  return ok();
}

}  // namespace vouch::cli
