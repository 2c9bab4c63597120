// libFuzzer: JSON proofs. What decodes must survive a round trip.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "vouch/formats/whir_json.h"

using namespace vouch;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const whir::Encoding e{data[0] & 1 ? whir::FieldId::koala_bear : whir::FieldId::baby_bear,
                         data[0] & 2 ? 5 : 4, whir::Profile::p3_0_7, !(data[0] & 4)};
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  auto proof = formats::whir_proof_from_json(text, e);
  if (!proof.ok()) return 0;
  auto again = formats::whir_proof_from_json(formats::whir_proof_to_json(proof.value(), e), e);
  if (!again.ok() || again.value() != proof.value()) std::abort();
  return 0;
}
