// Runs Metal text group after group, work-items as fibers.
#include "metal_text.h"

#include <ucontext.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <string>

void (*gk_msl_barrier)() = nullptr;  // what the stand-in's threadgroup_barrier calls

namespace vouch::metal_text {
namespace {

constexpr std::size_t stack_bytes = 256 * 1024;

// The work-items of one group. A fiber runs until a barrier or its end; then the next one runs.
class Fibers {
 public:
  explicit Fibers(std::uint32_t count) : fibers_(count) {
    for (Fiber& f : fibers_) f.stack.reset(new char[stack_bytes]);
  }
  // false: some work-items ended while others wait at a barrier.
  template <class Body>
  bool run(const std::vector<std::uint32_t>& order, Body body) {
    active_ = this;
    gk_msl_barrier = [] { active_->yield(); };
    body_ = [](void* b, std::uint32_t lid) { (*static_cast<Body*>(b))(lid); };
    context_ = &body;
    for (Fiber& f : fibers_) prepare(f);
    while (true) {
      std::size_t done = 0;
      for (const std::uint32_t k : order) {
        running_ = k;
        if (!fibers_[k].done) swapcontext(&main_, &fibers_[k].context);
        done += fibers_[k].done;
      }
      if (done == fibers_.size()) return true;
      if (done) return false;
    }
  }

 private:
  struct Fiber {
    ucontext_t context;
    std::unique_ptr<char[]> stack;
    bool done = false;
  };
  void prepare(Fiber& f) {
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = f.stack.get();
    f.context.uc_stack.ss_size = stack_bytes;
    f.context.uc_link = &main_;
    f.done = false;
    makecontext(&f.context, [] { active_->work(); }, 0);
  }
  void work() {
    Fiber& me = fibers_[running_];
    body_(context_, running_);
    me.done = true;
    swapcontext(&me.context, &main_);
  }
  void yield() { swapcontext(&fibers_[running_].context, &main_); }

  static thread_local Fibers* active_;
  std::vector<Fiber> fibers_;
  ucontext_t main_;
  std::uint32_t running_ = 0;
  void (*body_)(void*, std::uint32_t) = nullptr;
  void* context_ = nullptr;
};
thread_local Fibers* Fibers::active_ = nullptr;

class MetalTextDevice final : public gpu::Device {
 public:
  gpu::DeviceInfo info() const override {
    return {"metal text",           "Metal text on this processor", "fibers",
            std::uint64_t(1) << 34, std::uint64_t(1) << 34,         1};
  }

 protected:
  Result<std::uint64_t> do_allocate(std::size_t bytes) override {
    auto* p = new (std::align_val_t(64), std::nothrow) std::uint8_t[bytes];
    if (!p) return Error{Code::out_of_memory, "metal text: out of memory"};
    std::memset(p, 0xcd, bytes);
    return reinterpret_cast<std::uint64_t>(p);
  }
  void do_free(std::uint64_t handle) noexcept override {
    ::operator delete[](at(handle), std::align_val_t(64));
  }
  Status do_upload(const gpu::Buffer& to, std::size_t offset, Bytes from) override {
    std::memcpy(at(to.handle()) + offset, from.data(), from.size());
    return ok();
  }
  Status do_download(std::span<std::uint8_t> to, const gpu::Buffer& from, std::size_t offset) override {
    std::memcpy(to.data(), at(from.handle()) + offset, to.size());
    return ok();
  }
  Status do_clear(const gpu::Buffer& buffer) override {
    wipe(at(buffer.handle()), buffer.size());
    return ok();
  }
  Status do_run(std::span<const gpu::Launch> launches, std::vector<gpu::LaunchTime>*) override {
    for (const gpu::Launch& launch : launches) VOUCH_CHECK(run_one(launch));
    return ok();
  }

 private:
  static std::uint8_t* at(std::uint64_t handle) { return reinterpret_cast<std::uint8_t*>(handle); }
  static Call find(const std::string& name) {
    for (const Kernel* table : {
#define VOUCH_MODULE(module, list) module##_kernels,
             VOUCH_KERNEL_MODULES(VOUCH_MODULE)
#undef VOUCH_MODULE
         })
      for (const Kernel* k = table; k->name; k++)
        if (name == k->name) return k->call;
    return nullptr;
  }

  Status run_one(const gpu::Launch& launch) {
    const Call call = find(launch.kernel);
    if (!call) return Error{Code::internal, std::string("no kernel ") + launch.kernel};
    std::vector<void*> buffers;
    for (const std::uint64_t handle : launch.buffers) buffers.push_back(at(handle));
    std::vector<std::uint64_t> local(launch.local_bytes / 8 + 2);
    std::vector<std::uint32_t> order(launch.group_size);
    std::iota(order.begin(), order.end(), 0u);
    Fibers fibers(launch.group_size);
    for (std::uint32_t group = 0; group < launch.groups; group++) {
      std::shuffle(order.begin(), order.end(), random_);
      std::fill(local.begin(), local.end(), 0xcdcdcdcdcdcdcdcdu);
      const bool whole = fibers.run(order, [&](std::uint32_t lid) {
        call(buffers.data(), launch.params.data(), local.data(), lid, group, launch.group_size,
             launch.groups);
      });
      if (!whole)
        return Error{Code::device,
                     std::string(launch.kernel) + ": a barrier that only some work-items reach"};
    }
    return ok();
  }

  std::mt19937 random_{12345};
};

}  // namespace

Result<std::unique_ptr<gpu::Device>> open_device() {
  return std::unique_ptr<gpu::Device>(new MetalTextDevice);
}

}  // namespace vouch::metal_text
