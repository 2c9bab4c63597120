#include "vouch/formats/whir_case.h"

#include <bit>
#include <charconv>
#include <nlohmann/json.hpp>

#include "vouch/field/prime31.h"
#include "vouch/formats/hex.h"
#include "vouch/formats/whir_json.h"

namespace vouch::formats {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using namespace whir;

constexpr std::string_view leaf_16 = "p2-16/8/8", leaf_24 = "p2-24/16/8";
constexpr std::string_view node_2 = "c16 n2", node_4 = "c32 n4";

Error bad(std::string_view field, std::string_view cause) {
  return {Code::malformed, "case: field \"" + std::string(field) + "\" " + std::string(cause)};
}

std::uint32_t to_montgomery(std::uint32_t x, FieldId field) {
  return field == FieldId::baby_bear ? BabyBear(x).montgomery() : KoalaBear(x).montgomery();
}
std::uint32_t to_canonical(Word x, FieldId field) {
  return field == FieldId::baby_bear ? BabyBear::raw(x).to_int() : KoalaBear::raw(x).to_int();
}

// Typed access to the fields of the file.
class Fields {
 public:
  explicit Fields(const json& v) : v_(v) {}

  bool has(const char* key) const { return v_.contains(key) && !v_.at(key).is_null(); }
  const json& get(const char* key) const { return v_.at(key); }  // after has()
  Result<std::string> text(const char* key) const {
    if (!has(key) || !get(key).is_string()) return bad(key, "is missing or not a string");
    return get(key).get<std::string>();
  }
  Result<int> integer(const char* key) const {
    if (!has(key)) return bad(key, "is missing");
    return small(get(key), key);
  }
  static Result<int> small(const json& v, std::string_view key) {
    if (!v.is_number_unsigned() || v.get<std::uint64_t>() > 1'000'000'000)
      return bad(key, "holds something that is not a small number");
    return int(v.get<std::uint64_t>());
  }
  static Result<std::vector<int>> small_list(const json& v, std::string_view key) {
    if (!v.is_array()) return bad(key, "is not a list");
    std::vector<int> list;
    for (const json& x : v) {
      VOUCH_TRY(const int n, small(x, key));
      list.push_back(n);
    }
    return list;
  }
  static Result<std::vector<std::uint32_t>> elements(const json& v, std::string_view key,
                                                     std::uint32_t modulus) {
    if (!v.is_array()) return bad(key, "is not a list");
    std::vector<std::uint32_t> list;
    list.reserve(v.size());
    for (const json& x : v) {
      if (!x.is_number_unsigned() || x.get<std::uint64_t>() >= modulus)
        return bad(key, "holds something that is not a number below the modulus");
      list.push_back(x.get<std::uint32_t>());
    }
    return list;
  }

 private:
  const json& v_;
};

Status read_hashing(const Fields& f, Hashing& h) {
  VOUCH_TRY(const std::string merkle, f.text("merkle"));
  const std::size_t space = merkle.find(' ');
  const std::string_view leaf = std::string_view(merkle).substr(0, space);
  const std::string_view node = space == std::string::npos ? "" : std::string_view(merkle).substr(space + 1);
  if ((leaf != leaf_16 && leaf != leaf_24) || (node != node_2 && node != node_4))
    return bad("merkle", "is not \"p2-16/8/8\" or \"p2-24/16/8\" and \"c16 n2\" or \"c32 n4\"");
  h.leaf_width = leaf == leaf_24 ? 24 : 16;
  h.arity = node == node_4 ? 4 : 2;
  VOUCH_TRY(const std::string constants, f.text("round_constants"));
  const std::string_view seeded = "smallrng seed ";
  if (constants.starts_with(seeded)) {
    std::uint64_t seed = 0;
    const char* begin = constants.data() + seeded.size();
    const char* end = constants.data() + constants.size();
    const auto [rest, error] = std::from_chars(begin, end, seed);
    if (error != std::errc() || (rest != end && *rest != ' ')) return bad("round_constants", "has no seed");
    h.seed = seed;
  } else if (constants != "default") {
    return bad("round_constants", "is neither \"default\" nor \"smallrng seed N ...\"");
  }
  VOUCH_TRY(h.cap_height, f.integer("cap_height"));
  return ok();
}

Status read_params(const Fields& f, Params& p) {
  VOUCH_TRY(const std::string field, f.text("field"));
  VOUCH_TRY(p.field, parse_field(field));
  VOUCH_TRY(p.degree, f.integer("ext_degree"));
  VOUCH_TRY(const std::string layout, f.text("layout"));
  VOUCH_TRY(p.layout, parse_layout(layout));
  VOUCH_TRY(const std::string folding, f.text("folding"));
  VOUCH_TRY(p.folding, parse_folding(folding));
  VOUCH_TRY(p.log_inv_rate, f.integer("rate"));
  if (f.has("round_log_inv_rates")) {
    VOUCH_TRY(p.round_rates, Fields::small_list(f.get("round_log_inv_rates"), "round_log_inv_rates"));
  }
  VOUCH_TRY(p.security, f.integer("security"));
  VOUCH_TRY(p.pow_bits, f.integer("pow_bits"));
  VOUCH_TRY(const std::string soundness, f.text("soundness"));
  VOUCH_TRY(p.soundness, parse_soundness(soundness));
  if (!f.has("domain_separator_observed") || !f.get("domain_separator_observed").is_boolean())
    return bad("domain_separator_observed", "is missing or not true or false");
  p.domain_separator = f.get("domain_separator_observed").get<bool>();
  return read_hashing(f, p.hashing);
}

Result<std::vector<std::uint32_t>> read_columns(const json& v) {
  VOUCH_TRY(const std::vector<int> list, Fields::small_list(v, "schedule"));
  return std::vector<std::uint32_t>(list.begin(), list.end());
}

Status read_tables(const Fields& f, Statement& s) {
  if (!f.has("tables") || !f.get("tables").is_array()) return bad("tables", "is missing or not a list");
  for (const json& t : f.get("tables")) {
    VOUCH_TRY(const std::vector<int> shape, Fields::small_list(t, "tables"));
    if (shape.size() != 2) return bad("tables", "has an entry that is not [log2 of rows, columns]");
    s.tables.push_back({shape[0], std::uint32_t(shape[1])});
  }
  if (!f.has("schedule") || !f.get("schedule").is_array()) return bad("schedule", "is missing or not a list");
  for (const json& table : f.get("schedule")) {
    if (!table.is_array()) return bad("schedule", "has a table that is not a list of batches");
    s.schedule.emplace_back();
    for (const json& batch : table) {
      if (!batch.is_array() || batch.size() != 2)
        return bad("schedule", "has a batch that is not [current, next]");
      Batch b;
      VOUCH_TRY(b.current, read_columns(batch[0]));
      VOUCH_TRY(b.next, read_columns(batch[1]));
      s.schedule.back().push_back(std::move(b));
    }
  }
  return ok();
}

Result<OperationLog> read_trace(const json& v, const char* key) {
  if (!v.is_array()) return bad(key, "is not a list");
  OperationLog log;
  for (const json& line : v) {
    if (!line.is_string()) return bad(key, "has an entry that is not a string");
    const std::string& text = line.get_ref<const std::string&>();
    if (text.starts_with("#")) continue;
    VOUCH_TRY(const Operation op, parse_operation(text));
    log.push_back(op);
  }
  return log;
}

Result<Config> read_config(const json& v) {
  if (!v.is_object()) return bad("config", "is not an object");
  const Fields f(v);
  Config c;
  VOUCH_TRY(c.variables, f.integer("num_variables"));
  VOUCH_TRY(c.ext_bits, f.integer("ext_bits"));
  if (!f.has("folding_schedule")) return bad("folding_schedule", "is missing");
  VOUCH_TRY(c.folding, Fields::small_list(f.get("folding_schedule"), "folding_schedule"));
  VOUCH_TRY(c.ood_samples, f.integer("commitment_ood_samples"));
  VOUCH_TRY(c.fold_pow_bits, f.integer("starting_folding_pow_bits"));
  VOUCH_TRY(c.final_queries, f.integer("final_queries"));
  VOUCH_TRY(c.final_pow_bits, f.integer("final_pow_bits"));
  VOUCH_TRY(c.final_sumcheck_rounds, f.integer("final_sumcheck_rounds"));
  VOUCH_TRY(c.final_fold_pow_bits, f.integer("final_folding_pow_bits"));
  if (!f.has("rounds") || !f.get("rounds").is_array()) return bad("rounds", "is missing or not a list");
  for (const json& r : f.get("rounds")) {
    if (!r.is_object()) return bad("rounds", "has an entry that is not an object");
    const Fields g(r);
    RoundConfig rc;
    VOUCH_TRY(rc.pow_bits, g.integer("pow_bits"));
    VOUCH_TRY(rc.fold_pow_bits, g.integer("folding_pow_bits"));
    VOUCH_TRY(rc.queries, g.integer("num_queries"));
    VOUCH_TRY(rc.ood_samples, g.integer("ood_samples"));
    VOUCH_TRY(rc.variables, g.integer("num_variables"));
    VOUCH_TRY(rc.folding_factor, g.integer("folding_factor"));
    VOUCH_TRY(rc.log_inv_rate, g.integer("log_inv_rate"));
    if (!g.has("domain_size") || !g.get("domain_size").is_number_unsigned())
      return bad("domain_size", "is missing");
    const std::uint64_t domain = g.get("domain_size").get<std::uint64_t>();
    if (!std::has_single_bit(domain)) return bad("domain_size", "is not a power of two");
    rc.log_domain = std::countr_zero(domain);
    c.rounds.push_back(rc);
  }
  return c;
}

Status read_results(const Fields& f, WhirCase& c) {
  const FieldId field = c.statement.params.field;
  if (f.has("stacked_poly") && !f.get("stacked_poly").empty()) {
    VOUCH_TRY(c.stacked_poly, Fields::elements(f.get("stacked_poly"), "stacked_poly", modulus(field)));
  }
  if (f.has("commitment")) {
    if (!f.get("commitment").is_array()) return bad("commitment", "is not a list of digests");
    c.commitment.emplace();
    for (const json& d : f.get("commitment")) {
      VOUCH_TRY(const auto digest, Fields::elements(d, "commitment", modulus(field)));
      if (digest.size() != 8) return bad("commitment", "has a digest that is not 8 numbers");
      c.commitment->emplace_back();
      for (std::size_t i = 0; i < 8; i++) c.commitment->back()[i] = to_montgomery(digest[i], field);
    }
  }
  if (f.has("prover_trace")) {
    VOUCH_TRY(c.prover_trace, read_trace(f.get("prover_trace"), "prover_trace"));
  }
  if (f.has("verifier_trace")) {
    VOUCH_TRY(c.verifier_trace, read_trace(f.get("verifier_trace"), "verifier_trace"));
  }
  if (f.has("config")) {
    VOUCH_TRY(c.config, read_config(f.get("config")));
  }
  for (auto [key, bytes] : {std::pair{"commitment_postcard", &c.commitment_postcard},
                            std::pair{"proof_postcard", &c.proof_postcard}}) {
    if (!f.has(key)) continue;
    VOUCH_TRY(const std::string text, f.text(key));
    VOUCH_TRY(*bytes, from_hex(text, "case: field \"" + std::string(key) + "\""));
  }
  if (f.has("proof_json")) {  // kept as the text our own writer would make, which drops key order and spaces
    auto proof = whir_proof_from(f.get("proof_json"), c.encoding());
    Encoding tolerant = c.encoding();
    tolerant.canonical = false;
    // Not our form, but perhaps one that the compatible mode takes: whoever verifies decides.
    if (!proof.ok() && !whir_proof_from(f.get("proof_json"), tolerant).ok()) return proof.error();
    c.proof_json = proof.ok() ? whir_proof_to_json(proof.value(), c.encoding()) : f.get("proof_json").dump();
  }
  return ok();
}

Status read_values(const Fields& f, WhirCase& c) {
  if (!f.has("values")) return ok();
  if (!f.get("values").is_array()) return bad("values", "is not a list of tables");
  c.values.emplace();
  for (const json& table : f.get("values")) {
    if (!table.is_array()) return bad("values", "has a table that is not a list of columns");
    c.values->emplace_back();
    for (const json& column : table) {
      VOUCH_TRY(auto list, Fields::elements(column, "values", modulus(c.statement.params.field)));
      c.values->back().push_back(std::move(list));
    }
  }
  return ok();
}

// A list of extension elements, each a list of canonical coefficients.
Result<Words> read_ext_list(const json& v, std::string_view key, const Params& p) {
  if (!v.is_array()) return bad(key, "is not a list");
  Words words;
  for (const json& x : v) {
    VOUCH_TRY(const auto c, Fields::elements(x, key, modulus(p.field)));
    if (c.size() != std::size_t(p.degree)) return bad(key, "has an element of another degree");
    for (std::uint32_t w : c) words.push_back(to_montgomery(w, p.field));
  }
  return words;
}

Status read_claims(const Fields& f, WhirCase& c) {
  const Params& p = c.statement.params;
  if (f.has("points")) {
    if (!f.get("points").is_array()) return bad("points", "is not a list");
    c.points.emplace();
    for (const json& point : f.get("points")) {
      VOUCH_TRY(Words words, read_ext_list(point, "points", p));
      c.points->push_back(std::move(words));
    }
  }
  if (!f.has("opened")) return ok();
  if (!f.get("opened").is_array()) return bad("opened", "is not a list");
  c.opened.emplace();
  for (const json& b : f.get("opened")) {
    if (!b.is_object() || !b.contains("current") || !b.contains("next"))
      return bad("opened", "has an entry without \"current\" and \"next\"");
    BatchValues values;
    VOUCH_TRY(values.current, read_ext_list(b.at("current"), "opened", p));
    VOUCH_TRY(values.next, read_ext_list(b.at("next"), "opened", p));
    c.opened->push_back(std::move(values));
  }
  return ok();
}

ordered_json ext_list_json(const Words& words, const Params& p) {
  ordered_json list = ordered_json::array();
  for (std::size_t i = 0; i < words.size(); i++) {
    if (i % std::size_t(p.degree) == 0) list.push_back(ordered_json::array());
    list.back().push_back(to_canonical(words[i], p.field));
  }
  return list;
}

ordered_json config_json(const Config& c, FieldId field) {
  ordered_json v;
  v["num_variables"] = c.variables;
  v["ext_bits"] = c.ext_bits;
  v["folding_schedule"] = c.folding;
  v["commitment_ood_samples"] = c.ood_samples;
  v["starting_folding_pow_bits"] = c.fold_pow_bits;
  v["final_queries"] = c.final_queries;
  v["final_pow_bits"] = c.final_pow_bits;
  v["final_sumcheck_rounds"] = c.final_sumcheck_rounds;
  v["final_folding_pow_bits"] = c.final_fold_pow_bits;
  v["rounds"] = ordered_json::array();
  for (std::size_t i = 0; i < c.rounds.size(); i++) {
    const RoundConfig& r = c.rounds[i];
    const int log = c.log_height(i);
    v["rounds"].push_back(
        {{"pow_bits", r.pow_bits},
         {"folding_pow_bits", r.fold_pow_bits},
         {"num_queries", r.queries},
         {"ood_samples", r.ood_samples},
         {"num_variables", r.variables},
         {"folding_factor", r.folding_factor},
         {"log_inv_rate", r.log_inv_rate},
         {"domain_size", std::uint64_t(1) << r.log_domain},
         {"folded_domain_gen", field == FieldId::baby_bear ? BabyBear::root_of_unity(log).to_int()
                                                           : KoalaBear::root_of_unity(log).to_int()}});
  }
  return v;
}

ordered_json trace_json(const OperationLog& log) {
  ordered_json list = ordered_json::array();
  for (const Operation& op : log) list.push_back(to_string(op));
  return list;
}

// Several short fields to a line, each long one on its own.
class CaseWriter {
 public:
  void field(const char* key, const ordered_json& value, const char* end = ",\n") {
    raw(key, value.dump(-1, ' ', false, ordered_json::error_handler_t::replace), end);
  }
  void raw(const char* key, const std::string& text, const char* end = ",\n") {
    out_ += "\"" + std::string(key) + "\":" + text + end;
  }
  std::string finish() {
    out_.replace(out_.size() - 2, 2, "\n}\n");  // the last comma
    return std::move(out_);
  }

 private:
  std::string out_ = "{\n";
};

void write_statement(CaseWriter& w, const Statement& s, const std::string& title) {
  const Params& p = s.params;
  const Hashing& h = p.hashing;
  std::string constants = "default";
  if (h.seed) {
    constants = "smallrng seed " + std::to_string(*h.seed) + " (p16" +
                (h.leaf_width == 24 ? " then p24" : "") + (h.arity == 4 ? " then p32)" : ")");
  }
  ordered_json tables = ordered_json::array(), schedule = ordered_json::array();
  for (const TableShape& t : s.tables) tables.push_back({t.log_rows, t.width});
  for (const auto& table : s.schedule) {
    ordered_json list = ordered_json::array();
    for (const Batch& b : table) list.push_back(ordered_json::array({b.current, b.next}));
    schedule.push_back(list);
  }
  w.field("name", title);
  w.field("field", name(p.field), ",");
  w.field("ext_degree", p.degree, ",");
  w.field("round_constants", constants, ",");
  w.field(
      "merkle",
      std::string(h.leaf_width == 24 ? leaf_24 : leaf_16) + " " + std::string(h.arity == 4 ? node_4 : node_2),
      ",");
  w.field("layout", name(p.layout), ",");
  w.field("cap_height", h.cap_height);
  w.field("tables", tables);
  w.field("schedule", schedule);
  w.field("folding", to_string(p.folding));
  w.field("rate", p.log_inv_rate, ",");
  w.field("round_log_inv_rates", p.round_rates, ",");
  w.field("security", p.security, ",");
  w.field("pow_bits", p.pow_bits, ",");
  w.field("soundness", name(p.soundness), ",");
  w.field("domain_separator_observed", p.domain_separator);
}

void write_results(CaseWriter& w, const WhirCase& c) {
  const Params& p = c.statement.params;
  if (c.config) w.field("config", config_json(*c.config, p.field));
  if (c.values) w.field("values", *c.values);
  if (c.stacked_poly) w.field("stacked_poly", *c.stacked_poly);
  if (c.commitment) {
    ordered_json cap = ordered_json::array();
    for (const DigestWords& d : *c.commitment) {
      cap.push_back(ordered_json::array());
      for (Word x : d) cap.back().push_back(to_canonical(x, p.field));
    }
    w.field("commitment", cap);
  }
  if (c.points) {
    ordered_json list = ordered_json::array();
    for (const PointWords& point : *c.points) list.push_back(ext_list_json(point, p));
    w.field("points", list);
  }
  if (c.opened) {
    ordered_json list = ordered_json::array();
    for (const BatchValues& b : *c.opened)
      list.push_back({{"current", ext_list_json(b.current, p)}, {"next", ext_list_json(b.next, p)}});
    w.field("opened", list);
  }
  if (c.commitment_postcard) w.field("commitment_postcard", to_hex(*c.commitment_postcard));
  if (c.prover_trace) w.field("prover_trace", trace_json(*c.prover_trace));
  if (c.verifier_trace) w.field("verifier_trace", trace_json(*c.verifier_trace));
  if (c.proof_postcard) {
    w.field("proof_len", c.proof_postcard->size());
    w.field("proof_postcard", to_hex(*c.proof_postcard));
  }
  if (c.proof_json) w.raw("proof_json", *c.proof_json);
}

}  // namespace

Result<WhirCase> whir_case_from_json(std::string_view text) {
  VOUCH_TRY(const json v, parse_json_value(text, "case"));
  if (!v.is_object()) return Error{Code::malformed, "case: not a JSON object"};
  const Fields f(v);
  WhirCase c;
  if (f.has("name") && f.get("name").is_string()) c.name = f.get("name").get<std::string>();
  VOUCH_CHECK(read_params(f, c.statement.params));
  VOUCH_CHECK(read_tables(f, c.statement));
  VOUCH_CHECK(read_values(f, c));
  VOUCH_CHECK(read_claims(f, c));
  VOUCH_CHECK(read_results(f, c));
  return c;
}

std::string whir_case_to_json(const WhirCase& c) {
  CaseWriter w;
  write_statement(w, c.statement, c.name);
  write_results(w, c);
  return w.finish();
}

std::uint32_t whir_case_value(std::uint32_t table, std::uint32_t column, std::uint32_t row,
                              std::uint32_t modulus) {
  std::uint32_t x = row * 0x9E3779B1u + (column + 1) * 0x85EBCA77u + (table + 1) * 0xC2B2AE3Du;
  x ^= x >> 15;
  x *= 0x2C1B3C6Du;
  x ^= x >> 12;
  return x % modulus;
}

std::vector<std::vector<std::vector<std::uint32_t>>> whir_case_values(const WhirCase& c) {
  if (c.values) return *c.values;
  std::vector<std::vector<std::vector<std::uint32_t>>> tables;
  const auto& shapes = c.statement.tables;
  for (std::uint32_t t = 0; t < shapes.size(); t++) {
    tables.emplace_back(shapes[t].width);
    for (std::uint32_t j = 0; j < shapes[t].width; j++) {
      auto& column = tables[t][j];
      column.resize(std::size_t(1) << shapes[t].log_rows);
      for (std::uint32_t i = 0; i < column.size(); i++)
        column[i] = whir_case_value(t, j, i, modulus(c.statement.params.field));
    }
  }
  return tables;
}

Result<whir::Proof> whir_case_open(whir::Prover& prover, const WhirPoints& points,
                                   whir::Transcript& transcript) {
  if (!points) return prover.open(transcript);
  for (const whir::PointWords& p : *points) transcript.observe(p);
  return prover.open_at(*points, transcript);
}

Status whir_case_verify(const whir::Setup& setup, const whir::Cap& commitment, const whir::Proof& proof,
                        const WhirPoints& points, whir::Transcript& transcript,
                        const whir::VerifyOptions& options) {
  if (!points) return whir::verify(setup, commitment, proof, transcript, options);
  transcript.observe(commitment);
  for (const whir::PointWords& p : *points) transcript.observe(p);
  return whir::verify_at(setup, commitment, proof, *points, transcript, options);
}

}  // namespace vouch::formats
