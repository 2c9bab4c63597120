// A small JSON document read strictly: duplicate members, deep nesting and damage are errors that name the
// place.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "vouch/core/bytes.h"
#include "vouch/core/result.h"

namespace vouch::formats {

struct JsonNode {
  enum class Kind { null, boolean, number, string, array, object };

  Kind kind = Kind::null;
  std::string text;                // of a string or number
  std::vector<JsonNode> elements;  // of an array or object
  std::vector<std::string> keys;   // of an object: keys[i] names elements[i]
  std::size_t count = 0;           // of an array, with the elements beyond the limit

  const JsonNode* find(std::string_view key) const;
};

// So that memory does not grow with a hostile file.
struct JsonLimits {
  std::size_t elements =
      std::numeric_limits<std::size_t>::max();  // of an array to keep; others are only counted
  std::size_t values = std::numeric_limits<std::size_t>::max();  // in all; more are an error
};

// `what` is what the file should be ("a proof in JSON"), for errors about files that are something else.
Result<JsonNode> parse_json(const std::string& name, Bytes file, const std::string& what,
                            const JsonLimits& limits = {});

// "the number 12", "an array", ...: what stands where a string should.
std::string describe(const JsonNode& node);

}  // namespace vouch::formats
