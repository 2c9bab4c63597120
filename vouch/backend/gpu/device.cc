// What all devices share: ownership of buffers, the bounds of a launch, the list of drivers.
#include "vouch/backend/gpu/device.h"

namespace vouch::gpu {

Buffer::~Buffer() {
  if (device_) device_->do_free(handle_);
}

namespace {
std::size_t round_up(std::size_t bytes) {
  return bytes < 16 ? 16 : (bytes + 15) / 16 * 16;
}
}  // namespace

Status check_size(const DeviceInfo& device, std::size_t bytes) {
  if (bytes <= device.largest_buffer) return ok();
  return Error{Code::out_of_memory, device.id + ": a buffer of " + std::to_string(bytes) +
                                        " bytes exceeds the device's limit of " +
                                        std::to_string(device.largest_buffer)};
}

Result<Buffer> Device::allocate(std::size_t bytes) {
  VOUCH_TRY(const std::uint64_t handle, do_allocate(round_up(bytes)));
  return Buffer(this, handle, round_up(bytes));
}

Result<Buffer> Device::allocate_for_kernels(std::size_t bytes) {
  VOUCH_TRY(const std::uint64_t handle, do_allocate_for_kernels(round_up(bytes)));
  return Buffer(this, handle, round_up(bytes), true);
}

Result<Buffer> Device::import(Bytes from) {
  VOUCH_TRY(const std::uint64_t handle, do_import(from, round_up(from.size())));
  return Buffer(this, handle, round_up(from.size()));
}

Result<std::uint64_t> Device::do_import(Bytes from, std::size_t rounded) {
  VOUCH_TRY(const std::uint64_t handle, do_allocate(rounded));
  Buffer buffer(this, handle, rounded);
  VOUCH_CHECK(upload(buffer, 0, from));
  return buffer.release();
}

namespace {

Status refuse(const std::string& what, const std::string& why) {
  return Error{Code::internal, what + ": " + why};
}

Status check_transfer(const char* what, const Buffer& buffer, std::size_t offset, std::size_t bytes) {
  if (!buffer) return refuse(what, "the buffer was never allocated");
  if (bytes && buffer.for_kernels()) return refuse(what, "the buffer was allocated for kernels only");
  if (offset > buffer.size() || bytes > buffer.size() - offset)
    return refuse(what, std::to_string(bytes) + " bytes at offset " + std::to_string(offset) +
                            " do not fit a buffer of " + std::to_string(buffer.size()));
  if (offset % transfer_alignment)
    return refuse(what, "offset " + std::to_string(offset) + " is not a multiple of 4");
  return ok();
}

// What some device could not run, refused on all of them. Grids have one dimension.
Status check_launch(const Launch& launch) {
  const std::string what = std::string("kernel ") + (launch.kernel ? launch.kernel : "(none)");
  if (launch.groups == 0 || launch.group_size == 0 || launch.group_size > max_group_size)
    return refuse(what, "a group must have 1 to 256 work-items, and a grid at least one group");
  if (std::uint64_t(launch.groups) * launch.group_size > 0xffffffffu || launch.groups > 0x7fffffffu)
    return refuse(what, "a grid of " + std::to_string(launch.groups) + " groups of " +
                            std::to_string(launch.group_size) + " has more than 2^32 - 1 work-items");
  if (launch.local_bytes > max_local_bytes) return refuse(what, "more than 32 KiB of local memory");
  if (launch.local_bytes % 4) return refuse(what, "local memory is not a whole number of words");
  if (launch.buffers.empty() || launch.buffers.size() > max_buffers)
    return refuse(what, "a kernel takes 1 to 16 buffers");
  for (const std::uint64_t handle : launch.buffers)
    if (handle == 0) return refuse(what, "a buffer was never allocated");
  return ok();
}

}  // namespace

Status Device::upload(const Buffer& to, std::size_t offset, Bytes from) {
  VOUCH_CHECK(check_transfer("upload", to, offset, from.size()));
  return from.empty() ? ok() : do_upload(to, offset, from);
}

Status Device::download(std::span<std::uint8_t> to, const Buffer& from, std::size_t offset) {
  VOUCH_CHECK(check_transfer("download", from, offset, to.size()));
  return to.empty() ? ok() : do_download(to, from, offset);
}

Status Device::clear(const Buffer& buffer) {
  VOUCH_CHECK(check_transfer("clear", buffer, 0, 0));
  return do_clear(buffer);
}

Status Device::run(const Batch& batch, std::vector<LaunchTime>* times) {
  for (const Launch& launch : batch.launches()) VOUCH_CHECK(check_launch(launch));
  const std::size_t before = times ? times->size() : 0;
  for (const Readback& read : batch.reads())
    VOUCH_CHECK(check_transfer("download", *read.from, read.offset, read.to.size()));
  VOUCH_CHECK(batch.reads().empty() ? do_run(batch.launches(), times)
                                    : do_run_and_read(batch.launches(), batch.reads(), times));
  for (std::size_t i = before; times && i < times->size(); i++)
    (*times)[i].cost = batch.launches()[i - before].cost;
  return ok();
}

Status Device::do_run_and_read(std::span<const Launch> launches, std::span<const Readback> reads,
                               std::vector<LaunchTime>* times) {
  VOUCH_CHECK(do_run(launches, times));
  for (const Readback& read : reads) VOUCH_CHECK(do_download(read.to, *read.from, read.offset));
  return ok();
}

Status SecretGuard::clear() {
  Status status = ok();
  std::erase_if(buffers_, [&](const Buffer* buffer) {
    const Status one = *buffer ? device_->clear(*buffer) : ok();
    if (!one.ok()) status = one;
    return one.ok();
  });
  return status;
}

std::span<const DeviceDriver> drivers() {
  static const DeviceDriver all[] = {{"cuda", list_cuda, open_cuda},
#ifdef __APPLE__
                                     {"metal", list_metal, open_metal},
#endif
                                     {"opencl", list_opencl, open_opencl, opencl_may_have_gpu},
                                     {"host", list_host, open_host}};
  return all;
}

std::vector<std::string> proof_systems() {
  return {"groth16", "whir"};
}

}  // namespace vouch::gpu
