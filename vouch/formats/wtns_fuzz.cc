// Any bytes as a .wtns: opened or refused.
#include <cstddef>
#include <cstdint>

#include "vouch/formats/wtns.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vouch;
  using namespace vouch::formats;
  const Bytes input(data, size);
  auto wtns = parse_wtns("f", input);
  if (wtns.ok()) {
    if (wtns.value().values.size() > size) __builtin_trap();
    (void)check_values(wtns.value());
  }
  return 0;
}
