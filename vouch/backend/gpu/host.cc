// The host device: kernel text compiled as C++ and run phase by phase. Slow on purpose: it shuffles the order
// of groups and of the work-items in each phase, fills local memory with a pattern, and runs under
// sanitizers.
#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include "vouch/backend/gpu/device.h"
#include "vouch/kernels/host_constants.h"
#include "vouch/kernels/list.h"

namespace vouch::gpu {
namespace text {
// Inside a namespace: its typedefs are the dialect's, not ours.
#include "vouch/kernels/babybear.h"
#include "vouch/kernels/groth16.h"
#include "vouch/kernels/koalabear.h"
#include "vouch/kernels/msmcomplete.h"
#include "vouch/kernels/msmtables.h"
#include "vouch/kernels/probes.h"
}  // namespace text

namespace {

using Call = void (*)(void* const* buffers, const std::uint32_t* params, const text::gk_ctx* context);

// Calls a kernel of any signature (pointers..., parameters, context) from an array of pointers.
template <auto kernel, class Signature>
struct Caller;
template <auto kernel, class... Args>
struct Caller<kernel, void (*)(Args...)> {
  static constexpr std::size_t buffer_count = sizeof...(Args) - 2;
  template <std::size_t... i>
  static void expand(void* const* buffers, const std::uint32_t* params, const text::gk_ctx* context,
                     std::index_sequence<i...>) {
    using List = std::tuple<Args...>;
    std::remove_const_t<std::tuple_element_t<buffer_count, List>> p;
    std::memcpy(&p, params, sizeof p);
    kernel(static_cast<std::tuple_element_t<i, List>>(buffers[i])..., p, context);
  }
  static void call(void* const* buffers, const std::uint32_t* params, const text::gk_ctx* context) {
    expand(buffers, params, context, std::make_index_sequence<buffer_count>());
  }
};

struct Entry {
  const char* name;
  Call call;
};
const Entry entries[] = {
#define VOUCH_HOST_ENTRY(name) {#name, &Caller<&text::name, decltype(&text::name)>::call},
    VOUCH_KERNELS(VOUCH_HOST_ENTRY)
#undef VOUCH_HOST_ENTRY
};

class HostDevice final : public Device {
 public:
  DeviceInfo info() const override { return list_host()[0]; }

 protected:
  Result<std::uint64_t> do_allocate(std::size_t bytes) override {
    // A block of its own each, so that a sanitizer sees an overrun; a pattern, so that a read of what was
    // never written shows.
    auto* p = new (std::align_val_t(64), std::nothrow) std::uint8_t[bytes];
    if (!p) return Error{Code::out_of_memory, "host: cannot allocate " + std::to_string(bytes) + " bytes"};
    std::memset(p, 0xcd, bytes);
    return reinterpret_cast<std::uint64_t>(p);
  }
  void do_free(std::uint64_t handle) noexcept override {
    ::operator delete[](at(handle), std::align_val_t(64));
  }

  Status do_upload(const Buffer& to, std::size_t offset, Bytes from) override {
    std::memcpy(at(to.handle()) + offset, from.data(), from.size());
    return ok();
  }
  Status do_download(std::span<std::uint8_t> to, const Buffer& from, std::size_t offset) override {
    std::memcpy(to.data(), at(from.handle()) + offset, to.size());
    return ok();
  }
  Status do_clear(const Buffer& buffer) override {
    wipe(at(buffer.handle()), buffer.size());
    return ok();
  }

  Status do_run(std::span<const Launch> launches, std::vector<LaunchTime>*) override {
    for (const Launch& launch : launches) {
      const Entry* entry = std::find_if(std::begin(entries), std::end(entries),
                                        [&](const Entry& e) { return std::string(e.name) == launch.kernel; });
      if (entry == std::end(entries)) return Error{Code::internal, std::string("no kernel ") + launch.kernel};
      run_one(*entry, launch);
    }
    return ok();
  }

 private:
  static std::uint8_t* at(std::uint64_t handle) { return reinterpret_cast<std::uint8_t*>(handle); }

  void run_one(const Entry& entry, const Launch& launch) {
    std::vector<void*> buffers;
    for (const std::uint64_t handle : launch.buffers) buffers.push_back(at(handle));
    std::vector<std::uint32_t> groups(launch.groups), order(launch.group_size);
    std::iota(groups.begin(), groups.end(), 0u);
    std::iota(order.begin(), order.end(), 0u);
    std::shuffle(groups.begin(), groups.end(), random_);
    std::vector<std::uint64_t> local(launch.local_bytes / 8 + 1);
    for (const std::uint32_t group : groups) {
      std::shuffle(order.begin(), order.end(), random_);
      std::fill(local.begin(), local.end(), 0xcdcdcdcdcdcdcdcdu);
      const text::gk_ctx context{group, launch.groups, launch.group_size, local.data(), order.data()};
      entry.call(buffers.data(), launch.params.data(), &context);
    }
  }

  std::mt19937 random_{12345};
};

}  // namespace

std::vector<DeviceInfo> list_host() {
  return {{"host", "kernel text on this processor", "shuffled work-items", std::uint64_t(1) << 34,
           std::uint64_t(1) << 34, 1}};
}

std::uint64_t host_products() {
  return text::gk_products;
}

Result<std::unique_ptr<Device>> open_host(std::size_t) {
  return std::unique_ptr<Device>(new HostDevice);
}

}  // namespace vouch::gpu
