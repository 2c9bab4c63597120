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

// Runs argv[0] with its output thrown away; an error when it cannot be started or does not exit with 0.
Result<ProcessRun> run_process(const std::vector<std::string>& argv);

}  // namespace vouch::cli
