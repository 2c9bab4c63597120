// Keys from known secrets: every point of a .zkey is a known multiple of a generator, so the whole setup is
// field arithmetic and fixed-base products.
#include "keys.h"

#include <algorithm>
#include <span>
#include <vector>

#include "fixed_base.h"
#include "output.h"
#include "vouch/field/fastest_arith.h"

namespace vouch::tools {
namespace {

using Fr = Bn254Fr;

Fr power(const Fr& x, u64 e) {
  return x.pow(UInt<1>::of(e));
}

// out[i] = L_x(tau) for x = start step^(begin + i), where L_x is the Lagrange polynomial of x among the roots
// of X^size - 1: (tau^size - 1) / size * x / (tau - x).
void lagrange(std::span<Fr> out, const Fr& tau, u64 size, const Fr& start, const Fr& step, u64 begin) {
  const Fr scale = (power(tau, size) - Fr::one()) * Fr(size).inverse();
  parallel_for(out.size(), 4096, [&](std::size_t from, std::size_t to) {
    std::vector<Fr> before(to - from);  // x times the product of tau - x up to the one before
    Fr x = start * power(step, begin + from), product = Fr::one();
    for (std::size_t i = from; i < to; i++, x *= step) {
      before[i - from] = product * x;
      out[i] = tau - x;
      product *= out[i];
    }
    Fr inverse = product.inverse() * scale;
    for (std::size_t i = to; i-- > from;) {
      const Fr here = out[i];
      out[i] = inverse * before[i - from];
      inverse *= here;
    }
  });
}

// Multiples of a generator, written in chunks.
template <class C>
class PointWriter {
 public:
  PointWriter(OutputFile& out, std::size_t expected)
      : out_(out),
        base_(C::generator(), expected < 4096        ? 6
                              : expected < (1 << 17) ? 10
                                                     : 13) {}

  // scalars(begin, span) fills the span with the scalars from `begin` on.
  template <class F>
  void section(std::uint32_t id, std::size_t count, F&& scalars) {
    out_.begin_section(id);
    std::vector<Fr> chunk;
    std::vector<AffinePoint<C>> points;
    for (std::size_t begin = 0; begin < count; begin += chunk_size) {
      chunk.resize(std::min(chunk_size, count - begin));
      points.resize(chunk.size());
      scalars(begin, std::span(chunk));
      base_.multiply(chunk, points.data());
      out_.bytes(points.data(), points.size() * sizeof points[0]);
    }
    out_.end_section();
  }
  void one(const Fr& scalar) {
    AffinePoint<C> point;
    base_.multiply({&scalar, 1}, &point);
    out_.put(point);
  }

 private:
  static constexpr std::size_t chunk_size = std::size_t(1) << 15;
  OutputFile& out_;
  FixedBase<C> base_;
};

// What the constraints come to at tau: per wire, the value of its polynomial in A, B and C.
struct Columns {
  std::vector<Fr> a, b, c;
};

template <class Arith>
class ZkeyWriter {
 public:
  ZkeyWriter(const Circuit& circuit, const Secrets& secrets, bool contributed, OutputFile& out)
      : circuit_(circuit),
        secrets_(secrets),
        delta_(contributed ? secrets.delta : Fr::one()),
        contributed_(contributed),
        out_(out),
        g1_(out, 4 * std::size_t(circuit.wire_count)),
        g2_(out, circuit.wire_count) {}

  Status write() {
    header();
    // Section 3 needs what reading the constraints for section 4 gives; snarkjs too writes 4 before 3.
    VOUCH_CHECK(coefficients());
    const std::size_t wires = circuit_.wire_count, publics = circuit_.public_count + std::size_t(1);
    const Fr inverse = delta_.inverse();
    g1_.section(3, publics, [&](std::size_t begin, std::span<Fr> out) { combine(begin, out, Fr::one()); });
    g1_.section(9, std::size_t(1) << circuit_.log_domain(), [&](std::size_t begin, std::span<Fr> out) {
      // The odd 2n-th roots, divided by delta.
      const int log_2n = circuit_.log_domain() + 1;
      const Fr w = Fr::root_of_unity(log_2n);
      lagrange(out, secrets_.tau, u64(1) << log_2n, w, w.square(), begin);
      for (Fr& x : out) x *= inverse;
    });
    g1_.section(8, wires - publics,
                [&](std::size_t begin, std::span<Fr> out) { combine(begin + publics, out, inverse); });
    const auto copy = [](const std::vector<Fr>& from) {
      return [&from](std::size_t begin, std::span<Fr> out) {
        std::copy_n(from.begin() + std::ptrdiff_t(begin), out.size(), out.begin());
      };
    };
    g1_.section(5, wires, copy(at_tau_.a));
    g1_.section(6, wires, copy(at_tau_.b));
    g2_.section(7, wires, copy(at_tau_.b));
    contributions();
    return ok();
  }

 private:
  void header() {
    out_.begin_section(1);
    out_.put(std::uint32_t(1));
    out_.end_section();
    out_.begin_section(2);
    out_.put(std::uint32_t(32)), out_.put(Bn254Fq::modulus);
    out_.put(std::uint32_t(32)), out_.put(Fr::modulus);
    out_.put(circuit_.wire_count), out_.put(circuit_.public_count);
    out_.put(std::uint32_t(1) << circuit_.log_domain());
    g1_.one(secrets_.alpha), g1_.one(secrets_.beta), g2_.one(secrets_.beta);
    g2_.one(Fr::one());  // gamma
    g1_.one(delta_), g2_.one(delta_);
    out_.end_section();
  }

  // Section 4, and the columns on the way.
  Status coefficients() {
    const std::size_t n = std::size_t(1) << circuit_.log_domain(), wires = circuit_.wire_count;
    at_tau_ = {std::vector<Fr>(wires), std::vector<Fr>(wires), std::vector<Fr>(wires)};
    std::vector<Fr> basis(n);
    lagrange(basis, secrets_.tau, n, Fr::one(), Fr::root_of_unity(circuit_.log_domain()), 0);

    out_.begin_section(4);
    const std::uint64_t count_at = out_.position();
    std::uint32_t count = 0, row = 0;
    out_.put(count);
    const auto record = [&](std::uint32_t matrix, const Term& t) {
      // The Montgomery form of the Montgomery form, value R^2.
      out_.put(matrix), out_.put(row), out_.put(t.wire),
          out_.put(Fr::from_int(t.value.montgomery()).montgomery());
      count++;
    };
    VOUCH_CHECK(circuit_.for_each([&](const Constraint& constraint) {
      for (const Term& t : constraint.a) record(0, t), at_tau_.a[t.wire] += t.value * basis[row];
      for (const Term& t : constraint.b) record(1, t), at_tau_.b[t.wire] += t.value * basis[row];
      for (const Term& t : constraint.c) at_tau_.c[t.wire] += t.value * basis[row];
      row++;
    }));
    // One row more per public signal, so that the public polynomials are independent.
    for (std::uint32_t s = 0; s <= circuit_.public_count; s++, row++)
      record(0, {s, Fr::one()}), at_tau_.a[s] += basis[row];
    out_.end_section();
    out_.patch(count_at, count);
    return ok();
  }

  // (beta a + alpha b + c) * scale of the wires from `begin` on.
  void combine(std::size_t begin, std::span<Fr> out, const Fr& scale) const {
    for (std::size_t i = 0; i < out.size(); i++)
      out[i] = (secrets_.beta * at_tau_.a[begin + i] + secrets_.alpha * at_tau_.b[begin + i] +
                at_tau_.c[begin + i]) *
               scale;
  }

  void contributions() {
    const std::vector<std::uint8_t> hash(64);
    out_.begin_section(10);
    out_.bytes(hash.data(), 64);
    out_.put(std::uint32_t(contributed_));
    if (contributed_) {
      g1_.one(delta_);     // delta after it
      g1_.one(Fr::one());  // s
      g1_.one(delta_);     // s delta
      g2_.one(delta_);     // s' delta, with s' = 1
      out_.bytes(hash.data(), 64);
      out_.put(std::uint32_t(0)), out_.put(std::uint32_t(0));  // not a beacon, no parameters
    }
    out_.end_section();
  }

  const Circuit& circuit_;
  const Secrets& secrets_;
  const Fr delta_;
  const bool contributed_;
  OutputFile& out_;
  PointWriter<Bn254G1With<Arith>> g1_;
  PointWriter<Bn254G2With<Arith>> g2_;
  Columns at_tau_;
};

}  // namespace

Status write_zkey(const Circuit& circuit, const Secrets& secrets, bool contributed, const std::string& path) {
  if (circuit.log_domain() > 27) return Error{Code::unsupported, "circuits above 2^27 are beyond this tool"};
  VOUCH_TRY(auto out, OutputFile::create(path, "zkey", 1, 10));
  VOUCH_CHECK(with_fastest_arith([&](auto tag) {
    return ZkeyWriter<typename decltype(tag)::Arith>(circuit, secrets, contributed, out).write();
  }));
  return out.close();
}

Status write_ptau(int log_n, const Secrets& secrets, const std::string& path) {
  VOUCH_TRY(auto out, OutputFile::create(path, "ptau", 1, 11));
  out.begin_section(1);
  out.put(std::uint32_t(32)), out.put(Bn254Fq::modulus), out.put(log_n), out.put(log_n);
  out.end_section();
  PointWriter<Bn254G1> g1(out, std::size_t(16) << log_n);
  PointWriter<Bn254G2> g2(out, std::size_t(4) << log_n);
  const std::size_t n = std::size_t(1) << log_n;
  // factor tau^i
  const auto powers = [&](const Fr& factor) {
    return [&, factor](std::size_t begin, std::span<Fr> scalars) {
      Fr x = factor * power(secrets.tau, begin);
      for (Fr& s : scalars) s = x, x *= secrets.tau;
    };
  };
  g1.section(2, 2 * n - 1, powers(Fr::one()));
  g2.section(3, n, powers(Fr::one()));
  g1.section(4, n, powers(secrets.alpha));
  g1.section(5, n, powers(secrets.beta));
  g2.section(6, 1, powers(secrets.beta));
  out.begin_section(7);
  out.put(std::uint32_t(0));
  out.end_section();

  // Blocks of 1, 2, 4 ... Lagrange polynomials, one after another.
  const auto blocks = [&](int last, const Fr& factor) {
    std::vector<Fr> all;
    for (int k = 0; k <= last; k++) {
      std::vector<Fr> block(std::size_t(1) << k);
      lagrange(block, secrets.tau, block.size(), Fr::one(), Fr::root_of_unity(k), 0);
      // The ceremony has no tau^(2n - 1), so the largest block of section 12 lacks that power's share: 1/2n
      // x^1.
      if (k == log_n + 1) {
        const Fr share = power(secrets.tau, block.size() - 1) * Fr(block.size()).inverse();
        Fr x = share;
        for (Fr& value : block) value -= x, x *= Fr::root_of_unity(k);
      }
      for (const Fr& value : block) all.push_back(value * factor);
    }
    return all;
  };
  const auto section = [&](auto& writer, std::uint32_t id, const std::vector<Fr>& all) {
    writer.section(id, all.size(), [&](std::size_t begin, std::span<Fr> scalars) {
      std::copy_n(all.begin() + std::ptrdiff_t(begin), scalars.size(), scalars.begin());
    });
  };
  section(g1, 12, blocks(log_n + 1, Fr::one()));
  section(g2, 13, blocks(log_n, Fr::one()));
  section(g1, 14, blocks(log_n, secrets.alpha));
  section(g1, 15, blocks(log_n, secrets.beta));
  return out.close();
}

}  // namespace vouch::tools
