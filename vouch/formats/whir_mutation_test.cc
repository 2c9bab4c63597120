// Hostile proofs: every class of field changed, every kind of damage to the bytes. A damaged proof is an
// error with a sentence; nothing crashes, and nothing is allocated beyond a small multiple of what was given.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <random>
#include <sstream>

#include "vouch/formats/test_allocations.h"
#include "vouch/formats/whir_case.h"
#include "vouch/formats/whir_json.h"

namespace vouch::formats {
namespace {

using namespace whir;

#define ASSERT_OK(r) ASSERT_TRUE((r).ok()) << (r).error().what

struct Golden {
  WhirCase c;
  whir::Setup setup;
  Proof proof;

  static Golden load(const std::string& name) {
    std::ifstream in(std::string(VOUCH_VECTORS) + "/whir/" + name + ".json", std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    auto c = whir_case_from_json(text.str());
    auto setup = whir::Setup::create(c.value().statement);
    auto proof = proof_from_postcard(bytes(*c.value().proof_postcard), c.value().encoding());
    return {c.value(), setup.value(), proof.value()};
  }
  static Bytes bytes(const std::string& s) {
    return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()};
  }
  Status check(const Cap& cap, const Proof& p) const {
    Transcript t = setup.start();
    return verify(setup, cap, p, t);
  }
};

// Every class of field of a proof, each with a change that keeps the shape.
std::vector<std::pair<std::string, std::function<bool(Proof&)>>> field_changes() {
  const auto bump = [](Word& w) { w = w == 0 ? 1 : w - 1; };
  const auto words = [bump](Words& list) {
    return list.empty() ? false : (bump(list[list.size() / 2]), true);
  };
  const auto openings = [words](Openings& o) { return words(o.values); };
  const auto siblings = [bump](Openings& o) {
    return o.siblings.empty() ? false : (bump(o.siblings[0][3]), true);
  };
  std::vector<std::pair<std::string, std::function<bool(Proof&)>>> list = {
      {"initial OOD answer", [=](Proof& p) { return words(p.ood_answers); }},
      {"first sumcheck", [=](Proof& p) { return words(p.sumcheck.polynomials); }},
      {"first sumcheck witness", [=](Proof& p) { return words(p.sumcheck.pow_witnesses); }},
      {"final polynomial", [=](Proof& p) { return words(*p.final_poly); }},
      {"final openings", [=](Proof& p) { return openings(p.final_openings); }},
      {"final siblings", [=](Proof& p) { return siblings(p.final_openings); }},
      {"final sumcheck", [=](Proof& p) { return p.final_sumcheck && words(p.final_sumcheck->polynomials); }},
      {"no final sumcheck", [=](Proof& p) { return p.final_sumcheck && (p.final_sumcheck.reset(), true); }},
      {"no final polynomial", [=](Proof& p) { return p.final_poly.reset(), true; }},
      {"final sumcheck cut",
       [=](Proof& p) { return p.final_sumcheck && (p.final_sumcheck->polynomials.pop_back(), true); }},
      {"a batch less", [=](Proof& p) { return p.evals.pop_back(), true; }},
      {"a batch more", [=](Proof& p) { return p.evals.push_back(p.evals[0]), true; }},
      {"a round more", [=](Proof& p) { return p.rounds.emplace_back(), true; }},
      {"final rows less", [=](Proof& p) { return --p.final_openings.rows, true; }},
      {"final rows of the other field", [=](Proof& p) { return p.final_openings.extension ^= true, true; }},
      {"final row width", [=](Proof& p) { return p.final_openings.row_words++, true; }},
      {"a sibling less",
       [=](Proof& p) {
         return !p.final_openings.siblings.empty() && (p.final_openings.siblings.pop_back(), true);
       }},
      {"a sibling more", [=](Proof& p) { return p.final_openings.siblings.emplace_back(), true; }},
      {"an OOD answer less",
       [=](Proof& p) { return !p.ood_answers.empty() && (p.ood_answers.pop_back(), true); }},
  };
  list.emplace_back("final witness", [=](Proof& p) { return bump(p.final_pow_witness), true; });
  for (std::size_t b = 0; b < 4; b++) {
    list.emplace_back("current value " + std::to_string(b),
                      [=](Proof& p) { return b < p.evals.size() && words(p.evals[b].current); });
    list.emplace_back("next value " + std::to_string(b),
                      [=](Proof& p) { return b < p.evals.size() && words(p.evals[b].next); });
  }
  for (std::size_t i = 0; i < 3; i++) {
    const std::string round = "round " + std::to_string(i) + " ";
    const auto in = [i](const std::function<bool(RoundProof&)>& f) {
      return [i, f](Proof& p) { return i < p.rounds.size() && f(p.rounds[i]); };
    };
    list.emplace_back(round + "commitment",
                      in([=](RoundProof& r) { return bump((*r.commitment)[0][7]), true; }));
    list.emplace_back(round + "no commitment", in([=](RoundProof& r) { return r.commitment.reset(), true; }));
    list.emplace_back(round + "cap size",
                      in([=](RoundProof& r) { return r.commitment->emplace_back(), true; }));
    list.emplace_back(round + "OOD answer", in([=](RoundProof& r) { return words(r.ood_answers); }));
    list.emplace_back(round + "witness", in([=](RoundProof& r) { return bump(r.pow_witness), true; }));
    list.emplace_back(round + "openings", in([=](RoundProof& r) { return openings(r.openings); }));
    list.emplace_back(round + "siblings", in([=](RoundProof& r) { return siblings(r.openings); }));
    list.emplace_back(round + "row field",
                      in([=](RoundProof& r) { return r.openings.extension ^= true, true; }));
    list.emplace_back(round + "rows", in([=](RoundProof& r) { return r.openings.rows++, true; }));
    list.emplace_back(round + "sumcheck", in([=](RoundProof& r) { return words(r.sumcheck.polynomials); }));
    list.emplace_back(round + "sumcheck witness",
                      in([=](RoundProof& r) { return words(r.sumcheck.pow_witnesses); }));
  }
  return list;
}

const char* const cases[] = {"bb4_suffix_multi_next",    "bb4_prefix_n10_foldpow",
                             "bb4_prefix_n10_f4_cap2",   "bb4_prefix_n12_f1_r1",
                             "kb5_prefix_n10_f4_r1",     "bb4_prefix_n6_f6_r1_norounds",
                             "bb4_prefix_n10_f4_arity4", "bb4_prefix_padded_small_table"};

TEST(WhirMutation, EveryFieldClassIsChecked) {
  std::map<std::string, int> applied;
  for (const char* name : cases) {
    const Golden g = Golden::load(name);
    ASSERT_TRUE(g.check(*g.c.commitment, g.proof).ok());
    for (const auto& [what, change] : field_changes()) {
      Proof p = g.proof;
      if (!change(p)) continue;
      applied[what]++;
      const Status s = g.check(*g.c.commitment, p);
      ASSERT_FALSE(s.ok()) << name << ": " << what;
      EXPECT_EQ(s.error().code, Code::rejected) << what;
    }
    for (std::size_t i = 0; i < 8; i++) {
      Cap cap = *g.c.commitment;
      cap.back()[i] ^= 1;
      EXPECT_FALSE(g.check(cap, g.proof).ok()) << name;
    }
    Cap larger = *g.c.commitment;
    larger.push_back(larger[0]);
    EXPECT_FALSE(g.check(larger, g.proof).ok()) << name;
  }
  EXPECT_GT(applied["next value 1"] + applied["next value 3"], 0);
  for (const auto& [what, change] : field_changes())
    if (!what.ends_with("sumcheck witness") && !what.starts_with("next value"))  // in few cases, or none
      EXPECT_GT(applied[what], 0) << what;
}

// A mutant decodes to the same proof, or is refused by decoder or verifier with a sentence.
template <class Decode>
void expect_refused(const Golden& g, const std::string& mutant, Decode decode, int& refused) {
  largest_request = 0;
  auto p = decode(mutant);
  EXPECT_LE(largest_request, 64 * mutant.size() + 65536);
  if (!p.ok()) {
    EXPECT_EQ(p.error().code, Code::malformed);
    EXPECT_GT(p.error().what.size(), 10u);
    refused++;
    return;
  }
  if (p.value() == g.proof) return;
  const Status s = g.check(*g.c.commitment, p.value());
  ASSERT_FALSE(s.ok());
  EXPECT_LE(largest_request, 64 * mutant.size() + 65536);
  refused++;
}

TEST(WhirMutation, PostcardBytes) {
  std::mt19937_64 rng(1);
  int refused = 0, mutants = 0;
  for (const char* name : {"bb4_suffix_multi_next", "kb5_prefix_n10_f4_r1", "bb4_prefix_n10_f4_cap2"}) {
    const Golden g = Golden::load(name);
    const std::string& good = *g.c.proof_postcard;
    const auto decode = [&](const std::string& s) {
      return proof_from_postcard(Golden::bytes(s), g.c.encoding());
    };
    const auto run = [&](std::string s) { mutants++, expect_refused(g, s, decode, refused); };
    for (std::size_t cut = 0; cut < good.size(); cut += 1 + good.size() / 150) run(good.substr(0, cut));
    run(good + '\0');
    for (int i = 0; i < 200; i++) {
      std::string s = good;
      s[rng() % s.size()] ^= char(1u << rng() % 8);
      run(std::move(s));
    }
    for (int i = 0; i < 60; i++) {  // lengths: long varints where a byte was
      std::string s = good;
      s.replace(rng() % s.size(), 1, i % 2 ? "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" : "\xff\xff\xff\x7f");
      run(std::move(s));
    }
    for (int i = 0; i < 40; i++) {  // a piece moved over another
      std::string s = good;
      const std::size_t n = 1 + rng() % 64, from = rng() % (s.size() - n), to = rng() % (s.size() - n);
      if (s.substr(from, n) == s.substr(to, n)) continue;
      s.replace(to, n, good.substr(from, n));
      run(std::move(s));
    }
  }
  EXPECT_GE(mutants, 500);
  EXPECT_GE(refused, mutants - 5);
}

TEST(WhirMutation, JsonText) {
  std::mt19937_64 rng(2);
  const Golden g = Golden::load("bb4_suffix_multi_next");
  const std::string good = *g.c.proof_json;
  int refused = 0, mutants = 0;
  const auto decode = [&](const std::string& s) { return whir_proof_from_json(s, g.c.encoding()); };
  const auto run = [&](std::string s) { mutants++, expect_refused(g, s, decode, refused); };
  for (std::size_t cut = 0; cut < good.size(); cut += good.size() / 60) run(good.substr(0, cut));
  for (int i = 0; i < 100; i++) {
    std::string s = good;
    s[rng() % s.size()] = "0{}[],:\"nx-.e9"[rng() % 14];
    if (s != good) run(std::move(s));
  }
  for (const char* key : {"whir", "evals", "value", "_phantom", "rounds", "rows", "cap", "Base", "Extension",
                          "next", "sibling_hashes", "final_poly", "pow_witness", "final_sumcheck"}) {
    std::string s = good;
    const std::string quoted = '"' + std::string(key) + '"';
    const std::size_t at = s.find(quoted);
    ASSERT_NE(at, std::string::npos) << key;
    run(s.replace(at + 1, 1, "X"));
  }
  run(std::string(100000, '['));
  run("{\"whir\":" + std::string(50000, '{') + "}");
  EXPECT_EQ(refused, mutants);
}

// What serde reads beyond its own form is for the compatible mode alone, and what it refuses is refused by
// both.
TEST(WhirMutation, JsonForms) {
  const Golden g = Golden::load("bb4_prefix_n6_f6_r1_norounds");
  Encoding tolerant = g.c.encoding();
  tolerant.canonical = false;
  const struct {
    std::string from, to;
    bool compatible;
  } cases[] = {
      {"{\"whir\":", "{\"more\":[1],\"whir\":", true},
      {",\"final_sumcheck\":null", "", true},
      {"\"_phantom\":null", "\"_phantom\":null,\"x\":{}", true},
      {"\"_phantom\":null", "\"_phantom\":1", false},
      {",\"_phantom\":null", "", false},
      {",\"pow_witnesses\":[]", "", false},
      {"\"evals\":", "\"evals\":[],\"evals\":", false},
      {"\"final_openings\":{\"Base\":", "\"final_openings\":{\"Extension\":{},\"Base\":", false},
  };
  for (const auto& [from, to, compatible] : cases) {
    std::string s = *g.c.proof_json;
    const std::size_t at = s.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    s.replace(at, from.size(), to);
    EXPECT_FALSE(whir_proof_from_json(s, g.c.encoding()).ok()) << to;
    const auto read = whir_proof_from_json(s, tolerant);
    ASSERT_EQ(read.ok(), compatible) << to;
    if (compatible) EXPECT_EQ(Result<Proof>(read).value(), g.proof) << to;
  }
}

TEST(WhirMutation, VarintProfileRoundTripsAndRefusesDamage) {
  const Golden g = Golden::load("kb5_prefix_n10_f4_r1");
  Encoding e = g.c.encoding();
  e.profile = Profile::p3_0_7_rc;
  const auto bytes = to_postcard(g.proof, e);
  auto back = proof_from_postcard(bytes, e);
  ASSERT_OK(back);
  EXPECT_EQ(back.value(), g.proof);
  EXPECT_FALSE(proof_from_postcard(bytes, g.c.encoding()).ok());
  // 1 written in two bytes: refused unless the encoding need not be canonical.
  std::vector<std::uint8_t> longer(bytes.begin(), bytes.end());
  ASSERT_LT(longer[0], 0x80);
  longer[0] |= 0x80;
  longer.insert(longer.begin() + 1, 0);
  EXPECT_FALSE(proof_from_postcard(longer, e).ok());
  e.canonical = false;
  EXPECT_TRUE(proof_from_postcard(longer, e).ok());
}

TEST(WhirMutation, Commitments) {
  const Golden g = Golden::load("bb4_prefix_n10_f4_cap2");
  const auto bytes = to_postcard(*g.c.commitment, g.c.encoding());
  auto back = cap_from_postcard(bytes, g.c.encoding());
  ASSERT_OK(back);
  EXPECT_EQ(back.value(), *g.c.commitment);
  for (std::size_t cut = 0; cut < bytes.size(); cut++)
    EXPECT_FALSE(cap_from_postcard(Bytes(bytes).first(cut), g.c.encoding()).ok());
}

TEST(WhirMutation, CaseFiles) {
  std::mt19937_64 rng(3);
  std::ifstream in(std::string(VOUCH_VECTORS) + "/whir/bb4_prefix_n6_f6_r1_norounds.json", std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  const std::string good = text.str();
  ASSERT_TRUE(whir_case_from_json(good).ok());
  for (int i = 0; i < 300; i++) {
    std::string s = good;
    if (i % 3 == 0) {
      s.resize(rng() % s.size());
    } else {
      s[rng() % (i % 3 == 1 ? 600 : s.size())] = "0{}[],:\"nx-9"[rng() % 12];
    }
    auto c = whir_case_from_json(s);  // may still be a case
    if (!c.ok()) {
      EXPECT_GT(c.error().what.size(), 10u);
      continue;
    }
    (void)whir::Setup::create(c.value().statement);
  }
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"BabyBear", "Goldilocks"},
                                                        {"Constant(6)", "Constant(0)"},
                                                        {"c16 n2", "c16 n3"},
                                                        {"\"prefix\"", "\"middle\""},
                                                        {"default", "smallrng seed x"},
                                                        {"[[6, 1]]", "[[6]]"},
                                                        {"[[6, 1]]", "6"},
                                                        {"[[[[0], []]]]", "[[[[0]]]]"},
                                                        {"CapacityBound", "Hope"},
                                                        {"\"O ", "\"Q "}}) {
    std::string s = good;
    const std::size_t at = s.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    EXPECT_FALSE(whir_case_from_json(s.replace(at, from.size(), to)).ok()) << to;
  }
}

// What is written is read back the same.
TEST(WhirMutation, CaseRoundTrip) {
  Golden g = Golden::load("bb4_suffix_multi_next");
  g.c.opened = g.proof.evals;
  g.c.points = std::vector<PointWords>{Words(4 * 6, 5), Words(4 * 8, 6), Words(4 * 8, 6), Words(4 * 7, 7),
                                       Words(4 * 7, 8)};
  g.c.values = whir_case_values(g.c);
  const std::string text = whir_case_to_json(g.c);
  auto back = whir_case_from_json(text);
  ASSERT_OK(back);
  EXPECT_EQ(whir_case_to_json(back.value()), text);
  EXPECT_EQ(back.value().points, g.c.points);
  EXPECT_EQ(back.value().opened, g.c.opened);
  EXPECT_EQ(back.value().values, g.c.values);
  EXPECT_EQ(back.value().prover_trace, g.c.prover_trace);
  EXPECT_EQ(back.value().proof_postcard, g.c.proof_postcard);
}

}  // namespace
}  // namespace vouch::formats
