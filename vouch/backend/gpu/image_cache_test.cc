// The cache of compiled kernels: what is stored is found, whatever is wrong with an entry means it is not
// there.
#include "vouch/backend/gpu/image_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace vouch::gpu {
namespace {

namespace fs = std::filesystem;

class ImageCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "vouch-cache-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }
  fs::path folder_;
};

TEST_F(ImageCacheTest, FindsWhatWasStoredUnderThatKeyOnly) {
  const ImageCache cache((folder_ / "new" / "folder").string());
  const std::string image("binary\0image", 12);
  EXPECT_EQ(cache.find("key"), std::nullopt);
  cache.store("key", image);
  EXPECT_EQ(cache.find("key"), image);
  EXPECT_EQ(cache.find("key2"), std::nullopt);
  // Two keys with one file name: the second is not mistaken for the first.
  fs::copy_file(cache.path_of("key"), cache.path_of("other"));
  EXPECT_EQ(cache.find("other"), std::nullopt);
}

TEST_F(ImageCacheTest, AnEntryCutOffOrAlteredAnywhereIsNotThere) {
  const ImageCache cache(folder_.string());
  cache.store("key", "image");
  const std::string path = cache.path_of("key"), good = read(path);
  ASSERT_GT(good.size(), 20u);
  for (std::size_t i = 0; i < good.size(); i++) {
    write(path, good.substr(0, i));
    EXPECT_EQ(cache.find("key"), std::nullopt) << "cut at " << i;
    std::string bad = good;
    bad[i] = char(bad[i] ^ 0x40);
    write(path, bad);
    EXPECT_EQ(cache.find("key"), std::nullopt) << "altered at " << i;
  }
  cache.store("key", "image");
  EXPECT_EQ(cache.find("key"), "image");
}

TEST_F(ImageCacheTest, AFolderThatCannotBeIsNoError) {
  write((folder_ / "file").string(), "x");
  for (const std::string& folder : {std::string(), (folder_ / "file").string()}) {
    const ImageCache cache(folder);
    cache.store("key", "image");
    EXPECT_EQ(cache.find("key"), std::nullopt);
  }
}

}  // namespace
}  // namespace vouch::gpu
