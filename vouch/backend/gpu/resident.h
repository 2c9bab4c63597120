// The tables of keys that stay on a device between calls, so that a second proof uploads only its witness.
//
// A range of memory is held while some key says that its bytes do not change. What lies in a held range is
// uploaded at its first use and kept while the budget lasts; the last holder's going frees it.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "vouch/backend/gpu/device.h"

namespace vouch::gpu {

class ResidentTables {
 public:
  // device must outlive this.
  ResidentTables(Device& device, std::uint64_t budget) : device_(&device), budget_(budget) {}

  void hold(const std::vector<Bytes>& ranges);
  void release(const std::vector<Bytes>& ranges);

  // The device's copy of what `make` derives from `source`, kept if source is held, else in `own`. kind tells
  // apart what is derived from the same source. make() fills a new buffer.
  template <class Make>
  Result<const Buffer*> get(Bytes source, int kind, Buffer& own, Make&& make) {
    const Key key{source.data(), source.size(), kind};
    if (const auto found = tables_.find(key); found != tables_.end()) return &found->second;
    VOUCH_TRY(own, make());
    if (!held(source) || used_ + own.size() > budget_) return &own;
    used_ += own.size();
    return &(tables_[key] = std::move(own));
  }
  bool holds(Bytes source) const { return held(source); }
  // What is still to be had of `bytes` that are made of source.
  std::uint64_t missing(Bytes source, int kind, std::uint64_t bytes) const {
    return tables_.contains({source.data(), source.size(), kind}) ? 0 : bytes;
  }
  bool has_room(std::uint64_t bytes) const { return bytes <= budget_ - used_; }
  // How many times all that is held would fit into the budget.
  std::uint64_t times_held() const;
  // The bytes themselves.
  Result<const Buffer*> get(Bytes source, Buffer& own);

  // Gives everything back; what is held is uploaded again when it is used.
  void drop();
  bool empty() const { return tables_.empty(); }

 private:
  using Key = std::tuple<const std::uint8_t*, std::size_t, int>;
  bool held(Bytes source) const;

  Device* device_;
  std::uint64_t budget_, used_ = 0;
  std::map<std::pair<const std::uint8_t*, std::size_t>, int> holders_;
  std::map<Key, Buffer> tables_;
};

}  // namespace vouch::gpu
