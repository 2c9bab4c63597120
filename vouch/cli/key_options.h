// The options of every command that opens a proving key.
#pragma once

#include "vouch/cli/app.h"
#include "vouch/cli/memory.h"
#include "vouch/formats/tables.h"
#include "vouch/formats/zkey.h"
#include "vouch/groth16/prover.h"

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

// --precompute and --tables: multiples of the key's points, kept in a file.
struct TablesOptions {
  std::string most, file;
  bool wanted() const { return !most.empty() || !file.empty(); }
  std::string path(const std::string& key) const { return file.empty() ? key + ".tables" : file; }
};

inline void add_tables_options(CLI::App& command, TablesOptions& to) {
  command
      .add_option("--precompute", to.most,
                  "Use tables of multiples of the key's points, in so much memory (4G; 0: as much as pays): "
                  "many proofs from one process are faster. Made once and kept in a file")
      ->type_name("BYTES");
  command.add_option("--tables", to.file, "The file of those tables [KEY.tables]")->type_name("FILE");
}

// Gives the prover its tables, from their file or new ones; says first what they will take. memory: of the
// whole proof, 0 for no limit.
inline Status use_tables(groth16::Prover& prover, Backend& backend, const std::string& key_path,
                         const TablesOptions& options, std::uint64_t memory, Context& context) {
  const groth16::ProvingKey& key = prover.key();
  std::uint64_t most = 0;
  if (!options.most.empty()) {
    VOUCH_TRY(most, parse_bytes(options.most));
  }
  if (memory != 0) {
    const std::uint64_t room = groth16::room_for_tables(key, backend.info().threads, memory);
    if (room == 0 || groth16::plan_tables(key, room).count == 0)
      return usage_error("--memory " + std::to_string(memory >> 20) +
                         "M leaves no room for tables of multiples beside a proof with the whole key");
    most = most == 0 ? room : std::min(most, room);
  }
  const std::string path = options.path(key_path);
  VOUCH_TRY(const groth16::TablesPlan plan, groth16::plan_tables_for(backend, key, most));
  context.note("tables of multiples: " + std::to_string(plan.count) + " of every point, " +
               human_bytes(plan.bytes) + " of memory and of " + path);
  const Stopwatch clock;
  VOUCH_TRY(auto opened,
            formats::open_tables(path, key, plan, backend, backend.threads(), &context.progress()));
  if (!opened.trouble.empty()) context.warn(opened.trouble);
  context.note((opened.made ? "made them in " : "read them in ") + human_seconds(clock.seconds()));
  context.progress().timing("open tables", clock.seconds());
  context.report()["tables"] = {{"file", path},
                                {"per_point", plan.count},
                                {"bytes", plan.bytes},
                                {"made", opened.made},
                                {"seconds", clock.seconds()}};
  prover.use_tables(std::move(opened.tables));
  return ok();
}

// What "auto" is to know of a proof with this key.
inline Context::Work work_of(const groth16::ProvingKey& key) {
  const groth16::DeviceNeed need = groth16::device_need(key);
  return {groth16::estimated_seconds(key), need.bytes, need.largest_buffer};
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
