// The processor standing in for a device that fails: every operation is tried on the device, and done on the
// processor when that fails. A device that has failed, or whose result turned out wrong, is not asked again:
// a second try costs as much as the answer that is certain. Each change is told in a sentence.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <utility>

#include "vouch/backend/backend.h"

namespace vouch {

using Warn = std::function<void(const std::string&)>;

// Whether a device is still trusted; tells once when it no longer is. Safe from several threads.
class Trust {
 public:
  Trust(const Backend::Info& device, Warn warn)
      : name_(device.name + " (" + device.device + ")"), warn_(std::move(warn)) {}
  bool lost() const { return lost_; }
  void lose(const std::string& why);

 private:
  std::string name_;
  Warn warn_;
  std::mutex turn_;
  std::atomic<bool> lost_{false};
};

class FallbackBackend final : public Backend {
 public:
  FallbackBackend(std::unique_ptr<Backend> device, std::unique_ptr<Backend> cpu, Warn warn)
      : device_(std::move(device)), cpu_(std::move(cpu)), trust_(device_->info(), std::move(warn)) {}

  Info info() const override { return trust_.lost() ? cpu_->info() : device_->info(); }
  std::shared_ptr<void> hold(std::vector<Bytes> ranges) override { return device_->hold(std::move(ranges)); }
  Backend* stand_in() override { return trust_.lost() ? nullptr : cpu_.get(); }
  DeviceUse use() const override { return device_->use(); }
  void distrust(const std::string& why) override { trust_.lose(why); }

 protected:
  Status do_ntt(std::span<Bn254Fr> values, int log_n, Direction, const Bn254Fr& shift) override;
  Status do_groth16_quotient(const QuotientInput&, std::span<UInt<4>> h, Progress&) override;
  Result<MsmSums> do_msm(const MsmSet&, Progress&) override;

 private:
  template <class Operation>
  auto attempt(const char* what, Operation&& operation) -> decltype(operation(std::declval<Backend&>()));

  std::unique_ptr<Backend> device_, cpu_;
  Trust trust_;
};

}  // namespace vouch
