// .r1cs: the constraints A w * B w = C w of a circuit, as circom writes them. Opened in place, read as a
// stream.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "vouch/core/bytes.h"
#include "vouch/core/progress.h"
#include "vouch/core/result.h"
#include "vouch/field/fields.h"

namespace vouch::formats {

struct R1cs {
  std::string name;                // of the file, for errors
  std::string curve;               // "BN254", or another that `vouch info` can name
  std::uint32_t field_bytes = 32;  // of the prime, and of every value
  std::uint32_t wire_count = 0;    // wire 0, the constant 1, included
  std::uint32_t output_count = 0;
  std::uint32_t public_input_count = 0;
  std::uint32_t private_input_count = 0;
  std::uint64_t label_count = 0;
  std::uint32_t constraint_count = 0;
  bool custom_gates = false;  // a PLONK circuit
  Bytes constraints;          // section 2
  Bytes labels;               // section 3: u64 per wire; empty when the file has none
  std::shared_ptr<const void> storage;

  std::uint32_t public_count() const { return output_count + public_input_count; }
};

// Checks the header and the lengths; the constraints are checked as they are read.
Result<R1cs> open_r1cs(const std::string& path);
Result<R1cs> parse_r1cs(const std::string& name, Bytes file);  // `file` must outlive the result

// A sum of terms: 4 + field_bytes bytes each, {u32 wire, plain little-endian value}.
struct LinearCombination {
  Bytes terms;
  std::size_t count = 0;
};

// Reads one constraint after another, checking that every wire exists and every value is below the modulus.
// BN254 only.
class ConstraintReader {
 public:
  explicit ConstraintReader(const R1cs& r1cs) : r1cs_(r1cs), in_(r1cs.constraints) {}

  // A, B and C of the next constraint; nothing after the last.
  Result<std::optional<std::array<LinearCombination, 3>>> next();

 private:
  Result<LinearCombination> read_side(const char* side);
  Error error(const std::string& what) const;

  const R1cs& r1cs_;
  Reader in_;
  std::uint32_t index_ = 0;
};

// What `vouch r1cs info` tells beyond the header.
struct R1csStatistics {
  std::uint64_t terms[3] = {};           // of A, B, C
  std::uint32_t linear_constraints = 0;  // those with an empty A or B
  std::uint32_t longest_constraint = 0;  // the most terms in one
};
Result<R1csStatistics> read_statistics(const R1cs& r1cs, Progress* progress = nullptr);

// The first constraint that a witness does not satisfy.
struct Unsatisfied {
  std::uint32_t constraint;
  UInt<4> a, b, c;  // the values of the three sides, plain
};
// `witness`: wire_count canonical values of 32 bytes. Nothing when every constraint holds.
Result<std::optional<Unsatisfied>> first_unsatisfied(const R1cs& r1cs, Bytes witness,
                                                     Progress* progress = nullptr);

}  // namespace vouch::formats
