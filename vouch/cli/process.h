// Running another program and measuring it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vouch/core/result.h"

namespace vouch::cli {

struct ProcessRun {
  double seconds = 0;            // from start to end
  double cpu_seconds = 0;        // user and system
  std::uint64_t peak_bytes = 0;  // resident, mapped files included
};

// The file this program was started from.
std::string own_program();

// Runs argv[0] with its output thrown away; an error when it cannot be started or does not exit with 0.
// `name` is what errors call it; they end with the last line it wrote to stderr, which is kept in the file
// `log`.
Result<ProcessRun> run_process(const std::string& name, const std::vector<std::string>& argv,
                               const std::string& log);

}  // namespace vouch::cli
