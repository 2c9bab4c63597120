// vouch info FILE: what any file of the circom world is, and what it holds.
#include <array>

#include "vouch/cli/app.h"
#include "vouch/cli/describe.h"
#include "vouch/core/mapped_file.h"
#include "vouch/formats/json.h"
#include "vouch/formats/json_tree.h"
#include "vouch/formats/ptau.h"
#include "vouch/formats/sniff.h"
#include "vouch/formats/wtns.h"
#include "vouch/formats/zkey.h"

namespace vouch::cli {
namespace {

std::string hex(std::span<const std::uint8_t> bytes) {
  std::string text;
  for (const std::uint8_t b : bytes) {
    constexpr const char* digits = "0123456789abcdef";
    text += digits[b >> 4];
    text += digits[b & 15];
  }
  return text;
}

// Text from a file that may go to a terminal: no control characters.
std::string printable(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = '?';
  return text;
}

// A sound file of another curve or proof system is an answer, not a failure.
Status tell_unsupported(const Error& error, Context& context) {
  context.print(error.what);
  context.report()["unsupported"] = error.what;
  return ok();
}

Status describe_zkey(const MappedFile& file, Context& context) {
  // Weaknesses are told here, not refused.
  const formats::ZkeyOptions lax{.allow_insecure_key = true, .allow_damaged_tail = true};
  auto opened = formats::parse_zkey(file.path(), file.bytes(), lax);
  if (!opened.ok() && opened.error().code == Code::unsupported)
    return tell_unsupported(opened.error(), context);
  VOUCH_TRY(const auto zkey, std::move(opened));
  const groth16::ProvingKey& key = zkey.key;
  fact(context, "Proof system", "proof_system", "Groth16");
  fact(context, "Curve", "curve", "BN254");
  fact(context, "Wires", "wires", key.wire_count);
  fact(context, "Public signals", "public_signals", key.public_count);
  fact(context, "Constraints", "constraints", key.constraint_count());
  fact(context, "Domain", "domain", "2^" + std::to_string(key.log_domain));
  fact(context, "Coefficients", "coefficients", key.record_count());
  if (!zkey.contributions_read) {
    fact(context, "Contributions", "contributions", "the section is missing or damaged");
  } else {
    fact(context, "Contributions", "contributions", zkey.contributions.size());
    for (std::size_t i = 0; i < zkey.contributions.size(); i++) {
      const auto& one = zkey.contributions[i];
      context.print("  " + std::to_string(i + 1) + ". " + (one.beacon ? "beacon " : "") +
                    (one.name.empty() ? "(no name)" : printable(one.name)));
    }
    fact(context, "Circuit hash", "circuit_hash", hex(zkey.circuit_hash));
  }
  const bool one_phase = key.gamma2 == key.delta2;
  const bool infinite = key.alpha1.is_infinity() || key.beta1.is_infinity() || key.beta2.is_infinity() ||
                        key.gamma2.is_infinity() || key.delta1.is_infinity() || key.delta2.is_infinity();
  context.report()["insecure"] = one_phase || infinite;
  if (one_phase || infinite)
    context.warn(key.name +
                 (infinite
                      ? ": the header holds the point at infinity"
                      : ": gamma2 equals delta2: nobody has contributed to the second phase of this key") +
                 ", so anyone can forge proofs under it");
  return ok();
}

Status describe_wtns(const MappedFile& file, Context& context) {
  auto opened = formats::parse_wtns(file.path(), file.bytes());
  if (!opened.ok() && opened.error().code == Code::unsupported)
    return tell_unsupported(opened.error(), context);
  VOUCH_TRY(const auto wtns, std::move(opened));
  VOUCH_CHECK(formats::check_values(wtns));
  std::uint64_t zeros = 0, ones = 0;
  for (std::size_t i = 0; i < wtns.count(); i++) {
    const auto value = load_le<UInt<4>>(wtns.values.data() + i * 32);
    zeros += value.is_zero();
    ones += value == UInt<4>::of(1);
  }
  fact(context, "Curve", "curve", "BN254");
  fact(context, "Values", "values", wtns.count());
  fact(context, "Zeros", "zeros", zeros);
  fact(context, "Ones", "ones", ones);
  return ok();
}

Status describe_ptau(const MappedFile& file, Context& context) {
  VOUCH_TRY(const auto ptau, formats::parse_ptau(file.path(), file.bytes()));
  fact(context, "Curve", "curve", ptau.curve);
  fact(context, "Constraints up to", "constraints_up_to", "2^" + std::to_string(ptau.power));
  fact(context, "Ceremony", "ceremony", "2^" + std::to_string(ptau.ceremony_power));
  fact(context, "Contributions", "contributions", ptau.contribution_count);
  fact(context, "Prepared for phase 2", "prepared", ptau.prepared ? "yes" : "no");
  return ok();
}

Status describe_json(const MappedFile& file, Context& context) {
  VOUCH_TRY(const auto root, formats::parse_json(file.path(), file.bytes(), "JSON", {.elements = 1 << 16}));
  if (root.kind == formats::JsonNode::Kind::array) {
    VOUCH_CHECK(
        formats::parse_public(file.path(), file.bytes(), formats::ExpectedPublics{root.count, file.path()}));
    fact(context, "Public signals", "public_signals", root.count);
  } else if (root.find("pi_a")) {
    VOUCH_CHECK(formats::parse_proof(file.path(), file.bytes()));
    fact(context, "Proof system", "proof_system", "Groth16");
    fact(context, "Curve", "curve", "BN254");
    context.print("The points of the proof are on the curve and in the group.");
  } else {
    VOUCH_TRY(const auto key, formats::parse_verifying_key(file.path(), file.bytes()));
    fact(context, "Proof system", "proof_system", "Groth16");
    fact(context, "Curve", "curve", "BN254");
    fact(context, "Public signals", "public_signals", key.public_count());
    if (key.gamma2 == key.delta2)
      context.warn(file.path() + ": vk_gamma_2 equals vk_delta_2: anyone can forge proofs under this key");
  }
  return ok();
}

Status describe_file(const std::string& path, Context& context) {
  VOUCH_TRY(const auto file, MappedFile::open(path));
  const std::string what = formats::describe(file.bytes());
  fact(context, "File", "file", path);
  fact(context, "What", "what", what);
  fact(context, "Size", "bytes", human_bytes(file.bytes().size()));
  context.report()["bytes"] = file.bytes().size();
  switch (formats::kind_of(file.bytes())) {
    case formats::FileKind::zkey:
      return describe_zkey(file, context);
    case formats::FileKind::wtns:
      return describe_wtns(file, context);
    case formats::FileKind::ptau:
      return describe_ptau(file, context);
    case formats::FileKind::json:
      return describe_json(file, context);
    case formats::FileKind::r1cs: {
      VOUCH_TRY(const auto r1cs, formats::parse_r1cs(path, file.bytes()));
      return describe_r1cs(r1cs, context);
    }
    case formats::FileKind::other:
      break;
  }
  return Error{Code::unsupported, path + ": this looks like " + what + ", which vouch does not read"};
}

}  // namespace

void add_info_commands(CLI::App& root, Context& context) {
  const auto path = std::make_shared<std::string>();
  CLI::App* command = context.add_command(
      root, "info", "Tell what a file is and holds: .zkey .wtns .r1cs .ptau or JSON",
      "vouch info circuit_final.zkey", [path, &context] { return describe_file(*path, context); });
  command->add_option("FILE", *path, "Any file of these formats")->required();
  context.add_output_options(*command);
}

}  // namespace vouch::cli
