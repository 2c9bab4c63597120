// Renders the kernel text.
#include "vouch/kernels/text.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "vouch/field/fields.h"
#include "vouch/field/prime31.h"
#include "vouch/kernels/embedded.h"

namespace vouch::kernels {

namespace {

std::string_view embedded(std::string_view name) {
  for (const EmbeddedFile* f = embedded_files; f->name; f++)
    if (name == f->name) return {f->data, f->size};
  return {};
}

// The file with each line `#include "x"` replaced by x, expanded. Kernel text includes only kernel text.
void expand(std::string& out, std::string_view name) {
  constexpr std::string_view include = "#include \"";
  std::string_view text = embedded(name);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    if (line.substr(0, include.size()) == include)
      expand(out, line.substr(include.size(), line.find('"', include.size()) - include.size()));
    else
      out += line;
  }
}

void define(std::string& out, const std::string& name, u32 value) {
  char line[96];
  std::snprintf(line, sizeof line, "#define %s 0x%08xu\n", name.c_str(), value);
  out += line;
}

template <int N>
void define_words(std::string& out, const std::string& name, const UInt<N>& value) {
  for (int i = 0; i < 2 * N; i++)
    define(out, name + std::to_string(i), static_cast<u32>(value.limb[std::size_t(i / 2)] >> (32 * (i % 2))));
}

template <class F>
void define_field254(std::string& out, const std::string& name) {
  define_words(out, name + "_N", F::modulus);
  define_words(out, name + "_R1_", F::r1);
  define(out, name + "_N0INV", static_cast<u32>(F::neg_inv));
}

template <class F>
void define_field31(std::string& out, const std::string& name) {
  define(out, name + "_P", F::modulus);
  define(out, name + "_INV", F::inverse_mod_r);
  define(out, name + "_ONE", F::r1);
  define(out, name + "_R2", F::r2);
  for (const int degree : {4, 5}) {  // a trinomial has no w: its text does not use it
    const u32 w = F::Params::binomial(degree);
    define(out, name + "_W" + std::to_string(degree), w);
    define(out, name + "_W" + std::to_string(degree) + "M", F(w).montgomery());
  }
}

}  // namespace

std::string render_constants() {
  std::string out;
  define_field254<Bn254Fr>(out, "FR");
  define_field254<Bn254Fq>(out, "FQ");
  define_field31<BabyBear>(out, "BB");
  define_field31<KoalaBear>(out, "KB");
  return out;
}

std::string render_text() {
  std::string out = render_constants();
  expand(out, "kernels.h");
  return out;
}

}  // namespace vouch::kernels
