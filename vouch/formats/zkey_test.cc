// Proving keys: golden ones, each thing that can be wrong with one, and what an opened key shows.
#include "vouch/formats/zkey.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "vouch/formats/json.h"
#include "vouch/formats/test_files.h"

namespace vouch::formats {
namespace {

constexpr std::size_t wires_at = 72, publics_at = 76, domain_at = 80, alpha1_at = 84, beta2_at = 212,
                      gamma2_at = 340, delta1_at = 468;

std::string parse_error(const Blob& file, const ZkeyOptions& options = {}) {
  return error_of(parse_zkey("k.zkey", file, options, Threads(1)));
}

class ZkeyDamage : public ::testing::Test {
 protected:
  // What opening mul3's key says after a change to it.
  template <class F>
  std::string changed(F change, const ZkeyOptions& options = {}) {
    TestContainer c = good_;
    change(c);
    return parse_error(c.bytes(), options);
  }
  TestContainer good_ = TestContainer::parse(read_golden("mul3/mul3.zkey"));
};

TEST(Zkey, GoldenFiles) {
  for (const std::string name : {"mul3", "edge_pub0", "edge_nocons", "edge_dom2", "edge_puball", "pos12"}) {
    const Blob file = read_golden(name + "/" + name + ".zkey");
    auto opened = parse_zkey(name, file);
    ASSERT_TRUE(opened.ok()) << error_of(opened);
    const groth16::ProvingKey& key = opened.value().key;
    EXPECT_TRUE(opened.value().contributions_read);
    EXPECT_EQ(opened.value().contributions.size(), 1u) << name;
    EXPECT_EQ(verifying_key_json(groth16::verifying_key(key)),
              text_of(read_golden(name + "/verification_key.json")));
    EXPECT_EQ(error_of(groth16::check_points(key)), "(no error)") << name;
    EXPECT_GE(key.a.data(), file.data());  // a view, not a copy
    EXPECT_LE(key.a.data() + key.a.size(), file.data() + file.size());
  }
}

TEST(Zkey, Counts) {
  const Blob file = read_golden("pos12/pos12.zkey");
  auto opened = parse_zkey("k", file);
  ASSERT_TRUE(opened.ok());
  const groth16::ProvingKey& key = opened.value().key;
  EXPECT_EQ(key.log_domain, 12);
  EXPECT_EQ(key.constraint_count(), 3840u);
  EXPECT_EQ(key.c.size(), 64u * (key.wire_count - key.public_count - 1));
  EXPECT_EQ(key.records.size(), 44u * key.record_count());
}

TEST(Zkey, SectionsInAnyOrder) {
  TestContainer c = TestContainer::parse(read_golden("mul3/mul3.zkey"));
  std::reverse(c.sections.begin(), c.sections.end());
  c.sections.insert(c.sections.begin() + 2, {77, blob_of("a section of another tool")});
  EXPECT_EQ(parse_error(c.bytes()), "(no error)");
}

TEST(Zkey, EveryCutIsAnError) {
  const Blob file = read_golden("mul3/mul3.zkey");
  for (std::size_t n = 0; n < file.size(); n += n < 1000 ? 1 : 7)
    EXPECT_FALSE(parse_zkey("k", Bytes(file).first(n), {}, Threads(1)).ok()) << n;
}

TEST_F(ZkeyDamage, Header) {
  const std::string h = "k.zkey: section 2 (header): ";
  const auto word = [&](std::size_t at, std::uint32_t x) {
    return changed([&](auto& c) { c.set(2, at, x); });
  };
  EXPECT_EQ(word(domain_at, 12), h + "the domain size 12 is not a power of two");
  EXPECT_EQ(word(domain_at, 0), h + "the domain size 0 is not a power of two");
  EXPECT_EQ(word(domain_at, 1), h + "the domain size 2^0 is outside 2^1 .. 2^28");
  EXPECT_EQ(word(domain_at, 1u << 31), h + "the domain size 2^31 is outside 2^1 .. 2^28");
  EXPECT_EQ(word(domain_at, 1u << 28),
            "k.zkey: section 9 (H points) has 512 bytes, but 268435456 points of 64 bytes take 17179869184");
  EXPECT_EQ(word(domain_at, 2), h + "a domain of 2 rows is too small for 2 public signals");
  EXPECT_EQ(word(wires_at, 2), h + "claims 2 public signals but only 2 wires");
  EXPECT_EQ(
      word(wires_at, 0xFFFFFFFF),
      "k.zkey: section 5 (A points) has 512 bytes, but 4294967295 points of 64 bytes take 274877906880");
  EXPECT_EQ(word(publics_at, 0xFFFFFFFF), h + "claims 4294967295 public signals but only 8 wires");
  EXPECT_EQ(word(0, 0xFFFFFFFF), h + "is cut off inside its primes");
  EXPECT_EQ(word(4, 5), h + "the primes are those of no curve vouch knows");
  EXPECT_EQ(changed([](auto& c) { c[2].pop_back(); }), h + "is cut off");
  EXPECT_EQ(changed([](auto& c) { c[2].push_back(0); }), h + "has 1 bytes too many");
}

TEST_F(ZkeyDamage, OtherProtocolsAndCurves) {
  const auto protocol = [&](std::uint32_t x) { return changed([&](auto& c) { c.set(1, 0, x); }); };
  EXPECT_EQ(protocol(2), "k.zkey: this is a PLONK proving key; vouch makes Groth16 proofs only");
  EXPECT_EQ(protocol(10), "k.zkey: this is a FFLONK proving key; vouch makes Groth16 proofs only");
  EXPECT_EQ(protocol(7), "k.zkey: section 1 (protocol): proof system number 7 is not known");
  EXPECT_EQ(parse_error(read_golden("bls_mul3/bls_mul3.zkey")),
            "k.zkey: this key is for the curve BLS12-381; vouch makes Groth16 proofs "
            "over BN254 only");
  EXPECT_EQ(parse_error(read_golden("mul3/mul3.wtns")),
            "k.zkey: expected a proving key (.zkey), but this looks like a witness (.wtns)");
}

TEST_F(ZkeyDamage, HeaderPoints) {
  const std::string h = "k.zkey: section 2 (header): ";
  EXPECT_EQ(changed([](auto& c) { c.set(2, alpha1_at, Bn254Fq::modulus); }),
            h + "alpha1 has a coordinate that is not below the field modulus");
  EXPECT_EQ(changed([](auto& c) { c[2][alpha1_at] ^= 1; }), h + "alpha1 is not on the curve");
  EXPECT_EQ(changed([](auto& c) { c[2][beta2_at + 96] ^= 1; }), h + "beta2 is not on the curve");
  const auto infinity = [](auto& c) { std::fill_n(c[2].begin() + delta1_at, 64, std::uint8_t(0)); };
  EXPECT_EQ(changed(infinity),
            h + "delta1 is the point at infinity, so anyone can forge proofs under this key "
                "(--allow-insecure-key uses it all the same)");
  EXPECT_EQ(changed(infinity, {.allow_insecure_key = true}), "(no error)");
}

TEST_F(ZkeyDamage, NoSecondPhase) {
  const Blob file = read_golden("mul3/mul3_uncontributed.zkey");
  EXPECT_EQ(parse_error(file),
            "k.zkey: section 2 (header): gamma2 equals delta2: nobody has contributed to the second phase of "
            "this key, "
            "so anyone can forge proofs under it (snarkjs zkey contribute makes it safe; "
            "--allow-insecure-key uses it "
            "all the same)");
  EXPECT_EQ(parse_error(file, {.allow_insecure_key = true}), "(no error)");
}

TEST_F(ZkeyDamage, Coefficients) {
  const std::string s4 = "k.zkey: section 4 (coefficients): ";
  const auto word = [&](std::size_t at, std::uint32_t x) {
    return changed([&](auto& c) { c.set(4, at, x); });
  };
  EXPECT_EQ(word(4, 2), s4 + "record 0 names matrix 2; only 0 (A) and 1 (B) exist");
  EXPECT_EQ(word(8, 8), s4 + "record 0 names row 8, but the domain has 8");
  EXPECT_EQ(word(12 + 44, 0xFFFFFFFF), s4 + "record 1 names signal 4294967295, but the circuit has 8");
  EXPECT_EQ(changed([](auto& c) { c.set(4, 16 + 88, Bn254Fr::modulus); }),
            s4 + "record 2 has a value that is not below the field's modulus");
  EXPECT_EQ(word(0, 10), s4 + "claims 10 records of 44 bytes, but has 396 bytes for them");
  EXPECT_EQ(word(0, 0xFFFFFFFF), s4 + "claims 4294967295 records of 44 bytes, but has 396 bytes for them");
  EXPECT_EQ(changed([](auto& c) { c[4].resize(3); }), s4 + "is cut off before its count");
}

TEST_F(ZkeyDamage, PointSections) {
  for (const std::uint32_t id : {3u, 5u, 6u, 7u, 8u, 9u}) {
    EXPECT_NE(changed([&](auto& c) { c[id].pop_back(); }), "(no error)") << id;
    EXPECT_NE(changed([&](auto& c) { c[id].push_back(0); }), "(no error)") << id;
  }
  for (std::uint32_t id = 1; id <= 10; id++)
    EXPECT_NE(changed([&](auto& c) { c.remove(id); }).find("is missing"), std::string::npos) << id;
  EXPECT_EQ(changed([](auto& c) { c[3][64] ^= 1; }),
            "k.zkey: section 3 (IC points): point 1 is not on the curve");
}

TEST_F(ZkeyDamage, CheckPoints) {
  const auto check = [&](auto change) {
    TestContainer c = good_;
    change(c);
    const Blob file = c.bytes();
    auto opened = parse_zkey("k.zkey", file);
    return opened.ok() ? error_of(groth16::check_points(opened.value().key))
                       : "not opened: " + error_of(opened);
  };
  // A point of each table that is not infinity.
  const auto some_point = [&](std::uint32_t id, std::size_t size) {
    std::size_t at = 0;
    while (std::all_of(good_[id].begin() + std::ptrdiff_t(at), good_[id].begin() + std::ptrdiff_t(at + size),
                       [](auto b) { return b == 0; }))
      at += size;
    return at;
  };
  const std::pair<std::uint32_t, std::string> tables[] = {{5, "A"}, {6, "B1"}, {7, "B2"}, {8, "C"}, {9, "H"}};
  for (const auto& [id, name] : tables) {
    const std::size_t size = id == 7 ? 128 : 64, at = some_point(id, size);
    const std::string where = "k.zkey: section " + std::to_string(id) + " (" + name + " points): point " +
                              std::to_string(at / size);
    EXPECT_EQ(check([&](auto& c) { c[id][at] ^= 1; }), where + " is not on the curve");
    EXPECT_EQ(check([&](auto& c) { c.set(id, at, Bn254Fq::modulus); }),
              where + " has a coordinate that is not below the field modulus");
  }
  const auto copy = [](auto& c, std::size_t from, std::size_t to, std::size_t n) {
    std::copy_n(c[2].begin() + std::ptrdiff_t(from), n, c[2].begin() + std::ptrdiff_t(to));
  };
  EXPECT_EQ(check([&](auto& c) { copy(c, alpha1_at, delta1_at, 64); }),
            "k.zkey: section 2 (header): delta1 and delta2 are different multiples");
  EXPECT_EQ(check([&](auto& c) { copy(c, gamma2_at, beta2_at, 128); }),
            "k.zkey: section 2 (header): beta1 and beta2 are different multiples");
}

TEST_F(ZkeyDamage, Tail) {
  const std::string s10 = "k.zkey: section 10 (contributions)";
  EXPECT_EQ(changed([](auto& c) { c[10].resize(67); }), s10 + ": is cut off");
  EXPECT_EQ(changed([](auto& c) { c[10].resize(100); }),
            s10 + ": is cut off inside contribution 1 of the 1 it claims");
  EXPECT_EQ(changed([](auto& c) { c[10].push_back(0); }), s10 + ": 1 bytes follow the last contribution");
  EXPECT_EQ(changed([](auto& c) { c.set(10, 64, std::uint32_t(0xFFFFFFFF)); }),
            s10 + ": is cut off inside contribution 2 of the 4294967295 it claims");
  EXPECT_EQ(changed([](auto& c) { c.remove(10); }), s10 + " is missing");
  EXPECT_EQ(changed([](auto& c) { c.remove(10); }, {.allow_damaged_tail = true}), "(no error)");
  EXPECT_EQ(changed([](auto& c) { c[10].resize(67); }, {.allow_damaged_tail = true}), "(no error)");
  Blob trailing = good_.bytes();
  trailing.push_back(0);
  EXPECT_EQ(parse_error(trailing), "k.zkey: 1 bytes follow the last section, section 10 (contributions)");
  EXPECT_EQ(parse_error(trailing, {.allow_damaged_tail = true}), "(no error)");
}

}  // namespace
}  // namespace vouch::formats
