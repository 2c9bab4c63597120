// WHIR behind the C boundary.
#include "vouch/whir/whir.h"

#include <bit>

#include "vouch/capi/guard.h"
#include "vouch/formats/whir_case.h"

namespace vouch::capi {
namespace {

Result<whir::Params> params_of(const vouch_whir_options& o) {
  whir::Params p;
  if (o.field) {
    VOUCH_TRY(p.field, whir::parse_field(o.field));
  }
  if (o.layout) {
    VOUCH_TRY(p.layout, whir::parse_layout(o.layout));
  }
  if (o.degree) p.degree = o.degree;
  if (o.fold) p.folding = whir::Folding::constant(o.fold);
  if (o.log_inv_rate) p.log_inv_rate = o.log_inv_rate;
  if (o.security) p.security = o.security;
  if (o.pow_bits) p.pow_bits = o.pow_bits < 0 ? 0 : o.pow_bits;
  return p;
}

// One proof, verified; commitment and values go into c.
Result<whir::Proof> make_proof(formats::WhirCase& c, const whir::Setup& setup, const whir::ProverOptions& to,
                               std::span<const std::uint32_t> values) {
  VOUCH_TRY(whir::Prover prover, whir::Prover::create(setup, to));
  const Backend::Info where = prover.where();
  whir::Transcript transcript = setup.start();
  const whir::Table table = {values};
  VOUCH_TRY(c.commitment, prover.commit({&table, 1}, transcript));
  VOUCH_TRY(whir::Proof proof, prover.open(transcript));
  c.opened = proof.evals;
  whir::Transcript again = setup.start();
  const Status s = whir::verify(setup, *c.commitment, proof, again);
  if (s.ok()) return proof;
  if (where.accelerator) return Error{Code::device, where.name + " computed wrongly: " + s.error().what};
  return Error{Code::internal, "a proof made with backend " + where.name +
                                   " does not verify, please report it: " + s.error().what};
}

Status prove(vouch_bytes& proof_out, vouch_bytes& claims_out, std::span<const std::uint32_t> values,
             const vouch_whir_options& options) {
  if (!std::has_single_bit(values.size()))
    return Error{Code::invalid_argument,
                 "count: " + std::to_string(values.size()) + " values are not a power of two"};
  formats::WhirCase c;
  c.name = "polynomial";
  VOUCH_TRY(c.statement.params, params_of(options));
  c.statement.tables = {{std::countr_zero(values.size()), 1}};
  c.statement.schedule = {{{{0}, {}}}};
  VOUCH_TRY(const whir::Setup setup, whir::Setup::create(c.statement));
  c.config = setup.config();
  whir::ProverOptions to;
  to.threads = options.threads;
  to.memory = options.memory;
  if (options.backend) to.backend = options.backend;
  auto made = make_proof(c, setup, to, values);
  if (!made.ok() && to.backend == "auto" &&
      (made.error().code == Code::device || made.error().code == Code::out_of_memory)) {
    to.backend = "cpu";  // whoever lets us choose gets what is certain
    made = make_proof(c, setup, to, values);
  }
  VOUCH_TRY(const whir::Proof proof, std::move(made));
  const auto postcard = whir::to_postcard(proof, c.encoding());
  VOUCH_TRY(vouch_bytes bytes, make_bytes({reinterpret_cast<const char*>(postcard.data()), postcard.size()}));
  auto claims = make_bytes(formats::whir_case_to_json(c));
  if (!claims.ok()) return vouch_bytes_free(&bytes), claims.error();
  proof_out = bytes;
  claims_out = claims.value();
  return ok();
}

Status verify(Bytes proof_bytes, std::string_view claims) {
  auto parsed = formats::whir_case_from_json(claims);
  if (!parsed.ok()) return Error{parsed.error().code, "claims_json: " + parsed.error().what};
  const formats::WhirCase& c = parsed.value();
  if (!c.commitment || !c.opened)
    return Error{Code::malformed, "claims_json: has no \"commitment\" or no \"opened\" values"};
  VOUCH_TRY(const whir::Setup setup, whir::Setup::create(c.statement));
  auto decoded = whir::proof_from_postcard(proof_bytes, c.encoding());
  if (!decoded.ok()) return Error{decoded.error().code, "proof: " + decoded.error().what};
  const whir::Proof& proof = decoded.value();
  if (proof.evals != *c.opened)
    return Error{Code::rejected, "proof: the values it opens are not the ones that claims_json claims"};
  whir::Transcript t = setup.start();
  const Status accepted = formats::whir_case_verify(setup, *c.commitment, proof, c.points, t);
  if (!accepted.ok()) return Error{accepted.error().code, "proof: " + accepted.error().what};
  return ok();
}

}  // namespace
}  // namespace vouch::capi

using namespace vouch;
using namespace vouch::capi;

extern "C" {

vouch_status vouch_whir_prove(vouch_bytes* proof, vouch_bytes* claims_json, const uint32_t* values,
                              size_t count, const vouch_whir_options* given) {
  return guarded([&]() -> Status {
    if (!proof || !claims_json || !values)
      return null_argument(!proof ? "proof" : claims_json ? "values" : "claims_json");
    VOUCH_TRY(const vouch_whir_options options, take_options(given, "options"));
    return prove(*proof, *claims_json, {values, count}, options);
  });
}

vouch_status vouch_whir_verify(const uint8_t* proof, size_t proof_size, const uint8_t* claims_json,
                               size_t claims_size) {
  return guarded([&]() -> Status {
    if (!proof || !claims_json) return null_argument(proof ? "claims_json" : "proof");
    return verify({proof, proof_size}, {reinterpret_cast<const char*>(claims_json), claims_size});
  });
}

}  // extern "C"
