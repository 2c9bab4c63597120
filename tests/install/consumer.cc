// A program outside the tree that uses the installed library the way a user would.
#include <cstdio>

#include "vouch/backend/backend.h"
#include "vouch/field/fields.h"

int main() {
  auto backend = vouch::open_backend("auto");
  if (!backend.ok()) return std::puts(backend.error().what.c_str()), 1;
  std::vector<vouch::Bn254Fr> values(8, vouch::Bn254Fr::one());
  const vouch::Status status = backend.value()->ntt(values, vouch::Direction::forward);
  if (!status.ok()) return std::puts(status.error().what.c_str()), 1;
  const bool right = values[0] == vouch::Bn254Fr(8) && values[1].is_zero();
  std::puts(right ? "consumer ok" : "consumer: wrong transform");
  return right ? 0 : 1;
}
