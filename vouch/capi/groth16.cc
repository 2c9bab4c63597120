// Groth16 behind the C boundary.
#include "vouch/capi/engine.h"
#include "vouch/capi/guard.h"
#include "vouch/core/rng.h"
#include "vouch/formats/json.h"
#include "vouch/formats/tables.h"
#include "vouch/formats/wtns.h"
#include "vouch/formats/zkey.h"
#include "vouch/groth16/prover.h"
#include "vouch/groth16/verifier.h"

struct vouch_groth16_key {
  vouch::groth16::Prover prover;
  const vouch_engine* engine;
};

namespace vouch::capi {
namespace {

Status check_file(const char* name, const std::uint8_t* data, std::size_t size) {
  if (!data) return null_argument(name);
  if (size == 0) return Error{Code::malformed, std::string(name) + ": is empty"};
  return ok();
}

vouch_groth16_key* make_key(formats::Zkey zkey, const vouch_engine* engine) {
  return new vouch_groth16_key{groth16::Prover(std::move(zkey.key), *engine->backend), engine};
}

}  // namespace
}  // namespace vouch::capi

using namespace vouch;
using namespace vouch::capi;

extern "C" {

vouch_status vouch_groth16_key_open(vouch_groth16_key** out, const vouch_engine* engine, const char* path) {
  return guarded([&]() -> Status {
    if (!out || !engine || !path) return null_argument(!out ? "out" : engine ? "path" : "engine");
    VOUCH_TRY(auto zkey, formats::open_zkey(path, {}, engine->threads));
    *out = make_key(std::move(zkey), engine);
    return ok();
  });
}

vouch_status vouch_groth16_key_borrow(vouch_groth16_key** out, const vouch_engine* engine,
                                      const uint8_t* data, size_t size) {
  return guarded([&]() -> Status {
    if (!out || !engine) return null_argument(out ? "engine" : "out");
    VOUCH_CHECK(check_file("zkey", data, size));
    VOUCH_TRY(auto zkey, formats::parse_zkey("zkey", {data, size}, {}, engine->threads));
    *out = make_key(std::move(zkey), engine);
    return ok();
  });
}

void vouch_groth16_key_close(vouch_groth16_key* key) {
  delete key;
}

vouch_status vouch_groth16_key_check(const vouch_groth16_key* key) {
  return guarded([&]() -> Status {
    if (!key) return null_argument("key");
    return groth16::check_points(key->prover.key(), key->engine->threads);
  });
}

vouch_status vouch_groth16_key_precompute(vouch_groth16_key* key, const char* path, uint64_t memory) {
  return guarded([&]() -> Status {
    if (!key || !path) return null_argument(key ? "path" : "key");
    VOUCH_TRY(const auto plan, groth16::plan_tables_for(*key->engine->backend, key->prover.key(), memory));
    VOUCH_TRY(auto opened, formats::open_tables(path, key->prover.key(), plan, *key->engine->backend,
                                                key->engine->threads));
    key->prover.use_tables(std::move(opened.tables));
    return ok();
  });
}

vouch_status vouch_groth16_export_verification_key(const vouch_groth16_key* key, vouch_bytes* vkey_json) {
  return guarded([&]() -> Status {
    if (!key || !vkey_json) return null_argument(key ? "vkey_json" : "key");
    VOUCH_TRY(*vkey_json, make_bytes(formats::verifying_key_json(groth16::verifying_key(key->prover.key()))));
    return ok();
  });
}

vouch_status vouch_groth16_prove(const vouch_groth16_key* key, vouch_bytes* proof_json,
                                 vouch_bytes* public_json, const uint8_t* wtns, size_t wtns_size) {
  return guarded([&]() -> Status {
    if (!key || !proof_json || !public_json)
      return null_argument(!key ? "key" : proof_json ? "public_json" : "proof_json");
    VOUCH_CHECK(check_file("wtns", wtns, wtns_size));
    VOUCH_TRY(const auto witness, formats::parse_wtns("wtns", {wtns, wtns_size}));
    OsRng rng;
    VOUCH_TRY(const auto proved, key->prover.prove({witness.name, witness.values}, rng));
    VOUCH_TRY(vouch_bytes proof, make_bytes(formats::proof_json(proved.proof)));
    auto publics = make_bytes(formats::public_json(proved.publics));
    if (!publics.ok()) return vouch_bytes_free(&proof), publics.error();
    *proof_json = proof;
    *public_json = publics.value();
    return ok();
  });
}

vouch_status vouch_groth16_verify(const uint8_t* vkey_json, size_t vkey_size, const uint8_t* public_json,
                                  size_t public_size, const uint8_t* proof_json, size_t proof_size) {
  return guarded([&]() -> Status {
    VOUCH_CHECK(check_file("vkey_json", vkey_json, vkey_size));
    VOUCH_CHECK(check_file("public_json", public_json, public_size));
    VOUCH_CHECK(check_file("proof_json", proof_json, proof_size));
    VOUCH_TRY(const auto key, formats::parse_verifying_key("vkey_json", {vkey_json, vkey_size}));
    if (const Status s = groth16::check(key); !s.ok())
      return Error{s.error().code, "vkey_json: " + s.error().what};
    VOUCH_TRY(const auto publics,
              formats::parse_public("public_json", {public_json, public_size},
                                    formats::ExpectedPublics{key.public_count(), "vkey_json"}));
    VOUCH_TRY(const auto proof, formats::parse_proof("proof_json", {proof_json, proof_size}));
    if (const Status s = groth16::verify(key, publics, proof); !s.ok())
      return Error{s.error().code, "proof_json: " + s.error().what};
    return ok();
  });
}

}  // extern "C"
