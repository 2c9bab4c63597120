// Renders the kernel text.
#include "vouch/kernels/text.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "vouch/curve/curves.h"
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
  (void)std::snprintf(line, sizeof line, "#define %s 0x%08xu\n", name.c_str(), value);
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

#define VOUCH_NAME(name) #name,
#define VOUCH_MODULE(module, list) \
  constexpr const char* const module##_kernels[] = {list(VOUCH_NAME) nullptr};
VOUCH_KERNEL_MODULES(VOUCH_MODULE)
#undef VOUCH_MODULE
#undef VOUCH_NAME

struct Entry {
  Module module;
  const char* name;
  std::span<const char* const> kernels;
};
constexpr Entry modules[] = {
#define VOUCH_MODULE(module, list) \
  {Module::module, #module, std::span(module##_kernels).first(std::size(module##_kernels) - 1)},
    VOUCH_KERNEL_MODULES(VOUCH_MODULE)
#undef VOUCH_MODULE
};
const Entry& entry(Module module) {
  return modules[static_cast<std::size_t>(module)];
}

}  // namespace

std::span<const Module> all_modules() {
  static constexpr Module all[] = {
#define VOUCH_MODULE(module, list) Module::module,
      VOUCH_KERNEL_MODULES(VOUCH_MODULE)
#undef VOUCH_MODULE
  };
  return all;
}

const char* name_of(Module module) {
  return entry(module).name;
}

std::span<const char* const> kernels_of(Module module) {
  return entry(module).kernels;
}

std::optional<Module> module_of(std::string_view kernel) {
  for (const Entry& e : modules)
    if (std::find(e.kernels.begin(), e.kernels.end(), kernel) != e.kernels.end()) return e.module;
  return std::nullopt;
}

std::string render_constants(Module module) {
  std::string out;
  if (module == Module::groth16 || module == Module::msmcomplete || module == Module::msmtables) {
    define_field254<Bn254Fr>(out, "FR");
    define_field254<Bn254Fq>(out, "FQ");
  }
  if (module == Module::msmcomplete) {
    constexpr auto b3 = Bn254G2::b() * Bn254Fq(3);
    define_words(out, "G2_B3_0_", b3.c0.montgomery());
    define_words(out, "G2_B3_1_", b3.c1.montgomery());
  }
  if (module == Module::babybear || module == Module::probes) define_field31<BabyBear>(out, "BB");
  if (module == Module::koalabear) define_field31<KoalaBear>(out, "KB");
  return out;
}

std::string render_text(Module module) {
  std::string out = render_constants(module);
  expand(out, std::string(name_of(module)) + ".h");
  return out;
}

}  // namespace vouch::kernels
