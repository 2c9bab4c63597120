#include "vouch/backend/cpu/constant_sums.h"

#include <bit>

#include "vouch/backend/cpu/constant_sums_ifma.h"
#include "vouch/backend/cpu/constant_sums_text.h"
#include "vouch/field/arith_adx.h"

namespace vouch {
namespace {

template <class Arith>
struct Scalar {
  template <template <class> class Group>
  static auto sum(const MsmJob& job, const Threads& threads) {
    return constant::sum<Group<Arith>>(job, threads);
  }
};

#ifdef VOUCH_HAS_IFMA
struct InLanes {
  template <template <class> class Group>
  static auto sum(const MsmJob& job, const Threads& threads) {
    using C = Group<AdxArith>;
    // Buckets of eight windows of 11 bits fill a second-level cache.
    const constant::Digits digits(constant::window_bits(job.count, 8, 11));
    return constant::sum<C, 8>(job, threads, digits, [&](int first, std::size_t begin, std::size_t end) {
      return constant::window_sums_ifma<C>(job, digits, first, begin, end);
    });
  }
};
#endif

template <class Form>
MsmSums sums_in(const MsmSet& set, const Threads& threads, Progress& progress) {
  MsmSums sums;
  double done = 0;
  const double total = double(set.g1.size() + set.g2.size());
  for (const MsmJob& job : set.g1) {
    const Span span(job.name);
    sums.g1.push_back(std::bit_cast<Bn254G1::Affine>(Form::template sum<Bn254G1With>(job, threads)));
    progress.advance(++done, total);
  }
  for (const MsmJob& job : set.g2) {
    const Span span(job.name);
    sums.g2.push_back(std::bit_cast<Bn254G2::Affine>(Form::template sum<Bn254G2With>(job, threads)));
    progress.advance(++done, total);
  }
  return sums;
}

}  // namespace

MsmSums constant_sums(const MsmSet& set, const Threads& threads, Instructions form, Progress& progress) {
#ifdef VOUCH_HAS_IFMA
  if (form == Instructions::avx512_ifma) return sums_in<InLanes>(set, threads, progress);
#endif
#ifdef VOUCH_HAS_ADX
  if (form != Instructions::portable) return sums_in<Scalar<AdxArith>>(set, threads, progress);
#endif
  return sums_in<Scalar<PortableArith>>(set, threads, progress);
}

}  // namespace vouch
