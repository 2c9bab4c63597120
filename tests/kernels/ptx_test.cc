// The PTX machine itself: carries, the shifts' clamping, vectors, calls, barriers, and that it refuses what
// is wrong.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "ptx_machine.h"

namespace vouch::ptx {
namespace {

using Words = std::vector<std::uint32_t>;

const std::string head =
    ".version 7.0\n.target sm_75\n.address_size 64\n.extern .shared .align 16 .b8 gk_dyn_local[];\n";

// Runs `body` as a kernel over one buffer, %rd1, of which words comes back.
Result<Words> run_body(const std::string& body, Words words, LaunchShape shape = {1, 1, 0},
                       const std::string& functions = "") {
  VOUCH_TRY(auto program,
            parse(head + functions +
                  ".visible .entry k(.param .u64 k_param_0)\n{\n.reg .pred %p<8>;\n.reg .b32 %r<32>;\n"
                  ".reg .b64 %rd<16>;\nld.param.u64 %rd0, [k_param_0];\ncvta.to.global.u64 %rd1, %rd0;\n" +
                  body + "\nret;\n}\n"));
  const auto at = reinterpret_cast<std::uint64_t>(words.data());
  std::vector<std::uint8_t> pointer(8);
  std::memcpy(pointer.data(), &at, 8);
  std::mt19937 order(1);
  VOUCH_CHECK(run(*program, *program->find("k"), shape, {pointer}, {{at, words.size() * 4}}, order));
  return words;
}
Words words_of(const std::string& body, Words words, LaunchShape shape = {1, 1, 0},
               const std::string& functions = "") {
  auto out = run_body(body, std::move(words), shape, functions);
  EXPECT_TRUE(out.ok()) << out.error().what;
  return out.ok() ? std::move(out).value() : Words();
}
std::string error_of(const std::string& body, Words words, LaunchShape shape = {1, 1, 0}) {
  auto out = run_body(body, std::move(words), shape);
  return out.ok() ? "" : out.error().what;
}

TEST(PtxMachine, CarriesRunThroughAChain) {
  // {w2,w1,w0} = 0xffffffff ffffffff + 1 and its reverse; the block is what inline assembly leaves.
  EXPECT_EQ(words_of("ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+4]; mov.u32 %r3, 0;\n"
                     "{ add.cc.u32 %r1, %r1, 1; addc.cc.u32 %r2, %r2, 0;\n\t  addc.u32 %r3, 0, 0; }\n"
                     "st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], %r2; st.global.u32 [%rd1+8], %r3;\n"
                     "sub.cc.u32 %r1, %r1, 1; subc.cc.u32 %r2, %r2, 0; subc.u32 %r3, %r3, 0;\n"
                     "st.global.v2.u32 [%rd1+16], {%r1, %r2}; st.global.u32 [%rd1+24], %r3;",
                     {~0u, ~0u, 5, 0, 0, 0, 0, 0}),
            (Words{0, 0, 1, 0, ~0u, ~0u, 0, 0}));
  // mad.lo.cc then madc.hi: the 64-bit product plus a word, carried.
  const std::uint64_t product = std::uint64_t(0xfffffff1) * 0xfffffff3 + 0xffffffff;
  EXPECT_EQ(words_of("ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd1+4];\n"
                     "mad.lo.cc.u32 %r3, %r1, %r2, -1; madc.hi.cc.u32 %r4, %r1, %r2, 0; addc.u32 %r5, 0, 7;\n"
                     "st.global.u32 [%rd1], %r3; st.global.u32 [%rd1+4], %r4; st.global.u32 [%rd1+8], %r5;",
                     {0xfffffff1, 0xfffffff3, 0}),
            (Words{std::uint32_t(product), std::uint32_t(product >> 32), 7}));
}

TEST(PtxMachine, ArithmeticIsPtxs) {
  EXPECT_EQ(
      words_of("ld.global.u32 %r1, [%rd1]; mov.b32 %r2, 40; shl.b32 %r3, %r1, %r2; shr.u32 %r4, %r1, 32;\n"
               "shr.s32 %r5, %r1, 40; st.global.u32 [%rd1], %r3; st.global.u32 [%rd1+4], %r4; st.global.u32 "
               "[%rd1+8], %r5;\n"
               "mul.wide.u32 %rd2, %r1, %r1; st.global.u64 [%rd1+16], %rd2; brev.b32 %r6, %r1; st.global.u32 "
               "[%rd1+12], %r6;\n"
               "shf.l.wrap.b32 %r7, %r1, %r1, 4; st.global.u32 [%rd1+24], %r7; clz.b32 %r8, 1; st.global.u32 "
               "[%rd1+28], %r8;",
               {0x80000001, 9, 9, 9, 9, 9, 9, 9}),
      (Words{0, 0, ~0u, 0x80000001, 0x00000001, 0x40000001, 0x00000018, 31}));
  EXPECT_EQ(
      words_of(
          "mov.b32 %r1, -1; setp.lt.s32 %p1, %r1, 0; setp.lt.u32 %p2, %r1, 0; selp.b32 %r2, 11, 22, %p1;\n"
          "@%p2 mov.b32 %r2, 33;\n@!%p2 st.global.u32 [%rd1], %r2;",
          {0}),
      (Words{11}));
}

TEST(PtxMachine, LoopsAndCalls) {
  const std::string twice =
      ".func (.param .b32 func_retval0) twice(.param .b32 twice_param_0)\n{ .reg .b32 %r<4>;\n"
      "ld.param.u32 %r1, [twice_param_0]; add.s32 %r2, %r1, %r1; st.param.b32 [func_retval0+0], %r2; ret; "
      "}\n";
  EXPECT_EQ(
      words_of(
          "mov.u32 %r1, 1; mov.u32 %r2, 0;\n$L__BB0_1:\n{ // callseq 0, 0\n.param .b32 param0;\n"
          "st.param.b32 [param0+0], %r1;\n.param .b32 retval0;\ncall.uni (retval0), \ntwice, "
          "\n(\nparam0\n);\n"
          "ld.param.b32 %r1, [retval0+0];\n} // callseq 0\nadd.s32 %r2, %r2, 1; setp.ne.s32 %p1, %r2, 5;\n"
          "@%p1 bra \t$L__BB0_1;\nst.global.u32 [%rd1], %r1;",
          {0}, {1, 1, 0}, twice),
      (Words{32}));
}

TEST(PtxMachine, BarriersPartWhatWorkItemsWriteAndRead) {
  // Each writes its place, the left neighbour reads it after the barrier.
  const std::string write =
      "mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; mov.u64 %rd3, gk_dyn_local; add.s64 %rd4, %rd3, "
      "%rd2;\n"
      "st.shared.u32 [%rd4], %r1;\n";
  const std::string read =
      "add.s32 %r2, %r1, 1; and.b32 %r2, %r2, 3; mul.wide.u32 %rd5, %r2, 4; add.s64 %rd5, %rd3, %rd5;\n"
      "ld.shared.u32 %r3, [%rd5]; add.s64 %rd6, %rd1, %rd2; st.global.u32 [%rd6], %r3;";
  const Words right{1, 2, 3, 0};
  EXPECT_EQ(words_of(write + "bar.sync 0;\n" + read, {9, 9, 9, 9}, {1, 4, 16}), right);
  EXPECT_NE(words_of(write + read, {9, 9, 9, 9}, {1, 4, 16}), right) << "a missing barrier must show";
  EXPECT_NE(
      error_of("mov.u32 %r1, %tid.x; setp.eq.s32 %p1, %r1, 0; @%p1 bra $L__BB0_1;\nbar.sync 0;\n$L__BB0_1:",
               {0}, {1, 4, 0})
          .find("only some work-items"),
      std::string::npos);
}

TEST(PtxMachine, RefusesWhatAGpuWouldFailOn) {
  EXPECT_NE(error_of("st.global.u32 [%rd1+4], 1;", {0}).find("outside the memory"), std::string::npos);
  EXPECT_NE(error_of("ld.global.u32 %r1, [%rd1+-4];", {0}).find("outside the memory"), std::string::npos);
  EXPECT_NE(error_of("st.shared.u32 [gk_dyn_local+16], 1;", {0}, {1, 1, 16}).find("outside the memory"),
            std::string::npos);
  EXPECT_NE(error_of("ld.global.v2.u32 {%r1, %r2}, [%rd1+4];", {0, 0, 0, 0}).find("misaligned"),
            std::string::npos);
  EXPECT_NE(error_of("fma.rn.f32 %r1, %r1, %r1, %r1;", {0}).find("does not know"), std::string::npos);
  EXPECT_NE(error_of("mov.u32 %r99, 0;", {0}).find("no such register"), std::string::npos);
  EXPECT_NE(error_of("bra $L__nowhere;", {0}).find("no label"), std::string::npos);
  EXPECT_NE(error_of("atom.global.max.u32 %r1, [%rd1], 1;", {0}).find("does not know"), std::string::npos);
}

}  // namespace
}  // namespace vouch::ptx
