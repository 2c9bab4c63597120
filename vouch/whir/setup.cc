#include "vouch/whir/setup.h"

#include "vouch/hash/merkle.h"

namespace vouch::whir {

Result<Setup> Setup::create(Statement statement) {
  Setup s;
  s.statement_ = std::move(statement);
  const Params& p = s.statement_.params;
  const int first_fold = p.folding.factors.empty() ? 0 : p.folding.factors[0];
  VOUCH_CHECK(check_schedule(s.statement_.tables, s.statement_.schedule));
  VOUCH_TRY(s.stacking_, stack(s.statement_.tables, first_fold));
  VOUCH_TRY(s.config_, derive(p, s.stacking_.variables));
  return s;
}

Transcript Setup::start(OperationLog* log) const {
  Transcript t(params().field, params().hashing.seed);
  t.record_to(log);
  if (params().domain_separator)
    for (std::uint32_t x : domain_separator(params(), config_)) t.observe_int(x);
  return t;
}

std::size_t Setup::cap_size(std::size_t i) const {
  const Hashing& h = params().hashing;
  return MerkleShape::of(std::size_t(1) << config_.log_height(i), h.arity, h.cap_height).cap_size();
}

std::vector<BatchRef> batches(const Setup& setup) {
  std::vector<BatchRef> list;
  const Schedule& schedule = setup.statement().schedule;
  for (std::size_t t = 0; t < schedule.size(); t++)
    for (const Batch& b : schedule[t]) list.push_back({t, &b});
  return list;
}

Status check_points(const Setup& setup, std::span<const Words> points) {
  const auto list = batches(setup);
  auto invalid = [](std::string what) {
    return Error{Code::invalid_argument, "whir points: " + std::move(what)};
  };
  if (points.size() != list.size())
    return invalid(std::to_string(points.size()) + " points given for " + std::to_string(list.size()) +
                   " batches");
  for (std::size_t b = 0; b < list.size(); b++) {
    const std::size_t arity = std::size_t(setup.stacking().of(list[b].table).arity);
    if (points[b].size() != arity * std::size_t(setup.params().degree))
      return invalid("point " + std::to_string(b) + " does not have " + std::to_string(arity) +
                     " coordinates");
    for (Word w : points[b])
      if (w >= modulus(setup.params().field)) return invalid("a coordinate is not below the modulus");
  }
  return ok();
}

}  // namespace vouch::whir
