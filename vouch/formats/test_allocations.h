// For tests of hostile input: the largest allocation asked for at once by this thread since it was last set
// to zero.
#pragma once

#include <cstddef>

namespace vouch::formats {

extern thread_local std::size_t largest_request;

}  // namespace vouch::formats
