// What Device refuses on every API because some API could not do it, and which drivers there are.
#include "vouch/backend/gpu/device.h"

#include <gtest/gtest.h>

#include "vouch/backend/gpu/images.h"

namespace vouch::gpu {
namespace {

struct Params {
  std::uint32_t n, per_group;
};

class DeviceRules : public testing::Test {
 protected:
  void SetUp() override { buffer_ = std::move(device_->allocate(64)).value(); }
  void refuses(const std::string& why, const Status& status) {
    ASSERT_FALSE(status.ok()) << why;
    EXPECT_EQ(status.error().code, Code::internal);
    EXPECT_NE(status.error().what.find(why), std::string::npos) << status.error().what;
  }
  Status launch(std::uint32_t groups, std::uint32_t size, std::uint32_t local,
                std::initializer_list<const Buffer*> buffers) {
    Batch batch;
    batch.launch("msm_zero", groups, size, local, buffers, Params{16, 0});
    return device_->run(batch);
  }

  std::unique_ptr<Device> device_ = std::move(open_host(0)).value();
  Buffer buffer_;
};

TEST_F(DeviceRules, EachBoundOfALaunchIsAsserted) {
  EXPECT_TRUE(launch(1, 256, 0, {&buffer_}).ok());
  refuses("1 to 256 work-items", launch(0, 64, 0, {&buffer_}));
  refuses("1 to 256 work-items", launch(1, 0, 0, {&buffer_}));
  refuses("1 to 256 work-items", launch(1, 257, 0, {&buffer_}));
  refuses("2^32 - 1 work-items", launch(0x1000000, 256, 0, {&buffer_}));
  refuses("2^32 - 1 work-items", launch(0x80000000u, 1, 0, {&buffer_}));
  refuses("32 KiB", launch(1, 64, max_local_bytes + 4, {&buffer_}));
  refuses("whole number of words", launch(1, 64, 6, {&buffer_}));
  refuses("1 to 16 buffers", launch(1, 64, 0, {}));
  const Buffer* b = &buffer_;
  refuses("1 to 16 buffers", launch(1, 64, 0, {b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b, b}));
  const Buffer never;
  refuses("never allocated", launch(1, 64, 0, {&never}));
}

TEST_F(DeviceRules, TransfersStayInsideAndAligned) {
  std::uint8_t bytes[64] = {};
  EXPECT_TRUE(device_->upload(buffer_, 60, Bytes(bytes, 4)).ok());
  EXPECT_TRUE(device_->download(std::span(bytes, 4), buffer_, 60).ok());
  refuses("do not fit", device_->upload(buffer_, 4, Bytes(bytes, 64)));
  refuses("do not fit", device_->download(bytes, buffer_, 4));
  refuses("do not fit", device_->upload(buffer_, ~std::size_t(3), Bytes(bytes, 8)));
  refuses("multiple of 4", device_->upload(buffer_, 2, Bytes(bytes, 4)));
  refuses("multiple of 4", device_->download(std::span(bytes, 4), buffer_, 1));
  const Buffer never;
  refuses("never allocated", device_->upload(never, 0, Bytes(bytes, 4)));
  refuses("never allocated", device_->clear(never));
  for (const std::size_t offset : {std::size_t(4), std::size_t(62)}) {  // what a batch reads back, too
    Batch batch;
    batch.launch("msm_zero", 1, 64, 0, {&buffer_}, Params{16, 0});
    batch.read(bytes, buffer_, offset);
    refuses("do not fit", device_->run(batch));
  }
  EXPECT_TRUE(device_->upload(buffer_, 64, Bytes()).ok());
}

TEST_F(DeviceRules, ABatchReadsBackWhatItsLaunchesLeft) {
  std::uint8_t ones[64], bytes[64];
  std::fill_n(ones, 64, 1), std::fill_n(bytes, 64, 7);
  ASSERT_TRUE(device_->upload(buffer_, 0, ones).ok());
  Batch batch;
  batch.read(std::span(bytes, 8), buffer_, 4);  // recorded first, done last
  batch.launch("msm_zero", 1, 64, 0, {&buffer_}, Params{2, 0});
  ASSERT_TRUE(device_->run(batch).ok());
  for (int i = 0; i < 64; i++) EXPECT_EQ(bytes[i], i < 4 ? 0 : i < 8 ? 1 : 7) << i;
}

TEST(Device, BuffersLieAtAMultipleOf16) {
  auto device = std::move(open_host(0)).value();
  for (const std::size_t bytes : {0, 1, 15, 16, 17, 1000}) {
    const Buffer buffer = std::move(device->allocate(bytes)).value();
    EXPECT_EQ(buffer.handle() % 16, 0u);
    EXPECT_EQ(buffer.size() % 16, 0u);
    EXPECT_GE(buffer.size(), std::max<std::size_t>(bytes, 16));
  }
}

TEST(Device, ADriverThatIsNotThereSaysSo) {
  for (const DeviceDriver& driver : drivers()) {
    const std::size_t count = driver.list().size();
    if (driver.name == "host") continue;
    const auto device = driver.open(count);  // one more than there are
    ASSERT_FALSE(device.ok());
    EXPECT_EQ(device.error().code, Code::unsupported) << device.error().what;
    EXPECT_EQ(device.error().what.rfind(driver.name, 0), 0u) << device.error().what;
  }
}

TEST(KernelImages, MachineCodeRunsOnItsMajorCapabilityFromItsMinorOn) {
  const char text[] = "PabcQ";  // one letter an image
  const auto image = [&](const char* module, int architecture, int at) {
    return KernelImage{module, architecture, text + at, text + at + 1};
  };
  const KernelImage table[] = {image("groth16", 0, 0),  image("groth16", 80, 1),
                               image("groth16", 86, 2), image("groth16", 90, 3),
                               image("babybear", 0, 4), {nullptr, 0, nullptr, nullptr}};
  const auto chosen = [&](int major, int minor) {
    return choose_image(table, kernels::Module::groth16, major, minor);
  };
  EXPECT_EQ(chosen(7, 5), "P");
  EXPECT_EQ(chosen(8, 0), "a");
  EXPECT_EQ(chosen(8, 5), "a");
  EXPECT_EQ(chosen(8, 6), "b");
  EXPECT_EQ(chosen(8, 9), "b");
  EXPECT_EQ(chosen(9, 0), "c");
  EXPECT_EQ(chosen(10, 0), "P");
  EXPECT_EQ(chosen(12, 0), "P");
  EXPECT_EQ(choose_image(table, kernels::Module::babybear, 9, 0), "Q");
  EXPECT_EQ(choose_image(table, kernels::Module::koalabear, 9, 0), "");
}

}  // namespace
}  // namespace vouch::gpu
