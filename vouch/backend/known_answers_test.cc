// The self-test reaches every kernel: one that a compiler or a device gets wrong is not found otherwise.
#include "vouch/backend/known_answers.h"

#include <gtest/gtest.h>

#include <set>

#include "vouch/backend/gpu/backend.h"
#include "vouch/backend/gpu/passing.h"
#include "vouch/backend/gpu/poly.h"
#include "vouch/kernels/list.h"

namespace vouch::gpu {
namespace {

using Names = std::set<std::string>;

class NamingDevice final : public PassingDevice {
 public:
  explicit NamingDevice(Names& to) : PassingDevice(std::move(open_host(0)).value()), to_(&to) {}

 protected:
  Status do_run(std::span<const Launch> launches, std::vector<LaunchTime>* times) override {
    for (const Launch& launch : launches) to_->insert(launch.kernel);
    return PassingDevice::do_run(launches, times);
  }

 private:
  Names* to_;
};

template <class F, int D>
void check_field(Names& run, SelfTest extent) {
  const auto ops = make_poly<F, D>(std::make_unique<NamingDevice>(run), PolyWork<F, D>{});
  const Status status = check_known_answers(*ops, extent);
  ASSERT_TRUE(status.ok()) << status.error().what;
}

TEST(KnownAnswers, ReachEveryKernel) {
  Names run;
  GpuBackend plain(std::make_unique<NamingDevice>(run));
  GpuBackend constant(std::make_unique<NamingDevice>(run), 0, true);
  GpuBackend tables(std::make_unique<NamingDevice>(run), 0, false, true);
  for (GpuBackend* one : {&plain, &constant, &tables}) ASSERT_TRUE(check_known_answers(*one).ok());
  check_field<BabyBear, 4>(run, SelfTest::every_kernel);
  check_field<BabyBear, 5>(run, SelfTest::brief);
  check_field<KoalaBear, 4>(run, SelfTest::brief);
  check_field<KoalaBear, 5>(run, SelfTest::every_kernel);
  Names missed;
#define VOUCH_NAME(name) \
  if (!run.contains(#name)) missed.insert(#name);
  VOUCH_KERNELS(VOUCH_NAME)
#undef VOUCH_NAME
  EXPECT_EQ(missed, (Names{"mem_copy", "probe_products31", "probe_products254"}));  // rates_test.cc
}

}  // namespace
}  // namespace vouch::gpu
