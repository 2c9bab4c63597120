// A stand-in for libcuda.so.1: the entry points that the CUDA device uses, over the PTX machine. Built as a
// library of that name, so that the device's own code opens it.
//
// It keeps to the driver's contract where a mistake would hide: work is done only when it is waited for,
// pinned memory is read at that moment, a call without a current context or with another device's memory
// fails, an error of the device stays. fake_cuda.h lets tests fail a call and count what is left.
#include "fake_cuda.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <set>

#include "ptx_machine.h"
#include "vouch/backend/gpu/cuda_api.h"

namespace cu = vouch::gpu::cu;
namespace ptx = vouch::ptx;

namespace {

constexpr int success = 0, invalid_value = 1, no_memory = 2, invalid_device = 101, invalid_context = 201,
              invalid_ptx = 218, invalid_handle = 400, not_found = 500, launch_failed = 719;
constexpr int device_total = 2;
constexpr std::size_t memory_total = std::size_t(1) << 30;

struct Context {
  int device = 0, retained = 0;
  std::size_t used = 0;
  ptx::Memory memory;
  int sticky = 0;
};
struct Module {
  Context* context;
  std::unique_ptr<ptx::Program> program;
};
struct Function {
  Module* module;
  const ptx::Function* kernel;
};
struct Event {
  std::chrono::steady_clock::time_point when;
  bool reached = false;
  struct Stream* stream = nullptr;
};
struct Stream {
  Context* context;
  std::vector<std::function<int()>> work;
};

struct World {
  std::mutex mutex;
  Context contexts[device_total];
  std::set<Module*> modules;
  std::set<std::unique_ptr<Function>> functions;
  std::set<Stream*> streams;
  std::set<Event*> events;
  std::map<std::uint64_t, std::size_t> pinned;
  std::mt19937 order{7};
  long calls = 0, fail_at = 0, waits = 0, launches = 0;
  int fail_with = 0;
};
World& world() {
  static World* w = new World;  // never destroyed: devices may outlive other statics
  return *w;
}
// Without a destructor: a device that lives in a static is closed after this thread's objects are gone.
struct ContextStack {
  Context* contexts[16];
  std::size_t depth;
  bool empty() const { return depth == 0; }
  std::size_t size() const { return depth; }
  Context* back() const { return contexts[depth - 1]; }
  void pop_back() { depth--; }
  void push_back(Context* c) { contexts[depth++] = c; }
};
thread_local ContextStack current;

template <class Real, class Opaque>
Real* real(Opaque* handle) {
  return reinterpret_cast<Real*>(handle);
}

bool is_pinned(const void* p, std::size_t n) {
  const auto at = reinterpret_cast<std::uint64_t>(p);
  auto block = world().pinned.upper_bound(at);
  if (block == world().pinned.begin()) return false;
  --block;
  return at >= block->first && at + n <= block->first + block->second;
}
bool on_device(const Context& c, cu::Pointer p, std::size_t n) {
  auto block = c.memory.upper_bound(p);
  if (block == c.memory.begin()) return false;
  --block;
  return p + n <= block->first + block->second;
}

// Does what was submitted, in order.
int drain(Stream& s) {
  std::vector<std::function<int()>> work;
  work.swap(s.work);
  for (const auto& one : work) {
    if (s.context->sticky) return s.context->sticky;
    if (const int e = one()) return s.context->sticky = e;
  }
  return s.context->sticky;
}
int drain_all(Context& c) {
  for (Stream* s : world().streams)
    if (s->context == &c) (void)drain(*s);
  return c.sticky;
}

// The start of every entry point that may fail: counts, fails where the test says so, checks the context.
class Call {
 public:
  explicit Call(bool needs_context = true) : lock_(world().mutex) {
    World& w = world();
    if (++w.calls == w.fail_at)
      error = w.fail_with;
    else if (needs_context && current.empty())
      error = invalid_context;
    else if (needs_context)
      error = current.back()->sticky;
  }
  Context& context() const { return *current.back(); }
  int error = 0;

 private:
  std::lock_guard<std::mutex> lock_;
};

int submit(Stream* s, const Context& c, std::function<int()> work) {
  if (!world().streams.count(s) || s->context != &c) return invalid_handle;
  s->work.push_back(std::move(work));
  return success;
}

}  // namespace

extern "C" {

void fake_cuda_fail_at(long call, int error) {
  const std::lock_guard lock(world().mutex);
  world().calls = 0, world().fail_at = call, world().fail_with = error;
  for (Context& c : world().contexts) c.sticky = 0;
}
long fake_cuda_calls() {
  return world().calls;
}
long fake_cuda_waits() {
  return world().waits;
}
long fake_cuda_launches() {
  return world().launches;
}
long fake_cuda_live() {
  const World& w = world();
  long live = long(w.modules.size() + w.streams.size() + w.events.size() + w.pinned.size());
  for (const Context& c : w.contexts) live += c.retained + long(c.memory.size());
  return live + long(current.size());
}

int cuInit(unsigned) {
  return success;
}
int cuDriverGetVersion(int* version) {
  return *version = 12040, success;
}
int cuGetErrorName(int e, const char** name) {
  static const std::map<int, const char*> names = {{0, "CUDA_SUCCESS"},
                                                   {1, "CUDA_ERROR_INVALID_VALUE"},
                                                   {2, "CUDA_ERROR_OUT_OF_MEMORY"},
                                                   {101, "CUDA_ERROR_INVALID_DEVICE"},
                                                   {201, "CUDA_ERROR_INVALID_CONTEXT"},
                                                   {218, "CUDA_ERROR_INVALID_PTX"},
                                                   {400, "CUDA_ERROR_INVALID_HANDLE"},
                                                   {500, "CUDA_ERROR_NOT_FOUND"},
                                                   {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
                                                   {719, "CUDA_ERROR_LAUNCH_FAILED"}};
  const auto found = names.find(e);
  if (found == names.end()) return invalid_value;
  return *name = found->second, success;
}
int cuDeviceGetCount(int* count) {
  return *count = device_total, success;
}
int cuDeviceGet(cu::Device* device, int ordinal) {
  if (ordinal < 0 || ordinal >= device_total) return invalid_device;
  return *device = ordinal, success;
}
int cuDeviceGetName(char* name, int size, cu::Device device) {
  return std::snprintf(name, std::size_t(size), "PTX machine %d", device), success;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, cu::Device) {
  return *bytes = memory_total, success;
}
int cuDeviceGetAttribute(int* value, int attribute, cu::Device) {
  *value = attribute == cu::attribute_multiprocessors ? 4
           : attribute == cu::attribute_major         ? 12
           : attribute == cu::attribute_minor         ? 0
                                                      : 0;
  return success;
}
int cuDevicePrimaryCtxRetain(cu::Context* context, cu::Device device) {
  const Call call(false);
  if (call.error) return call.error;
  Context& c = world().contexts[device];
  c.device = device;
  c.retained++;
  *context = reinterpret_cast<cu::Context>(&c);
  return success;
}
int cuDevicePrimaryCtxRelease_v2(cu::Device device) {
  const std::lock_guard lock(world().mutex);
  if (--world().contexts[device].retained == 0) world().contexts[device].sticky = 0;
  return success;
}
int cuCtxPushCurrent_v2(cu::Context context) {
  if (!context || current.size() == std::size(current.contexts)) return invalid_context;
  current.push_back(reinterpret_cast<Context*>(context));
  return success;
}
int cuCtxPopCurrent_v2(cu::Context* old) {
  if (current.empty()) return invalid_context;
  *old = reinterpret_cast<cu::Context>(current.back());
  return current.pop_back(), success;
}
int cuStreamCreate(cu::Stream* stream, unsigned) {
  const Call call;
  if (call.error) return call.error;
  auto* s = new Stream{&call.context(), {}};
  world().streams.insert(s);
  *stream = reinterpret_cast<cu::Stream>(s);
  return success;
}
int cuStreamDestroy_v2(cu::Stream stream) {
  const std::lock_guard lock(world().mutex);
  auto* s = real<Stream>(stream);
  if (!world().streams.erase(s)) return invalid_handle;
  delete s;
  return success;
}
int cuStreamSynchronize(cu::Stream stream) {
  const Call call;
  world().waits++;
  auto* s = real<Stream>(stream);
  if (!world().streams.count(s)) return invalid_handle;
  const int e = drain(*s);
  return call.error ? call.error : e;
}
int cuModuleLoadDataEx(cu::Module* module, const void* image, unsigned count, int* options, void** values) {
  const Call call;
  if (call.error) return call.error;
  auto program = ptx::parse(static_cast<const char*>(image));
  if (!program.ok()) {
    std::size_t room = 0;
    for (unsigned k = 0; k < count; k++)
      if (options[k] == cu::jit_error_log_size) room = reinterpret_cast<std::size_t>(values[k]);
    for (unsigned k = 0; k < count && room; k++)
      if (options[k] == cu::jit_error_log_buffer)
        std::snprintf(static_cast<char*>(values[k]), room, "%s", program.error().what.c_str());
    return invalid_ptx;
  }
  auto* m = new Module{&call.context(), std::move(program).value()};
  world().modules.insert(m);
  *module = reinterpret_cast<cu::Module>(m);
  return success;
}
int cuModuleUnload(cu::Module module) {
  const std::lock_guard lock(world().mutex);
  auto* m = real<Module>(module);
  if (!world().modules.erase(m)) return invalid_handle;
  for (auto f = world().functions.begin(); f != world().functions.end();)
    f = (*f)->module == m ? world().functions.erase(f) : std::next(f);
  delete m;
  return success;
}
int cuModuleGetFunction(cu::Function* function, cu::Module module, const char* name) {
  const Call call;
  if (call.error) return call.error;
  auto* m = real<Module>(module);
  if (!world().modules.count(m)) return invalid_handle;
  const ptx::Function* kernel = m->program->find(name);
  if (!kernel) return not_found;
  auto f = std::make_unique<Function>(Function{m, kernel});
  *function = reinterpret_cast<cu::Function>(f.get());
  world().functions.insert(std::move(f));
  return success;
}
int cuMemAlloc_v2(cu::Pointer* pointer, std::size_t bytes) {
  const Call call;
  if (call.error) return call.error;
  Context& c = call.context();
  if (bytes == 0) return invalid_value;
  if (bytes > memory_total - c.used) return no_memory;
  void* p = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (!p) return no_memory;
  std::memset(p, 0xcd, bytes);
  *pointer = reinterpret_cast<cu::Pointer>(p);
  c.memory[*pointer] = bytes;
  c.used += bytes;
  return success;
}
int cuMemFree_v2(cu::Pointer pointer) {
  const std::lock_guard lock(world().mutex);
  if (current.empty()) return invalid_context;
  Context& c = *current.back();
  const auto found = c.memory.find(pointer);
  if (found == c.memory.end()) return invalid_value;
  (void)drain_all(c);  // the driver waits too
  c.used -= found->second;
  c.memory.erase(found);
  std::free(reinterpret_cast<void*>(pointer));
  return success;
}
int cuMemHostAlloc(void** p, std::size_t bytes, unsigned) {
  const Call call;
  if (call.error) return call.error;
  *p = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  if (!*p) return no_memory;
  world().pinned[reinterpret_cast<std::uint64_t>(*p)] = bytes;
  return success;
}
int cuMemFreeHost(void* p) {
  const std::lock_guard lock(world().mutex);
  if (!world().pinned.erase(reinterpret_cast<std::uint64_t>(p))) return invalid_value;
  std::free(p);
  return success;
}
int cuMemcpyHtoDAsync_v2(cu::Pointer to, const void* from, std::size_t bytes, cu::Stream stream) {
  const Call call;
  if (call.error) return call.error;
  if (!on_device(call.context(), to, bytes)) return invalid_value;
  // Pinned memory is read when the copy is done, other memory before the call returns.
  std::shared_ptr<std::vector<char>> kept;
  if (!is_pinned(from, bytes)) {
    kept = std::make_shared<std::vector<char>>(static_cast<const char*>(from),
                                               static_cast<const char*>(from) + bytes);
    from = kept->data();
  }
  return submit(real<Stream>(stream), call.context(), [=] {
    std::memcpy(reinterpret_cast<void*>(to), kept ? kept->data() : from, bytes);
    return success;
  });
}
int cuMemcpyDtoHAsync_v2(void* to, cu::Pointer from, std::size_t bytes, cu::Stream stream) {
  const Call call;
  if (call.error) return call.error;
  if (!on_device(call.context(), from, bytes)) return invalid_value;
  return submit(real<Stream>(stream), call.context(), [=] {
    std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
    return success;
  });
}
int cuMemsetD32Async(cu::Pointer at, unsigned value, std::size_t words, cu::Stream stream) {
  const Call call;
  if (call.error) return call.error;
  if (!on_device(call.context(), at, words * 4)) return invalid_value;
  return submit(real<Stream>(stream), call.context(), [=] {
    std::fill_n(reinterpret_cast<unsigned*>(at), words, value);
    return success;
  });
}
int cuLaunchKernel(cu::Function function, unsigned groups, unsigned gy, unsigned gz, unsigned size,
                   unsigned by, unsigned bz, unsigned local_bytes, cu::Stream stream, void** arguments,
                   void**) {
  const Call call;
  if (call.error) return call.error;
  const auto* f = real<Function>(function);
  const ptx::Function& kernel = *f->kernel;
  if (f->module->context != &call.context()) return invalid_handle;
  if (groups == 0 || size == 0 || size > 1024 || gy != 1 || gz != 1 || by != 1 || bz != 1 ||
      local_bytes > 48 * 1024)
    return invalid_value;
  if (kernel.most_threads && size > kernel.most_threads) return invalid_value;
  std::vector<std::vector<std::uint8_t>> copies;  // arguments are taken at the call
  for (std::size_t k = 0; k < kernel.params.size(); k++) {
    const auto* p = static_cast<const std::uint8_t*>(arguments[k]);
    copies.emplace_back(p, p + kernel.params[k].size);
  }
  world().launches++;
  Context* context = &call.context();
  return submit(real<Stream>(stream), call.context(), [=] {
    const auto done = ptx::run(*f->module->program, kernel, {groups, size, local_bytes}, copies,
                               context->memory, world().order);
    if (done.ok()) return success;
    std::fprintf(stderr, "PTX machine: %s\n", done.error().what.c_str());
    return launch_failed;
  });
}
int cuEventCreate(cu::Event* event, unsigned) {
  const Call call;
  if (call.error) return call.error;
  auto* e = new Event;
  world().events.insert(e);
  *event = reinterpret_cast<cu::Event>(e);
  return success;
}
int cuEventDestroy_v2(cu::Event event) {
  const std::lock_guard lock(world().mutex);
  auto* e = real<Event>(event);
  if (!world().events.erase(e)) return invalid_handle;
  delete e;
  return success;
}
int cuEventRecord(cu::Event event, cu::Stream stream) {
  const Call call;
  if (call.error) return call.error;
  auto* e = real<Event>(event);
  e->reached = false;
  e->stream = real<Stream>(stream);
  return submit(e->stream, call.context(), [e] {
    e->when = std::chrono::steady_clock::now();
    e->reached = true;
    return success;
  });
}
int cuEventSynchronize(cu::Event event) {
  const Call call;
  auto* e = real<Event>(event);
  if (call.error) return call.error;
  return e->stream && world().streams.count(e->stream) ? drain(*e->stream) : success;
}
int cuEventElapsedTime(float* milliseconds, cu::Event from, cu::Event to) {
  const Call call;
  if (call.error) return call.error;
  const auto *a = real<Event>(from), *b = real<Event>(to);
  if (!a->reached || !b->reached) return 600;  // CUDA_ERROR_NOT_READY
  *milliseconds = std::chrono::duration<float, std::milli>(b->when - a->when).count();
  return success;
}

}  // extern "C"
