// Reading proof, public signals and verification key: see json.h. Writing is in json_write.cc.
#include "vouch/formats/json.h"

#include "vouch/core/mapped_file.h"
#include "vouch/curve/subgroup.h"
#include "vouch/field/tower.h"
#include "vouch/formats/decimal.h"
#include "vouch/formats/json_tree.h"

namespace vouch::formats {
namespace {

using G2 = Bn254G2::Affine;
using Kind = JsonNode::Kind;

// A node of one file, with the path that errors name it by.
struct Place {
  const std::string& file;
  std::string path;
  const JsonNode& node;

  Error error(const std::string& what) const { return {Code::malformed, file + ": " + path + " " + what}; }
  Place element(std::size_t i) const {
    return {file, path + "[" + std::to_string(i) + "]", node.elements[i]};
  }
};

Result<Place> member(const std::string& file, const JsonNode& root, const char* key) {
  const JsonNode* node = root.find(key);
  if (!node) return Error{Code::malformed, file + ": " + key + " is missing"};
  return Place{file, key, *node};
}

Status expect_array(const Place& at, std::size_t size) {
  if (at.node.kind != Kind::array) return at.error("is " + describe(at.node) + " instead of an array");
  if (at.node.elements.size() != size)
    return at.error("has " + std::to_string(at.node.elements.size()) + " elements instead of " +
                    std::to_string(size));
  return ok();
}

Result<UInt<4>> read_integer(const Place& at, const UInt<4>& modulus) {
  if (at.node.kind != Kind::string)
    return at.error("is " + describe(at.node) + " instead of a decimal string");
  const auto value = parse_decimal(at.node.text, modulus);
  if (!value.ok()) return at.error(value.error().what);
  return value;
}

Status read_coordinate(const Place& at, Bn254Fq& to) {
  VOUCH_TRY(const auto value, read_integer(at, Bn254Fq::modulus));
  to = Bn254Fq::from_int(value);
  return ok();
}
Status read_coordinate(const Place& at, Bn254Fq2& to) {
  VOUCH_CHECK(expect_array(at, 2));
  VOUCH_CHECK(read_coordinate(at.element(0), to.c0));
  return read_coordinate(at.element(1), to.c1);
}

// [x, y, 1], or [0, 1, 0] for infinity.
template <class Point>
Status read_point(const Place& at, Point& to) {
  using Field = typename Point::Field;
  VOUCH_CHECK(expect_array(at, 3));
  Point p;
  Field z;
  VOUCH_CHECK(read_coordinate(at.element(0), p.x));
  VOUCH_CHECK(read_coordinate(at.element(1), p.y));
  VOUCH_CHECK(read_coordinate(at.element(2), z));
  if (z.is_zero() && p.x.is_zero() && p.y == Field::one()) {
    to = Point::infinity();
    return ok();
  }
  if (!(z == Field::one())) return at.error("is not normalized: its third coordinate must be 1");
  // (0, 0) is how infinity is kept in memory; as written coordinates it is a point off the curve.
  if (p.is_infinity() || !p.on_curve()) return at.error("is not on the curve");
  if constexpr (std::is_same_v<Point, G2>)
    if (!in_subgroup(p)) return at.error("is not in the subgroup of order r");
  to = p;
  return ok();
}

template <class Point>
Status read_member_point(const std::string& file, const JsonNode& root, const char* key, Point& to) {
  VOUCH_TRY(const Place at, member(file, root, key));
  return read_point(at, to);
}

// Coordinates have about 77 digits: even in the most compact form there are over 40 bytes to a value.
JsonLimits limits_for(Bytes file) {
  return {.values = 256 + file.size() / 16};
}

Status expect_object(const std::string& file, const JsonNode& root, const std::string& what) {
  if (root.kind == Kind::object) return ok();
  return Error{Code::malformed, file + ": expected " + what + ", but the file holds " + describe(root)};
}

// The member `key` must be the string `value` (or absent, where `optional`).
Status expect_word(const std::string& file, const JsonNode& root, const char* key, std::string_view value,
                   bool optional = false) {
  if (optional && !root.find(key)) return ok();
  VOUCH_TRY(const Place at, member(file, root, key));
  if (at.node.kind != Kind::string) return at.error("is " + describe(at.node) + " instead of a string");
  if (at.node.text != value)
    return at.error("is \"" + at.node.text.substr(0, 40) + "\"; vouch verifies only \"" + std::string(value) +
                    "\"");
  return ok();
}

}  // namespace

Result<groth16::Proof> parse_proof(const std::string& name, Bytes file) {
  VOUCH_TRY(const JsonNode root, parse_json(name, file, "a proof in JSON", limits_for(file)));
  VOUCH_CHECK(expect_object(name, root, "a proof"));
  VOUCH_CHECK(expect_word(name, root, "protocol", "groth16"));
  VOUCH_CHECK(expect_word(name, root, "curve", "bn128", true));
  groth16::Proof proof;
  VOUCH_CHECK(read_member_point(name, root, "pi_a", proof.a));
  VOUCH_CHECK(read_member_point(name, root, "pi_b", proof.b));
  VOUCH_CHECK(read_member_point(name, root, "pi_c", proof.c));
  return proof;
}

Result<std::vector<Bn254Fr>> parse_public(const std::string& name, Bytes file,
                                          const std::optional<ExpectedPublics>& expected) {
  JsonLimits limits;
  if (expected) limits.elements = expected->count + 1;
  VOUCH_TRY(const JsonNode root, parse_json(name, file, "public signals in JSON", limits));
  if (root.kind != Kind::array)
    return Error{Code::malformed,
                 name + ": expected an array of public signals, but the file holds " + describe(root)};
  std::vector<Bn254Fr> signals;
  signals.reserve(root.elements.size());
  for (std::size_t i = 0; i < root.elements.size(); i++) {
    const Place at{name, "public signal " + std::to_string(i), root.elements[i]};
    VOUCH_TRY(const auto value, read_integer(at, Bn254Fr::modulus));
    signals.push_back(Bn254Fr::from_int(value));
  }
  if (expected && root.count != expected->count)
    return Error{Code::rejected, name + ": has " + std::to_string(root.count) + " public signals, but " +
                                     expected->key_name + " is for a circuit with " +
                                     std::to_string(expected->count)};
  return signals;
}

Result<groth16::VerifyingKey> parse_verifying_key(const std::string& name, Bytes file) {
  VOUCH_TRY(const JsonNode root, parse_json(name, file, "a verification key in JSON", limits_for(file)));
  VOUCH_CHECK(expect_object(name, root, "a verification key"));
  VOUCH_CHECK(expect_word(name, root, "protocol", "groth16"));
  VOUCH_CHECK(expect_word(name, root, "curve", "bn128"));
  groth16::VerifyingKey key;
  VOUCH_CHECK(read_member_point(name, root, "vk_alpha_1", key.alpha1));
  VOUCH_CHECK(read_member_point(name, root, "vk_beta_2", key.beta2));
  VOUCH_CHECK(read_member_point(name, root, "vk_gamma_2", key.gamma2));
  VOUCH_CHECK(read_member_point(name, root, "vk_delta_2", key.delta2));
  VOUCH_TRY(const Place count, member(name, root, "nPublic"));
  VOUCH_TRY(const Place ic, member(name, root, "IC"));
  if (ic.node.kind != Kind::array) return ic.error("is " + describe(ic.node) + " instead of an array");
  if (count.node.kind != Kind::number)
    return count.error("is " + describe(count.node) + " instead of a number");
  if (ic.node.elements.empty()) return ic.error("is empty");
  if (count.node.text != std::to_string(ic.node.elements.size() - 1))
    return count.error("is " + count.node.text.substr(0, 40) + ", but IC has " +
                       std::to_string(ic.node.elements.size()) +
                       " points, one more than there are public signals");
  key.ic.resize(ic.node.elements.size());
  for (std::size_t i = 0; i < key.ic.size(); i++) VOUCH_CHECK(read_point(ic.element(i), key.ic[i]));
  return key;
}

Result<groth16::Proof> read_proof(const std::string& path) {
  VOUCH_TRY(const auto file, MappedFile::open(path));
  return parse_proof(path, file.bytes());
}
Result<std::vector<Bn254Fr>> read_public(const std::string& path,
                                         const std::optional<ExpectedPublics>& expected) {
  VOUCH_TRY(const auto file, MappedFile::open(path));
  return parse_public(path, file.bytes(), expected);
}
Result<groth16::VerifyingKey> read_verifying_key(const std::string& path) {
  VOUCH_TRY(const auto file, MappedFile::open(path));
  return parse_verifying_key(path, file.bytes());
}

}  // namespace vouch::formats
