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
  const PassedTests passed{ImageCache(folder)};
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
  EXPECT_EQ(failed.error().what, "a sum is wrong");
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
  EXPECT_TRUE(self_test(device, "sums", test, {passed.kept, [] { return std::uint64_t(1); }}).ok());
  EXPECT_EQ(runs, 6) << "another kernel text";
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(self_test(device, "sums", test, {ImageCache("")}).ok());
  EXPECT_EQ(runs, 7) << "without a folder it is tested every time";
}

// The one answer to a failed self-test of a device that was named, whatever it is to do.
TEST(SelfTest, AFailureIsToldOrTheError) {
  DeviceTest* const failing = [](const DeviceInfo&, const OpenDevice& open, const BackendOptions&,
                                 const PassedTests&) -> Status {
    EXPECT_TRUE(open().ok());
    return Error{Code::out_of_memory, "a sum is wrong"};
  };
  auto silent = open_tested("host", {}, failing);
  ASSERT_FALSE(silent.ok());
  EXPECT_EQ(silent.error().code, Code::device);
  EXPECT_EQ(silent.error().what, "host: the self-test failed: a sum is wrong");
  std::string told;
  BackendOptions options;
  options.warn = [&](const std::string& what) { told = what; };
  auto device = open_tested("host", options, failing);
  ASSERT_TRUE(device.ok());
  EXPECT_EQ(device.value(), nullptr);
  EXPECT_EQ(told, "host: the self-test failed: a sum is wrong; the processor does what it was to do");
}

}  // namespace
}  // namespace vouch::gpu
