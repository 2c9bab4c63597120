// The rendered text: constants agree with the host dialect's, no include is left, each kernel has its module.
#include "vouch/kernels/text.h"

#include <gtest/gtest.h>

#include "vouch/kernels/host_constants.h"

namespace vouch::kernels {
namespace {

std::string hex_line(const char* name, u32 value) {
  char line[96];
  std::snprintf(line, sizeof line, "#define %s 0x%08xu\n", name, value);
  return line;
}

TEST(KernelText, ConstantsAreThoseOfTheHostDialect) {
  const std::string text = render_constants(Module::groth16);
  EXPECT_NE(text.find(hex_line("FR_N0", FR_N0)), std::string::npos);
  EXPECT_NE(text.find(hex_line("FR_N7", FR_N7)), std::string::npos);
  EXPECT_NE(text.find(hex_line("FQ_N3", FQ_N3)), std::string::npos);
  EXPECT_NE(text.find(hex_line("FQ_N0INV", FQ_N0INV)), std::string::npos);
  const std::string bb = render_constants(Module::babybear), kb = render_constants(Module::koalabear);
  EXPECT_NE(bb.find(hex_line("BB_INV", BB_INV)), std::string::npos);
  EXPECT_NE(bb.find(hex_line("BB_W4M", BB_W4M)), std::string::npos);
  EXPECT_NE(kb.find(hex_line("KB_ONE", KB_ONE)), std::string::npos);
}

// That each listed kernel is in its module's text is checked by compilers: tests/kernels/check.py.
TEST(KernelText, IsWholeForEveryModule) {
  for (const Module module : all_modules()) {
    const std::string text = render_text(module);
    EXPECT_NE(text.find("GK_PRELUDE_H"), std::string::npos) << name_of(module);
    EXPECT_EQ(text.find("#include \""), std::string::npos) << name_of(module);
    for (const char* kernel : kernels_of(module)) EXPECT_EQ(module_of(kernel), module) << kernel;
  }
  EXPECT_EQ(module_of("no_such_kernel"), std::nullopt);
}

}  // namespace
}  // namespace vouch::kernels
