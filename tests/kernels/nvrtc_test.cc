// A build without PTX: the CUDA device asks NVRTC, keeps what it makes, and makes it again when what it kept
// is damaged. Both libraries are stand-ins; the compiler's gives the PTX that Clang wrote for the real
// library.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "stand_in.h"
#include "vouch/backend/gpu/device.h"
#include "vouch/backend/gpu/images.h"

namespace vouch::gpu {

// In place of the table of the library, which is then not linked: no images.
const KernelImage kernel_images[] = {{nullptr, 0, nullptr, nullptr}};

namespace {

namespace fs = std::filesystem;

long compilations() {
  return StandIn{"libnvrtc.so.12", "fake_nvrtc_"}.number("compilations");
}

// Opens a device and runs a kernel of groth16: whether its module could be had.
Status run_a_kernel() {
  VOUCH_TRY(auto device, open_cuda(0));
  VOUCH_TRY(const Buffer buffer, device->allocate(1024));
  struct {
    std::uint32_t n, per_group;
  } params{256, 0};
  Batch batch;
  batch.launch("msm_zero", 1, 256, 0, {&buffer}, params);
  VOUCH_CHECK(device->run(batch));
  std::vector<std::uint8_t> out(1024, 1);
  VOUCH_CHECK(device->download(out, buffer, 0));
  EXPECT_EQ(out, std::vector<std::uint8_t>(1024));
  return ok();
}

TEST(Nvrtc, CompilesOnceAndAgainWhenTheKeptImageIsDamaged) {
  std::string folder = (fs::temp_directory_path() / "vouch-nvrtc-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  ASSERT_EQ(setenv("XDG_CACHE_HOME", folder.c_str(), 1), 0);
  ASSERT_EQ(compilations(), 0);
  for (int round = 0; round < 3; round++) {
    const Status status = run_a_kernel();
    ASSERT_TRUE(status.ok()) << status.error().what;
    EXPECT_EQ(compilations(), 1);
  }
  std::vector<fs::path> kept;
  for (const auto& file : fs::directory_iterator(fs::path(folder) / "vouch")) kept.push_back(file.path());
  ASSERT_EQ(kept.size(), 1u);
  fs::resize_file(kept[0], fs::file_size(kept[0]) / 2);
  ASSERT_TRUE(run_a_kernel().ok());
  EXPECT_EQ(compilations(), 2);
  ASSERT_TRUE(run_a_kernel().ok());
  EXPECT_EQ(compilations(), 2);
  fs::remove_all(folder);
}

TEST(Nvrtc, ACompilerThatFailsIsQuoted) {
  std::string folder = (fs::temp_directory_path() / "vouch-nvrtc-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  ASSERT_EQ(setenv("XDG_CACHE_HOME", folder.c_str(), 1), 0);
  ASSERT_EQ(setenv("FAKE_NVRTC_FAILS", "1", 1), 0);
  const Status status = run_a_kernel();
  ASSERT_EQ(unsetenv("FAKE_NVRTC_FAILS"), 0);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().what,
            "NVRTC 12.4 cannot compile the kernels: NVRTC_ERROR_COMPILATION: kernels.cu(1): error");
  fs::remove_all(folder);
}

}  // namespace
}  // namespace vouch::gpu
