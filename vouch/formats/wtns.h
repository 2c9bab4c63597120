// .wtns: the value of every wire of a circuit, as circom's calculators write it. Opened in place.
#pragma once

#include <memory>
#include <string>

#include "vouch/core/bytes.h"
#include "vouch/core/result.h"

namespace vouch::formats {

struct Wtns {
  std::string name;  // of the file, for errors
  Bytes values;  // 32 bytes each, plain little-endian; below the modulus only as far as the writer was right
  std::shared_ptr<const void> storage;

  std::size_t count() const { return values.size() / 32; }
};

// Checks the structure and that the field is BN254's. The prover checks the values, because only it reads
// them all.
Result<Wtns> open_wtns(const std::string& path);
Result<Wtns> parse_wtns(const std::string& name, Bytes file);  // `file` must outlive the result

// Wire 0 is 1 and every value is below the modulus. The prover does this itself.
Status check_values(const Wtns& wtns, std::size_t public_count = 0);

}  // namespace vouch::formats
