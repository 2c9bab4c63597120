// Choice of the place and the instruction set with which WHIR's operations run.
#include "vouch/backend/cpu/poly.h"
#include "vouch/backend/fallback_poly.h"
#include "vouch/backend/gpu/choose.h"
#include "vouch/backend/gpu/poly.h"
#include "vouch/backend/gpu/trial.h"
#include "vouch/backend/reference/poly.h"
#include "vouch/core/cpu_features.h"
#include "vouch/core/simd.h"

namespace vouch {
namespace {

template <class F, int D>
struct Form {
  const char* name;
  bool available;
  std::unique_ptr<PolyOps<F, D>> (*open)(int threads, const char* name);
};

// In the order of speed.
template <class F, int D>
std::vector<Form<F, D>> forms() {
  std::vector<Form<F, D>> list = {{"portable", true, portable::open_poly<F, D>}};
#if defined(VOUCH_X86)
  const CpuFeatures& cpu = cpu_features();
  list.push_back({"avx2", cpu.avx2, avx2::open_poly<F, D>});
  list.push_back({"avx512", cpu.avx512, avx512::open_poly<F, D>});
  list.push_back({"avx512-ifma", cpu.avx512_ifma, avx512_ifma::open_poly<F, D>});
#elif defined(VOUCH_ARM)
  list.push_back({"neon", true, neon::open_poly<F, D>});
#endif
  return list;
}

// The processor stands in for the device where failures are to be told and not to be errors.
template <class F, int D>
Result<std::unique_ptr<PolyOps<F, D>>> guarded(std::unique_ptr<PolyOps<F, D>> device,
                                               const BackendOptions& options) {
  if (!options.warn) return device;
  VOUCH_TRY(auto cpu, (open_poly<F, D>("cpu", options)));
  return with_fallback<F, D>(std::move(device), std::move(cpu), options.warn);
}

}  // namespace

std::vector<std::string> poly_instructions() {
  std::vector<std::string> names;
  for (const auto& form : forms<BabyBear, 4>())
    if (form.available) names.emplace_back(form.name);
  return names;
}

template <class F, int D>
Result<std::unique_ptr<PolyOps<F, D>>> open_poly(const std::string& name, const BackendOptions& options) {
  if (options.threads < 0)
    return Error{Code::invalid_argument, "threads: " + std::to_string(options.threads) + " is negative"};
  if (name == "reference") return reference::open_poly<F, D>();
  if (name == "auto" && options.instructions == "auto") {
    VOUCH_TRY(auto gpu, (gpu::choose_poly<F, D>(options)));
    if (gpu) return guarded<F, D>(std::move(gpu), options);
  }
  if (name != "auto" && name != "cpu") {
    VOUCH_TRY(auto device, (gpu::open_tested(name, options, gpu::test_whir<F, D>)));
    if (!device) return open_poly<F, D>("cpu", options);
    VOUCH_TRY(auto ops, (gpu::make_poly<F, D>(std::move(device), options)));
    return guarded<F, D>(std::move(ops), options);
  }
  const Form<F, D>* best = nullptr;
  std::string known = "auto";
  const auto list = forms<F, D>();
  for (const Form<F, D>& form : list) {
    known += std::string(", ") + form.name;
    if (options.instructions == form.name && !form.available)
      return Error{Code::unsupported, "instructions: this processor does not have " + options.instructions};
    if (form.available && (options.instructions == "auto" || options.instructions == form.name)) best = &form;
  }
  if (best) return best->open(options.threads, best->name);
  return Error{Code::invalid_argument, "instructions: '" + options.instructions + "' is not one of " + known};
}
template Result<std::unique_ptr<PolyOps<BabyBear, 4>>> open_poly(const std::string&, const BackendOptions&);
template Result<std::unique_ptr<PolyOps<BabyBear, 5>>> open_poly(const std::string&, const BackendOptions&);
template Result<std::unique_ptr<PolyOps<KoalaBear, 4>>> open_poly(const std::string&, const BackendOptions&);
template Result<std::unique_ptr<PolyOps<KoalaBear, 5>>> open_poly(const std::string&, const BackendOptions&);

}  // namespace vouch
