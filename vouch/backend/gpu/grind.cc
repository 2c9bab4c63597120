// The search for proof of work on a device.
#include "vouch/backend/gpu/grind.h"

#include <algorithm>

#include "vouch/backend/gpu/costs31.h"

namespace vouch::gpu {
namespace {

// The parameter struct of vouch/kernels/encode31_params.h.
struct GrindParams {
  u32 first, each, mask, position, state[16];
};
static_assert(sizeof(GrindParams) == 80);

constexpr u32 group_size = 256;
// A batch is as long as the search is expected to take (a witness is in it with probability 1 - 1/e), but
// short enough that a cancelled search ends within some milliseconds on a GPU.
constexpr int least_batch_bits = 10, most_batch_bits = 20, most_groups_bits = 10;

}  // namespace

template <class F>
Result<F> gpu_grind(Tables31<F>& tables, const GrindJob<F>& job) {
  Device& device = tables.device();
  VOUCH_TRY(const Buffer* constants, tables.constants(*job.permutation));
  const int batch_bits = std::clamp(job.bits, least_batch_bits, most_batch_bits);
  const u32 batch_size = u32(1) << batch_bits, groups = u32(1) << std::min(batch_bits - 8, most_groups_bits);
  std::vector<u32> found(groups);
  VOUCH_TRY(Buffer out, device.allocate(groups * 4));
  GrindParams p{0, batch_size / (groups * group_size), (u32(1) << job.bits) - 1, u32(job.position), {}};
  for (std::size_t i = 0; i < 16; i++) p.state[i] = job.state[i].montgomery();
  for (; p.first < F::modulus; p.first += batch_size) {
    if (job.cancel && *job.cancel) return Error{Code::rejected, "grinding was cancelled"};
    Batch batch;
    batch.launch(kernels31<F>().grind, groups, group_size, group_size * 4, {constants, &out}, p,
                 Cost{4 * u64(groups), batch_size * cost::permutation_products(*job.permutation)});
    batch.read({reinterpret_cast<u8*>(found.data()), groups * 4}, out, 0);
    VOUCH_CHECK(device.run(batch));
    const u32 best = *std::min_element(found.begin(), found.end());
    if (best < F::modulus) return F(best);
  }
  return Error{Code::rejected, "grinding: no witness exists; use fewer bits"};
}
template Result<BabyBear> gpu_grind(Tables31<BabyBear>&, const GrindJob<BabyBear>&);
template Result<KoalaBear> gpu_grind(Tables31<KoalaBear>&, const GrindJob<KoalaBear>&);

}  // namespace vouch::gpu
