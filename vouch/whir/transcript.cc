#include "vouch/whir/transcript.h"

#include <charconv>

namespace vouch::whir {

std::string to_string(const Operation& op) {
  using Kind = Operation::Kind;
  std::string s(1, char(op.kind));
  if (op.kind != Kind::observe && op.kind != Kind::draw) s += " " + std::to_string(op.bits);
  return s + " " + std::to_string(op.value);
}

Result<Operation> parse_operation(std::string_view text) {
  const Error bad{Code::malformed, "transcript operation \"" + std::string(text.substr(0, 40)) +
                                       "\" is none of O v, S v, U bits v, G bits v, B bits v"};
  if (text.size() < 3 || text[1] != ' ' || std::string_view("OSUGB").find(text[0]) == std::string_view::npos)
    return bad;
  Operation op{Operation::Kind(text[0])};
  const char* p = text.data() + 2;
  const char* const end = text.data() + text.size();
  if (text[0] != 'O' && text[0] != 'S') {
    const auto [rest, error] = std::from_chars(p, end, op.bits);
    if (error != std::errc() || rest == end || *rest != ' ') return bad;
    p = rest + 1;
  }
  const auto [rest, error] = std::from_chars(p, end, op.value);
  if (error != std::errc() || rest != end) return bad;
  return op;
}

Transcript::Transcript(FieldId field, std::optional<std::uint64_t> seed)
    : sponge_(std::in_place_type<Sponge<BabyBear>>) {
  auto make = [&]<class F>(Sponge<F> sponge) {
    if (seed) {
      SmallRng rng(*seed);
      sponge.owned = std::make_shared<const Poseidon2<F, 16>>(Poseidon2<F, 16>::from_rng128(rng));
      sponge.challenger = DuplexChallenger<F>(*sponge.owned);
    }
    sponge_ = std::move(sponge);
  };
  if (field == FieldId::baby_bear) {
    make(Sponge<BabyBear>{});
  } else {
    make(Sponge<KoalaBear>{});
  }
}

void Transcript::observe(Word montgomery) {
  std::visit(
      [&]<class F>(Sponge<F>& s) {
        const F x = F::raw(montgomery);
        if (log_) note(Operation::Kind::observe, 0, x.to_int());
        s.challenger.observe(x);
      },
      sponge_);
}

void Transcript::observe_int(std::uint32_t value) {
  std::visit([&]<class F>(Sponge<F>&) { observe(F(value).montgomery()); }, sponge_);
}

Word Transcript::draw() {
  return std::visit(
      [&]<class F>(Sponge<F>& s) {
        const F x = s.challenger.draw();
        if (log_) note(Operation::Kind::draw, 0, x.to_int());
        return x.montgomery();
      },
      sponge_);
}

std::uint32_t Transcript::query(int bits) {
  const std::uint32_t index =
      std::visit([&]<class F>(Sponge<F>& s) { return s.challenger.draw_uniform_bits(bits); }, sponge_);
  note(Operation::Kind::query, bits, index);
  return index;
}

bool Transcript::check(int bits, Word witness) {
  observe(witness);
  const std::uint32_t low =
      std::visit([&]<class F>(Sponge<F>& s) { return s.challenger.draw_bits(bits); }, sponge_);
  note(Operation::Kind::check, bits, low);
  return low == 0;
}

void Transcript::absorb_found(int bits, Word witness) {
  std::visit(
      [&]<class F>(Sponge<F>& s) {
        note(Operation::Kind::grind, bits, F::raw(witness).to_int());
        s.challenger.observe(F::raw(witness));
        s.challenger.draw_bits(bits);
      },
      sponge_);
}

Transcript::Candidate Transcript::candidate() const {
  return std::visit(
      []<class F>(const Sponge<F>& s) {
        const auto c = s.challenger.candidate();
        Candidate r{{}, c.position};
        for (std::size_t i = 0; i < r.state.size(); i++) r.state[i] = c.state[i].montgomery();
        return r;
      },
      sponge_);
}

}  // namespace vouch::whir
