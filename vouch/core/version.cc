// The version, from the build.
#include "vouch/core/version.h"

namespace vouch {

const char* version() {
  return VOUCH_VERSION;
}

}  // namespace vouch
