// WHIR proofs as JSON (section 12.2), both ways: the text serde_json writes for p3-whir's structs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "vouch/core/result.h"
#include "vouch/whir/postcard.h"

namespace vouch::formats {

// Without spaces or line ends, as serde_json::to_string does.
std::string whir_proof_to_json(const whir::Proof& proof, const whir::Encoding& encoding);

// Errors (malformed) name the field: not JSON, a missing or unknown field, a number that is not below the
// modulus, rows of unequal length. encoding.canonical also refuses unknown fields.
Result<whir::Proof> whir_proof_from_json(std::string_view text, const whir::Encoding& encoding);
Result<whir::Proof> whir_proof_from(const nlohmann::json& value, const whir::Encoding& encoding);

// The parser every JSON input goes through: no exceptions, the error says where.
Result<nlohmann::json> parse_json_value(std::string_view text, const std::string& what);

}  // namespace vouch::formats
