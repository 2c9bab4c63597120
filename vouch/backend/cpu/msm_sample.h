// Points and scalars for the tests and benchmarks of sums.
#pragma once

#include <random>
#include <vector>

#include "vouch/backend/backend.h"
#include "vouch/backend/cpu/instructions.h"
#include "vouch/backend/cpu/msm.h"
#include "vouch/core/cpu_features.h"

namespace vouch::msm_sample {

inline std::vector<Instructions> forms_here() {
  std::vector<Instructions> forms{Instructions::portable};
  const CpuFeatures& cpu = cpu_features();
  if (cpu.adx && cpu.bmi2) forms.push_back(Instructions::adx);
  if (cpu.adx && cpu.bmi2 && cpu.avx2 && cpu.fma) forms.push_back(Instructions::avx2);
  if (cpu.adx && cpu.bmi2 && cpu.avx512_ifma) forms.push_back(Instructions::avx512_ifma);
  return forms;
}

// With one inversion; none of the sums is at infinity.
template <class C>
std::vector<typename C::Affine> to_affine(const std::vector<typename C::Xyzz>& sums) {
  const std::size_t count = sums.size();
  std::vector<typename C::Field> prefix(count);
  auto product = C::Field::one();
  for (std::size_t i = 0; i < count; i++) {
    prefix[i] = product;
    product *= sums[i].zzz;
  }
  auto inverse = product.inverse();
  std::vector<typename C::Affine> points(count);
  for (std::size_t i = count; i-- > 0;) {
    const auto z3 = inverse * prefix[i], z1 = z3 * sums[i].zz;
    inverse *= sums[i].zzz;
    points[i] = {sums[i].x * z1.square(), sums[i].y * z3};
  }
  return points;
}

// (first + i) * generator for i < count.
template <class C>
std::vector<typename C::Affine> multiples(u64 first, std::size_t count) {
  std::vector<typename C::Xyzz> sums(count);
  auto sum = C::Xyzz::from(C::generator()).mul_vartime(UInt<1>::of(first));
  for (auto& s : sums) {
    s = sum;
    sum += C::generator();
  }
  return to_affine<C>(sums);
}

class Random {
 public:
  explicit Random(u64 seed) : engine_(seed) {}
  u64 next() { return engine_(); }
  UInt<4> scalar() {
    UInt<4> x;
    do {
      for (u64& limb : x.limb) limb = next();
      x = x >> 2;
    } while (x >= Bn254Fr::modulus);
    return x;
  }

 private:
  std::mt19937_64 engine_;
};

// Points between which small sums do not coincide by chance, as multiples of one point do: first[i / 512] +
// second[i % 512] for random multiples of the generator.
template <class C>
std::vector<typename C::Affine> scattered(std::size_t count, Random& random) {
  std::vector<typename C::Affine> first((count + 511) / 512), second(512);
  for (auto* table : {&first, &second})
    for (auto& p : *table) p = C::Xyzz::from(C::generator()).mul_vartime(random.scalar()).to_affine();
  std::vector<typename C::Xyzz> sums(count);
  for (std::size_t i = 0; i < count; i++) sums[i] = C::Xyzz::from(first[i / 512]) + second[i % 512];
  return to_affine<C>(sums);
}

inline MsmSums on_cpu(const MsmSet& set, Instructions form, int count) {
  const Threads threads(count);
  Progress progress;
  MsmSums sums;
  threads.run([&] { sums = cpu_msm(set, threads, form, progress).value(); });
  return sums;
}

}  // namespace vouch::msm_sample
