// The options of every command that opens a proving key.
#pragma once

#include "vouch/cli/app.h"
#include "vouch/formats/zkey.h"

namespace vouch::cli {

struct KeyOptions {
  formats::ZkeyOptions zkey;
  bool check_points = false;
};

inline void add_key_options(CLI::App& command, KeyOptions& to) {
  command.add_flag("--check-key", to.check_points,
                   "Check every point of the key: canonical, on the curve, in the subgroup");
  command.add_flag(
      "--allow-insecure-key", to.zkey.allow_insecure_key,
      "Accept a key without second-phase contribution (gamma2 = delta2), or with infinity in its header: "
      "anyone can forge proofs under it");
  command.add_flag("--allow-damaged-tail", to.zkey.allow_damaged_tail,
                   "Accept bytes after the last section and a missing or damaged contributions section");
}

// Opens the key and checks what the options ask for.
inline Result<formats::Zkey> open_key(const std::string& path, const KeyOptions& options, Context& context) {
  const Threads threads(context.options.threads);
  Stopwatch clock;
  VOUCH_TRY(formats::Zkey zkey, formats::open_zkey(path, options.zkey, threads));
  context.progress().timing("open key", clock.seconds());
  if (options.check_points) VOUCH_CHECK(groth16::check_points(zkey.key, threads, &context.progress()));
  return zkey;
}

}  // namespace vouch::cli
