#include "vouch/backend/reference/msm.h"

#include "vouch/curve/complete.h"

namespace vouch {
namespace {

template <class C>
typename C::Affine naive_sum(const MsmJob& job) {
  using Affine = typename C::Affine;
  auto sum = C::Xyzz::infinity();
  for (std::size_t i = 0; i < job.count; i++) {
    const auto point = load_le<Affine>(job.points + i * sizeof(Affine));
    sum += C::Xyzz::from(point).mul_vartime(load_le<UInt<4>>(job.scalars + 32 * i));
  }
  return sum.to_affine();
}

template <class C>
typename C::Affine constant_sum(const MsmJob& job) {
  using Affine = typename C::Affine;
  CompletePoint<C> sum;
  for (int bit = 254; bit-- > 0;) {
    sum = sum.dbl();
    for (std::size_t i = 0; i < job.count; i++) {
      const auto point = load_le<Affine>(job.points + i * sizeof(Affine));
      const u64 taken = 0 - u64(load_le<UInt<4>>(job.scalars + 32 * i).bit(bit));
      const CompletePoint<C> with = sum + point;
      sum = {select(taken, with.x, sum.x), select(taken, with.y, sum.y), select(taken, with.z, sum.z)};
    }
  }
  return sum.to_affine();
}

template <class C>
void naive_multiples(const std::uint8_t* points, std::size_t count, const MsmTables& tables,
                     std::uint8_t* data) {
  using Affine = typename C::Affine;
  std::fill_n(data, std::size_t(tables.count) * tables.stride * sizeof(Affine), std::uint8_t(0));
  for (std::size_t i = 0; i < count; i++) {
    auto multiple = C::Xyzz::from(load_le<Affine>(points + i * sizeof(Affine)));
    for (int j = 0; j < tables.count; j++) {
      const Affine p = multiple.to_affine();
      std::memcpy(data + (std::size_t(j) * tables.stride + i) * sizeof p, &p, sizeof p);
      for (int bit = 0; bit < tables.bits; bit++) multiple = multiple.dbl();
    }
  }
}

}  // namespace

MsmSums reference_constant_msm(const MsmSet& set, Progress& progress) {
  MsmSums sums;
  double done = 0;
  const double total = double(set.g1.size() + set.g2.size());
  for (const MsmJob& job : set.g1) {
    sums.g1.push_back(constant_sum<Bn254G1>(job));
    progress.advance(++done, total);
  }
  for (const MsmJob& job : set.g2) {
    sums.g2.push_back(constant_sum<Bn254G2>(job));
    progress.advance(++done, total);
  }
  return sums;
}

void reference_multiples(Backend::Group group, const std::uint8_t* points, std::size_t count,
                         const MsmTables& tables, std::uint8_t* data) {
  group == Backend::Group::g1 ? naive_multiples<Bn254G1>(points, count, tables, data)
                              : naive_multiples<Bn254G2>(points, count, tables, data);
}

Result<MsmSums> reference_msm(const MsmSet& set, Progress& progress) {
  MsmSums sums;
  double done = 0;
  const double total = double(set.g1.size() + set.g2.size());
  for (const MsmJob& job : set.g1) {
    sums.g1.push_back(naive_sum<Bn254G1>(job));
    progress.advance(++done, total);
  }
  for (const MsmJob& job : set.g2) {
    sums.g2.push_back(naive_sum<Bn254G2>(job));
    progress.advance(++done, total);
  }
  return sums;
}

}  // namespace vouch
