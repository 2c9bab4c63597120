// From a device to the processor: see fallback.h.
#include "vouch/backend/fallback.h"

namespace vouch {

void Trust::lose(const std::string& why) {
  const std::scoped_lock turn(turn_);
  if (lost_.exchange(true)) return;
  warn_(name_ + ": " + why + "; the processor does this and what follows");
}

template <class Operation>
auto FallbackBackend::attempt(const char* what, Operation&& operation)
    -> decltype(operation(std::declval<Backend&>())) {
  if (!trust_.lost()) {
    auto result = operation(*device_);
    if (result.ok() || result.error().code == Code::invalid_argument) return result;
    trust_.lose(std::string(what) + " failed: " + result.error().what);
  }
  return operation(*cpu_);
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
