// The choice of "auto" on drivers that are not there: a GPU is taken for large work only, never a processor's
// driver, never a device that computes wrongly or does not open.
#include "vouch/backend/gpu/choose.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "vouch/backend/gpu/faulty.h"

namespace vouch::gpu {
namespace {

DeviceInfo fake(const std::string& id, bool gpu) {
  DeviceInfo info;
  info.id = id, info.name = "a fake", info.gpu = gpu;
  return info;
}

using Open = Result<std::unique_ptr<Device>> (*)(std::size_t);
Result<std::unique_ptr<Device>> open_sound(std::size_t) {
  return open_host(0);
}
Result<std::unique_ptr<Device>> open_wrong(std::size_t) {
  const auto plan = std::make_shared<FaultPlan>();
  plan->wrong_download = 1;
  return std::unique_ptr<Device>(new FaultyDevice(open_host(0).value(), plan));
}
Result<std::unique_ptr<Device>> open_failing(std::size_t) {
  return Error{Code::device, "fake:0: no kernel image"};
}

DeviceDriver driver(const char* name, std::vector<DeviceInfo> (*list)(), Open open) {
  return {name, list, open};
}
std::vector<DeviceInfo> a_gpu() {
  return {fake("fake:0", true)};
}
std::vector<DeviceInfo> a_processor() {
  return {fake("pocl:0", false)};
}
std::vector<DeviceInfo> nothing() {
  return {};
}

const PassedTests none{ImageCache("")};  // every device is tested

Result<double> fast(Device&) {
  return 1e11;
}
Result<double> slow(Device&) {
  return 1e8;
}

struct Chosen {
  bool gpu;
  std::vector<std::string> warnings, told;
};
Chosen choose(std::vector<DeviceDriver> drivers, double seconds, Result<double> (*measure)(Device&) = fast) {
  BackendOptions options;
  options.threads = 2;
  options.work_seconds = seconds;
  Chosen chosen{};
  options.warn = [&](const std::string& what) { chosen.warnings.push_back(what); };
  options.explain = [&](const std::string& what) { chosen.told.push_back(what); };
  auto backend = choose_gpu(options, {drivers, measure, none});
  EXPECT_TRUE(backend.ok());
  EXPECT_EQ(chosen.told.size(), 1u);
  chosen.gpu = std::move(backend).value() != nullptr;
  return chosen;
}

TEST(Choice, AGpuForLargeWork) {
  const auto gpu = driver("fake", a_gpu, open_sound);
  EXPECT_TRUE(choose({gpu}, 10).gpu);
  EXPECT_TRUE(choose({gpu}, 10).warnings.empty());
  EXPECT_FALSE(choose({gpu}, 0.1).gpu);
  EXPECT_FALSE(choose({gpu}, 0).gpu);  // not known
  EXPECT_FALSE(choose({gpu}, 10, slow).gpu);
  EXPECT_TRUE(choose({driver("none", nothing, open_failing), gpu}, 10).gpu);
}

TEST(Choice, SaysWhy) {
  const auto gpu = driver("fake", a_gpu, open_sound);
  const auto why = [](const Chosen& chosen) { return chosen.told.at(0); };
  EXPECT_EQ(why(choose({gpu}, 0.1)), "the processor: about 50 ms of work, too little for a device");
  EXPECT_EQ(why(choose({gpu}, 0)), "the processor: how much work it is is not known");
  EXPECT_EQ(why(choose({}, 10)), "the processor: no GPU is here that a driver of vouch can use");
  EXPECT_EQ(why(choose({gpu}, 10)), "fake:0 (a fake): about 195 ms there, about 5.0 s on the processor");
  EXPECT_EQ(why(choose({gpu}, 10, slow)),
            "the processor: fake:0 (a fake) does not promise enough: about 45.1 s there, about 5.0 s on the "
            "processor");
  EXPECT_EQ(why(choose({driver("failing", a_gpu, open_failing)}, 10)),
            "the processor: fake:0 (a fake) is not used: fake:0: no kernel image");
}

TEST(Choice, NeverAProcessorsDriver) {
  EXPECT_FALSE(choose({driver("pocl", a_processor, open_sound)}, 1000).gpu);
  EXPECT_FALSE(choose({{drivers().back()}}, 1000).gpu);  // the host device
}

TEST(Choice, AsksADriverBeforeListing) {
  auto gpu = driver("fake", a_gpu, open_sound);
  gpu.may_have_gpu = [] { return false; };
  EXPECT_FALSE(choose({gpu}, 10).gpu);
  gpu.may_have_gpu = [] { return true; };
  EXPECT_TRUE(choose({gpu}, 10).gpu);
}

TEST(Choice, NeverADeviceThatComputesWronglyOrDoesNotOpen) {
  const auto wrong = driver("wrong", a_gpu, open_wrong), failing = driver("failing", a_gpu, open_failing),
             sound = driver("sound", a_gpu, open_sound);
  const Chosen refused = choose({wrong}, 10);
  EXPECT_FALSE(refused.gpu);
  ASSERT_EQ(refused.warnings.size(), 1u);
  EXPECT_EQ(refused.warnings[0],
            "fake:0 (a fake) is not used: host (kernel text on this processor): a transform came out wrong");
  EXPECT_EQ(choose({failing}, 10).warnings[0], "fake:0 (a fake) is not used: fake:0: no kernel image");
  EXPECT_TRUE(choose({wrong, failing, sound}, 10).gpu);
  // Nobody to tell: an error, not a silent choice.
  BackendOptions options;
  options.work_seconds = 1000;
  const DeviceDriver only[] = {wrong};
  EXPECT_EQ(choose_gpu(options, {only, fast, none}).error().code, Code::device);
}

// Sound and the only one there is, with a count of how often it is opened: by the test and by who takes it.
struct Counted {
  static inline int opened = 0;
  static inline DeviceInfo info = fake("fake:0", true);
  static DeviceDriver driver() {
    return {"counted", [] { return std::vector{info}; },
            [](std::size_t i) {
              opened++;
              return open_sound(i);
            }};
  }
  static int opened_by(const std::function<Status()>& choice) {
    opened = 0;
    const Status s = choice();
    EXPECT_TRUE(s.ok()) << s.error().what;
    return opened;
  }
};

TEST(Choice, TestsADeviceOnceForItsDriverAndKernelText) {
  std::string folder = (std::filesystem::temp_directory_path() / "vouch-choice-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  PassedTests passed{ImageCache(folder)};
  const DeviceDriver only[] = {Counted::driver()};
  BackendOptions options;
  options.threads = 2, options.work_seconds = 10;
  const auto groth16 = [&] {
    return Counted::opened_by([&]() -> Status {
      VOUCH_TRY(const auto chosen, choose_gpu(options, {only, fast, passed}));
      return chosen ? ok() : Status(Error{Code::internal, "no device was chosen"});
    });
  };
  const auto whir = [&] {
    return Counted::opened_by([&]() -> Status {
      VOUCH_TRY(const auto chosen, (choose_poly<KoalaBear, 4>(options, {only, fast, passed})));
      return chosen ? ok() : Status(Error{Code::internal, "no device was chosen"});
    });
  };
  EXPECT_EQ(groth16(), 2);
  EXPECT_EQ(groth16(), 1) << "tested again";
  EXPECT_EQ(whir(), 2) << "of other operations";
  EXPECT_EQ(whir(), 1) << "tested again";
  options.constant_work = true;
  EXPECT_EQ(groth16(), 2) << "other additions";
  options.constant_work = false;
  Counted::info.driver = "2.0";
  EXPECT_EQ(groth16(), 2) << "another driver";
  EXPECT_EQ(groth16(), 1);
  passed.text = [] { return std::uint64_t(1); };
  EXPECT_EQ(groth16(), 2) << "another kernel text";
  EXPECT_EQ(whir(), 2) << "another kernel text";
  std::filesystem::remove_all(folder);
}

// WHIR's choice is the same with its own operations and self-test.
TEST(Choice, ForWhir) {
  const auto wrong = driver("wrong", a_gpu, open_wrong), sound = driver("sound", a_gpu, open_sound);
  const auto choose_whir = [](std::vector<DeviceDriver> drivers, double seconds,
                              std::vector<std::string>* told, std::uint64_t memory = 0) {
    BackendOptions options;
    options.threads = 2, options.work_seconds = seconds, options.work_memory = memory;
    if (told) options.warn = [told](const std::string& what) { told->push_back(what); };
    return choose_poly<KoalaBear, 4>(options, {drivers, fast, none});
  };
  std::vector<std::string> told;
  EXPECT_NE(choose_whir({sound}, 10, &told).value(), nullptr);
  EXPECT_EQ(choose_whir({sound}, 0.1, &told).value(), nullptr);
  EXPECT_EQ(choose_whir({driver("pocl", a_processor, open_sound)}, 1000, &told).value(), nullptr);
  EXPECT_TRUE(told.empty());
  EXPECT_EQ(choose_whir({wrong}, 10, &told).value(), nullptr);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].find("fake:0 (a fake) is not used: "), 0u) << told[0];
  EXPECT_EQ(choose_whir({wrong}, 10, nullptr).error().code, Code::device);
}

// Work that does not fit is the processor's before anything is opened, and nobody's error.
TEST(Choice, NeverADeviceWithTooLittleMemory) {
  const auto small = driver(
      "small",
      [] {
        auto info = fake("fake:0", true);
        info.memory = 1000, info.largest_buffer = 500;
        return std::vector{info};
      },
      open_failing);
  BackendOptions options;
  options.work_seconds = 1000, options.work_memory = 901;
  auto silent = choose_poly<BabyBear, 5>(options, {{&small, 1}, fast, none});
  ASSERT_TRUE(silent.ok());
  EXPECT_EQ(silent.value(), nullptr);
  std::string told;
  options.warn = [&](const std::string& what) { told = what; };
  EXPECT_EQ((choose_poly<BabyBear, 5>(options, {{&small, 1}, fast, none}).value()), nullptr);
  EXPECT_EQ(told,
            "fake:0 (a fake) is not used: the work needs 901 bytes of its memory, and it has room for 900");
  options.work_memory = 900, options.work_buffer = 501;
  EXPECT_EQ((choose_poly<BabyBear, 5>(options, {{&small, 1}, fast, none}).value()), nullptr);
  EXPECT_EQ(told,
            "fake:0 (a fake) is not used: the work needs 501 bytes in one buffer, and it has room for 500");
  options.work_buffer = 500;
  EXPECT_EQ((choose_poly<BabyBear, 5>(options, {{&small, 1}, fast, none}).value()), nullptr);
  EXPECT_EQ(told, "fake:0 (a fake) is not used: fake:0: no kernel image");
}

TEST(Choice, FindsAGpuWithoutLoadingDriversThatHaveNone) {
  static int listed = 0;
  auto pocl = driver(
      "pocl",
      [] {
        listed++;
        return std::vector<DeviceInfo>{fake("pocl:0", false)};
      },
      open_sound);
  pocl.may_have_gpu = [] { return false; };
  const DeviceDriver both[] = {pocl, driver("gpu", a_gpu, open_sound)};
  EXPECT_EQ(first_gpu(both)->id, "fake:0");
  EXPECT_FALSE(first_gpu({both, 1}).has_value());
  EXPECT_EQ(listed, 0);
}

TEST(Choice, MeasuresADevice) {
  auto device = open_host(0).value();
  const auto rate = measure_products(*device);
  ASSERT_TRUE(rate.ok());
  EXPECT_GT(Result<double>(rate).value(), 1e4);
}

}  // namespace
}  // namespace vouch::gpu
