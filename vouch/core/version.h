// The version this library was built as.
#pragma once

namespace vouch {

const char* version();  // "0.1.0"

}  // namespace vouch
