// Groth16 from C++: take a key once, prove, verify, print proof.json.   prove KEY.zkey WITNESS.wtns
#include <cstdio>

#include "vouch/formats/json.h"
#include "vouch/formats/wtns.h"
#include "vouch/formats/zkey.h"
#include "vouch/groth16/prover.h"
#include "vouch/groth16/verifier.h"

namespace {

vouch::Status run(const char* key_path, const char* witness_path) {
  VOUCH_TRY(auto backend, vouch::open_backend("auto"));
  VOUCH_TRY(auto zkey, vouch::formats::open_zkey(key_path));
  VOUCH_TRY(auto witness, vouch::formats::open_wtns(witness_path));
  const auto verifying_key = vouch::groth16::verifying_key(zkey.key);
  const vouch::groth16::Prover prover(std::move(zkey.key), *backend);
  vouch::OsRng rng;
  VOUCH_TRY(auto proved,
            prover.prove({witness.name, witness.values}, rng));  // any number of times, from any thread
  VOUCH_CHECK(vouch::groth16::verify(verifying_key, proved.publics, proved.proof));
  std::puts(vouch::formats::proof_json(proved.proof).c_str());
  return vouch::ok();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fputs("usage: prove KEY.zkey WITNESS.wtns\n", stderr), 2;
  const vouch::Status status = run(argv[1], argv[2]);
  if (!status.ok()) return std::fprintf(stderr, "error: %s\n", status.error().what.c_str()), 1;
  return 0;
}
