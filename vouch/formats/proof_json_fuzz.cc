// Any bytes as a proof in JSON: what is read is written and read again as the same.
#include <cstddef>
#include <cstdint>
#include <string>

#include "vouch/formats/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vouch;
  using namespace vouch::formats;
  const Bytes input(data, size);
  auto parsed = parse_proof("f", input);
  if (!parsed.ok()) return 0;
  const std::string text = proof_json(parsed.value());
  auto again = parse_proof("f", Bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
  if (!again.ok() || !(again.value() == parsed.value())) __builtin_trap();
  return 0;
}
