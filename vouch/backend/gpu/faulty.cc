// A device that fails on purpose: see faulty.h.
#include "vouch/backend/gpu/faulty.h"

namespace vouch::gpu {

Status FaultyDevice::count(const char* call, Code code) {
  const std::size_t number = ++plan_->calls;
  const bool fails = plan_->failing_call != 0 &&
                     (number == plan_->failing_call || (plan_->lasting && number > plan_->failing_call));
  if (!fails) return ok();
  return Error{code, info().id + ": call " + std::to_string(number) + " (" + call + ") was made to fail"};
}

Status FaultyDevice::do_upload(const Buffer& to, std::size_t offset, Bytes from) {
  VOUCH_CHECK(count("upload", Code::device));
  plan_->uploaded += from.size();
  return device_->upload(buffers_.at(to.handle()), offset, from);
}

Status FaultyDevice::do_download(std::span<std::uint8_t> to, const Buffer& from, std::size_t offset) {
  VOUCH_CHECK(count("download", Code::device));
  VOUCH_CHECK(device_->download(to, buffers_.at(from.handle()), offset));
  if (++plan_->downloads == plan_->wrong_download && !to.empty()) to[0] ^= 1;
  return ok();
}

Status FaultyDevice::do_clear(const Buffer& buffer) {
  VOUCH_CHECK(count("clear", Code::device));
  return device_->clear(buffers_.at(buffer.handle()));
}

Result<std::uint64_t> FaultyDevice::do_allocate(std::size_t bytes) {
  VOUCH_CHECK(count("allocate", Code::out_of_memory));
  VOUCH_TRY(Buffer buffer, device_->allocate(bytes));
  const std::uint64_t handle = buffer.handle();
  buffers_[handle] = std::move(buffer);
  plan_->live_buffers++;
  return handle;
}

void FaultyDevice::do_free(std::uint64_t handle) noexcept {
  const auto found = buffers_.find(handle);
  std::vector<std::uint8_t> held(found->second.size());
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  if (device_->download(held, found->second, 0).ok())
    for (const std::uint8_t byte : held) hash = (hash ^ byte) * 0x100000001b3u;
  plan_->left.push_back(hash);
  plan_->live_buffers--;
  buffers_.erase(found);
}

Status FaultyDevice::do_run(std::span<const Launch> launches, std::vector<LaunchTime>* times) {
  VOUCH_CHECK(count("run", Code::device));
  return device_->run(Batch(launches), times);
}

}  // namespace vouch::gpu
