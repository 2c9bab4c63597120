// JSON: written byte for byte as snarkjs does, read strictly.
#include "vouch/formats/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "vouch/formats/decimal.h"
#include "vouch/formats/test_files.h"

namespace vouch::formats {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::string> circuits = {"mul3",      "edge_pub0",   "edge_nocons",
                                           "edge_dom2", "edge_puball", "pos12"};

Json golden(const std::string& path) {
  return Json::parse(text_of(read_golden(path)));
}

TEST(Json, RoundTripIsByteIdentical) {
  for (const std::string& name : circuits) {
    const Blob proof = read_golden(name + "/proof.json"), publics = read_golden(name + "/public.json"),
               key = read_golden(name + "/verification_key.json");
    auto p = parse_proof("p", proof);
    auto u = parse_public("u", publics);
    auto k = parse_verifying_key("k", key);
    ASSERT_TRUE(p.ok() && u.ok() && k.ok()) << name << error_of(p) << error_of(u) << error_of(k);
    EXPECT_EQ(proof_json(p.value()), text_of(proof));
    EXPECT_EQ(public_json(u.value()), text_of(publics));
    EXPECT_EQ(verifying_key_json(k.value()), text_of(key));
  }
  EXPECT_EQ(public_json({}), "[\n]");
}

TEST(Json, Infinity) {
  const std::string text = proof_json({});
  EXPECT_EQ(Json::parse(text)["pi_a"], (Json{"0", "1", "0"}));
  EXPECT_EQ(Json::parse(text)["pi_b"], Json::parse(R"([["0", "0"], ["1", "0"], ["0", "0"]])"));
  auto back = parse_proof("p", blob_of(text));
  ASSERT_TRUE(back.ok()) << error_of(back);
  EXPECT_TRUE(back.value().a.is_infinity() && back.value().b.is_infinity());
}

std::string proof_error(const Json& proof) {
  return error_of(parse_proof("p.json", blob_of(proof.dump())));
}

TEST(Json, Proofs) {
  const Json good = golden("mul3/proof.json");
  const auto changed = [&](auto change) {
    Json j = good;
    change(j);
    return proof_error(j);
  };
  EXPECT_EQ(changed([](Json& j) { j.erase("curve"); }), "(no error)");  // rapidsnark writes none
  EXPECT_EQ(changed([](Json& j) { j.erase("pi_b"); }), "p.json: pi_b is missing");
  EXPECT_EQ(changed([](Json& j) { j.erase("protocol"); }), "p.json: protocol is missing");
  EXPECT_EQ(changed([](Json& j) { j["protocol"] = "plonk"; }),
            "p.json: protocol is \"plonk\"; vouch verifies only \"groth16\"");
  EXPECT_EQ(changed([](Json& j) { j["curve"] = "bls12381"; }),
            "p.json: curve is \"bls12381\"; vouch verifies only \"bn128\"");
  EXPECT_EQ(changed([](Json& j) { j["pi_a"][0] = 12; }),
            "p.json: pi_a[0] is the number 12 instead of a decimal string");
  EXPECT_EQ(changed([](Json& j) { j["pi_a"][0] = "0x12"; }),
            "p.json: pi_a[0] is hexadecimal; only decimal strings are read");
  EXPECT_EQ(changed([](Json& j) { j["pi_b"][1][0] = to_decimal(Bn254Fq::modulus); }),
            "p.json: pi_b[1][0] is not below the field's modulus; every value has one spelling");
  EXPECT_EQ(changed([](Json& j) { j["pi_a"][1] = "5"; }), "p.json: pi_a is not on the curve");
  EXPECT_EQ(changed([](Json& j) { j["pi_a"][2] = "2"; }),
            "p.json: pi_a is not normalized: its third coordinate must be 1");
  EXPECT_EQ(changed([](Json& j) { j["pi_a"] = {"0", "0", "1"}; }), "p.json: pi_a is not on the curve");
  EXPECT_EQ(changed([](Json& j) { j["pi_c"] = {"1", "2"}; }), "p.json: pi_c has 2 elements instead of 3");
  EXPECT_EQ(changed([](Json& j) { j["pi_c"] = "1"; }), "p.json: pi_c is a string instead of an array");
  EXPECT_EQ(changed([](Json& j) { j["pi_b"][0] = "1"; }), "p.json: pi_b[0] is a string instead of an array");
  EXPECT_EQ(proof_error(Json::array()), "p.json: expected a proof, but the file holds an array");
}

TEST(Json, Publics) {
  const auto error = [](std::string_view text) { return error_of(parse_public("u.json", blob_of(text))); };
  const std::string s1 = "u.json: public signal 1 ";
  EXPECT_EQ(error("[]"), "(no error)");
  EXPECT_EQ(error("[\n]"), "(no error)");
  EXPECT_EQ(error("[\"1\", 2]"), s1 + "is the number 2 instead of a decimal string");
  EXPECT_EQ(error("[\"1\", null]"), s1 + "is null instead of a decimal string");
  EXPECT_EQ(error("[\"1\", \"01\"]"), s1 + "has a leading zero; every value has one spelling");
  EXPECT_EQ(error("[\"1\", \"" + to_decimal(Bn254Fr::modulus) + "\"]"),
            s1 + "is not below the field's modulus; every value has one spelling");
  EXPECT_EQ(error("{}"), "u.json: expected an array of public signals, but the file holds an object");
  EXPECT_EQ(error(""), "u.json: the file is empty");
  EXPECT_EQ(error("1, 2"), "u.json: expected public signals in JSON, but this looks like text");
  EXPECT_EQ(error("[\"1\""), "u.json: is damaged or not JSON: cannot be read beyond byte 5");
  EXPECT_EQ(error("[\"1\"] x"), "u.json: is damaged or not JSON: cannot be read beyond byte 7");

  const Blob three = blob_of("[\"1\", \"2\", \"3\"]");
  const auto expect = [&](std::size_t n) {
    return error_of(parse_public("u.json", three, ExpectedPublics{n, "k.json"}));
  };
  EXPECT_EQ(expect(3), "(no error)");
  EXPECT_EQ(expect(4), "u.json: has 3 public signals, but k.json is for a circuit with 4");
  EXPECT_EQ(expect(1), "u.json: has 3 public signals, but k.json is for a circuit with 1");
  EXPECT_EQ(expect(0), "u.json: has 3 public signals, but k.json is for a circuit with 0");
}

TEST(Json, VerifyingKeys) {
  const Json good = golden("mul3/verification_key.json");
  const auto changed = [&](auto change) {
    Json j = good;
    change(j);
    return error_of(parse_verifying_key("k.json", blob_of(j.dump())));
  };
  EXPECT_EQ(changed([](Json& j) { j.erase("vk_alphabeta_12"); }), "(no error)");  // implied by the others
  EXPECT_EQ(changed([](Json& j) { j.erase("IC"); }), "k.json: IC is missing");
  EXPECT_EQ(changed([](Json& j) { j.erase("curve"); }), "k.json: curve is missing");
  EXPECT_EQ(changed([](Json& j) { j["protocol"] = "fflonk"; }),
            "k.json: protocol is \"fflonk\"; vouch verifies only \"groth16\"");
  EXPECT_EQ(changed([](Json& j) { j["nPublic"] = 3; }),
            "k.json: nPublic is 3, but IC has 3 points, one more than there are public signals");
  EXPECT_EQ(changed([](Json& j) { j["nPublic"] = "2"; }), "k.json: nPublic is a string instead of a number");
  EXPECT_EQ(changed([](Json& j) { j["IC"] = Json::array(); }), "k.json: IC is empty");
  EXPECT_EQ(changed([](Json& j) { j["IC"][2][0] = "1"; }), "k.json: IC[2] is not on the curve");
  EXPECT_EQ(changed([](Json& j) { j["vk_gamma_2"][0][0] = "1"; }), "k.json: vk_gamma_2 is not on the curve");
}

TEST(Json, HostileDocuments) {
  const auto error = [](const std::string& text) { return error_of(parse_proof("p.json", blob_of(text))); };
  EXPECT_EQ(error("{\"pi_a\": 1, \"pi_a\": 2}"), "p.json: the member \"pi_a\" appears twice");
  EXPECT_EQ(error(std::string(100000, '[')), "p.json: is nested more deeply than any such file");
  std::string many = "{";
  for (int i = 0; i < 100; i++) many += "\"k" + std::to_string(i) + "\": 1, ";
  EXPECT_EQ(error(many + "\"z\": 1}"), "p.json: an object has more members than any such file");
  std::string wide = "{\"pi_a\": [0";
  for (int i = 0; i < 100000; i++) wide += ",0";
  EXPECT_EQ(error(wide + "]}"), "p.json: holds more values than any such file of its size");
  EXPECT_EQ(error("{\"pi_a\": \"\xff\"}"), "p.json: is damaged or not JSON: cannot be read beyond byte 11");
  // Beyond the expected number nothing is kept.
  std::string publics = "[\"1\"";
  for (int i = 0; i < 1000; i++) publics += ",[1]";
  EXPECT_EQ(error_of(parse_public("u", blob_of(publics + "]"), ExpectedPublics{0, "k"})),
            "u: holds arrays or objects where values should be");
}

}  // namespace
}  // namespace vouch::formats
