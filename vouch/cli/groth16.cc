// vouch groth16 prove | verify, and their short names g16p and g16v.
#include <filesystem>
#include <optional>

#include "vouch/cli/app.h"
#include "vouch/cli/device_use.h"
#include "vouch/cli/key_options.h"
#include "vouch/cli/memory.h"
#include "vouch/cli/outputs.h"
#include "vouch/cli/unsatisfied.h"
#include "vouch/core/mapped_file.h"
#include "vouch/core/rng.h"
#include "vouch/formats/decimal.h"
#include "vouch/formats/json.h"
#include "vouch/formats/r1cs.h"
#include "vouch/formats/wtns.h"
#include "vouch/formats/zkey.h"
#include "vouch/groth16/prover.h"
#include "vouch/groth16/verifier.h"

namespace vouch::cli {
namespace {

namespace fs = std::filesystem;

struct ProveArguments {
  std::string key, witness, proof, publics;
  std::string r1cs;
  std::string blinders;
  bool check = false;
  bool no_verify = false;
  std::string memory;
  KeyOptions key_options;
  TablesOptions tables;
};

// "R,S" as two decimal numbers below the group order.
Result<groth16::Blinders> parse_blinders(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) return usage_error("--insecure-blinders: expected two decimal numbers R,S");
  const auto one = [&](const char* name, const std::string& digits) -> Result<UInt<4>> {
    auto x = formats::parse_decimal(digits, Bn254Fr::modulus);
    if (!x.ok()) return usage_error(std::string("--insecure-blinders: ") + name + " " + x.error().what);
    return x;
  };
  groth16::Blinders blinders;
  VOUCH_TRY(blinders.r, one("R", text.substr(0, comma)));
  VOUCH_TRY(blinders.s, one("S", text.substr(comma + 1)));
  return blinders;
}

// The .r1cs to look failures up in: the one given, or one with the key's or the witness's name beside them.
Result<std::string> find_r1cs(const ProveArguments& arguments) {
  if (!arguments.r1cs.empty()) return arguments.r1cs;
  std::error_code ignored;
  for (const std::string& near : {arguments.key, arguments.witness}) {
    const std::string candidate = fs::path(near).replace_extension(".r1cs").string();
    if (fs::is_regular_file(candidate, ignored)) return candidate;
  }
  return usage_error(
      "--check needs the circuit's .r1cs, because a .zkey holds no C side of the constraints and so no row "
      "can be "
      "judged by it alone: name it with --r1cs FILE, or put it beside the key under the key's name");
}

// Names the first constraint that fails, before any work on a proof.
Status check_constraints(const ProveArguments& arguments, const formats::Wtns& wtns,
                         const groth16::ProvingKey& key, Context& context) {
  VOUCH_TRY(const std::string path, find_r1cs(arguments));
  VOUCH_TRY(const formats::R1cs r1cs, formats::open_r1cs(path));
  if (r1cs.wire_count != key.wire_count || r1cs.public_count() != key.public_count)
    return Error{Code::malformed, path + ": has " + std::to_string(r1cs.wire_count) + " wires and " +
                                      std::to_string(r1cs.public_count()) + " public signals, but " +
                                      key.name + " has " + std::to_string(key.wire_count) + " and " +
                                      std::to_string(key.public_count) + ": they are of different circuits"};
  VOUCH_CHECK(groth16::check_witness(key, {wtns.name, wtns.values}));
  const Stopwatch clock;
  VOUCH_TRY(const auto bad, formats::first_unsatisfied(r1cs, wtns.values, &context.progress()));
  context.progress().timing("check constraints", clock.seconds());
  if (bad) return unsatisfied_error(wtns.name, path, *bad);
  return ok();
}

// What a user can do about a witness that failed.
Error explain(Error error, const ProveArguments& arguments) {
  if (error.code == Code::unsatisfied)
    error.what +=
        "; no proof was written. To name the constraint: vouch wtns check CIRCUIT.r1cs " + arguments.witness;
  return error;
}

void report_memory(Context& context, const groth16::ProvingKey& key, std::uint64_t bytes) {
  const double per = double(bytes) / double(std::max<std::size_t>(key.constraint_count(), 1));
  context.report()["constraints"] = key.constraint_count();
  context.report()["peak_memory_bytes"] = bytes;
  context.report()["peak_memory_bytes_per_constraint"] = per;
  context.report()["peak_memory_counting"] = memory_counting;
  context.report()["peak_resident_bytes"] = peak_resident_bytes();
  std::string line = "  peak memory " + human_bytes(bytes);
  // Below that, what the program itself needs is most of it.
  if (key.constraint_count() >= 10000)
    line += ", " + human_count(std::uint64_t(per)) + " bytes per constraint";
  context.note(line + " (" + memory_counting + "); with them " + human_bytes(peak_resident_bytes()));
}

Status prove(const ProveArguments& arguments, Context& context) {
  const Stopwatch clock;
  groth16::ProveOptions options;
  options.verify = !arguments.no_verify;
  options.progress = &context.progress();
  if (!arguments.blinders.empty()) {
    VOUCH_TRY(options.insecure_blinders, parse_blinders(arguments.blinders));
    context.warn(
        "--insecure-blinders: this proof reveals the witness to anyone who knows the blinders; tests only");
  }
  std::vector<std::string> outputs{arguments.proof, arguments.publics};
  if (arguments.tables.wanted()) outputs.push_back(arguments.tables.path(arguments.key));
  VOUCH_CHECK(check_outputs({arguments.key, arguments.witness}, outputs));
  keep_no_freed_memory();
  KeyOptions key_options = arguments.key_options;
  if (!arguments.memory.empty()) {
    VOUCH_TRY(options.memory, parse_bytes(arguments.memory));
    if (options.memory == 0) return usage_error("--memory 0: nothing fits in no memory");
    key_options.zkey.stream = true;
  }
  std::optional<PeakMemory> memory;
  if (context.options.timings || context.options.json || options.memory) memory.emplace();

  VOUCH_TRY(const auto zkey, open_key(arguments.key, key_options, context));
  VOUCH_TRY(const auto wtns, formats::open_wtns(arguments.witness));
  if (arguments.check || !arguments.r1cs.empty())
    VOUCH_CHECK(check_constraints(arguments, wtns, zkey.key, context));
  VOUCH_TRY(const auto backend, context.open_backend(work_of(zkey.key)));
  OsRng rng;
  groth16::Prover prover(zkey.key, *backend);
  if (arguments.tables.wanted())
    VOUCH_CHECK(use_tables(prover, *backend, arguments.key, arguments.tables, options.memory, context));
  auto proved = prover.prove({wtns.name, wtns.values}, rng, options);
  if (!proved.ok()) return explain(proved.error(), arguments);
  const groth16::Proved result = std::move(proved).value();
  if (result.tables_wrong)
    context.warn(
        "a proof made with the tables of multiples did not verify, one made without them does: delete "
        "the tables' file, or check the machine's memory");
  options.verify |= arguments.tables.wanted();

  const OutputFile files[] = {{arguments.proof, formats::proof_json(result.proof)},
                              {arguments.publics, formats::public_json(result.publics)}};
  VOUCH_CHECK(write_files(files));
  context.report()["proof"] = arguments.proof;
  context.report()["public"] = arguments.publics;
  context.report()["verified"] = options.verify;
  context.report()["backend"] = backend->info().name;
  report_device_use(context, backend->use(), 254);
  context.report()["seconds"] = clock.seconds();
  context.note("wrote " + arguments.proof + " and " + arguments.publics + " in " +
               human_seconds(clock.seconds()) +
               (options.verify ? "; the proof verifies" : "; the proof was not verified"));
  if (memory) report_memory(context, zkey.key, memory->bytes());
  return ok();
}

struct VerifyArguments {
  std::string key, publics, proof;
  bool allow_insecure_key = false;
};

Status verify(const VerifyArguments& arguments, Context& context) {
  VOUCH_TRY(const auto key, formats::read_verifying_key(arguments.key));
  if (key.gamma2 == key.delta2 && !arguments.allow_insecure_key)
    return Error{Code::malformed,
                 arguments.key +
                     ": vk_gamma_2 equals vk_delta_2: nobody has contributed to the second phase of "
                     "this key, so anyone can forge proofs (--allow-insecure-key verifies all the "
                     "same)"};
  if (const Status s = groth16::check(key, true); !s.ok())
    return Error{s.error().code, arguments.key + ": " + s.error().what};
  const formats::ExpectedPublics expected{key.public_count(), arguments.key};
  VOUCH_TRY(const auto publics, formats::read_public(arguments.publics, expected));
  VOUCH_TRY(const auto proof, formats::read_proof(arguments.proof));

  if (const Status s = groth16::verify(key, publics, proof); !s.ok())
    return Error{s.error().code, arguments.proof + ": " + s.error().what};
  context.print("OK!");
  return ok();
}

void add_prove(CLI::App& parent, const std::string& name, Context& context) {
  const auto to = std::make_shared<ProveArguments>();
  CLI::App* command = context.add_command(parent, name, "Prove that a witness satisfies a circuit",
                                          "vouch " + (name == "g16p" ? name : "groth16 " + name) +
                                              " circuit_final.zkey witness.wtns proof.json public.json",
                                          [to, &context] { return prove(*to, context); });
  command->add_option("KEY", to->key, "Proving key (.zkey)")->required();
  command->add_option("WITNESS", to->witness, "Witness (.wtns)")->required();
  command->add_option("PROOF", to->proof, "Where to write the proof, e.g. proof.json")->required();
  command->add_option("PUBLIC", to->publics, "Where to write the public signals, e.g. public.json")
      ->required();
  command->add_flag("--check", to->check, "Check the constraints first and name the first one that fails");
  command
      ->add_option("--r1cs", to->r1cs, "The circuit's .r1cs for --check; found beside the key if not given")
      ->type_name("FILE");
  command->add_flag("--no-verify", to->no_verify,
                    "Do not verify the proof before writing it; with tables it always is");
  command
      ->add_option("--memory", to->memory,
                   "Stay within so many bytes (400M), mapped files included: the key is read in parts")
      ->type_name("BYTES");
  add_key_options(*command, to->key_options);
  add_tables_options(*command, to->tables);
  command
      ->add_option("--insecure-blinders", to->blinders,
                   "Use these blinders instead of random ones. For tests: such a proof hides nothing")
      ->type_name("R,S");
  context.add_compute_options(*command);
  context.add_sum_options(*command);
}

void add_verify(CLI::App& parent, const std::string& name, Context& context) {
  const auto to = std::make_shared<VerifyArguments>();
  CLI::App* command = context.add_command(parent, name, "Verify a proof and print OK!, or why not",
                                          "vouch " + (name == "g16v" ? name : "groth16 " + name) +
                                              " verification_key.json public.json proof.json",
                                          [to, &context] { return verify(*to, context); });
  command->add_option("VKEY", to->key, "Verification key in JSON")->required();
  command->add_option("PUBLIC", to->publics, "Public signals in JSON")->required();
  command->add_option("PROOF", to->proof, "Proof in JSON")->required();
  command->add_flag(
      "--allow-insecure-key", to->allow_insecure_key,
      "Accept a key without second-phase contribution (gamma2 = delta2): anyone can forge proofs");
  context.add_output_options(*command);
}

}  // namespace

void add_groth16_commands(CLI::App& root, Context& context) {
  CLI::App* group = Context::add_group(root, "groth16", "Groth16 proofs for circom circuits (BN254)");
  add_prove(*group, "prove", context);
  add_verify(*group, "verify", context);
  add_prove(root, "g16p", context);
  add_verify(root, "g16v", context);
}

}  // namespace vouch::cli
