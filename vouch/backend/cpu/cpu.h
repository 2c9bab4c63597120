// CpuBackend: all cores, and the fastest form of arithmetic that the processor has.
#pragma once

#include "vouch/backend/backend.h"
#include "vouch/backend/cpu/instructions.h"
#include "vouch/backend/cpu/ntt.h"

namespace vouch {

class CpuBackend final : public Backend {
 public:
  // constant_work: as in BackendOptions.
  CpuBackend(int threads, Instructions form, bool constant_work = false)
      : threads_(threads), form_(form), constant_work_(constant_work), ntt_(open_cpu_ntt(form)) {}
  Info info() const override;
  Threads threads() const override { return threads_; }
  bool uses_tables() const override { return !constant_work_; }  // their digits are sorted

 protected:
  Status do_ntt(std::span<Bn254Fr> values, int log_n, Direction, const Bn254Fr& shift) override;
  Status do_groth16_quotient(const QuotientInput&, std::span<UInt<4>> h, Progress&) override;
  Result<MsmSums> do_msm(const MsmSet&, Progress&) override;
  Status do_multiples(Group, const std::uint8_t* points, std::size_t count, const MsmTables&,
                      std::uint8_t* data, Progress&) override;

 private:
  Threads threads_;
  Instructions form_;
  bool constant_work_;
  std::unique_ptr<CpuNtt> ntt_;
};

}  // namespace vouch
