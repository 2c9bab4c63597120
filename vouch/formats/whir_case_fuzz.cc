// libFuzzer: case files, and the parameters they bring.
#include <cstdlib>

#include "vouch/formats/whir_case.h"
#include "vouch/whir/memory.h"

using namespace vouch;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto c = formats::whir_case_from_json({reinterpret_cast<const char*>(data), size});
  if (!c.ok()) return 0;
  const std::string text = formats::whir_case_to_json(c.value());
  auto again = formats::whir_case_from_json(text);
  if (!again.ok() || formats::whir_case_to_json(again.value()) != text) std::abort();
  auto setup = whir::Setup::create(c.value().statement);
  if (!setup.ok()) return 0;
  (void)whir::plan_memory(setup.value(), 1 << 20);
  (void)whir::proof_size_bound(setup.value());
  (void)setup.value().start();
  return 0;
}
