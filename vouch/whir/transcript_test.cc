// The challenger and its record.
#include "vouch/whir/transcript.h"

#include <gtest/gtest.h>

namespace vouch::whir {
namespace {

TEST(WhirTranscript, TextsOfOperations) {
  for (const char* text : {"O 17", "S 0", "U 8 225", "G 20 481180", "B 4 0"}) {
    auto op = parse_operation(text);
    ASSERT_TRUE(op.ok()) << text;
    EXPECT_EQ(to_string(op.value()), text);
  }
  for (const char* bad : {"", "O", "O ", "O x", "X 1", "U 8", "U 8 ", "O 1 2", "O 99999999999", "G  1"})
    EXPECT_FALSE(parse_operation(bad).ok()) << bad;
}

// The length of what was absorbed is part of the state.
TEST(WhirTranscript, LengthMatters) {
  Transcript a(FieldId::baby_bear, {}), b(FieldId::baby_bear, {}), c(FieldId::baby_bear, 1);
  a.observe_int(0);
  const Word x = a.draw(), y = b.draw(), z = c.draw();
  EXPECT_NE(x, y);
  EXPECT_NE(y, z);
}

TEST(WhirTranscript, ObservingDiscardsOutputs) {
  Transcript a(FieldId::koala_bear, {}), b(FieldId::koala_bear, {});
  a.observe_int(5);
  b.observe_int(5);
  EXPECT_EQ(a.draw(), b.draw());
  EXPECT_EQ(a.draw(), b.draw());
  a.observe_int(6);
  Transcript copy = a;
  EXPECT_NE(a.draw(), b.draw());
  Transcript again = copy;
  EXPECT_EQ(copy.draw(), again.draw());
}

// The state a grinder works on is the state the verifier checks.
TEST(WhirTranscript, CandidateIsWhatCheckDecides) {
  for (const std::uint32_t before : {0u, 1u, 7u, 8u}) {
    Transcript t(FieldId::baby_bear, {});
    for (std::uint32_t i = 0; i < before; i++) t.observe_int(i);
    const Transcript::Candidate c = t.candidate();
    for (std::uint32_t w = 0;; w++) {
      ASSERT_LT(w, 1000u);
      Poseidon2<BabyBear, 16>::State s;
      for (std::size_t i = 0; i < 16; i++) s[i] = BabyBear::raw(c.state[i]);
      s[std::size_t(c.position)] = BabyBear(w);
      Poseidon2<BabyBear, 16>::standard().permute(s);
      Transcript live = t;
      const bool right = (s[7].to_int() & 15) == 0;
      ASSERT_EQ(live.check(4, BabyBear(w).montgomery()), right) << w;
      if (!right) continue;
      Transcript prover = t;
      prover.absorb_found(4, BabyBear(w).montgomery());
      EXPECT_EQ(prover.draw(), live.draw());
      break;
    }
  }
}

TEST(WhirTranscript, UniformBits) {
  DuplexChallenger<KoalaBear> a, b;
  EXPECT_EQ(a.draw_uniform_bits(0), 0u);  // draws nothing
  EXPECT_EQ(a.draw(), b.draw());
  // Above the limit two halves, the low one first.
  DuplexChallenger<KoalaBear> c = a;
  const std::uint32_t low = c.draw_uniform_bits(12), high = c.draw_uniform_bits(13);
  EXPECT_EQ(a.draw_uniform_bits(25), low | high << 12);
  std::array<int, 8> seen{};
  for (int i = 0; i < 800; i++) seen[a.draw_uniform_bits(3)]++;
  for (int n : seen) EXPECT_GT(n, 50);
}

TEST(WhirTranscript, Records) {
  OperationLog log;
  Transcript t(FieldId::baby_bear, {});
  t.record_to(&log);
  t.observe_int(3);
  (void)t.query(5);
  t.record_to(nullptr);
  (void)t.draw();
  ASSERT_EQ(log.size(), 2u);
  EXPECT_EQ(to_string(log[0]), "O 3");
  EXPECT_EQ(log[1].bits, 5);
}

}  // namespace
}  // namespace vouch::whir
