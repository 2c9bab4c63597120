#include "vouch/formats/whir_json.h"

#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace vouch::formats {
namespace {

using nlohmann::json;
using namespace whir;

class JsonWriter {
 public:
  explicit JsonWriter(const Encoding& e) : degree_(std::size_t(e.degree)) {}

  template <class List, class Item>
  void list(const List& items, Item item) {
    out += '[';
    bool first = true;
    for (const auto& x : items) {
      if (!first) out += ',';
      first = false;
      item(x);
    }
    out += ']';
  }
  template <class Item>
  void list_of(std::size_t count, Item item) {
    out += '[';
    for (std::size_t i = 0; i < count; i++) {
      if (i) out += ',';
      item(i);
    }
    out += ']';
  }
  void number(Word x) { out += std::to_string(x); }
  void numbers(std::span<const Word> words) {
    list(words, [&](Word x) { number(x); });
  }
  void ext(std::span<const Word> words) {
    out += "{\"value\":";
    numbers(words);
    out += ",\"_phantom\":null}";
  }
  void exts(std::span<const Word> words) {
    list_of(words.size() / degree_, [&](std::size_t i) { ext(words.subspan(i * degree_, degree_)); });
  }
  void digests(const std::vector<DigestWords>& list_of_digests) {
    list(list_of_digests, [&](const DigestWords& d) { numbers(d); });
  }
  void sumcheck(const SumcheckProof& s) {
    out += "{\"polynomial_evaluations\":";
    const std::span<const Word> words = s.polynomials;
    const std::size_t step = 2 * degree_;
    list_of(words.size() / step, [&](std::size_t i) { exts(words.subspan(i * step, step)); });
    out += ",\"pow_witnesses\":";
    numbers(s.pow_witnesses);
    out += '}';
  }
  void openings(const Openings& o) {
    out += o.extension ? "{\"Extension\":{\"rows\":" : "{\"Base\":{\"rows\":";
    list_of(o.rows, [&](std::size_t r) {
      const auto row = std::span<const Word>(o.values).subspan(r * o.row_words, o.row_words);
      o.extension ? exts(row) : numbers(row);
    });
    out += ",\"proof\":{\"sibling_hashes\":";
    digests(o.siblings);
    out += "}}}";
  }
  void round(const RoundProof& r) {
    out += "{\"commitment\":";
    if (r.commitment) {
      out += "{\"cap\":";
      digests(*r.commitment);
      out += ",\"_marker\":null}";
    } else {
      out += "null";
    }
    out += ",\"ood_answers\":";
    exts(r.ood_answers);
    out += ",\"pow_witness\":";
    number(r.pow_witness);
    out += ",\"openings\":";
    openings(r.openings);
    out += ",\"sumcheck\":";
    sumcheck(r.sumcheck);
    out += '}';
  }
  void proof(const Proof& p) {
    out += "{\"whir\":{\"initial_ood_answers\":";
    exts(p.ood_answers);
    out += ",\"initial_sumcheck\":";
    sumcheck(p.sumcheck);
    out += ",\"rounds\":";
    list(p.rounds, [&](const RoundProof& r) { round(r); });
    out += ",\"final_poly\":";
    if (p.final_poly) {
      out += '[';
      exts(*p.final_poly);
      out += ",null]";
    } else {
      out += "null";
    }
    out += ",\"final_pow_witness\":";
    number(p.final_pow_witness);
    out += ",\"final_openings\":";
    openings(p.final_openings);
    out += ",\"final_sumcheck\":";
    p.final_sumcheck ? sumcheck(*p.final_sumcheck) : void(out += "null");
    out += "},\"evals\":";
    list(p.evals, [&](const BatchValues& b) {
      out += "{\"current\":";
      exts(b.current);
      out += ",\"next\":";
      exts(b.next);
      out += '}';
    });
    out += '}';
  }

  std::string out;

 private:
  std::size_t degree_;
};

// Walks the parsed value; after the first failure everything reads as empty. What serde takes beyond its own
// writer's form (unknown fields, absent optional ones) is taken where the encoding need not be canonical; its
// lists in place of objects are not.
class JsonDecoder {
 public:
  explicit JsonDecoder(const Encoding& e)
      : modulus_(modulus(e.field)), degree_(std::size_t(e.degree)), canonical_(e.canonical) {}

  bool ok() const { return error_.empty(); }
  Error error() const { return {Code::malformed, error_}; }

  Proof proof(const json& v) {
    Proof p;
    object(v, "proof", 2);
    const json& w = object(at(v, "whir"), "whir", 7);
    exts(at(w, "initial_ood_answers"), "initial_ood_answers", p.ood_answers);
    p.sumcheck = sumcheck(at(w, "initial_sumcheck"));
    for (const json& r : array(at(w, "rounds"), "rounds")) {
      if (!ok()) break;
      p.rounds.push_back(round(r));
    }
    const json& f = optional(w, "final_poly");
    if (!f.is_null()) {
      if (!f.is_array() || f.size() != 2 || !f[1].is_null())
        fail("final_poly", "is not a pair of values and null");
      p.final_poly.emplace();
      if (ok()) exts(f[0], "final_poly", *p.final_poly);
    }
    p.final_pow_witness = number(at(w, "final_pow_witness"), "final_pow_witness");
    p.final_openings = openings(at(w, "final_openings"));
    const json& s = optional(w, "final_sumcheck");
    if (!s.is_null()) p.final_sumcheck = sumcheck(s);
    for (const json& e : array(at(v, "evals"), "evals")) {
      if (!ok()) break;
      object(e, "evals", 2);
      BatchValues b;
      exts(at(e, "current"), "current", b.current);
      exts(at(e, "next"), "next", b.next);
      p.evals.push_back(std::move(b));
    }
    return p;
  }

 private:
  void fail(std::string_view field, std::string_view cause) {
    if (ok()) error_ = "proof JSON: field \"" + std::string(field) + "\" " + std::string(cause);
  }
  const json& at(const json& v, const char* key) {
    static const json null;
    if (!ok() || !v.is_object()) return null;
    const auto found = v.find(key);
    if (found == v.end()) return fail(key, "is missing"), null;
    return *found;
  }
  // A field that serde reads as None when it is absent.
  const json& optional(const json& v, const char* key) {
    static const json null;
    return !canonical_ && v.is_object() && !v.contains(key) ? null : at(v, key);
  }
  const json& object(const json& v, const char* field, std::size_t fields) {
    if (!v.is_object()) fail(field, "is not an object");
    if (ok() && canonical_ && v.size() != fields) fail(field, "has unknown fields");
    return v;
  }
  const json& array(const json& v, const char* field) {
    static const json empty = json::array();
    if (!v.is_array()) fail(field, "is not a list");
    return ok() ? v : empty;
  }
  Word number(const json& v, const char* field) {
    if (!v.is_number_unsigned()) return fail(field, "holds something that is not a number"), 0;
    const std::uint64_t x = v.get<std::uint64_t>();
    if (x >= modulus_) return fail(field, "holds a number that is not below the modulus"), 0;
    return Word(x);
  }
  template <class Out>
  void numbers(const json& v, const char* field, Out&& out) {
    for (const json& x : array(v, field)) {
      if (!ok()) return;
      out(number(x, field));
    }
  }
  void exts(const json& v, const char* field, Words& out) {
    for (const json& x : array(v, field)) {
      if (!ok()) return;
      object(x, field, 2);
      const json& c = at(x, "value");
      if (!at(x, "_phantom").is_null()) fail(field, "has a marker that is not null");
      if (ok() && (!c.is_array() || c.size() != degree_)) fail(field, "has an element of another degree");
      numbers(c, field, [&](Word w) { out.push_back(w); });
    }
  }
  std::vector<DigestWords> digests(const json& v, const char* field) {
    std::vector<DigestWords> list;
    for (const json& d : array(v, field)) {
      if (!d.is_array() || d.size() != 8) fail(field, "has a digest that is not 8 numbers");
      if (!ok()) return list;
      list.emplace_back();
      std::size_t i = 0;
      numbers(d, field, [&](Word w) { list.back()[i++] = w; });
    }
    return list;
  }
  SumcheckProof sumcheck(const json& v) {
    SumcheckProof s;
    object(v, "sumcheck", 2);
    for (const json& pair : array(at(v, "polynomial_evaluations"), "polynomial_evaluations")) {
      if (!ok()) break;
      if (!pair.is_array() || pair.size() != 2)
        fail("polynomial_evaluations", "has an entry that is not a pair");
      exts(pair, "polynomial_evaluations", s.polynomials);
    }
    numbers(at(v, "pow_witnesses"), "pow_witnesses", [&](Word w) { s.pow_witnesses.push_back(w); });
    return s;
  }
  Openings openings(const json& v) {
    Openings o;
    if (v.is_object() && v.size() != 1) fail("openings", "is not of one variant");
    object(v, "openings", 1);
    o.extension = v.is_object() && v.contains("Extension");
    const json& body = object(at(v, o.extension ? "Extension" : "Base"), "openings", 2);
    for (const json& row : array(at(body, "rows"), "rows")) {
      if (!ok()) break;
      const std::size_t before = o.values.size();
      if (o.extension) {
        exts(row, "rows", o.values);
      } else {
        numbers(row, "rows", [&](Word w) { o.values.push_back(w); });
      }
      const std::size_t words = o.values.size() - before;
      if (o.rows++ == 0) o.row_words = words;
      if (words != o.row_words) fail("rows", "has rows of unequal length");
    }
    o.siblings = digests(at(object(at(body, "proof"), "proof", 1), "sibling_hashes"), "sibling_hashes");
    return o;
  }
  RoundProof round(const json& v) {
    RoundProof r;
    object(v, "rounds", 5);
    const json& c = optional(v, "commitment");
    if (!c.is_null()) {
      object(c, "commitment", 2);
      r.commitment = digests(at(c, "cap"), "cap");
      if (!at(c, "_marker").is_null()) fail("commitment", "has a marker that is not null");
    }
    exts(at(v, "ood_answers"), "ood_answers", r.ood_answers);
    r.pow_witness = number(at(v, "pow_witness"), "pow_witness");
    r.openings = openings(at(v, "openings"));
    r.sumcheck = sumcheck(at(v, "sumcheck"));
    return r;
  }

  std::uint32_t modulus_;
  std::size_t degree_;
  bool canonical_;
  std::string error_;
};

}  // namespace

std::string whir_proof_to_json(const Proof& proof, const Encoding& encoding) {
  JsonWriter w(encoding);
  w.proof(proof);
  return std::move(w.out);
}

Result<Proof> whir_proof_from(const json& value, const Encoding& encoding) {
  JsonDecoder d(encoding);
  Proof p = d.proof(value);
  if (!d.ok()) return d.error();
  return p;
}

Result<json> parse_json_value(std::string_view text, const std::string& what) {
  // A key that occurs twice would be read differently by different parsers.
  std::vector<std::set<std::string>> keys;
  std::string twice;
  const auto watch = [&](int, json::parse_event_t event, json& part) {
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key && twice.empty()) {
      auto key = part.get<std::string>();
      if (!keys.back().insert(key).second) twice = std::move(key);
    }
    return true;
  };
  json value = json::parse(text.begin(), text.end(), watch, false);
  if (value.is_discarded()) return Error{Code::malformed, what + ": not JSON, or JSON that ends early"};
  if (!twice.empty())
    return Error{Code::malformed,
                 what + ": field \"" + twice.substr(0, 60) + "\" occurs twice in one object"};
  return value;
}

Result<Proof> whir_proof_from_json(std::string_view text, const Encoding& encoding) {
  VOUCH_TRY(const json value, parse_json_value(text, "proof JSON"));
  return whir_proof_from(value, encoding);
}

}  // namespace vouch::formats
