// Compiled kernels kept on disk between runs, so that only the first start of a machine pays a compiler.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vouch::gpu {

// A key is free text that names everything the image depends on: kernel text, options, device, driver. An
// entry holds its key and a checksum: one that is cut off, altered or of another key is as if it were not
// there. Entries are written beside their name and renamed, so that processes may share a folder. A folder
// that cannot be written costs time, nothing else.
class ImageCache {
 public:
  explicit ImageCache(std::string folder) : folder_(std::move(folder)) {}
  // $XDG_CACHE_HOME/vouch, else $HOME/.cache/vouch; "" where neither is set: then nothing is kept.
  static std::string default_folder();

  std::optional<std::string> find(std::string_view key) const;
  void store(std::string_view key, std::string_view image) const;
  std::string path_of(std::string_view key) const;

 private:
  std::string folder_;
};

// FNV-1a: tells texts apart, does not withstand an attacker.
std::uint64_t fingerprint(std::string_view text);

}  // namespace vouch::gpu
