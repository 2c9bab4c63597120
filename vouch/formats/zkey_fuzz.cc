// Any bytes as a .zkey: opened or refused; what opens is in bounds.
#include <cstddef>
#include <cstdint>

#include "vouch/formats/zkey.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vouch;
  using namespace vouch::formats;
  const Bytes input(data, size);
  // Both ways: strict, and with everything an option can allow.
  for (const bool lax : {false, true}) {
    auto zkey = parse_zkey("f", input, {.allow_insecure_key = lax, .allow_damaged_tail = lax}, Threads(1));
    if (!zkey.ok()) continue;
    const groth16::ProvingKey& key = zkey.value().key;
    if (key.records.size() != key.record_count() * groth16::record_bytes) __builtin_trap();
    if (key.row_count > key.domain_size()) __builtin_trap();
    if (groth16::verifying_key(key).public_count() != key.public_count) __builtin_trap();
    if (size < 1 << 14) (void)groth16::check_points(key, Threads(1));
  }
  return 0;
}
