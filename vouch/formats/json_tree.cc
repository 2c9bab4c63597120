// A strict tree of JSON over nlohmann's event parser, which alone sees duplicate members.
#include "vouch/formats/json_tree.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "vouch/formats/sniff.h"

namespace vouch::formats {
namespace {

// The deepest document read here has five levels; nothing has more members than a verification key's nine.
constexpr std::size_t most_depth = 8;
constexpr std::size_t most_members = 64;

class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(JsonNode& root, const JsonLimits& limits) : root_(root), limits_(limits) {}
  const std::string& problem() const { return problem_; }

  bool null() override { return put(JsonNode::Kind::null, {}) != nullptr; }
  bool boolean(bool) override { return put(JsonNode::Kind::boolean, {}) != nullptr; }
  bool number_integer(number_integer_t v) override { return number(std::to_string(v)); }
  bool number_unsigned(number_unsigned_t v) override { return number(std::to_string(v)); }
  bool number_float(number_float_t, const string_t& text) override { return number(text); }
  bool string(string_t& text) override { return put(JsonNode::Kind::string, std::move(text)) != nullptr; }
  bool binary(binary_t&) override { return fail("holds binary data"); }
  bool start_object(std::size_t) override { return open(JsonNode::Kind::object); }
  bool start_array(std::size_t) override { return open(JsonNode::Kind::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& text) override {
    const JsonNode& object = *open_.back();
    if (object.find(text)) return fail("the member \"" + printable(text) + "\" appears twice");
    if (object.keys.size() == most_members) return fail("an object has more members than any such file");
    key_ = std::move(text);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    return fail("is damaged or not JSON: cannot be read beyond byte " + std::to_string(position));
  }

 private:
  bool fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }
  bool number(std::string text) { return put(JsonNode::Kind::number, std::move(text)) != nullptr; }
  static std::string printable(std::string_view text) {
    std::string r(text.substr(0, 40));
    std::replace_if(r.begin(), r.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return r;
  }
  // Parents stay in place while a child is open: only the innermost open node grows.
  // Null, with the problem named, when there are too many.
  JsonNode* put(JsonNode::Kind kind, std::string text) {
    if (values_++ == limits_.values) return fail("holds more values than any such file of its size"), nullptr;
    JsonNode* node = open_.empty() ? &root_ : child_of(*open_.back());
    node->kind = kind;
    node->text = std::move(text);
    return node;
  }
  JsonNode* child_of(JsonNode& parent) {
    if (parent.kind == JsonNode::Kind::object) {
      parent.keys.push_back(std::move(key_));
    } else if (parent.count++ >= limits_.elements) {
      return &discarded_;
    }
    return &parent.elements.emplace_back();
  }
  bool open(JsonNode::Kind kind) {
    if (open_.size() == most_depth) return fail("is nested more deeply than any such file");
    JsonNode* node = put(kind, {});
    if (!node) return false;
    open_.push_back(node);
    if (node == &discarded_) return fail("holds arrays or objects where values should be");
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  JsonNode& root_;
  const JsonLimits& limits_;
  std::size_t values_ = 0;
  JsonNode discarded_;
  std::vector<JsonNode*> open_;
  std::string key_;
  std::string problem_;
};

}  // namespace

const JsonNode* JsonNode::find(std::string_view key) const {
  const auto at = std::find(keys.begin(), keys.end(), key);
  return at == keys.end() ? nullptr : &elements[std::size_t(at - keys.begin())];
}

Result<JsonNode> parse_json(const std::string& name, Bytes file, const std::string& what,
                            const JsonLimits& limits) {
  if (file.empty()) return Error{Code::malformed, name + ": the file is empty"};
  if (kind_of(file) != FileKind::json)
    return Error{Code::malformed, name + ": expected " + what + ", but this looks like " + describe(file)};
  JsonNode root;
  TreeBuilder builder(root, limits);
  if (!nlohmann::json::sax_parse(file.begin(), file.end(), &builder))
    return Error{Code::malformed, name + ": " + builder.problem()};
  return root;
}

std::string describe(const JsonNode& node) {
  switch (node.kind) {
    case JsonNode::Kind::null:
      return "null";
    case JsonNode::Kind::boolean:
      return "true or false";
    case JsonNode::Kind::number:
      return "the number " + node.text.substr(0, 40);
    case JsonNode::Kind::string:
      return "a string";
    case JsonNode::Kind::array:
      return "an array";
    case JsonNode::Kind::object:
      return "an object";
  }
  return "something else";
}

}  // namespace vouch::formats
