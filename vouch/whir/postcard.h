// Proofs and commitments as postcard bytes (section 12.1), both ways.
#pragma once

#include "vouch/core/bytes.h"
#include "vouch/whir/params.h"
#include "vouch/whir/proof.h"

namespace vouch::whir {

struct Encoding {
  FieldId field = FieldId::baby_bear;
  int degree = 5;
  Profile profile = Profile::p3_0_7;
  bool canonical = true;  // refuse lengths and numbers that are not written in their shortest form
};

std::vector<std::uint8_t> to_postcard(const Proof& proof, const Encoding& encoding);
std::vector<std::uint8_t> to_postcard(const Cap& cap, const Encoding& encoding);

// Errors (malformed) name the part of the proof and the byte: truncated, trailing bytes, an element not below
// the modulus, a varint longer than needed, rows of unequal length. Memory stays below a small multiple of
// bytes.size() whatever the bytes are.
Result<Proof> proof_from_postcard(Bytes bytes, const Encoding& encoding);
Result<Cap> cap_from_postcard(Bytes bytes, const Encoding& encoding);

}  // namespace vouch::whir
