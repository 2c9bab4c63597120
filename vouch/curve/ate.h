// Ate<Arith>: the optimal ate pairing in one form of field arithmetic; pairing.h is what callers use.
//
// A Miller loop over the signed digits of 6x + 2, two more lines, one final exponentiation. Points of the
// twist run in homogeneous coordinates (Costello, Lange, Naehrig: eprint 2009/615). A line through points of
// the twist, evaluated at P = (xp, yp) of G1, is b0 yp + b3 xp w + b4 v w up to factors that the final
// exponentiation removes.
#pragma once

#include <array>
#include <bit>
#include <vector>

#include "vouch/curve/endomorphism.h"
#include "vouch/curve/pairing.h"

namespace vouch {

// The digits of 6x + 2 in non-adjacent form, least significant first.
struct AteLoop {
  std::array<signed char, 67> digit{};
  int count = 0;
};
constexpr AteLoop derive_ate_loop() {
  AteLoop r;
  for (u128 e = u128(6) * bn254_x + 2; e; e >>= 1) {
    const int d = e & 1 ? 2 - int(e & 3) : 0;
    e -= u128(d);  // d = -1 adds one, modulo 2^128
    r.digit[r.count++] = static_cast<signed char>(d);
  }
  return r;
}
inline constexpr AteLoop ate_loop = derive_ate_loop();
static_assert(ate_loop.count == 66 && ate_loop.digit[ate_loop.count - 1] == 1);

template <class Arith>
struct Ate {
  using Fq = Prime<Bn254FqParams, Arith>;
  using Fq2 = Quadratic<Fq>;
  using Fq12 = Dodecic<Bn254Tower<Arith>>;
  using G1 = typename Bn254G1With<Arith>::Affine;
  using G2 = typename Bn254G2With<Arith>::Affine;

  struct Line {
    Fq2 b0, b3, b4;
  };

  // A pair whose multiple of q, x = X / Z, y = Y / Z, is on its way through the loop.
  struct Runner {
    G1 p;
    G2 q;
    Fq2 x = q.x, y = q.y, z = Fq2::one();

    Line double_step() {
      static constexpr Fq half = Fq(2).inverse();
      const Fq2 a = x * y * half, b = y.square(), c = z.square();
      const Fq2 e = Bn254G2With<Arith>::b() * (c.dbl() + c), f = e.dbl() + e, g = (b + f) * half;
      const Fq2 h = (y + z).square() - b - c, j = x.square(), ee = e.square();
      x = a * (b - f), y = g.square() - ee.dbl() - ee, z = b * h;
      return {-h, j.dbl() + j, e - b};
    }
    Line add_step(const G2& with) {
      const Fq2 theta = y - with.y * z, lambda = x - with.x * z;
      const Fq2 d = lambda.square(), e = lambda * d, f = z * theta.square(), g = x * d, h = e + f - g.dbl();
      x = lambda * h, y = theta * (g - h) - e * y, z = z * e;
      return {lambda, -theta, theta * with.x - lambda * with.y};
    }
    void multiply_line_into(Fq12& f, const Line& line) const {
      f = f.mul_by_034(line.b0 * p.y, line.b3 * p.x, line.b4);
    }
  };

  static Fq12 miller_loop(std::span<const PairingInput> inputs) {
    std::vector<Runner> pairs;
    pairs.reserve(inputs.size());
    for (const auto& in : inputs)
      if (!in.p.is_infinity() && !in.q.is_infinity())
        pairs.push_back({std::bit_cast<G1>(in.p), std::bit_cast<G2>(in.q)});

    Fq12 f = Fq12::one();
    for (int i = ate_loop.count - 1; i-- > 0;) {
      f = f.square();
      for (auto& pair : pairs) pair.multiply_line_into(f, pair.double_step());
      if (ate_loop.digit[i] == 0) continue;
      for (auto& pair : pairs)
        pair.multiply_line_into(f, pair.add_step(ate_loop.digit[i] > 0 ? pair.q : -pair.q));
    }
    for (auto& pair : pairs) {
      const G2 q1 = psi(pair.q);
      pair.multiply_line_into(f, pair.add_step(q1));
      pair.multiply_line_into(f, pair.add_step(-psi(q1)));
    }
    return f;
  }

  // a^x, for a in the cyclotomic subgroup.
  static Fq12 pow_x(const Fq12& a) {
    Fq12 r = a;
    for (int i = std::bit_width(bn254_x) - 1; i-- > 0;) {
      r = r.cyclotomic_square();
      if (bn254_x >> i & 1) r *= a;
    }
    return r;
  }

  // f^((p^12 - 1) / r * 2x(6x^2 + 3x + 1)): the easy part (p^6 - 1)(p^2 + 1), then the hard part by the
  // addition chain of Fuentes-Castaneda, Knapp and Rodriguez-Henriquez ("Faster hashing to G2", SAC 2011).
  static Fq12 final_exponentiation(const Fq12& f) {
    Fq12 r = f.conjugate() * f.inverse();
    r = r.frobenius(2) * r;  // now in the cyclotomic subgroup: an inverse is a conjugate

    const Fq12 x1 = pow_x(r).conjugate();               // r^(-x)
    const Fq12 x2 = x1.cyclotomic_square();             // -2x
    const Fq12 x6 = x2.cyclotomic_square() * x2;        // -6x
    const Fq12 xx6 = pow_x(x6).conjugate();             // 6x^2
    const Fq12 xxx12 = pow_x(xx6.cyclotomic_square());  // 12x^3
    const Fq12 a = xxx12 * xx6 * x6.conjugate();        // 12x^3 + 6x^2 + 6x
    const Fq12 b = a * x2;                              // 12x^3 + 6x^2 + 4x
    const Fq12 c = a * xx6 * r;                         // 12x^3 + 12x^2 + 6x + 1
    const Fq12 d = b * r.conjugate();                   // 12x^3 + 6x^2 + 4x - 1
    return c * b.frobenius(1) * a.frobenius(2) * d.frobenius(3);
  }
};

}  // namespace vouch
