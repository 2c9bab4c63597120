#include "vouch/backend/cpu/instructions.h"

#include "vouch/core/cpu_features.h"

namespace vouch {
namespace {

constexpr Instructions all_forms[] = {Instructions::portable, Instructions::adx, Instructions::avx2,
                                      Instructions::avx512_ifma};

bool available(Instructions form) {
  const CpuFeatures& cpu = cpu_features();
  switch (form) {
    case Instructions::portable:
      return true;
    case Instructions::adx:
      return cpu.bmi2 && cpu.adx;
    case Instructions::avx2:
      return cpu.bmi2 && cpu.adx && cpu.avx2 && cpu.fma;
    case Instructions::avx512_ifma:
      return cpu.bmi2 && cpu.adx && cpu.avx512_ifma;
  }
  return false;
}

}  // namespace

const char* name_of(Instructions form) {
  switch (form) {
    case Instructions::portable:
      return "portable";
    case Instructions::adx:
      return "adx";
    case Instructions::avx2:
      return "avx2";
    case Instructions::avx512_ifma:
      return "avx512-ifma";
  }
  return "unknown";
}

Result<Instructions> choose_instructions(const std::string& name) {
  Instructions best = Instructions::portable;
  for (const Instructions form : all_forms) {
    if (name == name_of(form)) {
      if (available(form)) return form;
      return Error{Code::unsupported, "instructions: this processor does not have " + name};
    }
    if (available(form)) best = form;
  }
  if (name == "auto") return best;
  return Error{Code::invalid_argument,
               "instructions: '" + name + "' is not one of auto, portable, adx, avx2, avx512-ifma"};
}

std::vector<std::string> groth16_instructions() {
  std::vector<std::string> names;
  for (const Instructions form : all_forms)
    if (available(form)) names.emplace_back(name_of(form));
  return names;
}

}  // namespace vouch
