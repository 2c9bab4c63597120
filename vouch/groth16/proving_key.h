// A Groth16 proving key: views into the bytes of a .zkey, which is never parsed into something else.
//
// The tables stay as the file has them, because that form is the one the sums consume: affine points with
// Montgomery coordinates, and coefficients scaled so that one Montgomery product by the plain witness gives
// the right form.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "vouch/core/bytes.h"
#include "vouch/core/mapped_file.h"
#include "vouch/core/parallel.h"
#include "vouch/core/progress.h"
#include "vouch/core/result.h"
#include "vouch/curve/curves.h"
#include "vouch/groth16/verifying_key.h"

namespace vouch::groth16 {

inline constexpr std::size_t g1_bytes = 64;
inline constexpr std::size_t g2_bytes = 128;
inline constexpr std::size_t scalar_bytes = 32;
inline constexpr std::size_t record_bytes = 44;  // u32 matrix, u32 row, u32 wire, 32 bytes of value

struct ProvingKey {
  std::string name;                // of the file, for errors
  std::uint32_t wire_count = 0;    // wire 0, the constant 1, included
  std::uint32_t public_count = 0;  // outputs and public inputs: wires 1 .. public_count
  int log_domain = 0;              // 1 .. 28
  std::size_t row_count = 0;  // 1 + the last row any record names: the constraints that have an A or B side,
                              // and the public_count + 1 rows that setup appends

  Bn254G1::Affine alpha1, beta1, delta1;
  Bn254G2::Affine beta2, gamma2, delta2;
  Bytes ic;       // G1, public_count + 1
  Bytes records;  // rows of A and B, record_bytes each
  Bytes a;        // G1, wire_count
  Bytes b1;       // G1, wire_count
  Bytes b2;       // G2, wire_count
  Bytes c;        // G1, wire_count - public_count - 1
  Bytes h;        // G1, domain_size()

  std::shared_ptr<const MappedFile>
      file;  // whose pages the views are; null if they are other memory, which cannot be streamed
  std::shared_ptr<const void>
      storage;  // keeps what the views point into alive; may be null if the caller does

  std::size_t domain_size() const { return std::size_t(1) << log_domain; }
  std::size_t record_count() const { return records.size() / record_bytes; }
  // Constraints of the circuit as far as the key tells: those at the end with neither an A nor a B side are
  // not seen.
  std::size_t constraint_count() const {
    const std::size_t appended = std::size_t(public_count) + 1;
    return row_count > appended ? row_count - appended : 0;
  }
};

// The point stored at p: coordinates in Montgomery form, little-endian, all zero for infinity. Not checked.
inline Bn254G1::Affine load_g1_unchecked(const std::uint8_t* p) {
  return {Bn254Fq::raw(load_le<UInt<4>>(p)), Bn254Fq::raw(load_le<UInt<4>>(p + 32))};
}
inline Bn254G2::Affine load_g2_unchecked(const std::uint8_t* p) {
  const auto coordinate = [&](int i) { return Bn254Fq::raw(load_le<UInt<4>>(p + 32 * i)); };
  return {{coordinate(0), coordinate(1)}, {coordinate(2), coordinate(3)}};
}

// The key that verifies proofs made with this one.
VerifyingKey verifying_key(const ProvingKey& key);

// What a proof takes one thread of a processor, roughly, in seconds, for a witness without structure.
double estimated_seconds(const ProvingKey& key);

// What a device must have at least, in all and in one buffer: for the quotient, whose vectors it needs whole;
// the sums are taken in parts where memory is short.
struct DeviceNeed {
  std::uint64_t bytes, largest_buffer;
};
DeviceNeed device_need(const ProvingKey& key);

// Every point of every table: coordinates canonical, on the curve, G2 points in the group of order r; and
// beta1, delta1 the same multiples of the generator as beta2, delta2. Costs a part of a proof; opening a key
// does not do it.
Status check_points(const ProvingKey& key, const Threads& threads = Threads(), Progress* progress = nullptr);

}  // namespace vouch::groth16
