// A circuit as a stream of constraints: read from an .r1cs, or made up on the fly at any size.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "vouch/core/result.h"
#include "vouch/field/fields.h"

namespace vouch::tools {

struct Term {
  std::uint32_t wire;
  Bn254Fr value;
};
struct Constraint {
  std::vector<Term> a, b, c;  // (sum a)(sum b) = (sum c)
};

class Circuit {
 public:
  virtual ~Circuit() = default;
  std::uint32_t wire_count = 0;    // wire 0 is the constant 1
  std::uint32_t public_count = 0;  // wires 1 .. public_count
  std::uint32_t constraint_count = 0;

  // Every constraint in order; the same each time.
  virtual Status for_each(const std::function<void(const Constraint&)>& f) const = 0;

  // The smallest power of two that is at least constraint_count + public_count + 1, and at least 2.
  int log_domain() const;
};

// The circuit of an .r1cs file.
Result<std::unique_ptr<Circuit>> read_r1cs(const std::string& path);

// dense: every wire a random full-width value.
// sparse: bits, their logic and their packing into words, as in SHA-256; 97 % of the wires are 0 or 1.
// skewed: every wire one of four full-width values.
enum class Kind { dense, sparse, skewed };

// Made-up circuits fill their domain: constraint_count = 2^log_n - public_count - 1. Every run is the same.
class SyntheticCircuit final : public Circuit {
 public:
  // 4 <= log_n <= 24, public_count < 2^(log_n - 1)
  SyntheticCircuit(Kind kind, int log_n, std::uint32_t publics);
  Status for_each(const std::function<void(const Constraint&)>& f) const override;
  std::vector<UInt<4>> witness() const;  // plain, one value per wire
  std::uint32_t private_input_count() const { return inputs_ - public_count; }

 private:
  class Builder;
  void build(Builder& builder) const;

  Kind kind_;
  std::uint32_t inputs_ = 0;  // public and private
};

Status write_r1cs(const SyntheticCircuit& circuit, const std::string& path);
Status write_wtns(const std::vector<UInt<4>>& witness, const std::string& path);

}  // namespace vouch::tools
