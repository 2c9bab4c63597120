// GpuBackend: the operations of Backend, each written once over Device.
//
// A Device is used by one thread at a time: calls from several threads take turns.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "vouch/backend/backend.h"
#include "vouch/backend/gpu/device.h"

namespace vouch::gpu {

// What a transform of one size needs on the device: roots, their inverses, and a table of scale factors.
struct FrDomain {
  Buffer forward;  // w^i, i < n / 2
  Buffer inverse;  // w^-i, i < n / 2
  Buffer coset;    // quotient_shift^i / n, i < n
};

class GpuBackend final : public Backend {
 public:
  explicit GpuBackend(std::unique_ptr<Device> device) : device_(std::move(device)) {}
  Info info() const override;

 protected:
  Status do_ntt(std::span<Bn254Fr> values, int log_n, Direction, const Bn254Fr& shift) override;
  Status do_groth16_quotient(const QuotientInput&, std::span<UInt<4>> h, Progress&) override;
  Result<MsmSums> do_msm(const MsmSet&, Progress&) override;

 private:
  Result<const FrDomain*> domain(int log_n);
  Status quotient(const QuotientInput&, std::span<UInt<4>> h);

  std::unique_ptr<Device> device_;
  std::mutex turn_;
  std::map<int, FrDomain> domains_;
};

}  // namespace vouch::gpu
