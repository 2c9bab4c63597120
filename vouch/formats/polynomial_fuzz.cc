// libFuzzer: polynomials, raw and .npy.
#include <bit>
#include <cstdlib>

#include "vouch/formats/polynomial.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto p = vouch::formats::parse_polynomial("input", {data, size}, 0x78000001);
  if (!p.ok()) return 0;
  if (!std::has_single_bit(p.value().size())) std::abort();
  for (std::uint32_t x : p.value())
    if (x >= 0x78000001) std::abort();
  return 0;
}
