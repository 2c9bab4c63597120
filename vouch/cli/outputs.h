// Output paths, judged before the work is done and not after it.
#pragma once

#include <string>
#include <vector>

#include "vouch/core/result.h"

namespace vouch::cli {

// Whether two paths lead to one file, or would once it is there. Never of devices such as /dev/null.
bool same_file(const std::string& a, const std::string& b);

// No output is an input, another output, a directory, or in a folder that is not there. Whether the disk has
// room, or the folder may be written, is seen when the files are written.
Status check_outputs(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

}  // namespace vouch::cli
