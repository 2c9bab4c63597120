// Choice of the instruction set for batches of leaves and nodes.
#include <vector>

#include "vouch/backend/cpu/row_hash.h"
#include "vouch/core/cpu_features.h"
#include "vouch/core/simd.h"

namespace vouch {
namespace {

// One row, one node at a time.
template <class F>
class PlainRowHasher final : public RowHasher<F> {
 public:
  explicit PlainRowHasher(const MerkleHash<F>& hash) : hash_(hash) {}
  void leaves(std::span<const F> rows, std::span<Digest<F>> out) const override {
    for (std::size_t i = 0, words = out.empty() ? 0 : rows.size() / out.size(); i < out.size(); i++)
      out[i] = hash_.leaf(rows.subspan(i * words, words));
  }
  void nodes(std::span<const Digest<F>> children, std::span<Digest<F>> out) const override {
    const std::size_t arity = std::size_t(hash_.arity());
    for (std::size_t i = 0; i < out.size(); i++) out[i] = hash_.node(children.subspan(i * arity, arity));
  }

 private:
  const MerkleHash<F> hash_;
};

template <class F>
struct Form {
  std::string name;
  bool available;
  std::unique_ptr<RowHasher<F>> (*open)(const MerkleHash<F>& hash);
};

// In the order of speed.
template <class F>
std::vector<Form<F>> forms() {
  std::vector<Form<F>> list = {{"portable", true, portable::open_row_hasher<F>}};
#if defined(VOUCH_X86)
  const CpuFeatures& cpu = cpu_features();
  list.push_back({"avx2", cpu.avx2, avx2::open_row_hasher<F>});
  list.push_back({"avx512", cpu.avx512, avx512::open_row_hasher<F>});
  list.push_back({"avx512-ifma", cpu.avx512_ifma, avx512_ifma::open_row_hasher<F>});
#elif defined(VOUCH_ARM)
  list.push_back({"neon", true, neon::open_row_hasher<F>});
#endif
  return list;
}

}  // namespace

template <class F>
Result<std::unique_ptr<RowHasher<F>>> open_row_hasher(const MerkleHash<F>& hash,
                                                      const std::string& instructions) {
  if (instructions == "reference") return std::unique_ptr<RowHasher<F>>(new PlainRowHasher<F>(hash));
  const auto list = forms<F>();
  const Form<F>* best = nullptr;
  for (const Form<F>& form : list)
    if (form.available && (instructions == "auto" || instructions == form.name)) best = &form;
  if (best) return best->open(hash);
  return Error{Code::unsupported, "instructions: '" + instructions + "' are not known or not available here"};
}
template Result<std::unique_ptr<RowHasher<BabyBear>>> open_row_hasher(const MerkleHash<BabyBear>&,
                                                                      const std::string&);
template Result<std::unique_ptr<RowHasher<KoalaBear>>> open_row_hasher(const MerkleHash<KoalaBear>&,
                                                                       const std::string&);

}  // namespace vouch
