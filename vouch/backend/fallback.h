// The processor standing in for a device that fails. The first operation that fails is tried once more on the
// device, whose fault may have been a passing one; the second is done on the processor, as all that follow. A
// device whose result turned out wrong is not asked again at all: only the processor's answer tells a wrong
// device from a wrong input. Each step is told in a sentence.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <utility>

#include "vouch/backend/backend.h"

namespace vouch {

using Warn = std::function<void(const std::string&)>;

// Whether a device is still trusted. Safe from several threads.
class Trust {
 public:
  Trust(const Backend::Info& device, Warn warn)
      : name_(device.name + " (" + device.device + ")"), warn_(std::move(warn)) {}
  bool lost() const { return lost_; }
  // Tells once that it no longer is.
  void lose(const std::string& why);

  // What on_device answers, asked once more after the first failure, else what on_cpu does. An error that
  // speaks of the input is an answer, too. repair: undoes before the second try what the first may have done.
  template <class OnDevice, class OnCpu, class Repair>
  auto attempt(const char* what, OnDevice&& on_device, OnCpu&& on_cpu, Repair&& repair)
      -> decltype(on_device()) {
    while (!lost()) {
      auto answer = on_device();
      if (answer.ok() || of_input(answer.error())) return answer;
      if (!again(std::string(what) + " failed: " + answer.error().what)) break;
      if (const Status s = repair(); !s.ok()) lose("starting again failed: " + s.error().what);
    }
    return on_cpu();
  }
  template <class OnDevice, class OnCpu>
  auto attempt(const char* what, OnDevice&& on_device, OnCpu&& on_cpu) {
    return attempt(what, on_device, on_cpu, [] { return ok(); });
  }

 private:
  static bool of_input(const Error& error) {
    return error.code == Code::invalid_argument || error.code == Code::rejected;
  }
  // After a failure: whether to try once more, which is so the first time; else trust is lost.
  bool again(const std::string& why);

  std::string name_;
  Warn warn_;
  std::mutex turn_;
  bool tried_again_ = false;
  std::atomic<bool> lost_{false};
};

class FallbackBackend final : public Backend {
 public:
  FallbackBackend(std::unique_ptr<Backend> device, std::unique_ptr<Backend> cpu, Warn warn)
      : device_(std::move(device)), cpu_(std::move(cpu)), trust_(device_->info(), std::move(warn)) {}

  Info info() const override { return trust_.lost() ? cpu_->info() : device_->info(); }
  std::shared_ptr<void> hold(const std::vector<Bytes>& ranges) override { return device_->hold(ranges); }
  Backend* stand_in() override { return trust_.lost() ? nullptr : cpu_.get(); }
  DeviceUse use() const override { return device_->use(); }
  void distrust(const std::string& why) override { trust_.lose(why); }

 protected:
  Status do_ntt(std::span<Bn254Fr> values, int log_n, Direction, const Bn254Fr& shift) override;
  Status do_groth16_quotient(const QuotientInput&, std::span<UInt<4>> h, Progress&) override;
  Result<MsmSums> do_msm(const MsmSet&, Progress&) override;

 private:
  // operation: of either backend.
  template <class Operation>
  auto attempt(const char* what, Operation&& operation) {
    return trust_.attempt(what, [&] { return operation(*device_); }, [&] { return operation(*cpu_); });
  }

  std::unique_ptr<Backend> device_, cpu_;
  Trust trust_;
};

}  // namespace vouch
