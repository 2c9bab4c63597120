// libFuzzer: postcard proofs. What decodes must encode to the same bytes, and the verifier must survive it.
#include <algorithm>
#include <cstdlib>

#include "vouch/whir/whir.h"

using namespace vouch;
using namespace vouch::whir;

namespace {

Setup make_setup() {
  Statement s;
  s.params.degree = 4;
  s.params.folding = Folding::constant(3);
  s.params.security = 20;
  s.params.pow_bits = 2;
  s.params.hashing.cap_height = 1;
  s.tables = {{9, 2}};
  s.schedule = {{{{0, 1}, {1}}}};
  return Setup::create(s).value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Setup setup = make_setup();
  if (size == 0) return 0;
  Encoding e{FieldId::baby_bear, 4, data[0] & 1 ? Profile::p3_0_7_rc : Profile::p3_0_7, !(data[0] & 2)};
  const Bytes bytes(data + 1, size - 1);
  auto proof = proof_from_postcard(bytes, e);
  if (!proof.ok()) return 0;
  const auto back = to_postcard(proof.value(), e);
  if (e.canonical && !std::equal(back.begin(), back.end(), bytes.begin(), bytes.end())) std::abort();
  Transcript t = setup.start();
  const Cap cap(setup.cap_size(0));
  const VerifyOptions options{data[0] & 4 ? Strictness::compatible : Strictness::strict, "auto"};
  if (verify(setup, cap, proof.value(), t, options).ok()) std::abort();
  return 0;
}
