// How --help looks, and the completion script for bash.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "vouch/cli/app.h"

namespace vouch::cli {

// CLI11's format without its notes on types and with lines that fit 80 columns. Set it before commands are
// added.
std::shared_ptr<CLI::FormatterBase> help_format();

// A script that completes commands and options of `root`, and file names elsewhere.
std::string bash_completion(const CLI::App& root);

void add_completion_command(CLI::App& root, Context& context);

}  // namespace vouch::cli
