// Prints the kernel text, for the checks beside this file: with no argument each module that has kernels and
// their names, one module a line; with a module's name its text.
#include <cstdio>
#include <cstring>

#include "vouch/kernels/text.h"

int main(int argc, char** argv) {
  using namespace vouch::kernels;
  std::string out;
  for (const Module module : all_modules()) {
    if (argc > 1 && std::strcmp(argv[1], name_of(module)) == 0) out = render_text(module);
    if (argc > 1 || kernels_of(module).empty()) continue;
    out += name_of(module);
    for (const char* kernel : kernels_of(module)) out += std::string(" ") + kernel;
    out += "\n";
  }
  return !out.empty() && std::fwrite(out.data(), 1, out.size(), stdout) == out.size() ? 0 : 1;
}
