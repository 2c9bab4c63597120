// .r1cs: see r1cs.h.
#include "vouch/formats/r1cs.h"

#include <algorithm>

#include "vouch/core/mapped_file.h"
#include "vouch/formats/container.h"
#include "vouch/formats/sniff.h"

namespace vouch::formats {
namespace {

enum SectionId : std::uint32_t { header_id = 1, constraints_id, labels_id, gates_id, gate_uses_id };
constexpr std::string_view titles[] = {
    "", "header", "constraints", "wire labels", "custom gates", "uses of custom gates"};
constexpr ContainerFormat format{"r1cs", "a constraint system (.r1cs)", 1, titles};

Status read_header(const Container& file, R1cs& r1cs) {
  VOUCH_TRY(const Bytes data, file.section(header_id));
  Reader in(data);
  const Bytes prime = in.take(in.read<std::uint32_t>());
  r1cs.field_bytes = std::uint32_t(prime.size());
  r1cs.wire_count = in.read<std::uint32_t>();
  r1cs.output_count = in.read<std::uint32_t>();
  r1cs.public_input_count = in.read<std::uint32_t>();
  r1cs.private_input_count = in.read<std::uint32_t>();
  r1cs.label_count = in.read<std::uint64_t>();
  r1cs.constraint_count = in.read<std::uint32_t>();
  if (in.failed()) return file.error(header_id, "is cut off");
  if (in.remaining() != 0)
    return file.error(header_id, "has " + std::to_string(in.remaining()) + " bytes too many");
  r1cs.curve = curve_of_prime(prime);
  if (r1cs.curve.empty() || (r1cs.curve == "BN254" && load_le<UInt<4>>(prime.data()) != Bn254Fr::modulus))
    return file.error(header_id, "the prime is that of no field vouch knows");
  if (r1cs.curve == "BN254" && prime.size() != 32)
    return file.error(header_id, "the prime of BN254 takes 32 bytes, not " + std::to_string(prime.size()));
  // Private inputs are not counted: circom drops the wire of one that no constraint uses.
  const std::uint64_t named = 1 + std::uint64_t(r1cs.output_count) + r1cs.public_input_count;
  if (named > r1cs.wire_count)
    return file.error(header_id, "claims " + std::to_string(named - 1) + " public signals but only " +
                                     std::to_string(r1cs.wire_count) + " wires");
  return ok();
}

}  // namespace

Result<R1cs> parse_r1cs(const std::string& name, Bytes bytes) {
  VOUCH_TRY(const Container file, Container::open(name, bytes, format));
  R1cs r1cs;
  r1cs.name = name;
  VOUCH_CHECK(read_header(file, r1cs));
  VOUCH_TRY(r1cs.constraints, file.section(constraints_id));
  // An empty constraint is three counts of zero: 12 bytes.
  if (std::uint64_t(r1cs.constraint_count) * 12 > r1cs.constraints.size())
    return file.error(constraints_id, "has " + std::to_string(r1cs.constraints.size()) +
                                          " bytes, too few for the " + std::to_string(r1cs.constraint_count) +
                                          " constraints the header claims");
  if (file.has(labels_id)) {
    VOUCH_TRY(r1cs.labels, file.section(labels_id, std::uint64_t(r1cs.wire_count) * 8,
                                        std::to_string(r1cs.wire_count) + " labels of 8 bytes"));
  }
  if (file.has(gate_uses_id)) {
    VOUCH_TRY(const Bytes uses, file.section(gate_uses_id));
    r1cs.custom_gates = std::any_of(uses.begin(), uses.end(), [](std::uint8_t b) { return b != 0; });
  }
  return r1cs;
}

Result<R1cs> open_r1cs(const std::string& path) {
  VOUCH_TRY(auto mapped, MappedFile::open(path));
  const auto file = std::make_shared<const MappedFile>(std::move(mapped));
  VOUCH_TRY(R1cs r1cs, parse_r1cs(path, file->bytes()));
  r1cs.storage = file;
  return r1cs;
}

// Constraints

Error ConstraintReader::error(const std::string& what) const {
  return {Code::malformed, r1cs_.name + ": section 2 (constraints): " + what};
}

Result<LinearCombination> ConstraintReader::read_side(const char* side) {
  const std::size_t term_bytes = 4 + std::size_t(r1cs_.field_bytes);
  LinearCombination sum;
  sum.count = in_.read<std::uint32_t>();
  sum.terms = in_.take(std::uint64_t(sum.count) * term_bytes);
  const auto where = [&] { return std::string(side) + " of constraint " + std::to_string(index_); };
  if (in_.failed()) return error("ends inside " + where());
  for (std::size_t i = 0; i < sum.count; i++) {
    const std::uint8_t* p = sum.terms.data() + i * term_bytes;
    const auto wire = load_le<std::uint32_t>(p);
    if (wire >= r1cs_.wire_count)
      return error(where() + " names wire " + std::to_string(wire) + ", but the circuit has " +
                   std::to_string(r1cs_.wire_count));
    if (r1cs_.field_bytes == 32 && r1cs_.curve == "BN254" && load_le<UInt<4>>(p + 4) >= Bn254Fr::modulus)
      return error(where() + " has a value that is not below the field's modulus");
  }
  return sum;
}

Result<std::optional<std::array<LinearCombination, 3>>> ConstraintReader::next() {
  using Sides = std::optional<std::array<LinearCombination, 3>>;
  if (index_ == r1cs_.constraint_count) {
    if (in_.remaining() != 0)
      return error(std::to_string(in_.remaining()) + " bytes follow the last constraint");
    return Sides(std::nullopt);
  }
  std::array<LinearCombination, 3> sides;
  constexpr const char* names[] = {"A", "B", "C"};
  for (int i = 0; i < 3; i++) {
    VOUCH_TRY(sides[std::size_t(i)], read_side(names[i]));
  }
  index_++;
  return Sides(sides);
}

}  // namespace vouch::formats
