// Rows that lie one after the other, hashed Lanes::count at a time: the lanes are gathered block by block.
// Text: included inside a namespace after a PackedPermutation.

template <class F>
class CpuRowHasher final : public RowHasher<F> {
 public:
  explicit CpuRowHasher(const MerkleHash<F>& h)
      : p16_(*h.p16),
        p24_(h.p24 ? std::make_unique<const PackedPermutation<F, 24>>(*h.p24) : nullptr),
        p32_(h.p32 ? std::make_unique<const PackedPermutation<F, 32>>(*h.p32) : nullptr) {}

  void leaves(std::span<const F> rows, std::span<Digest<F>> out) const override {
    if (out.empty()) return;
    if (p24_)
      absorb<16>(*p24_, rows, out);
    else
      absorb<8>(p16_, rows, out);
  }
  void nodes(std::span<const Digest<F>> children, std::span<Digest<F>> out) const override {
    if (out.empty()) return;
    const std::span<const F> words(children[0].data(), children.size() * digest_size);
    if (p32_)
      absorb<32>(*p32_, words, out);
    else
      absorb<16>(p16_, words, out);
  }

 private:
  static_assert(sizeof(Digest<F>) == digest_size * sizeof(F), "digests lie one after the other");

  // A node is a sponge whose only block is all its children.
  template <std::size_t rate, class Perm>
  void absorb(const Perm& permutation, std::span<const F> rows, std::span<Digest<F>> out) const {
    constexpr std::size_t lanes = Lanes::count;
    const std::size_t words = rows.size() / out.size();
    u32 lane[lanes];
    for (std::size_t at = 0; at < out.size(); at += lanes) {
      const std::size_t count = std::min(lanes, out.size() - at);
      typename Perm::State s;
      for (auto& x : s.x) x = Perm::zero();
      for (std::size_t w = 0; w < words; w += rate) {
        for (std::size_t j = 0; j < rate && w + j < words; j++) {
          for (std::size_t l = 0; l < lanes; l++)  // lanes to spare repeat the last row
            lane[l] = rows[(at + std::min(l, count - 1)) * words + w + j].montgomery();
          s.x[j] = Perm::lift(Lanes::load(lane));
        }
        permutation.permute(s);
      }
      for (std::size_t j = 0; j < std::size_t(digest_size); j++) {
        Perm::lower(s.x[j]).store(lane);
        for (std::size_t l = 0; l < count; l++) out[at + l][j] = F::raw(lane[l]);
      }
    }
  }

  PackedPermutation<F, 16> p16_;
  std::unique_ptr<const PackedPermutation<F, 24>> p24_;
  std::unique_ptr<const PackedPermutation<F, 32>> p32_;
};

template <class F>
std::unique_ptr<RowHasher<F>> open_row_hasher(const MerkleHash<F>& hash) {
  return std::make_unique<CpuRowHasher<F>>(hash);
}
template std::unique_ptr<RowHasher<BabyBear>> open_row_hasher(const MerkleHash<BabyBear>&);
template std::unique_ptr<RowHasher<KoalaBear>> open_row_hasher(const MerkleHash<KoalaBear>&);
