// whir_decide CASE.json < LINES: our verdict on many proofs of one case, for comparison with whir-judge
// decide. A line is a postcard proof in hexadecimal. Printed per line: strict verdict, compatible verdict,
// and the reason of the latter, as "accept|reject accept|reject REASON".
#include <cstdio>
#include <iostream>

#include "vouch/core/mapped_file.h"
#include "vouch/formats/whir_case.h"

namespace {

using namespace vouch;

bool unhex(const std::string& text, std::vector<std::uint8_t>& out) {
  auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  out.clear();
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    const int a = digit(text[i]), b = digit(text[i + 1]);
    if (a < 0 || b < 0) return false;
    out.push_back(std::uint8_t(16 * a + b));
  }
  return text.size() % 2 == 0;
}

Status decide(const formats::WhirCase& c, const whir::Setup& setup, const std::vector<std::uint8_t>& bytes,
              whir::Strictness strictness) {
  whir::Encoding encoding = c.encoding();
  encoding.canonical = strictness == whir::Strictness::strict;
  VOUCH_TRY(const whir::Proof proof, whir::proof_from_postcard(Bytes(bytes.data(), bytes.size()), encoding));
  whir::Transcript t = setup.start();
  whir::VerifyOptions options;
  options.strictness = strictness;
  return whir::verify(setup, *c.commitment, proof, t, options);
}

int fail(const std::string& what) {
  std::fprintf(stderr, "whir_decide: %s\n", what.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return fail("usage: whir_decide CASE.json < LINES");
  auto file = MappedFile::open(argv[1]);
  if (!file.ok()) return fail(file.error().what);
  const Bytes text = file.value().bytes();
  auto c = formats::whir_case_from_json({reinterpret_cast<const char*>(text.data()), text.size()});
  if (!c.ok()) return fail(c.error().what);
  if (!c.value().commitment || c.value().points)
    return fail("a case with a commitment and drawn points is needed");
  auto setup = whir::Setup::create(c.value().statement);
  if (!setup.ok()) return fail(setup.error().what);
  std::vector<std::uint8_t> bytes;
  for (std::string line; std::getline(std::cin, line);) {
    if (!unhex(line, bytes)) return fail("a line is not hexadecimal");
    const Status strict = decide(c.value(), setup.value(), bytes, whir::Strictness::strict);
    const Status compatible = decide(c.value(), setup.value(), bytes, whir::Strictness::compatible);
    std::printf("%s %s %s\n", strict.ok() ? "accept" : "reject", compatible.ok() ? "accept" : "reject",
                compatible.ok() ? "" : compatible.error().what.c_str());
  }
  return 0;
}
