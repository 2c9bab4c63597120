// The rendered text: constants agree with the host dialect's, every listed kernel is in it, no include is
// left.
#include "vouch/kernels/text.h"

#include <gtest/gtest.h>

#include "vouch/kernels/host_constants.h"
#include "vouch/kernels/list.h"

namespace vouch::kernels {
namespace {

std::string hex_line(const char* name, u32 value) {
  char line[96];
  std::snprintf(line, sizeof line, "#define %s 0x%08xu\n", name, value);
  return line;
}

TEST(KernelText, ConstantsAreThoseOfTheHostDialect) {
  const std::string text = render_constants();
  EXPECT_NE(text.find(hex_line("FR_N0", FR_N0)), std::string::npos);
  EXPECT_NE(text.find(hex_line("FR_N7", FR_N7)), std::string::npos);
  EXPECT_NE(text.find(hex_line("FQ_N3", FQ_N3)), std::string::npos);
  EXPECT_NE(text.find(hex_line("FQ_N0INV", FQ_N0INV)), std::string::npos);
  EXPECT_NE(text.find(hex_line("BB_INV", BB_INV)), std::string::npos);
  EXPECT_NE(text.find(hex_line("BB_W4M", BB_W4M)), std::string::npos);
  EXPECT_NE(text.find(hex_line("KB_ONE", KB_ONE)), std::string::npos);
}

// How the text spells a kernel: those of a group are templates by inclusion, named through MG(...).
std::string spelling(const std::string& kernel) {
  const std::string prefix = "msm_g1_";
  return kernel.rfind("msm_g", 0) == 0 ? "MG(" + kernel.substr(prefix.size()) + ")" : "(" + kernel;
}

TEST(KernelText, HoldsEveryListedKernelAndNoInclude) {
  const std::string text = render_text();
#define VOUCH_EXPECT_KERNEL(name) EXPECT_NE(text.find(spelling(#name)), std::string::npos) << #name;
  VOUCH_KERNELS(VOUCH_EXPECT_KERNEL)
#undef VOUCH_EXPECT_KERNEL
  EXPECT_EQ(text.find("#include \""), std::string::npos);
}

}  // namespace
}  // namespace vouch::kernels
