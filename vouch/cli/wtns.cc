// vouch wtns check.
#include "vouch/formats/wtns.h"

#include "vouch/cli/app.h"
#include "vouch/cli/unsatisfied.h"
#include "vouch/formats/decimal.h"

namespace vouch::cli {
namespace {

std::string short_value(const UInt<4>& x) {
  UInt<4> negated = Bn254Fr::modulus;
  sub(negated, x);
  // Small negative numbers are how circuits mean them.
  if (!x.is_zero() && negated.bit_length() <= 64) return "-" + formats::to_decimal(negated);
  return formats::to_decimal(x);
}

struct Arguments {
  std::string r1cs, wtns;
};

Status check(const Arguments& arguments, Context& context) {
  VOUCH_TRY(const auto r1cs, formats::open_r1cs(arguments.r1cs));
  VOUCH_TRY(const auto wtns, formats::open_wtns(arguments.wtns));
  if (wtns.count() != r1cs.wire_count)
    return Error{Code::malformed,
                 wtns.name + ": has " + std::to_string(wtns.count()) + " values, but " + r1cs.name + " has " +
                     std::to_string(r1cs.wire_count) +
                     " wires: the witness is from another circuit, or from another build of it"};
  VOUCH_CHECK(formats::check_values(wtns, r1cs.public_count()));
  VOUCH_TRY(const auto bad, formats::first_unsatisfied(r1cs, wtns.values, &context.progress()));
  if (bad) return unsatisfied_error(wtns.name, r1cs.name, *bad);
  context.report()["constraints"] = r1cs.constraint_count;
  context.print("OK! All " + human_count(r1cs.constraint_count) + " constraints hold.");
  return ok();
}

}  // namespace

Error unsatisfied_error(const std::string& witness, const std::string& r1cs,
                        const formats::Unsatisfied& bad) {
  return {Code::unsatisfied, witness + ": constraint " + std::to_string(bad.constraint) + " of " + r1cs +
                                 " is not satisfied: A * B = C with A = " + short_value(bad.a) +
                                 ", B = " + short_value(bad.b) + ", C = " + short_value(bad.c)};
}

void add_wtns_commands(CLI::App& root, Context& context) {
  CLI::App* group = Context::add_group(root, "wtns", "Witnesses (.wtns)");
  const auto to = std::make_shared<Arguments>();
  CLI::App* command = context.add_command(
      *group, "check", "Check a witness against a circuit, constraint by constraint",
      "vouch wtns check circuit.r1cs witness.wtns", [to, &context] { return check(*to, context); });
  command->add_option("R1CS", to->r1cs, "Constraint system (.r1cs)")->required();
  command->add_option("WTNS", to->wtns, "Witness (.wtns)")->required();
  context.add_output_options(*command);
}

}  // namespace vouch::cli
