// A device that fails on purpose: see faulty.h.
#include "vouch/backend/gpu/faulty.h"

#include <algorithm>

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
  return PassingDevice::do_upload(to, offset, from);
}

Status FaultyDevice::do_download(std::span<std::uint8_t> to, const Buffer& from, std::size_t offset) {
  VOUCH_CHECK(count("download", Code::device));
  VOUCH_CHECK(PassingDevice::do_download(to, from, offset));
  if (++plan_->downloads == plan_->wrong_download && !to.empty()) to[0] ^= 1;
  return ok();
}

Status FaultyDevice::do_clear(const Buffer& buffer) {
  VOUCH_CHECK(count("clear", Code::device));
  return PassingDevice::do_clear(buffer);
}

Result<std::uint64_t> FaultyDevice::do_allocate(std::size_t bytes) {
  VOUCH_CHECK(count("allocate", Code::out_of_memory));
  if (plan_->memory && bytes > plan_->memory - plan_->live_bytes)
    return Error{Code::out_of_memory, info().id + ": no room for " + std::to_string(bytes) + " bytes"};
  VOUCH_TRY(const std::uint64_t handle, PassingDevice::do_allocate(bytes));
  plan_->live_buffers++;
  plan_->live_bytes += bytes;
  plan_->peak_bytes = std::max(plan_->peak_bytes, plan_->live_bytes);
  return handle;
}

void FaultyDevice::do_free(std::uint64_t handle) noexcept {
  const Buffer& buffer = passed(handle);
  std::vector<std::uint8_t> held(buffer.size());
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  if (device().download(held, buffer, 0).ok())
    for (const std::uint8_t byte : held) hash = (hash ^ byte) * 0x100000001b3u;
  plan_->left.push_back(hash);
  plan_->live_buffers--;
  plan_->live_bytes -= buffer.size();
  PassingDevice::do_free(handle);
}

Status FaultyDevice::do_run(std::span<const Launch> launches, std::vector<LaunchTime>* times) {
  VOUCH_CHECK(count("run", Code::device));
  return PassingDevice::do_run(launches, times);
}

}  // namespace vouch::gpu
