#include "vouch/backend/cpu/msm_multiples.h"

#include <mutex>

#include "vouch/backend/cpu/msm_ifma.h"
#include "vouch/backend/cpu/msm_tree.h"
#include "vouch/backend/cpu/scratch.h"
#include "vouch/core/parallel.h"
#include "vouch/field/arith_adx.h"

namespace vouch {
namespace {

template <class E>
void fill(const std::uint8_t* points, std::size_t count, const MsmTables& tables, std::uint8_t* data,
          Progress& progress) {
  constexpr std::size_t packs = 2048 / E::width, most = packs * E::width;
  constexpr std::size_t bytes = sizeof(typename E::Curve::Affine);
  const std::size_t blocks = (count + most - 1) / most;
  std::mutex mutex;
  std::size_t done = 0;
  parallel_for(blocks, 1, [&](std::size_t first, std::size_t last) {
    const Scratch<u8> scratch(packs * (4 * E::element_bytes + 8)), work(most * bytes);
    for (std::size_t b = first; b < last; b++) {
      const std::size_t begin = b * most, here = std::min(most, count - begin);
      const std::size_t used = (here + E::width - 1) / E::width;
      std::copy_n(points + begin * bytes, here * bytes, data + begin * bytes);
      E::load_block(points + begin * bytes, here, scratch.data(), used);
      for (int j = 1; j < tables.count; j++) {
        E::double_block(scratch.data(), used, tables.bits, work.data());
        std::uint8_t* const to = data + (std::size_t(j) * tables.stride + begin) * bytes;
        for (std::size_t i = 0; i < here; i++) {
          const typename E::Curve::Affine p = E::from_work(work.data() + i * bytes);
          std::memcpy(to + i * bytes, &p, bytes);
        }
      }
      const std::scoped_lock lock(mutex);
      progress.advance(double(++done), double(blocks));
    }
  });
  for (int j = 0; j < tables.count; j++)
    std::fill_n(data + (std::size_t(j) * tables.stride + count) * bytes, (tables.stride - count) * bytes,
                std::uint8_t(0));
}

template <class E1, class E2>
void fill(Backend::Group group, const std::uint8_t* points, std::size_t count, const MsmTables& tables,
          std::uint8_t* data, Progress& progress) {
  if (group == Backend::Group::g1)
    fill<E1>(points, count, tables, data, progress);
  else
    fill<E2>(points, count, tables, data, progress);
}

}  // namespace

void cpu_multiples(Backend::Group group, const std::uint8_t* points, std::size_t count,
                   const MsmTables& tables, std::uint8_t* data, Instructions form, Progress& progress) {
#ifdef VOUCH_HAS_IFMA
  if (form == Instructions::avx512_ifma)
    return fill<IfmaG1, IfmaG2>(group, points, count, tables, data, progress);
#endif
#ifdef VOUCH_HAS_ADX
  if (form != Instructions::portable)
    return fill<ScalarForm<Bn254G1With<AdxArith>>, ScalarForm<Bn254G2With<AdxArith>>>(group, points, count,
                                                                                      tables, data, progress);
#endif
  fill<ScalarForm<Bn254G1>, ScalarForm<Bn254G2>>(group, points, count, tables, data, progress);
}

}  // namespace vouch
