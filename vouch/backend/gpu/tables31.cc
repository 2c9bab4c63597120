// Roots of unity and permutation constants for a device.
#include "vouch/backend/gpu/tables31.h"

namespace vouch::gpu {
namespace {

#define VOUCH_KERNELS31(p)                                                           \
  {{p "_ntt_pass1", p "_ntt_pass2", p "_ntt_pass3", p "_ntt_pass4", p "_ntt_pass5"}, \
   p "_ntt_tail",                                                                    \
   p "_p16_leaves",                                                                  \
   p "_p24_leaves",                                                                  \
   p "_p16_quads",                                                                   \
   p "_p24_quads",                                                                   \
   p "_p16_tree",                                                                    \
   p "_p32_tree",                                                                    \
   p "_gather_rows",                                                                 \
   p "_gather_digests",                                                              \
   p "_grind"}
constexpr Kernels31 babybear = VOUCH_KERNELS31("bb");
constexpr Kernels31 koalabear = VOUCH_KERNELS31("kb");
#undef VOUCH_KERNELS31

constexpr int block_bits = 12;  // the largest block of ntt_tail

}  // namespace

template <>
const Kernels31& kernels31<BabyBear>() {
  return babybear;
}
template <>
const Kernels31& kernels31<KoalaBear>() {
  return koalabear;
}

template <class F>
Result<Buffer> Tables31<F>::upload(const std::vector<u32>& words) {
  VOUCH_TRY(Buffer buffer, device_.allocate(words.size() * 4));
  VOUCH_CHECK(device_.upload(buffer, 0, {reinterpret_cast<const u8*>(words.data()), words.size() * 4}));
  return buffer;
}

template <class F>
Result<const Buffer*> Tables31<F>::roots() {
  if (roots_) return &roots_;
  constexpr int order = F::two_adicity();
  std::vector<u32> words;
  const auto append = [&](F step, int log_count) {
    F power = F::one();
    for (std::size_t i = 0; i < std::size_t(1) << log_count; i++, power *= step)
      words.push_back(power.montgomery());
  };
  append(F::root_of_unity(block_bits), block_bits);
  append(F::root_of_unity(order), order - block_bits);
  VOUCH_TRY(roots_, upload(words));
  return &roots_;
}

template <class F>
template <int W>
Result<const Buffer*> Tables31<F>::constants(const Poseidon2<F, W>& permutation) {
  constexpr int fixed = 9;  // how many of the diagonal's values are in the text
  std::vector<u32> words = {u32(permutation.internal().size())};
  for (const auto* rounds : {&permutation.initial(), &permutation.terminal()})
    for (const auto& round : *rounds)
      for (const F& x : round) words.push_back(x.montgomery());
  const auto& diagonal = Poseidon2<F, W>::diagonal();
  for (int i = fixed; i < W; i++) words.push_back(diagonal[std::size_t(i)].montgomery());
  for (const F& x : permutation.internal()) words.push_back(x.montgomery());
  const auto found = constants_.find(words);
  if (found != constants_.end()) return &found->second;
  VOUCH_TRY(Buffer buffer, upload(words));
  return &(constants_[std::move(words)] = std::move(buffer));
}

#define VOUCH_INSTANTIATE(F)                                                      \
  template class Tables31<F>;                                                     \
  template Result<const Buffer*> Tables31<F>::constants(const Poseidon2<F, 16>&); \
  template Result<const Buffer*> Tables31<F>::constants(const Poseidon2<F, 24>&); \
  template Result<const Buffer*> Tables31<F>::constants(const Poseidon2<F, 32>&);
VOUCH_INSTANTIATE(BabyBear)
VOUCH_INSTANTIATE(KoalaBear)
#undef VOUCH_INSTANTIATE

}  // namespace vouch::gpu
