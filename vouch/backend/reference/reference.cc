#include "vouch/backend/reference/reference.h"

#include <utility>
#include <vector>

#include "vouch/backend/domain.h"
#include "vouch/backend/reference/msm.h"

namespace vouch {
namespace {

using F = Bn254Fr;

// values[i] *= first * step^i.
void scale_by_powers(std::span<F> values, F first, const F& step) {
  for (F& v : values) v *= first, first *= step;
}

// out[j] = sum_i in[i] root^(ij): bit reversal, then butterflies over blocks of 2, 4, 8, ...
void transform(std::span<F> values, int log_n, const F& root) {
  const std::size_t n = values.size();
  for (std::size_t i = 0; i < n; i++)
    if (const std::size_t j = reverse_bits(i, log_n); i < j) std::swap(values[i], values[j]);
  for (int level = 1; level <= log_n; level++) {
    const std::size_t half = std::size_t(1) << (level - 1);
    F w = root;  // of order 2^level
    for (int k = level; k < log_n; k++) w = w.square();
    for (std::size_t block = 0; block < n; block += 2 * half) {
      F power = F::one();
      for (std::size_t j = block; j < block + half; j++, power *= w) {
        const F even = values[j], odd = values[j + half] * power;
        values[j] = even + odd;
        values[j + half] = even - odd;
      }
    }
  }
}

}  // namespace

Backend::Info ReferenceBackend::info() const {
  return {"reference", "plain C++", 1};
}

Status ReferenceBackend::do_ntt(std::span<F> values, int log_n, Direction direction, const F& shift) {
  const F root = F::root_of_unity(log_n);
  if (direction == Direction::forward) {
    scale_by_powers(values, F::one(), shift);
    transform(values, log_n, root);
  } else {
    transform(values, log_n, root.inverse());
    scale_by_powers(values, F(values.size()).inverse(), shift.inverse());
  }
  return ok();
}

Status ReferenceBackend::do_groth16_quotient(const QuotientInput& in, std::span<UInt<4>> h,
                                             Progress& progress) {
  std::vector<F> a(h.size()), b(h.size()), c(h.size());
  progress.stage("rows");
  for (std::size_t i = 0; i < in.record_count; i++) {
    const std::uint8_t* record = in.records + 44 * i;
    const auto matrix = load_le<std::uint32_t>(record), row = load_le<std::uint32_t>(record + 4),
               signal = load_le<std::uint32_t>(record + 8);
    // The value carries R twice, so its Montgomery product with the plain witness word carries R once.
    const F term = F::raw(load_le<UInt<4>>(record + 12)) *
                   F::raw(load_le<UInt<4>>(in.witness + 32 * std::size_t(signal)));
    (matrix == 0 ? a : b)[row] += term;
  }
  for (std::size_t i = 0; i < h.size(); i++) c[i] = a[i] * b[i];

  progress.stage("transforms");
  for (auto* values : {&a, &b, &c}) {
    VOUCH_CHECK(do_ntt(*values, in.log_n, Direction::inverse, F::one()));
    VOUCH_CHECK(do_ntt(*values, in.log_n, Direction::forward, quotient_shift(in.log_n)));
  }
  for (std::size_t i = 0; i < h.size(); i++) h[i] = (a[i] * b[i] - c[i]).to_int();
  return ok();
}

Result<MsmSums> ReferenceBackend::do_msm(const MsmSet& set, Progress& progress) {
  if (constant_work_) return reference_constant_msm(set, progress);
  return reference_msm(set, progress);
}

Status ReferenceBackend::do_multiples(Group group, const std::uint8_t* points, std::size_t count,
                                      const MsmTables& tables, std::uint8_t* data, Progress&) {
  reference_multiples(group, points, count, tables, data);
  return ok();
}

}  // namespace vouch
