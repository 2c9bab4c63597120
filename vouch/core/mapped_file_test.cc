// Files in and out: what is promised when they are missing, odd, or cannot be written.
#include "vouch/core/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace vouch {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    dir_ = fs::temp_directory_path() / ("vouch-files-" + std::to_string(getpid()));
    fs::create_directories(dir_);
  }
  void TearDown() override { fs::remove_all(dir_); }
  std::string path(const std::string& name) const { return (dir_ / name).string(); }
  static std::string content(const std::string& p) {
    std::ifstream in(p, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(dir_), {}));
  }
  fs::path dir_;
};

TEST_F(Files, ReleasedPagesComeBackAndNothingElseIsTouched) {
  std::string text(300000, 'a');
  for (std::size_t i = 0; i < text.size(); i += 1000) text[i] = char('b' + i / 1000 % 20);
  ASSERT_TRUE(write_file(path("a"), text).ok());
  auto file = MappedFile::open(path("a"));
  ASSERT_TRUE(file.ok());
  const Bytes bytes = file.value().bytes();
  const auto same = [&] { return std::equal(bytes.begin(), bytes.end(), text.begin()); };
  ASSERT_TRUE(same());
  const auto resident = [&] {
    std::ifstream smaps("/proc/self/smaps");
    bool here = false;
    for (std::string line; std::getline(smaps, line);) {
      if (line.find(path("a")) != std::string::npos) here = true;
      if (here && line.rfind("Rss:", 0) == 0) return std::stoul(line.substr(4));
    }
    return 0ul;
  };
  const std::size_t before = resident();
  file.value().release(bytes.subspan(100000, 150000));
  EXPECT_LE(resident() + 140, before);  // KiB
  EXPECT_TRUE(same());
  std::vector<std::uint8_t> own(100000, 7);  // not of the file: must keep its content
  file.value().release(own);
  EXPECT_EQ(std::count(own.begin(), own.end(), 7), 100000);
  file.value().release({});
  file.value().release(bytes);
  EXPECT_TRUE(same());
}

TEST_F(Files, WritesAndMaps) {
  ASSERT_TRUE(write_file(path("a"), "hello").ok());
  auto file = MappedFile::open(path("a"));
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file.value().bytes().size(), 5u);
  EXPECT_EQ(file.value().bytes()[4], 'o');
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, ErrorsNameTheFileAndTheCause) {
  EXPECT_EQ(MappedFile::open(path("none")).error().what,
            path("none") + ": cannot open: No such file or directory");
  EXPECT_EQ(MappedFile::open(dir_.string()).error().what, dir_.string() + ": is a directory, not a file");
  ASSERT_TRUE(write_file(path("empty"), "").ok());
  EXPECT_EQ(MappedFile::open(path("empty")).error().what, path("empty") + ": the file is empty");
  EXPECT_EQ(write_file(dir_.string(), "x").error().what, dir_.string() + ": cannot write: it is a directory");
  EXPECT_EQ(write_file(path("no/such/folder"), "x").error().what,
            path("no/such/folder") + ": cannot write: No such file or directory");
}

TEST_F(Files, APairIsWrittenWholeOrNotAtAll) {
  ASSERT_TRUE(write_file(path("first"), "old").ok());
  const OutputFile pair[] = {{path("first"), "new"}, {path("missing/second"), "new"}};
  EXPECT_FALSE(write_files(pair).ok());
  EXPECT_EQ(content(path("first")), "old");
  EXPECT_EQ(entries(), 1u) << "a temporary file was left behind";
}

TEST_F(Files, FullDiskLeavesNothing) {
  // /dev/full accepts the open and refuses the write, as a full disk does.
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full on this system";
  EXPECT_EQ(write_file("/dev/full", "x").error().what, "/dev/full: cannot write: No space left on device");
}

TEST_F(Files, ADeviceIsWrittenDirectly) {
  EXPECT_TRUE(write_file("/dev/null", "x").ok());
}

}  // namespace
}  // namespace vouch
