// vouch r1cs info.
#include "vouch/cli/describe.h"

namespace vouch::cli {

void fact(Context& context, const std::string& label, const std::string& key, const std::string& value) {
  std::string line = label + ":";
  if (line.size() < 24) line.resize(24, ' ');
  context.print(line + " " + value);
  context.report()[key] = value;
}
void fact(Context& context, const std::string& label, const std::string& key, const char* value) {
  fact(context, label, key, std::string(value));
}
void fact(Context& context, const std::string& label, const std::string& key, std::uint64_t value) {
  fact(context, label, key, human_count(value));
  context.report()[key] = value;
}

Status describe_r1cs(const formats::R1cs& r1cs, Context& context) {
  fact(context, "Curve", "curve", r1cs.curve);
  fact(context, "Wires", "wires", r1cs.wire_count);
  fact(context, "Constraints", "constraints", r1cs.constraint_count);
  fact(context, "Private inputs", "private_inputs", r1cs.private_input_count);
  fact(context, "Public inputs", "public_inputs", r1cs.public_input_count);
  fact(context, "Outputs", "outputs", r1cs.output_count);
  fact(context, "Labels", "labels", r1cs.label_count);
  if (r1cs.custom_gates)
    fact(context, "Custom gates", "custom_gates", "yes: this circuit is for PLONK, not Groth16");
  VOUCH_TRY(const auto statistics, formats::read_statistics(r1cs, &context.progress()));
  fact(context, "Terms in A", "terms_a", statistics.terms[0]);
  fact(context, "Terms in B", "terms_b", statistics.terms[1]);
  fact(context, "Terms in C", "terms_c", statistics.terms[2]);
  fact(context, "Linear constraints", "linear_constraints", statistics.linear_constraints);
  fact(context, "Longest constraint", "longest_constraint", statistics.longest_constraint);
  // What a Groth16 setup makes of it (the smallest power of two above constraints and public signals).
  int log_domain = 1;
  while ((std::uint64_t(1) << log_domain) <= std::uint64_t(r1cs.constraint_count) + r1cs.public_count())
    log_domain++;
  fact(context, "Groth16 domain", "groth16_domain", "2^" + std::to_string(log_domain));
  return ok();
}

void add_r1cs_commands(CLI::App& root, Context& context) {
  CLI::App* group = Context::add_group(root, "r1cs", "Constraint systems (.r1cs)");
  const auto path = std::make_shared<std::string>();
  CLI::App* command = context.add_command(*group, "info", "Tell the size and shape of a circuit",
                                          "vouch r1cs info circuit.r1cs", [path, &context]() -> Status {
                                            VOUCH_TRY(const auto r1cs, formats::open_r1cs(*path));
                                            return describe_r1cs(r1cs, context);
                                          });
  command->add_option("R1CS", *path, "Constraint system (.r1cs)")->required();
  context.add_output_options(*command);
}

}  // namespace vouch::cli
