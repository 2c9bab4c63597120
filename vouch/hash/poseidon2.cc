// Poseidon2: derivation of the constants and the permutation in plain form.
#include "vouch/hash/poseidon2.h"

namespace vouch {
namespace {

// The Grain LFSR in self-shrinking mode, as the Poseidon2 authors' parameter script uses it: 80 bits of state
// made from the field and the shape, 160 steps discarded, then 31-bit numbers, redrawn while not below the
// modulus.
class Grain {
 public:
  Grain(int width, int full_rounds, int partial_rounds) {
    append(1, 2), append(0, 4), append(31, 12), append(width, 12);  // prime field, power S-box, bits, width
    append(full_rounds, 10), append(partial_rounds, 10), append((1 << 30) - 1, 30);
    for (int i = 0; i < 160; i++) step();
  }

  template <class F>
  F draw() {
    for (;;) {
      std::uint32_t x = 0;
      for (int i = 0; i < 31; i++) x = 2 * x + bit();
      if (x < F::modulus) return F(x);
    }
  }

 private:
  void append(int value, int bits) {
    while (bits-- > 0) state_[at_++] = value >> bits & 1;
  }
  // state_ is a ring whose oldest bit is at at_.
  unsigned step() {
    const auto tap = [this](int i) { return state_[(at_ + i) % 80]; };
    if (at_ == 80) at_ = 0;
    const unsigned next = tap(62) ^ tap(51) ^ tap(38) ^ tap(23) ^ tap(13) ^ tap(0);
    state_[at_++] = static_cast<std::uint8_t>(next);
    return next;
  }
  unsigned bit() {  // of each pair, the second bit counts if the first is one
    for (;;) {
      const unsigned keep = step(), value = step();
      if (keep) return value;
    }
  }

  std::array<std::uint8_t, 80> state_{};
  int at_ = 0;
};

template <class F>
F sbox(F x) {
  const F x2 = x.square(), x3 = x2 * x;
  if constexpr (poseidon2_alpha<F> == 3) return x3;
  return x2.square() * x3;
}

// Each group of four through circ(2, 3, 1, 1), then every element gains the sum over groups at its position.
template <class F, int W>
void external_layer(std::array<F, W>& x) {
  std::array<F, 4> sum{};
  for (int g = 0; g < W; g += 4) {
    const F a = x[g], b = x[g + 1], c = x[g + 2], d = x[g + 3], all = a + b + c + d;
    x[g] = all + a + b.dbl();
    x[g + 1] = all + b + c.dbl();
    x[g + 2] = all + c + d.dbl();
    x[g + 3] = all + d + a.dbl();
    for (int i = 0; i < 4; i++) sum[i] += x[g + i];
  }
  for (int i = 0; i < W; i++) x[i] += sum[i % 4];
}

}  // namespace

template <class F, int W>
const Poseidon2<F, W>& Poseidon2<F, W>::standard() {
  static const Poseidon2 instance = [] {
    Grain grain(W, 2 * half_full_rounds, partial_rounds());
    Poseidon2 p;
    for (State& round : p.initial_)
      for (F& x : round) x = grain.draw<F>();
    for (int i = 0; i < partial_rounds(); i++) p.internal_.push_back(grain.draw<F>());
    for (State& round : p.terminal_)
      for (F& x : round) x = grain.draw<F>();
    return p;
  }();
  return instance;
}

template <class F, int W>
Poseidon2<F, W> Poseidon2<F, W>::from_rng128(SmallRng& rng) {
  Poseidon2 p;
  for (auto* rounds : {&p.initial_, &p.terminal_})
    for (State& round : *rounds)
      for (F& x : round) x = rng.draw<F>();
  for (int i = 0; i < partial_rounds(); i++) p.internal_.push_back(rng.draw<F>());
  return p;
}

template <class F, int W>
void Poseidon2<F, W>::permute(State& x) const {
  const auto full_round = [&x](const State& constants) {
    for (int i = 0; i < W; i++) x[i] = sbox(x[i] + constants[i]);
    external_layer<F, W>(x);
  };
  const State& d = diagonal();
  external_layer<F, W>(x);
  for (const State& constants : initial_) full_round(constants);
  for (const F& constant : internal_) {
    x[0] = sbox(x[0] + constant);
    F sum;
    for (int i = 0; i < W; i++) sum += x[i];
    for (int i = 0; i < W; i++) x[i] = x[i] * d[i] + sum;
  }
  for (const State& constants : terminal_) full_round(constants);
}

template class Poseidon2<BabyBear, 16>;
template class Poseidon2<BabyBear, 24>;
template class Poseidon2<BabyBear, 32>;
template class Poseidon2<KoalaBear, 16>;
template class Poseidon2<KoalaBear, 24>;
template class Poseidon2<KoalaBear, 32>;

}  // namespace vouch
