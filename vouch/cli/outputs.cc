// Output paths: see outputs.h.
#include "vouch/cli/outputs.h"

#include <filesystem>

#include "vouch/cli/app.h"

namespace vouch::cli {

namespace fs = std::filesystem;

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  if (fs::is_character_file(a, ignored)) return false;
  if (a == b || fs::equivalent(a, b, ignored)) return true;
  const fs::path one = fs::weakly_canonical(fs::absolute(a, ignored), ignored);
  return !one.empty() && one == fs::weakly_canonical(fs::absolute(b, ignored), ignored);
}

Status check_outputs(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  std::error_code ignored;
  for (std::size_t i = 0; i < outputs.size(); i++) {
    for (const std::string& input : inputs)
      if (same_file(input, outputs[i])) return usage_error(outputs[i] + ": is both an input and an output");
    for (std::size_t k = 0; k < i; k++)
      if (same_file(outputs[i], outputs[k])) return usage_error(outputs[i] + ": is named for two outputs");
    if (fs::is_directory(outputs[i], ignored))
      return Error{Code::io, outputs[i] + ": cannot write: it is a directory"};
    const fs::path folder = fs::absolute(outputs[i], ignored).parent_path();
    if (!fs::is_directory(folder, ignored))
      return Error{Code::io, outputs[i] + ": cannot write: there is no folder " + folder.string()};
  }
  return ok();
}

}  // namespace vouch::cli
