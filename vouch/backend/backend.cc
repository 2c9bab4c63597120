// The checks at the door of every backend; what lies behind may assume them.
#include "vouch/backend/backend.h"

#include <bit>

namespace vouch {
namespace {

constexpr int max_log_n = Bn254Fr::two_adicity();

Error invalid(std::string what) {
  return {Code::invalid_argument, std::move(what)};
}

// Tables reach every scalar, and few enough that the bits of their digits fit five words.
Status check_tables(const char* what, const MsmTables& tables, std::size_t count) {
  if (tables.stride >= count && tables.bits > 0 && tables.bits < 256 && tables.count > 0 &&
      tables.count <= 63 && tables.bits == (255 + tables.count - 1) / tables.count)
    return ok();
  return invalid(std::string(what) + ": tables that do not fit: " + std::to_string(tables.count) +
                 " of distance " + std::to_string(tables.bits) + " bits, " + std::to_string(tables.stride) +
                 " points each for " + std::to_string(count));
}

}  // namespace

Status Backend::ntt(std::span<Bn254Fr> values, Direction direction, const Bn254Fr& shift) {
  if (!std::has_single_bit(values.size()))
    return invalid("ntt: " + std::to_string(values.size()) + " values are not a power of two");
  const int log_n = std::countr_zero(values.size());
  if (log_n > max_log_n)
    return invalid("ntt: 2^" + std::to_string(log_n) + " values, but the field's largest domain is 2^" +
                   std::to_string(max_log_n));
  if (shift.is_zero()) return invalid("ntt: the shift is zero, so the points of the domain coincide");
  return do_ntt(values, log_n, direction, shift);
}

Status Backend::groth16_quotient(const QuotientInput& input, std::span<UInt<4>> h, Progress* progress) {
  if (input.log_n < 0 || input.log_n > max_log_n)
    return invalid("groth16_quotient: domain 2^" + std::to_string(input.log_n) + " is outside 2^0 to 2^" +
                   std::to_string(max_log_n));
  if (h.size() != std::size_t(1) << input.log_n)
    return invalid("groth16_quotient: room for " + std::to_string(h.size()) + " results in a domain of 2^" +
                   std::to_string(input.log_n));
  if ((input.record_count && !input.records) || (input.witness_count && !input.witness))
    return invalid("groth16_quotient: a count without data");
  Progress silent;
  return do_groth16_quotient(input, h, progress ? *progress : silent);
}

Result<MsmSums> Backend::msm(const MsmSet& set, Progress* progress) {
  for (const auto* jobs : {&set.g1, &set.g2})
    for (const MsmJob& job : *jobs)
      if (job.count && (!job.points || !job.scalars))
        return invalid("msm: a count without points or scalars");
  for (const auto* jobs : {&set.g1, &set.g2})
    for (const MsmJob& job : *jobs)
      if (job.tables.data) VOUCH_CHECK(check_tables("msm", job.tables, job.count));
  Progress silent;
  return do_msm(set, progress ? *progress : silent);
}

Status Backend::multiples(Group group, const std::uint8_t* points, std::size_t count, const MsmTables& tables,
                          std::uint8_t* data, Progress* progress) {
  if (count && (!points || !data)) return invalid("multiples: a count without points or room");
  VOUCH_CHECK(check_tables("multiples", tables, count));
  Progress silent;
  return do_multiples(group, points, count, tables, data, progress ? *progress : silent);
}

Status Backend::do_multiples(Group, const std::uint8_t*, std::size_t, const MsmTables&, std::uint8_t*,
                             Progress&) {
  return Error{Code::unsupported, "the backend " + info().name + " computes without tables of multiples"};
}

}  // namespace vouch
