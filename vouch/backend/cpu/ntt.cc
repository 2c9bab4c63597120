#include "vouch/backend/cpu/ntt.h"

#include <utility>
#include <vector>

#include "vouch/backend/domain.h"
#include "vouch/field/arith_adx.h"

namespace vouch {
namespace {

template <class F>
class PlainNtt final : public CpuNtt {
 public:
  void transform(std::span<Bn254Fr> values, int log_n, Direction direction, const Bn254Fr& shift) override {
    std::span<F> v(reinterpret_cast<F*>(values.data()), values.size());
    const F s = F::raw(shift.montgomery());
    if (direction == Direction::forward) {
      scale(v, F::one(), s);
      run(v, log_n, F::root_of_unity(log_n));
    } else {
      run(v, log_n, F::root_of_unity(log_n).inverse());
      scale(v, F(v.size()).inverse(), s.inverse());
    }
  }
  void quotient(const QuotientInput& in, std::span<UInt<4>> h, Progress&) override {
    std::vector<Bn254Fr> v[3];
    for (auto& x : v) x.resize(h.size());
    for (std::size_t i = 0; i < in.record_count; i++) {
      const std::uint8_t* record = in.records + 44 * i;
      const auto matrix = load_le<std::uint32_t>(record), row = load_le<std::uint32_t>(record + 4),
                 signal = load_le<std::uint32_t>(record + 8);
      v[matrix == 0 ? 0 : 1][row] += Bn254Fr::raw(load_le<UInt<4>>(record + 12)) *
                                     Bn254Fr::raw(load_le<UInt<4>>(in.witness + 32 * std::size_t(signal)));
    }
    parallel_for(h.size(), 1024, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; i++) v[2][i] = v[0][i] * v[1][i];
    });
    parallel_for(3, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; i++) {
        transform(v[i], in.log_n, Direction::inverse, Bn254Fr::one());
        transform(v[i], in.log_n, Direction::forward, quotient_shift(in.log_n));
      }
    });
    for (std::size_t i = 0; i < h.size(); i++) h[i] = (v[0][i] * v[1][i] - v[2][i]).to_int();
  }

 private:
  static void scale(std::span<F> v, F first, const F& step) {
    for (F& x : v) x *= first, first *= step;
  }
  static void run(std::span<F> v, int log_n, const F& root) {
    const std::size_t n = v.size();
    for (std::size_t i = 0; i < n; i++)
      if (const std::size_t j = reverse_bits(i, log_n); i < j) std::swap(v[i], v[j]);
    std::vector<F> powers(n / 2 + 1);
    powers[0] = F::one();
    for (std::size_t i = 1; i < n / 2; i++) powers[i] = powers[i - 1] * root;
    for (std::size_t half = 1; half < n; half *= 2)
      for (std::size_t block = 0; block < n; block += 2 * half)
        for (std::size_t j = 0; j < half; j++) {
          const F even = v[block + j], odd = v[block + j + half] * powers[j * (n / 2 / half)];
          v[block + j] = even + odd, v[block + j + half] = even - odd;
        }
  }
};

}  // namespace

std::unique_ptr<CpuNtt> open_cpu_ntt(Instructions form) {
#ifdef VOUCH_HAS_ADX
  if (form != Instructions::portable) return std::make_unique<PlainNtt<Prime<Bn254FrParams, AdxArith>>>();
#endif
  return std::make_unique<PlainNtt<Bn254Fr>>();
}

}  // namespace vouch
