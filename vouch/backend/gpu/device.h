// Device: what a GPU API must be able to do. Every operation is written once over it, in gpu/*.cc; an API is
// one file.
//
// Work is recorded into a Batch and run with one submission and one wait. Launches of a batch run in order,
// each seeing what those before it wrote. A Device is used by one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vouch/core/bytes.h"
#include "vouch/core/result.h"

namespace vouch::gpu {

// Bounds that hold on every API, so that text which runs on one runs on all.
inline constexpr std::uint32_t max_local_bytes = 32 * 1024;
inline constexpr std::uint32_t max_group_size = 256;
inline constexpr std::uint32_t max_param_words = 32;
inline constexpr std::uint32_t max_buffers = 16;
// Transfers start at a multiple of this, and buffers of every device lie at a multiple of 16.
inline constexpr std::size_t transfer_alignment = 4;

struct DeviceInfo {
  std::string id;                    // "opencl:0", "cuda:1", "metal", "host"
  std::string name;                  // as its driver calls it
  std::string driver;                // API and driver version
  std::uint64_t memory = 0;          // bytes
  std::uint64_t largest_buffer = 0;  // bytes
  std::uint32_t units = 0;           // compute units or multiprocessors
  bool gpu = false;                  // a graphics processor; false for drivers that compute on a CPU
};

class Device;

// Device memory, freed with the handle. Move-only; must not outlive its device.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Device* device, std::uint64_t handle, std::size_t size, bool for_kernels = false)
      : device_(device), handle_(handle), size_(size), for_kernels_(for_kernels) {}
  Buffer(Buffer&& o) noexcept
      : device_(std::exchange(o.device_, nullptr)),
        handle_(o.handle_),
        size_(std::exchange(o.size_, 0)),
        for_kernels_(o.for_kernels_) {}
  Buffer& operator=(Buffer&& o) noexcept {
    std::swap(device_, o.device_);
    std::swap(handle_, o.handle_);
    std::swap(size_, o.size_);
    std::swap(for_kernels_, o.for_kernels_);
    return *this;
  }
  ~Buffer();

  std::uint64_t handle() const { return handle_; }
  std::size_t size() const { return size_; }
  bool for_kernels() const { return for_kernels_; }
  explicit operator bool() const { return device_ != nullptr; }
  std::uint64_t release() {  // the memory is no longer this handle's
    device_ = nullptr;
    return handle_;
  }

 private:
  Device* device_ = nullptr;
  std::uint64_t handle_ = 0;
  std::size_t size_ = 0;
  bool for_kernels_ = false;
};

// What a launch does at least, counted where it is recorded: bytes read from and written to device memory,
// and products of field elements (of 254 bits in Groth16's kernels, of 31 in WHIR's). For reports.
struct Cost {
  std::uint64_t bytes = 0, products = 0;
};

// One kernel over `groups` groups of `group_size` work-items. Arguments in the kernel's order: buffers, then
// the parameter struct (u32 words only), then local memory.
struct Launch {
  const char* kernel = nullptr;
  std::uint32_t groups = 0;
  std::uint32_t group_size = 0;
  std::uint32_t local_bytes = 0;  // 0: the kernel takes no local memory
  std::vector<std::uint64_t> buffers;
  std::vector<std::uint32_t> params;
  Cost cost = {};
};

// Bytes of a buffer that are wanted when the launches of a batch have run.
struct Readback {
  std::span<std::uint8_t> to;
  const Buffer* from;
  std::size_t offset;
};

class Batch {
 public:
  Batch() = default;
  explicit Batch(std::span<const Launch> launches) : launches_(launches.begin(), launches.end()) {}
  template <class Params>
  void launch(const char* kernel, std::uint32_t groups, std::uint32_t group_size, std::uint32_t local_bytes,
              std::initializer_list<const Buffer*> buffers, const Params& params, Cost cost = {}) {
    static_assert(sizeof(Params) % 4 == 0 && sizeof(Params) <= 4 * max_param_words);
    Launch one{kernel, groups, group_size, local_bytes, {}, std::vector<std::uint32_t>(sizeof(Params) / 4),
               cost};
    for (const Buffer* buffer : buffers) one.buffers.push_back(buffer->handle());
    std::memcpy(one.params.data(), &params, sizeof(Params));
    launches_.push_back(std::move(one));
  }
  // Comes down after all launches, in the same submission and with the same wait. `from` must outlive the
  // run.
  void read(std::span<std::uint8_t> to, const Buffer& from, std::size_t offset) {
    if (!to.empty()) reads_.push_back({to, &from, offset});
  }
  const std::vector<Launch>& launches() const { return launches_; }
  const std::vector<Readback>& reads() const { return reads_; }

 private:
  std::vector<Launch> launches_;
  std::vector<Readback> reads_;
};

struct LaunchTime {
  const char* kernel;
  double seconds;
  Cost cost = {};
};

class Device {
 public:
  virtual ~Device() = default;
  virtual DeviceInfo info() const = 0;

  Result<Buffer> allocate(std::size_t bytes);
  // A buffer that only kernels (and clear) touch: where the processor and the device share memory, it may lie
  // where only the device gets at it. A transfer to or from it is refused on every device.
  Result<Buffer> allocate_for_kernels(std::size_t bytes);
  // A buffer that holds `from`, for kernels that only read it. Where the processor and the device share
  // memory it may be `from` itself, which therefore must live as long as the buffer and not change.
  Result<Buffer> import(Bytes from);
  // A transfer beyond the end of a buffer or at a misaligned offset is refused.
  Status upload(const Buffer& to, std::size_t offset, Bytes from);
  Status download(std::span<std::uint8_t> to, const Buffer& from, std::size_t offset);
  // Overwrites with zeros: for buffers that held a secret.
  Status clear(const Buffer& buffer);
  // Checks the bounds above, submits everything, waits once. times: filled per launch when not null, by
  // devices that can tell.
  Status run(const Batch& batch, std::vector<LaunchTime>* times = nullptr);

 protected:
  friend class Buffer;
  virtual Result<std::uint64_t> do_allocate(std::size_t bytes) = 0;
  virtual Result<std::uint64_t> do_allocate_for_kernels(std::size_t bytes) { return do_allocate(bytes); }
  virtual Result<std::uint64_t> do_import(Bytes from, std::size_t rounded);
  virtual void do_free(std::uint64_t handle) noexcept = 0;
  // Never of length 0.
  virtual Status do_upload(const Buffer& to, std::size_t offset, Bytes from) = 0;
  virtual Status do_download(std::span<std::uint8_t> to, const Buffer& from, std::size_t offset) = 0;
  virtual Status do_clear(const Buffer& buffer) = 0;
  virtual Status do_run(std::span<const Launch> launches, std::vector<LaunchTime>* times) = 0;
  // For APIs in which a wait costs: all in one submission. Else one download after another.
  virtual Status do_run_and_read(std::span<const Launch> launches, std::span<const Readback> reads,
                                 std::vector<LaunchTime>* times);
};

// For APIs that do not say it themselves: a buffer may not exceed the device's largest.
Status check_size(const DeviceInfo& device, std::size_t bytes);

// Overwrites buffers that held secrets: clear() says whether it worked, the destructor does it where an error
// came first, or tries once more. Declare it after the buffers, so that it goes before them.
class SecretGuard {
 public:
  SecretGuard(Device& device, std::initializer_list<const Buffer*> buffers)
      : device_(&device), buffers_(buffers) {}
  SecretGuard(const SecretGuard&) = delete;
  SecretGuard& operator=(const SecretGuard&) = delete;
  ~SecretGuard() { (void)clear(); }
  Status clear();

 private:
  Device* device_;
  std::vector<const Buffer*> buffers_;
};

struct DeviceDriver {
  std::string name;                   // "opencl", "cuda", "metal", "host"
  std::vector<DeviceInfo> (*list)();  // what is present; never fails, may be empty
  Result<std::unique_ptr<Device>> (*open)(std::size_t index);
  // Whether list() can hold a GPU, for who looks for no other device, where listing costs more than this
  // question; null: only list() tells.
  bool (*may_have_gpu)() = nullptr;
};
// Every driver built in. A driver whose library is absent on this machine lists no device.
std::span<const DeviceDriver> drivers();
// What can be proved on every one of them: "groth16", "whir".
std::vector<std::string> proof_systems();

Result<std::unique_ptr<Device>> open_cuda(std::size_t index);
std::vector<DeviceInfo> list_cuda();
Result<std::unique_ptr<Device>> open_opencl(std::size_t index);
std::vector<DeviceInfo> list_opencl();
bool opencl_may_have_gpu();

#ifdef __APPLE__
Result<std::unique_ptr<Device>> open_metal(std::size_t index);
std::vector<DeviceInfo> list_metal();
#endif

// The kernels run on the host, phase by phase, work-items in a shuffled order: for tests and sanitizers.
Result<std::unique_ptr<Device>> open_host(std::size_t index);
std::vector<DeviceInfo> list_host();
// Products of 254-bit elements that kernels on host devices have made on this thread.
std::uint64_t host_products();

}  // namespace vouch::gpu
