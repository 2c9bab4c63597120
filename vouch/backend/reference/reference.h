// ReferenceBackend: every operation in its plainest form, on one thread. What the others are compared with.
#pragma once

#include "vouch/backend/backend.h"

namespace vouch {

class ReferenceBackend final : public Backend {
 public:
  explicit ReferenceBackend(bool constant_work = false) : constant_work_(constant_work) {}
  Info info() const override;

 protected:
  Status do_ntt(std::span<Bn254Fr> values, int log_n, Direction, const Bn254Fr& shift) override;
  Status do_groth16_quotient(const QuotientInput&, std::span<UInt<4>> h, Progress&) override;
  Result<MsmSums> do_msm(const MsmSet&, Progress&) override;
  Status do_multiples(Group, const std::uint8_t* points, std::size_t count, const MsmTables&,
                      std::uint8_t* data, Progress&) override;

 private:
  bool constant_work_;
};

}  // namespace vouch
