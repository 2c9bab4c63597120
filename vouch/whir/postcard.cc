#include "vouch/whir/postcard.h"

#include <cstring>

namespace vouch::whir {
namespace {

class Writer {
 public:
  explicit Writer(const Encoding& e) : degree_(std::size_t(e.degree)), fixed_(e.profile == Profile::p3_0_7) {}

  void byte(std::uint8_t b) { out.push_back(b); }
  void varint(std::uint64_t x) {
    for (; x >= 0x80; x >>= 7) out.push_back(std::uint8_t(x | 0x80));
    out.push_back(std::uint8_t(x));
  }
  void element(Word x) {
    if (!fixed_) return varint(x);
    for (int i = 0; i < 4; i++) out.push_back(std::uint8_t(x >> 8 * i));
  }
  template <class List>
  void elements(const List& words) {
    for (Word x : words) element(x);
  }
  void ext_vector(const Words& words) {
    varint(words.size() / degree_);
    elements(words);
  }
  void base_vector(const Words& words) {
    varint(words.size());
    elements(words);
  }
  void digests(const std::vector<DigestWords>& list) {
    varint(list.size());
    for (const DigestWords& d : list) elements(d);
  }
  void sumcheck(const SumcheckProof& s) {
    varint(s.polynomials.size() / (2 * degree_));
    elements(s.polynomials);
    base_vector(s.pow_witnesses);
  }
  void openings(const Openings& o) {
    varint(o.extension ? 1 : 0);
    varint(o.rows);
    for (std::size_t r = 0; r < o.rows; r++) {
      varint(o.row_words / (o.extension ? degree_ : 1));
      for (std::size_t i = 0; i < o.row_words; i++) element(o.values[r * o.row_words + i]);
    }
    digests(o.siblings);
  }

  std::vector<std::uint8_t> out;

 private:
  std::size_t degree_;
  bool fixed_;
};

constexpr std::string_view not_reduced = "a field element is not below the modulus";

// Reads like core's Reader: after a failure every read returns nothing, and the first cause is kept.
class Decoder {
 public:
  Decoder(Bytes data, const Encoding& e)
      : data_(data),
        modulus_(modulus(e.field)),
        degree_(std::size_t(e.degree)),
        fixed_(e.profile == Profile::p3_0_7),
        canonical_(e.canonical) {}

  bool ok() const { return error_.empty(); }
  Error error() const { return {Code::malformed, error_}; }
  void enter(std::string part) { part_ = std::move(part); }

  void fail(std::string_view cause) {
    if (!ok()) return;
    error_ = "proof: " + part_ + " at byte " + std::to_string(at_) + ": " + std::string(cause);
    at_ = data_.size();
  }
  std::uint8_t byte() {
    if (at_ >= data_.size()) return fail("the bytes end early"), 0;
    return data_[at_++];
  }
  std::uint64_t varint() {
    std::uint64_t x = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      const std::uint8_t b = byte();
      if (!ok()) return 0;
      if (shift == 63 && b > 1) break;
      x |= std::uint64_t(b & 0x7f) << shift;
      if (b < 0x80) {
        if (b == 0 && shift > 0 && canonical_) return fail("a number is not written in its shortest form"), 0;
        return x;
      }
    }
    return fail("a number exceeds 64 bits"), 0;
  }
  Word element() {
    std::uint64_t x = 0;
    if (fixed_) {
      if (data_.size() - at_ < 4) return fail("the bytes end early"), 0;
      x = load_le<std::uint32_t>(data_.data() + at_);
      at_ += 4;
    } else {
      x = varint();
    }
    if (x >= modulus_) return fail(not_reduced), 0;
    return Word(x);
  }
  // A length whose items take at least `item_words` elements each: checked against the bytes that are left,
  // so that nothing is allocated for items that cannot be there. An element takes 4 bytes, or 1 as a varint.
  std::size_t length(std::size_t item_words, std::size_t item_bytes = 0) {
    const std::uint64_t n = varint();
    const std::size_t least = item_words * (fixed_ ? 4 : 1) + item_bytes;
    if (ok() && n > (data_.size() - at_) / least) return fail("a length exceeds the bytes left"), 0;
    return ok() ? std::size_t(n) : 0;
  }
  Words elements(std::size_t count) {
    Words w;
    append(w, count);
    return w;
  }
  void append(Words& w, std::size_t count) {
    if (!fixed_ || count > (data_.size() - at_) / 4) {  // one by one: the error says where
      for (std::size_t i = 0; i < count && ok(); i++) w.push_back(element());
      return;
    }
    if (count == 0) return;
    const std::size_t begin = w.size();
    w.resize(begin + count);
    std::memcpy(w.data() + begin, data_.data() + at_, 4 * count);
    for (std::size_t i = begin; i < w.size(); i++, at_ += 4)
      if (w[i] >= modulus_) return fail(not_reduced);
  }
  Words ext_vector() { return elements(length(degree_) * degree_); }
  Words base_vector() { return elements(length(1)); }
  std::vector<DigestWords> digests() {
    std::vector<DigestWords> list(length(8));
    for (DigestWords& d : list)
      for (Word& x : d) x = element();
    return list;
  }
  bool option() {
    const std::uint8_t b = byte();
    if (b > 1) fail("an option tag is neither 0 nor 1");
    return b == 1 && ok();
  }
  SumcheckProof sumcheck() {
    SumcheckProof s;
    s.polynomials = elements(length(2 * degree_) * 2 * degree_);
    s.pow_witnesses = base_vector();
    return s;
  }
  Openings openings() {
    Openings o;
    const std::uint64_t kind = varint();
    if (kind > 1) fail("openings are neither base nor extension rows");
    o.extension = kind == 1;
    o.rows = length(0, 1);
    const std::size_t unit = o.extension ? degree_ : 1;
    for (std::size_t r = 0; r < o.rows && ok(); r++) {
      const std::size_t words = length(unit) * unit;
      if (r == 0) o.row_words = words;
      if (words != o.row_words) fail("opened rows differ in length");
      append(o.values, words);
    }
    o.siblings = digests();
    return o;
  }
  void finish() {
    enter("end");
    if (ok() && at_ != data_.size()) fail("bytes follow the end");
  }

 private:
  Bytes data_;
  std::size_t at_ = 0;
  std::uint32_t modulus_;
  std::size_t degree_;
  bool fixed_;
  bool canonical_;
  std::string part_ = "start";
  std::string error_;
};

RoundProof round_from(Decoder& d, const std::string& where) {
  RoundProof r;
  d.enter(where + " commitment");
  if (d.option()) r.commitment = d.digests();
  d.enter(where + " out-of-domain answers");
  r.ood_answers = d.ext_vector();
  d.enter(where + " grinding witness");
  r.pow_witness = d.element();
  d.enter(where + " openings");
  r.openings = d.openings();
  d.enter(where + " sumcheck");
  r.sumcheck = d.sumcheck();
  return r;
}

}  // namespace

std::vector<std::uint8_t> to_postcard(const Proof& proof, const Encoding& encoding) {
  Writer w(encoding);
  w.ext_vector(proof.ood_answers);
  w.sumcheck(proof.sumcheck);
  w.varint(proof.rounds.size());
  for (const RoundProof& r : proof.rounds) {
    w.byte(r.commitment ? 1 : 0);
    if (r.commitment) w.digests(*r.commitment);
    w.ext_vector(r.ood_answers);
    w.element(r.pow_witness);
    w.openings(r.openings);
    w.sumcheck(r.sumcheck);
  }
  w.byte(proof.final_poly ? 1 : 0);
  if (proof.final_poly) w.ext_vector(*proof.final_poly);
  w.element(proof.final_pow_witness);
  w.openings(proof.final_openings);
  w.byte(proof.final_sumcheck ? 1 : 0);
  if (proof.final_sumcheck) w.sumcheck(*proof.final_sumcheck);
  w.varint(proof.evals.size());
  for (const BatchValues& b : proof.evals) {
    w.ext_vector(b.current);
    w.ext_vector(b.next);
  }
  return std::move(w.out);
}

std::vector<std::uint8_t> to_postcard(const Cap& cap, const Encoding& encoding) {
  Writer w(encoding);
  w.digests(cap);
  return std::move(w.out);
}

Result<Proof> proof_from_postcard(Bytes bytes, const Encoding& encoding) {
  Decoder d(bytes, encoding);
  Proof p;
  d.enter("out-of-domain answers");
  p.ood_answers = d.ext_vector();
  d.enter("sumcheck");
  p.sumcheck = d.sumcheck();
  d.enter("rounds");
  const std::size_t rounds = d.length(1, 8);  // option, four lengths, a tag, two more lengths, an element
  for (std::size_t i = 0; i < rounds && d.ok(); i++)
    p.rounds.push_back(round_from(d, "round " + std::to_string(i)));
  d.enter("final polynomial");
  if (d.option()) p.final_poly = d.ext_vector();
  d.enter("final grinding witness");
  p.final_pow_witness = d.element();
  d.enter("final openings");
  p.final_openings = d.openings();
  d.enter("final sumcheck");
  if (d.option()) p.final_sumcheck = d.sumcheck();
  d.enter("opened values");
  const std::size_t batches = d.length(0, 2);
  for (std::size_t i = 0; i < batches && d.ok(); i++) {
    BatchValues b;
    b.current = d.ext_vector();
    b.next = d.ext_vector();
    p.evals.push_back(std::move(b));
  }
  d.finish();
  if (!d.ok()) return d.error();
  return p;
}

Result<Cap> cap_from_postcard(Bytes bytes, const Encoding& encoding) {
  Decoder d(bytes, encoding);
  d.enter("commitment");
  Cap cap = d.digests();
  d.finish();
  if (!d.ok()) return d.error();
  return cap;
}

}  // namespace vouch::whir
