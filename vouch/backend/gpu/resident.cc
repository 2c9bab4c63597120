// Tables that stay on a device: see resident.h.
#include "vouch/backend/gpu/resident.h"

namespace vouch::gpu {

void ResidentTables::hold(const std::vector<Bytes>& ranges) {
  for (const Bytes range : ranges) holders_[{range.data(), range.size()}]++;
}

void ResidentTables::release(const std::vector<Bytes>& ranges) {
  for (const Bytes range : ranges) {
    const auto at = holders_.find({range.data(), range.size()});
    if (at != holders_.end() && --at->second == 0) holders_.erase(at);
  }
  for (auto at = tables_.begin(); at != tables_.end();) {
    const auto& [data, size, kind] = at->first;
    const bool stays = held({data, size});
    if (!stays) used_ -= at->second.size();
    at = stays ? std::next(at) : tables_.erase(at);
  }
}

bool ResidentTables::held(Bytes source) const {
  for (const auto& [range, count] : holders_)
    if (source.data() >= range.first && source.data() + source.size() <= range.first + range.second)
      return true;
  return false;
}

std::uint64_t ResidentTables::times_held() const {
  std::uint64_t sum = 0;
  for (const auto& [range, count] : holders_) sum += range.second;
  return sum ? budget_ / sum : 0;
}

Result<const Buffer*> ResidentTables::get(Bytes source, Buffer& own) {
  return get(source, 0, own, [&] { return device_->import(source); });
}

void ResidentTables::drop() {
  tables_.clear();
  used_ = 0;
}

}  // namespace vouch::gpu
