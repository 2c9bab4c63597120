// An output file too large to be put together in memory first.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "vouch/core/result.h"

namespace vouch {

// Like write_file (mapped_file.h), of the pieces one after the other.
Status write_file(const std::string& path, std::span<const std::string_view> pieces);

}  // namespace vouch
