// vouch zkey export verificationkey.
#include "vouch/formats/zkey.h"

#include "vouch/cli/app.h"
#include "vouch/cli/key_options.h"
#include "vouch/cli/outputs.h"
#include "vouch/core/mapped_file.h"
#include "vouch/formats/json.h"

namespace vouch::cli {
namespace {

struct Arguments {
  std::string key;
  std::string out = "verification_key.json";
  KeyOptions key_options;
};

Status export_verification_key(const Arguments& arguments, Context& context) {
  VOUCH_CHECK(check_outputs({arguments.key}, {arguments.out}));
  VOUCH_TRY(const auto zkey, open_key(arguments.key, arguments.key_options, context));
  VOUCH_CHECK(write_file(arguments.out, formats::verifying_key_json(groth16::verifying_key(zkey.key))));
  context.report()["verification_key"] = arguments.out;
  context.note("wrote " + arguments.out);
  return ok();
}

}  // namespace

void add_zkey_commands(CLI::App& root, Context& context) {
  CLI::App* zkey = Context::add_group(root, "zkey", "Proving keys (.zkey)");
  CLI::App* exports = Context::add_group(*zkey, "export", "Take a part out of a proving key");
  const auto to = std::make_shared<Arguments>();
  CLI::App* command =
      context.add_command(*exports, "verificationkey", "Write the verification key as JSON",
                          "vouch zkey export verificationkey circuit_final.zkey verification_key.json",
                          [to, &context] { return export_verification_key(*to, context); });
  command->add_option("KEY", to->key, "Proving key (.zkey)")->required();
  command->add_option("OUT", to->out, "Where to write it [verification_key.json]");
  add_key_options(*command, to->key_options);
  context.add_output_options(*command);
}

}  // namespace vouch::cli
