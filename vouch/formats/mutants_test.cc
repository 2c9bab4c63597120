// Damaged copies of every kind of file, in memory: an answer or an error, and no buffer above twice the file.
#include <gtest/gtest.h>

#include <functional>

#include "vouch/core/rng.h"
#include "vouch/formats/json.h"
#include "vouch/formats/ptau.h"
#include "vouch/formats/r1cs.h"
#include "vouch/formats/sniff.h"
#include "vouch/formats/test_allocations.h"
#include "vouch/formats/test_files.h"
#include "vouch/formats/wtns.h"
#include "vouch/formats/zkey.h"

namespace vouch::formats {
namespace {

struct Decoder {
  std::string golden;
  std::function<void(Bytes)> run;
};

std::vector<Decoder> decoders() {
  return {
      {"mul3/mul3.zkey",
       [](Bytes b) {
         auto zkey = parse_zkey("f", b, {}, Threads(1));
         (void)parse_zkey("f", b, {.allow_insecure_key = true, .allow_damaged_tail = true}, Threads(1));
         if (zkey.ok()) (void)groth16::verifying_key(zkey.value().key);
       }},
      {"mul3/mul3.wtns",
       [](Bytes b) {
         auto wtns = parse_wtns("f", b);
         if (wtns.ok()) (void)check_values(wtns.value());
       }},
      {"mul3/mul3.r1cs",
       [](Bytes b) {
         auto r1cs = parse_r1cs("f", b);
         if (r1cs.ok()) (void)read_statistics(r1cs.value());
       }},
      {"mul3/proof.json", [](Bytes b) { (void)parse_proof("f", b); }},
      {"mul3/public.json", [](Bytes b) { (void)parse_public("f", b); }},
      {"mul3/verification_key.json", [](Bytes b) { (void)parse_verifying_key("f", b); }},
  };
}

// Small files may need a little more than twice their size for the words of an error.
constexpr std::size_t small_change = 8192;

class Mutants : public ::testing::Test {
 protected:
  void run(const Decoder& decoder, const Blob& mutant) {
    largest_request = 0;
    decoder.run(mutant);
    (void)describe(mutant);
    EXPECT_LE(largest_request, 2 * mutant.size() + small_change) << decoder.golden;
    count_++;
  }
  std::size_t count_ = 0;
};

TEST_F(Mutants, CutAtEveryPlace) {
  for (const Decoder& decoder : decoders()) {
    const Blob file = read_golden(decoder.golden);
    for (std::size_t n = 0; n < file.size(); n += 1 + n / 64)
      run(decoder, Blob(file.begin(), file.begin() + std::ptrdiff_t(n)));
  }
  EXPECT_GE(count_, 500u);
}

TEST_F(Mutants, EveryWordOfTheHeadReplaced) {
  for (const Decoder& decoder : decoders()) {
    const Blob file = read_golden(decoder.golden);
    for (std::size_t at = 0; at + 4 <= std::min<std::size_t>(file.size(), 800); at += 4)
      for (const std::uint32_t value : {0u, 1u, 0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu}) {
        Blob mutant = file;
        std::memcpy(mutant.data() + at, &value, 4);
        run(decoder, mutant);
      }
  }
  EXPECT_GE(count_, 500u);
}

TEST_F(Mutants, RandomBytesChanged) {
  InsecureTestRng rng(7);
  for (const Decoder& decoder : decoders()) {
    const Blob file = read_golden(decoder.golden);
    for (int i = 0; i < 400; i++) {
      Blob mutant = file;
      for (u64 k = rng.next() % 4 + 1; k > 0; k--)
        mutant[rng.next() % mutant.size()] = std::uint8_t(rng.next());
      run(decoder, mutant);
    }
  }
  EXPECT_GE(count_, 500u);
}

}  // namespace
}  // namespace vouch::formats
