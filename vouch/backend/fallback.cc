// From a device to the processor: see fallback.h.
#include "vouch/backend/fallback.h"

namespace vouch {

void Trust::lose(const std::string& why) {
  const std::scoped_lock turn(turn_);
  if (lost_.exchange(true)) return;
  warn_(name_ + ": " + why + "; the processor does this and what follows");
}

bool Trust::again(const std::string& why) {
  {
    const std::scoped_lock turn(turn_);
    if (lost_) return false;
    if (!std::exchange(tried_again_, true)) {
      warn_(name_ + ": " + why + "; it is tried once more");
      return true;
    }
  }
  lose(why);
  return false;
}

Status FallbackBackend::do_ntt(std::span<Bn254Fr> values, int, Direction direction, const Bn254Fr& shift) {
  const std::vector<Bn254Fr> input(values.begin(), values.end());  // a failed download may have spoilt them
  return attempt("a transform", [&](Backend& backend) {
    std::copy(input.begin(), input.end(), values.begin());
    return backend.ntt(values, direction, shift);
  });
}

Status FallbackBackend::do_groth16_quotient(const QuotientInput& input, std::span<UInt<4>> h,
                                            Progress& progress) {
  return attempt("the quotient",
                 [&](Backend& backend) { return backend.groth16_quotient(input, h, &progress); });
}

Result<MsmSums> FallbackBackend::do_msm(const MsmSet& set, Progress& progress) {
  return attempt("the multi-scalar products", [&](Backend& backend) { return backend.msm(set, &progress); });
}

}  // namespace vouch
