#include "vouch/backend/cpu/cpu.h"

#include "vouch/backend/cpu/constant_sums.h"
#include "vouch/backend/cpu/msm.h"
#include "vouch/backend/cpu/msm_multiples.h"
#include "vouch/backend/cpu/ntt.h"
#include "vouch/core/cpu_features.h"

namespace vouch {

Backend::Info CpuBackend::info() const {
  return {"cpu", cpu_name() + ", " + name_of(form_), threads_.count()};
}

Status CpuBackend::do_ntt(std::span<Bn254Fr> values, int log_n, Direction direction, const Bn254Fr& shift) {
  threads_.run([&] { ntt_->transform(values, log_n, direction, shift); });
  return ok();
}

Status CpuBackend::do_groth16_quotient(const QuotientInput& input, std::span<UInt<4>> h, Progress& progress) {
  threads_.run([&] { ntt_->quotient(input, h, progress); });
  return ok();
}

Result<MsmSums> CpuBackend::do_msm(const MsmSet& set, Progress& progress) {
  Result<MsmSums> sums = MsmSums{};
  threads_.run([&] {
    if (constant_work_)
      sums = constant_sums(set, threads_, form_, progress);
    else
      sums = cpu_msm(set, threads_, form_, progress);
  });
  return sums;
}

Status CpuBackend::do_multiples(Group group, const std::uint8_t* points, std::size_t count,
                                const MsmTables& tables, std::uint8_t* data, Progress& progress) {
  threads_.run([&] { cpu_multiples(group, points, count, tables, data, form_, progress); });
  return ok();
}

}  // namespace vouch
