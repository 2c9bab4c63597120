// What has passed a self-test is not tested again; what has not, or has changed, is.
#include "vouch/backend/gpu/trial.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace vouch::gpu {
namespace {

TEST(SelfTest, PassesOncePerDeviceDriverAndOperations) {
  std::string folder = (std::filesystem::temp_directory_path() / "vouch-self-test-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const ImageCache passed(folder);
  DeviceInfo device;
  device.id = "fake:0", device.name = "fake", device.driver = "1.0";
  int runs = 0;
  Status answer = Error{Code::device, "a sum is wrong"};
  const auto test = [&] {
    runs++;
    return answer;
  };
  const Status failed = self_test(device, "sums", test, passed);
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().code, Code::device);
  EXPECT_EQ(failed.error().what, "fake:0: the self-test failed: a sum is wrong");
  answer = ok();
  EXPECT_TRUE(self_test(device, "sums", test, passed).ok());
  EXPECT_EQ(runs, 2) << "a failure is not remembered";
  device.id = "fake:1";
  EXPECT_TRUE(self_test(device, "sums", test, passed).ok());
  EXPECT_EQ(runs, 2) << "a pass is";
  EXPECT_TRUE(self_test(device, "transforms", test, passed).ok());
  device.driver = "1.1";
  EXPECT_TRUE(self_test(device, "sums", test, passed).ok());
  device.name = "another";
  EXPECT_TRUE(self_test(device, "sums", test, passed).ok());
  EXPECT_EQ(runs, 5);
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(self_test(device, "sums", test, ImageCache("")).ok());
  EXPECT_EQ(runs, 6) << "without a folder it is tested every time";
}

}  // namespace
}  // namespace vouch::gpu
