// The folder of compiled kernels. An entry: magic, length of the key, key, checksum of the image, image.
#include "vouch/backend/gpu/image_cache.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "vouch/core/bytes.h"
#include "vouch/core/mapped_file.h"

namespace vouch::gpu {
namespace {

constexpr std::string_view magic = "vouchimg";

template <class T>
void append(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}
std::string_view view(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

std::string ImageCache::default_folder() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache == '/') return std::string(cache) + "/vouch";
  const char* home = std::getenv("HOME");
  return home && *home ? std::string(home) + "/.cache/vouch" : "";
}

std::string ImageCache::path_of(std::string_view key) const {
  char name[32];
  (void)std::snprintf(name, sizeof name, "/%016llx.image", static_cast<unsigned long long>(fingerprint(key)));
  return folder_ + name;
}

std::optional<std::string> ImageCache::find(std::string_view key) const {
  if (folder_.empty()) return std::nullopt;
  auto file = MappedFile::open(path_of(key));
  if (!file.ok()) return std::nullopt;
  Reader in(file.value().bytes());
  const bool known = view(in.take(magic.size())) == magic;
  const auto key_size = in.read<std::uint64_t>();
  const bool same_key = view(in.take(key_size)) == key;
  const auto checksum = in.read<std::uint64_t>();
  const std::string_view image = view(in.take(in.remaining()));
  if (in.failed() || !known || !same_key || image.empty() || fingerprint(image) != checksum)
    return std::nullopt;
  return std::string(image);
}

void ImageCache::store(std::string_view key, std::string_view image) const {
  if (folder_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) return;
  std::string entry(magic);
  append(entry, std::uint64_t(key.size()));
  entry += key;
  append(entry, fingerprint(image));
  entry += image;
  (void)write_file(path_of(key), entry).ok();  // a full disk only means that the next start compiles again
}

}  // namespace vouch::gpu
