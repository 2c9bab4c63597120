// Any bytes as a .r1cs: read to the end or refused, and checked against a witness of zeros.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "vouch/formats/r1cs.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vouch;
  using namespace vouch::formats;
  const Bytes input(data, size);
  auto r1cs = parse_r1cs("f", input);
  if (!r1cs.ok()) return 0;
  (void)read_statistics(r1cs.value());
  // A real witness has as many values as wires; a header may claim more wires than fit in memory.
  if (r1cs.value().wire_count > 1 << 16) return 0;
  const std::vector<std::uint8_t> witness(std::size_t(r1cs.value().wire_count) * 32);
  (void)first_unsatisfied(r1cs.value(), witness);
  return 0;
}
