// Prints the rendered kernel text, for the checks beside this file.
#include <cstdio>

#include "vouch/kernels/text.h"

int main() {
  const std::string text = vouch::kernels::render_text();
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
}
