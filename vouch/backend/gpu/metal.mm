// Metal: Apple's GPUs (macOS 11, iOS 14). What crosses between processor and GPU lies in shared memory, so that a transfer is
// a copy inside it, and input is used in the pages where it lies (a mapped key); what only kernels touch is the GPU's own. A
// batch is one command buffer, waited for once. Compiled pipelines are kept in archives in the cache folder.
//
// Type-checked against a stand-in of the declarations it uses (tests/kernels/metal_api); not yet run on Apple's hardware.
#import <Foundation/Foundation.h>
#import <Metal/Metal.h>

#include <filesystem>
#include <map>
#include <optional>
#include <unistd.h>

#include "vouch/backend/gpu/device.h"
#include "vouch/backend/gpu/image_cache.h"
#include "vouch/kernels/text.h"

namespace vouch::gpu {
namespace {

std::string text_of(NSString* s) { return s ? std::string([s UTF8String]) : std::string("no reason given"); }
std::string reason(NSError* error) { return text_of(error ? [error localizedDescription] : nil); }

NSArray<id<MTLDevice>>* devices() {
#if TARGET_OS_OSX
  return MTLCopyAllDevices();
#else
  id<MTLDevice> only = MTLCreateSystemDefaultDevice();
  return only ? @[ only ] : @[];
#endif
}

DeviceInfo describe(id<MTLDevice> device, std::size_t index) {
  DeviceInfo info;
  info.id = "metal:" + std::to_string(index);
  info.name = text_of([device name]);
  info.driver = "Metal, " + text_of([[NSProcessInfo processInfo] operatingSystemVersionString]);
  info.memory = [device recommendedMaxWorkingSetSize];
  info.largest_buffer = [device maxBufferLength];
  info.units = 1;  // the API does not tell
  info.gpu = true;
  return info;
}

class MetalDevice final : public Device {
 public:
  MetalDevice(id<MTLDevice> device, std::size_t index) : device_(device), info_(describe(device, index)) {}

  Status start() {
    queue_ = [device_ newCommandQueue];
    return queue_ ? ok() : Status(fault("cannot create a command queue"));
  }
  DeviceInfo info() const override { return info_; }

 protected:
  Result<std::uint64_t> do_allocate(std::size_t bytes) override {
    VOUCH_CHECK(check_size(info_, bytes));
    return keep([device_ newBufferWithLength:bytes options:MTLResourceStorageModeShared], bytes);
  }

  Result<std::uint64_t> do_allocate_for_kernels(std::size_t bytes) override {
    VOUCH_CHECK(check_size(info_, bytes));
    return keep([device_ newBufferWithLength:bytes options:MTLResourceStorageModePrivate], bytes);
  }

  // The pages that hold the input are used in place, from an offset on; kernels only read them. Where the system refuses, or a
  // word would straddle what the GPU addresses, the input is copied.
  Result<std::uint64_t> do_import(Bytes from, std::size_t rounded) override {
    const auto page = static_cast<std::uintptr_t>(getpagesize());
    const auto at = reinterpret_cast<std::uintptr_t>(from.data()), first = at / page * page;
    const std::uintptr_t last = (at + from.size() + page - 1) / page * page;
    if (from.empty() || at % 4 || last - first > info_.largest_buffer) return Device::do_import(from, rounded);
    id<MTLBuffer> buffer = [device_ newBufferWithBytesNoCopy:reinterpret_cast<void*>(first)
                                                      length:last - first
                                                     options:MTLResourceStorageModeShared
                                                 deallocator:nil];
    if (!buffer) return Device::do_import(from, rounded);
    return keep(buffer, from.size(), at - first);
  }
  void do_free(std::uint64_t handle) noexcept override { buffers_.erase(handle); }

  Status do_upload(const Buffer& to, std::size_t offset, Bytes from) override {
    std::memcpy(contents(to) + offset, from.data(), from.size());
    return ok();
  }
  Status do_download(std::span<std::uint8_t> to, const Buffer& from, std::size_t offset) override {
    std::memcpy(to.data(), contents(from) + offset, to.size());
    return ok();
  }
  Status do_clear(const Buffer& buffer) override {
    id<MTLBuffer> held = buffers_[buffer.handle()].buffer;
    if ([held storageMode] != MTLStorageModePrivate) {
      wipe(contents(buffer), buffer.size());
      return ok();
    }
    @autoreleasepool {
      id<MTLCommandBuffer> command = [queue_ commandBuffer];
      id<MTLBlitCommandEncoder> encoder = [command blitCommandEncoder];
      if (!encoder) return fault("cannot create a command encoder");
      [encoder fillBuffer:held range:NSMakeRange(0, buffer.size()) value:0];
      [encoder endEncoding];
      [command commit];
      [command waitUntilCompleted];
      if ([command status] != MTLCommandBufferStatusCompleted)
        return fault("clearing memory failed: " + reason([command error]));
      return ok();
    }
  }

  // Times need a command buffer per launch; they are committed together and only the last is waited for.
  Status do_run(std::span<const Launch> launches, std::vector<LaunchTime>* times) override {
    @autoreleasepool {
      std::vector<id<MTLComputePipelineState>> pipelines;  // all before the first launch
      for (const Launch& launch : launches) {
        VOUCH_TRY(pipelines.emplace_back(), pipeline(launch));
      }
      store_archives();
      std::vector<id<MTLCommandBuffer>> commands;
      for (std::size_t i = 0; i < launches.size();) {
        id<MTLCommandBuffer> command = [queue_ commandBuffer];
        id<MTLComputeCommandEncoder> encoder = [command computeCommandEncoder];
        if (!encoder) return fault("cannot create a command encoder");
        for (const std::size_t end = times ? i + 1 : launches.size(); i < end; i++)
          encode(encoder, launches[i], pipelines[i]);
        [encoder endEncoding];
        [command commit];
        commands.push_back(command);
      }
      return finish(launches, commands, times);
    }
  }

 private:
  Error fault(const std::string& what) const {
    return {Code::device, info_.id + " (" + info_.name + "): " + what};
  }

  Result<std::uint64_t> keep(id<MTLBuffer> buffer, std::size_t bytes, std::size_t offset = 0) {
    if (!buffer)
      return Error{Code::out_of_memory, info_.id + ": cannot allocate " + std::to_string(bytes) + " bytes"};
    buffers_[++last_handle_] = {buffer, offset};
    return last_handle_;
  }
  std::uint8_t* contents(const Buffer& buffer) {
    const Held& held = buffers_[buffer.handle()];
    return static_cast<std::uint8_t*>([held.buffer contents]) + held.offset;
  }

  // Launches of one encoder run in order, each seeing what those before it wrote.
  void encode(id<MTLComputeCommandEncoder> encoder, const Launch& launch, id<MTLComputePipelineState> pipeline) {
    [encoder setComputePipelineState:pipeline];
    NSUInteger index = 0;
    for (const std::uint64_t handle : launch.buffers)
      [encoder setBuffer:buffers_[handle].buffer offset:buffers_[handle].offset atIndex:index++];
    [encoder setBytes:launch.params.data() length:launch.params.size() * 4 atIndex:index];
    if (launch.local_bytes) [encoder setThreadgroupMemoryLength:(launch.local_bytes + 15) / 16 * 16 atIndex:0];
    [encoder dispatchThreadgroups:MTLSizeMake(launch.groups, 1, 1)
            threadsPerThreadgroup:MTLSizeMake(launch.group_size, 1, 1)];
  }

  Status finish(std::span<const Launch> launches, const std::vector<id<MTLCommandBuffer>>& commands,
                std::vector<LaunchTime>* times) {
    if (commands.empty()) return ok();
    [commands.back() waitUntilCompleted];
    for (id<MTLCommandBuffer> command : commands)
      if ([command status] != MTLCommandBufferStatusCompleted)
        return fault("the device failed: " + reason([command error]));
    for (std::size_t i = 0; times && i < commands.size(); i++)
      times->push_back({launches[i].kernel, [commands[i] GPUEndTime] - [commands[i] GPUStartTime]});
    return ok();
  }

  // A module is compiled when its first kernel is launched.
  Result<id<MTLLibrary>> library(kernels::Module module) {
    const auto found = libraries_.find(module);
    if (found != libraries_.end()) return found->second;
    NSError* error = nil;
    NSString* text = [NSString stringWithUTF8String:kernels::render_text(module).c_str()];
    id<MTLLibrary> made = [device_ newLibraryWithSource:text options:[MTLCompileOptions new] error:&error];
    if (!made) return fault(std::string("cannot build the kernels of ") + kernels::name_of(module) + ": " + reason(error).substr(0, 400));
    libraries_[module] = made;
    return made;
  }

  Result<id<MTLComputePipelineState>> pipeline(const Launch& launch) {
    const std::string name = launch.kernel;
    auto found = pipelines_.find(name);
    if (found == pipelines_.end()) {
      const std::optional<kernels::Module> module = kernels::module_of(name);
      if (!module) return Error{Code::internal, "no kernel " + name};
      VOUCH_TRY(id<MTLLibrary> from, library(*module));
      id<MTLFunction> function = [from newFunctionWithName:[NSString stringWithUTF8String:name.c_str()]];
      if (!function) return fault("no kernel " + name);
      VOUCH_TRY(id<MTLComputePipelineState> made, make_pipeline(*module, name, function));
      found = pipelines_.emplace(name, made).first;
    }
    if ([found->second maxTotalThreadsPerThreadgroup] < launch.group_size)
      return fault("kernel " + name + " runs at most " + std::to_string([found->second maxTotalThreadsPerThreadgroup]) +
                   " work-items a group here");
    return found->second;
  }

  // Compiled code of a module's kernels: what the file holds is looked up, what is missing is compiled and added.
  struct Archive {
    id<MTLBinaryArchive> archive = nil;  // nil: the system keeps none, and every pipeline is compiled
    std::string path;
    bool changed = false;
  };

  static NSURL* url_of(const std::string& path) {
    return [NSURL fileURLWithPath:[NSString stringWithUTF8String:path.c_str()]];
  }

  Archive& archive(kernels::Module module) {
    const auto found = archives_.find(module);
    if (found != archives_.end()) return found->second;
    Archive& made = archives_[module];
    const std::string folder = ImageCache::default_folder();
    std::error_code failed;
    if (!folder.empty()) {
      made.path = ImageCache(folder).path_of(info_.name + "\n" + info_.driver + "\n" + kernels::render_text(module)) + ".metal";
      if (std::filesystem::exists(made.path, failed)) {
        MTLBinaryArchiveDescriptor* descriptor = [MTLBinaryArchiveDescriptor new];
        descriptor.url = url_of(made.path);
        made.archive = [device_ newBinaryArchiveWithDescriptor:descriptor error:nil];
        if (!made.archive) std::filesystem::remove(made.path, failed);  // damaged, or of another system
      }
    }
    if (!made.archive) made.archive = [device_ newBinaryArchiveWithDescriptor:[MTLBinaryArchiveDescriptor new] error:nil];
    return made;
  }

  Result<id<MTLComputePipelineState>> make_pipeline(kernels::Module module, const std::string& name, id<MTLFunction> function) {
    Archive& kept = archive(module);
    MTLComputePipelineDescriptor* descriptor = [MTLComputePipelineDescriptor new];
    descriptor.computeFunction = function;
    if (kept.archive) {
      descriptor.binaryArchives = @[ kept.archive ];
      id<MTLComputePipelineState> known =
          [device_ newComputePipelineStateWithDescriptor:descriptor
                                                 options:MTLPipelineOptionFailOnBinaryArchiveMiss
                                              reflection:nil
                                                   error:nil];
      if (known) return known;
      kept.changed = [kept.archive addComputePipelineFunctionsWithDescriptor:descriptor error:nil] || kept.changed;
    }
    NSError* error = nil;
    id<MTLComputePipelineState> made = [device_ newComputePipelineStateWithDescriptor:descriptor
                                                                              options:MTLPipelineOptionNone
                                                                           reflection:nil
                                                                                error:&error];
    if (!made) return fault("cannot make a pipeline of " + name + ": " + reason(error));
    return made;
  }

  // Beside its name and renamed, so that processes may share the folder. A folder that cannot be written costs time only.
  void store_archives() {
    for (auto& [module, kept] : archives_) {
      if (!kept.changed || kept.path.empty()) continue;
      kept.changed = false;
      std::error_code failed;
      std::filesystem::create_directories(std::filesystem::path(kept.path).parent_path(), failed);
      const std::string beside = kept.path + "." + std::to_string(getpid());
      if ([kept.archive serializeToURL:url_of(beside) error:nil]) std::filesystem::rename(beside, kept.path, failed);
    }
  }

  struct Held {
    id<MTLBuffer> buffer = nil;
    std::size_t offset = 0;  // of the first byte, in input that is used where it lies
  };

  id<MTLDevice> device_;
  DeviceInfo info_;
  id<MTLCommandQueue> queue_ = nil;
  std::map<std::uint64_t, Held> buffers_;
  std::uint64_t last_handle_ = 0;
  std::map<kernels::Module, id<MTLLibrary>> libraries_;
  std::map<std::string, id<MTLComputePipelineState>> pipelines_;
  std::map<kernels::Module, Archive> archives_;
};

}  // namespace

std::vector<DeviceInfo> list_metal() {
  @autoreleasepool {
    std::vector<DeviceInfo> all;
    for (id<MTLDevice> device in devices()) all.push_back(describe(device, all.size()));
    return all;
  }
}

Result<std::unique_ptr<Device>> open_metal(std::size_t index) {
  @autoreleasepool {
    NSArray<id<MTLDevice>>* all = devices();
    if (index >= [all count])
      return Error{Code::unsupported, "metal:" + std::to_string(index) + ": there are " +
                                          std::to_string([all count]) + " Metal devices"};
    auto opened = std::make_unique<MetalDevice>([all objectAtIndex:index], index);
    VOUCH_CHECK(opened->start());
    return std::unique_ptr<Device>(std::move(opened));
  }
}

}  // namespace vouch::gpu
