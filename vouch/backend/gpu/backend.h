// GpuBackend: the operations of Backend, each written once over Device.
//
// A Device is used by one thread at a time: calls from several threads take turns.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "vouch/backend/backend.h"
#include "vouch/backend/gpu/device.h"
#include "vouch/backend/gpu/resident.h"

namespace vouch::gpu {

// What a transform of one size needs on the device: roots, their inverses, and a table of scale factors.
struct FrDomain {
  Buffer forward;  // w^i, i < n / 2
  Buffer inverse;  // w^-i, i < n / 2
  Buffer coset;    // quotient_shift^i / n, i < n
};

// Runs batches and adds up what each kernel took.
class KernelTimes {
 public:
  Status run(Device& device, const Batch& batch);
  // One timing for each kernel, in the order of their first launch; none where the device does not tell.
  void report(Progress& progress) const;

 private:
  std::vector<LaunchTime> sums_;
};

class GpuBackend final : public Backend {
 public:
  // memory: bytes of the device that tables of keys may take between calls; 0: half of what it has.
  // constant_work, tables: as in BackendOptions. use: what use() tells, filled by the device.
  explicit GpuBackend(std::unique_ptr<Device> device, std::uint64_t memory = 0, bool constant_work = false,
                      bool tables = false, std::shared_ptr<const DeviceUse> use = nullptr)
      : device_(std::move(device)),
        use_(std::move(use)),
        resident_(*device_, memory ? memory : device_->info().memory / 2),
        constant_work_(constant_work),
        tables_(tables) {}
  Info info() const override;
  std::shared_ptr<void> hold(const std::vector<Bytes>& ranges) override;
  DeviceUse use() const override;

 protected:
  Status do_ntt(std::span<Bn254Fr> values, int log_n, Direction, const Bn254Fr& shift) override;
  Status do_groth16_quotient(const QuotientInput&, std::span<UInt<4>> h, Progress&) override;
  Result<MsmSums> do_msm(const MsmSet&, Progress&) override;

 private:
  Result<const FrDomain*> domain(int log_n);
  Status transform(std::span<Bn254Fr> values, int log_n, Direction, const Bn254Fr& shift);
  Status quotient(const QuotientInput&, std::span<UInt<4>> h, Progress&);
  Result<MsmSums> sums(const MsmSet&, Progress&);
  template <class Sum1, class Sum2>
  Result<MsmSums> sums_as(const MsmSet&, Progress&);

  // A second try without the tables of keys where the first finds no memory.
  template <class Operation>
  auto with_room(Operation&& operation) -> decltype(operation()) {
    auto result = operation();
    if (result.ok() || result.error().code != Code::out_of_memory || resident_.empty()) return result;
    resident_.drop();
    tables_ = false;
    return operation();
  }

  std::unique_ptr<Device> device_;
  std::shared_ptr<const DeviceUse> use_;
  mutable std::mutex turn_;
  std::map<int, FrDomain> domains_;
  ResidentTables resident_;
  bool constant_work_;
  bool tables_;  // of multiples may be made
};

// As the options say; with an account of what it does if they ask for one.
Result<std::unique_ptr<Backend>> make_backend(std::unique_ptr<Device> device, const BackendOptions& options);

}  // namespace vouch::gpu
