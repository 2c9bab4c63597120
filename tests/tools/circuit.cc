// Constraint streams: .r1cs files through the library's reader, and synthetic circuits by a small builder.
#include "circuit.h"

#include <algorithm>
#include <array>
#include <utility>

#include "output.h"
#include "vouch/core/mapped_file.h"
#include "vouch/formats/r1cs.h"

namespace vouch::tools {
namespace {

class R1csCircuit final : public Circuit {
 public:
  explicit R1csCircuit(formats::R1cs r1cs) : r1cs_(std::move(r1cs)) {
    wire_count = r1cs_.wire_count;
    public_count = r1cs_.public_count();
    constraint_count = r1cs_.constraint_count;
  }
  Status for_each(const std::function<void(const Constraint&)>& f) const override {
    formats::ConstraintReader reader(r1cs_);
    Constraint constraint;
    for (;;) {
      VOUCH_TRY(const auto sides, reader.next());
      if (!sides) return ok();
      load(constraint.a, (*sides)[0]);
      load(constraint.b, (*sides)[1]);
      load(constraint.c, (*sides)[2]);
      f(constraint);
    }
  }

 private:
  static void load(std::vector<Term>& out, const formats::LinearCombination& side) {
    out.clear();
    for (std::size_t i = 0; i < side.count; i++) {
      const std::uint8_t* p = side.terms.data() + 36 * i;
      out.push_back({load_le<std::uint32_t>(p), Bn254Fr::from_int(load_le<UInt<4>>(p + 4))});
    }
  }
  formats::R1cs r1cs_;
};

u64 mix(u64 z) {  // the finaliser of SplitMix64
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}
Bn254Fr full_width(u64 seed) {
  return Bn254Fr(mix(seed)) * Bn254Fr(mix(seed + 1)) * Bn254Fr(mix(seed + 2)) * Bn254Fr(mix(seed + 3));
}

}  // namespace

int Circuit::log_domain() const {
  int log_n = 1;
  while ((std::uint64_t(1) << log_n) < std::uint64_t(constraint_count) + public_count + 1) log_n++;
  return log_n;
}

Result<std::unique_ptr<Circuit>> read_r1cs(const std::string& path) {
  VOUCH_TRY(auto r1cs, formats::open_r1cs(path));
  return std::unique_ptr<Circuit>(new R1csCircuit(std::move(r1cs)));
}

// Numbers the wires, hands constraints to `sink` and, where `values` is not null, computes them.
class SyntheticCircuit::Builder {
 public:
  Builder(std::uint32_t inputs, const std::function<void(const Constraint&)>* sink,
          std::vector<Bn254Fr>* values)
      : next_(inputs + 1), sink_(sink), values_(values) {}

  std::uint32_t next() const { return next_; }
  // The last term of c is wire next(), with coefficient 1 or -1: this constraint defines it.
  void define(const Constraint& constraint) {
    if (values_) {
      Bn254Fr x = value(constraint.a) * value(constraint.b);
      for (std::size_t i = 0; i + 1 < constraint.c.size(); i++) x -= value(constraint.c[i]);
      values_->push_back(x * constraint.c.back().value);  // 1 / +-1 = +-1
    }
    next_++;
    require(constraint);
  }
  void require(const Constraint& constraint) {
    if (sink_) (*sink_)(constraint);
  }

 private:
  Bn254Fr value(const Term& t) const { return (*values_)[t.wire] * t.value; }
  Bn254Fr value(const std::vector<Term>& side) const {
    Bn254Fr sum;
    for (const Term& t : side) sum += value(t);
    return sum;
  }
  std::uint32_t next_;
  const std::function<void(const Constraint&)>* sink_;
  std::vector<Bn254Fr>* values_;
};

namespace {

const Bn254Fr one = Bn254Fr::one();

// In every 64 constraints of a sparse circuit: 16 bits are declared, 31 exclusive ors, 15 ands, a word is
// packed from 32 bits, and a full-width value is made.
constexpr std::uint32_t period = 64, declared = 16, xors = 31, ands = 15;

std::uint32_t private_inputs(Kind kind, std::uint32_t constraints) {
  if (kind == Kind::dense) return 2;
  if (kind == Kind::skewed) return 4;
  return constraints / period * declared + std::min(constraints % period, declared);
}

}  // namespace

SyntheticCircuit::SyntheticCircuit(Kind kind, int log_n, std::uint32_t publics) : kind_(kind) {
  public_count = publics;
  constraint_count = (std::uint32_t(1) << log_n) - publics - 1;
  inputs_ = publics + private_inputs(kind, constraint_count);
  Builder counter(inputs_, nullptr, nullptr);
  build(counter);
  wire_count = counter.next();
}

void SyntheticCircuit::build(Builder& builder) const {
  std::uint32_t input_bit = public_count + 1, full = 0, word = 0;
  std::array<std::uint32_t, 1024> recent{};  // wires that hold bits, the newest 1024
  std::uint32_t bits = 0;
  // No side names a wire twice, as none does that circom writes: `bits` is above every difference of offsets.
  const auto bit = [&](u64 random, u64 offset) { return recent[(random + offset) % std::min(bits, 1024u)]; };
  Constraint c;
  for (std::uint32_t k = 0; k < constraint_count; k++) {
    const u64 random = mix(k + 1), random2 = mix(random);
    const std::uint32_t fresh = builder.next(), slot = k % period;
    const auto earlier =
        [&](u64 x) {  // a public signal now and then, else one of the last 4096 wires but the newest
          const std::uint32_t floor = fresh > 4096 ? fresh - 4096 : 1;
          return public_count && x % 16 == 0 ? std::uint32_t(1 + x / 16 % public_count)
                                             : std::uint32_t(floor + x / 16 % (fresh - 1 - floor));
        };
    if (kind_ == Kind::dense) {
      c.a = {{fresh - 1, Bn254Fr(random)}, {earlier(random), full_width(random)}, {0, Bn254Fr(random2)}};
      c.b = {{fresh - 1, full_width(random2)}, {earlier(random2), one}};
      c.c = {{fresh, one}};
      builder.define(c);
    } else if (kind_ == Kind::skewed) {
      c.a = {{k % 64 < 4 ? public_count + 1 + k % 4 : std::max(fresh - 4, public_count + 1), one}};
      c.b = {{0, one}};
      c.c = {{fresh, one}};
      builder.define(c);
    } else if (slot < declared) {
      c.a = {{input_bit, one}};
      c.b = {{input_bit, one}, {0, -one}};
      c.c = {};
      builder.require(c);
      recent[bits++ % 1024] = input_bit++;
    } else if (slot < declared + xors) {
      const std::uint32_t x = bit(random, 0), y = bit(random, 1 + random2 % 15);
      c.a = {{x, Bn254Fr(2)}};
      c.b = {{y, one}};
      c.c = {{x, one}, {y, one}, {fresh, -one}};
      builder.define(c);
      recent[bits++ % 1024] = fresh;
    } else if (slot < declared + xors + ands) {
      c.a = {{bit(random, 0), one}};
      c.b = {{bit(random, 1 + random2 % 15), one}};
      c.c = {{fresh, one}};
      builder.define(c);
      recent[bits++ % 1024] = fresh;
    } else if (slot + 2 == period) {
      c.a.clear();
      for (u64 i = 0; i < 32; i++) c.a.push_back({bit(random, i), Bn254Fr(u64(1) << i)});
      c.b = {{0, one}};
      c.c = {{fresh, one}};
      builder.define(c);
      word = fresh;
    } else {
      c.a = {{word, one}, {full, full_width(random)}};
      c.b = {{word, one}, {public_count ? 1 + k / period % public_count : 0, full_width(random2)}};
      c.c = {{fresh, one}};
      builder.define(c);
      full = fresh;
    }
  }
}

Status SyntheticCircuit::for_each(const std::function<void(const Constraint&)>& f) const {
  Builder builder(inputs_, &f, nullptr);
  build(builder);
  return ok();
}

std::vector<UInt<4>> SyntheticCircuit::witness() const {
  std::vector<Bn254Fr> values{one};
  values.reserve(wire_count);
  for (std::uint32_t i = 1; i <= inputs_; i++)
    values.push_back(kind_ == Kind::sparse && i > public_count ? Bn254Fr(mix(i) & 1)
                                                               : full_width(u64(i) << 32));
  Builder builder(inputs_, nullptr, &values);
  build(builder);
  std::vector<UInt<4>> plain(values.size());
  for (std::size_t i = 0; i < plain.size(); i++) plain[i] = values[i].to_int();
  return plain;
}

Status write_r1cs(const SyntheticCircuit& circuit, const std::string& path) {
  VOUCH_TRY(auto f, OutputFile::create(path, "r1cs", 1, 3));
  f.begin_section(2);
  const auto put = [&](const std::vector<Term>& side) {
    f.put(std::uint32_t(side.size()));
    for (const Term& t : side) f.put(t.wire), f.put(t.value.to_int());
  };
  VOUCH_CHECK(circuit.for_each([&](const Constraint& c) { put(c.a), put(c.b), put(c.c); }));
  f.end_section();
  f.begin_section(1);
  f.put(std::uint32_t(32)), f.put(Bn254Fr::modulus), f.put(circuit.wire_count);
  f.put(std::uint32_t(0)), f.put(circuit.public_count), f.put(circuit.private_input_count());
  f.put(std::uint64_t(circuit.wire_count)), f.put(circuit.constraint_count);
  f.end_section();
  f.begin_section(3);
  for (std::uint64_t i = 0; i < circuit.wire_count; i++) f.put(i);
  f.end_section();
  return f.close();
}

Status write_wtns(const std::vector<UInt<4>>& witness, const std::string& path) {
  VOUCH_TRY(auto f, OutputFile::create(path, "wtns", 2, 2));
  f.begin_section(1);
  f.put(std::uint32_t(32)), f.put(Bn254Fr::modulus), f.put(std::uint32_t(witness.size()));
  f.end_section();
  f.begin_section(2);
  f.bytes(witness.data(), witness.size() * 32);
  f.end_section();
  return f.close();
}

}  // namespace vouch::tools
