// Containers: any order of sections, and every way of being damaged.
#include "vouch/formats/container.h"

#include <gtest/gtest.h>

#include "vouch/formats/sniff.h"
#include "vouch/formats/test_files.h"

namespace vouch::formats {
namespace {

constexpr std::string_view titles[] = {"", "one", "two"};
constexpr ContainerFormat format{"test", "a test file", 3, titles};

TestContainer good() {
  return {"test", 2, {{2, blob_of("bb")}, {1, blob_of("a")}, {9, {}}}};
}
std::string open_error(const Blob& file, bool allow_trailing = false) {
  return error_of(Container::open("f", file, format, allow_trailing));
}

TEST(Container, SectionsInAnyOrder) {
  const Blob file = good().bytes();
  auto opened = Container::open("f", file, format);
  ASSERT_TRUE(opened.ok());
  const Container& c = opened.value();
  EXPECT_EQ(c.version(), 2u);
  EXPECT_EQ(c.ids(), (std::vector<std::uint32_t>{2, 1, 9}));
  auto one = c.section(1);
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(std::string(one.value().begin(), one.value().end()), "a");
  EXPECT_GE(one.value().data(), file.data());  // a view, not a copy
  EXPECT_LT(one.value().data(), file.data() + file.size());
  EXPECT_EQ(error_of(c.section(3)), "f: section 3 is missing");
  EXPECT_EQ(error_of(c.section(2, 3, "three bytes")),
            "f: section 2 (two) has 2 bytes, but three bytes take 3");
  EXPECT_TRUE(c.section(2, 2, "two bytes").ok());
}

TEST(Container, EveryCutIsAnError) {
  const Blob file = good().bytes();
  for (std::size_t n = 0; n < file.size(); n++)
    EXPECT_NE(open_error(Blob(file.begin(), file.begin() + std::ptrdiff_t(n))), "(no error)") << n;
}

TEST(Container, Damage) {
  EXPECT_EQ(open_error({}), "f: expected a test file, but this looks like an empty file");
  EXPECT_EQ(open_error(blob_of("test\1\0")), "f: the file is cut off: it ends inside its header");
  TestContainer c = good();
  c.version = 4;
  EXPECT_EQ(open_error(c.bytes()), "f: version 4 of the format is not known; versions up to 3 are");
  c.version = 0;
  EXPECT_EQ(open_error(c.bytes()), "f: version 0 of the format is not known; versions up to 3 are");

  Blob file = good().bytes();
  const auto with_count = [&](std::uint32_t n) {
    Blob changed = file;
    std::memcpy(changed.data() + 8, &n, 4);
    return changed;
  };
  EXPECT_EQ(open_error(with_count(0xFFFFFFFF)),
            "f: the header claims 4294967295 sections, more than any such file has");
  EXPECT_EQ(open_error(with_count(4)),
            "f: the file is cut off: it has 3 of the 4 sections its header claims");
  EXPECT_EQ(open_error(with_count(2)), "f: 12 bytes follow the last section, section 1 (one)");
  EXPECT_EQ(open_error(with_count(2), true), "(no error)");
  EXPECT_EQ(open_error(with_count(0)), "f: 39 bytes follow the last section, of which there are none");

  for (const u64 length : {u64(28), ~u64(0), ~u64(0) - 27, u64(1) << 63}) {
    Blob changed = file;
    std::memcpy(changed.data() + 16, &length, 8);
    EXPECT_EQ(open_error(changed),
              "f: section 2 (two) claims " + std::to_string(length) + " bytes, but the file ends after 27");
  }
  c = good();
  c.sections[2].id = 2;
  EXPECT_EQ(open_error(c.bytes()), "f: section 2 (two) appears twice");
}

TEST(Sniff, FilesGivenByMistake) {
  const auto looks = [](std::string_view text) { return describe(blob_of(text)); };
  using namespace std::string_view_literals;
  EXPECT_EQ(describe(read_golden("mul3/mul3.zkey")), "a Groth16 proving key (.zkey)");
  EXPECT_EQ(describe(read_golden("mul3/mul3.wtns")), "a witness (.wtns)");
  EXPECT_EQ(describe(read_golden("mul3/mul3.r1cs")), "a constraint system (.r1cs)");
  EXPECT_EQ(describe(read_golden("mul3/proof.json")), "a proof in JSON");
  EXPECT_EQ(describe(read_golden("mul3/verification_key.json")), "a verification key in JSON");
  EXPECT_EQ(describe(read_golden("mul3/public.json")), "a JSON array (public signals, perhaps)");
  EXPECT_EQ(looks("ptau"), "powers of tau (.ptau)");
  EXPECT_EQ(looks("zkey"), "a proving key (.zkey)");
  EXPECT_EQ(looks("{\"a\": 1}"), "JSON");
  EXPECT_EQ(looks("\0asm\1\0\0\0"sv), "a WebAssembly module (.wasm)");
  EXPECT_EQ(looks("\x1f\x8b\x08"), "a gzip archive");
  EXPECT_EQ(looks("PK\x03\x04"), "a zip archive");
  EXPECT_EQ(looks("<!doctype html>"), "HTML or XML");
  EXPECT_EQ(looks("version https://git-lfs.github.com/spec/v1"), "a Git LFS pointer, not the file itself");
  EXPECT_EQ(looks("pragma circom 2.0.0;"), "circom source");
  EXPECT_EQ(looks("hello\n"), "text");
  EXPECT_EQ(looks(std::string_view("\0\0\0\0", 4)), "zero bytes (a download that was cut off, perhaps)");
  EXPECT_EQ(looks("\x80\x81"), "none of the formats vouch knows");
  EXPECT_EQ(looks(""), "an empty file");
}

TEST(Sniff, Primes) {
  const auto curve = [](Blob prime) { return std::string(curve_of_prime(prime)); };
  Blob r(32);
  std::memcpy(r.data(),
              "\x01\x00\x00\xf0\x93\xf5\xe1\x43\x91\x70\xb9\x79\x48\xe8\x33\x28"
              "\x5d\x58\x81\x81\xb6\x45\x50\xb8\x29\xa0\x31\xe1\x72\x4e\x64\x30",
              32);
  EXPECT_EQ(curve(r), "BN254");
  r.resize(40);
  EXPECT_EQ(curve(r), "BN254");  // written with more bytes, it is the same prime
  EXPECT_EQ(curve({0x01, 0, 0, 0, 0xff, 0xff, 0xff, 0xff}), "Goldilocks");
  EXPECT_EQ(curve({}), "");
  EXPECT_EQ(curve({7}), "");
}

}  // namespace
}  // namespace vouch::formats
