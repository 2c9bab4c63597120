// Encoding and hashing: columns are transformed up to their last levels, then tile by tile finished and
// hashed; the tree's layers follow, each in the order of the layer below, so that nothing is ever moved or
// transposed. Text: included inside a namespace after ntt31.h and a PackedPermutation.

template <class F>
struct PackedHash {
  using P16 = PackedPermutation<F, 16>;
  using P24 = PackedPermutation<F, 24>;
  using P32 = PackedPermutation<F, 32>;
  P16 p16;
  std::unique_ptr<const P24> p24;  // leaves
  std::unique_ptr<const P32> p32;  // arity 4

  explicit PackedHash(const MerkleHash<F>& h)
      : p16(*h.p16),
        p24(h.p24 ? std::make_unique<const P24>(*h.p24) : nullptr),
        p32(h.p32 ? std::make_unique<const P32>(*h.p32) : nullptr) {}
};

// Digests of a layer as eight planes of words. Reading a whole vector from the last digest on is allowed.
class DigestPlanes {
 public:
  DigestPlanes() = default;
  explicit DigestPlanes(std::size_t count)
      : count_(count), stride_(count + Lanes::count), words_(stride_ * digest_size) {
    for (int j = 0; j < digest_size; j++)
      for (std::size_t i = 0; i < std::size_t(Lanes::count); i++) plane(j)[count + i] = 0;
  }
  u32* plane(int j) { return words_.data() + std::size_t(j) * stride_; }
  const u32* plane(int j) const { return words_.data() + std::size_t(j) * stride_; }
  std::size_t count() const { return count_; }
  template <class F>
  Digest<F> get(std::size_t i) const {
    Digest<F> d;
    for (int j = 0; j < digest_size; j++) d[std::size_t(j)] = F::raw(plane(j)[i]);
    return d;
  }

 private:
  std::size_t count_ = 0, stride_ = 0;
  Buffer<u32> words_;
};

// The states of one or two vectors, at, at + Lanes::count.
template <class State, int vectors>
struct States {
  State s[vectors];

  template <class Perm>
  VOUCH_INLINE void permute(const Perm& perm) {
    if constexpr (vectors == 2)
      perm.permute(s);
    else
      perm.permute(s[0]);
  }
};

template <class F, class Perm, int vectors>
void hash_rows(const Perm& perm, const u32* columns, std::size_t stride, std::size_t words, std::size_t at,
               DigestPlanes& out) {
  constexpr std::size_t rate = sizeof(typename Perm::State) / sizeof(typename Perm::Word) - digest_size;
  States<typename Perm::State, vectors> t;
  for (auto& s : t.s)
    for (auto& x : s.x) x = Perm::zero();
  for (std::size_t w = 0; w < words; w += rate) {
    for (std::size_t v = 0; v < vectors; v++)
      for (std::size_t j = 0; j < rate && w + j < words; j++)
        t.s[v].x[j] = Perm::lift(Lanes::load(columns + (w + j) * stride + at + v * Lanes::count));
    t.permute(perm);
  }
  for (std::size_t v = 0; v < vectors; v++)
    for (int j = 0; j < digest_size; j++)
      Perm::lower(t.s[v].x[j]).store(out.plane(j) + at + v * Lanes::count);
}

// Parent i of a layer has its children at i + k * (number of parents), k being the child's number
// bit-reversed.
template <class F, class Perm, int arity, int vectors>
void join_vectors(const Perm& perm, const DigestPlanes& below, std::size_t at, DigestPlanes& out) {
  States<typename Perm::State, vectors> t;
  for (int k = 0; k < arity; k++)
    for (int j = 0; j < digest_size; j++) {
      const int place = arity == 4 ? (k >> 1 | (k & 1) << 1) : k;
      const u32* from = below.plane(j) + std::size_t(k) * out.count() + at;
      for (std::size_t v = 0; v < vectors; v++) {
        t.s[v].x[place * digest_size + j] = Perm::lift(Lanes::load(from + v * Lanes::count));
        // The next ones: these are too many streams for the processor to follow.
        __builtin_prefetch(from + (vectors + v) * Lanes::count);
      }
    }
  t.permute(perm);
  for (std::size_t v = 0; v < vectors; v++)
    for (int j = 0; j < digest_size; j++)
      Perm::lower(t.s[v].x[j]).store(out.plane(j) + at + v * Lanes::count);
}
template <class F, class Perm, int arity>
void join_nodes(const Perm& perm, const DigestPlanes& below, std::size_t begin, std::size_t end,
                DigestPlanes& out) {
  std::size_t at = begin;
  for (; at + 2 * Lanes::count <= end; at += 2 * Lanes::count)
    join_vectors<F, Perm, arity, 2>(perm, below, at, out);
  if (at < end) join_vectors<F, Perm, arity, 1>(perm, below, at, out);
}

template <class F>
class CpuCodeword final : public Codeword<F> {
 public:
  // Columns of 2^log_in coefficients are encoded to 2^(log_in + rate) rows.
  CpuCodeword(std::span<const u32* const> columns, int log_in, int rate, const Twiddles<F>& twiddles,
              const MerkleHash<F>& hash, const EncodeShape& shape, const Threads& threads, PolyTimes& times)
      : words_(columns.size()), hash_(hash), dropped_(shape.dropped_layers), threads_(threads) {
    order_.log_rows = log_in + rate;
    stride_ = rows() + lanes;  // not a power of two: the words of a row must not share one set of a cache
    values_ = Buffer<u32>(words_ * stride_);
    if (log_in >= tile_bits)
      order_.lane_bits = order_.block_bits = lane_bits;
    else if (rate >= lane_bits)
      order_.lane_bits = lane_bits, order_.block_bits = log_in;
    shape_ = MerkleShape::of(rows(), hash.arity(), shape.cap_height);
    dropped_ = std::min(dropped_, shape_.cap_layer);
    const PackedHash<F> packed(hash);
    threads_.run([&] {
      Stopwatch watch;
      {
        const Span span("encode columns");
        if (log_in >= tile_bits) start_columns(columns, log_in, rate, twiddles);
      }
      times.encode += watch.seconds();
      watch = {};
      const Span span("encode and hash rows");
      layers_.emplace_back(std::max<std::size_t>(rows(), Lanes::count));
      if (log_in >= tile_bits)
        finish_tiles(twiddles, packed);
      else if (rate >= lane_bits)
        encode_lanes(columns, log_in, rate, twiddles, packed);
      else
        encode_small(columns, log_in, rate, twiddles, packed);
      const Span tree("tree");
      build_tree(packed);
      times.hash += watch.seconds();
    });
  }

  std::span<const Digest<F>> cap() const override { return cap_; }
  std::size_t rows() const override { return std::size_t(1) << order_.log_rows; }
  std::size_t row_words() const override { return words_; }
  std::uint64_t permutations() const override {
    const std::size_t rate = std::size_t(hash_.leaf_rate());
    std::uint64_t n = rows() * ((words_ + rate - 1) / rate);
    for (std::size_t l = 0; l + 1 < shape_.sizes.size(); l++)
      n += shape_.sizes[l] / std::size_t(shape_.arity);
    return n;
  }

  Result<typename Codeword<F>::Opening> open(std::span<const std::size_t> indices) const override {
    typename Codeword<F>::Opening o;
    o.rows.reserve(indices.size() * words_);
    for (const std::size_t i : indices) append_row(i, o.rows);
    const std::vector<std::size_t> sorted(indices.begin(), indices.end());
    Rehashed again;
    if (dropped_ > 0) again = rehash(sorted);
    walk_multiproof(shape_, sorted,
                    [&](int layer, std::size_t i) { o.siblings.push_back(digest(layer, i, again)); });
    return o;
  }

 private:
  static constexpr std::size_t lanes = Lanes::count;

  int arity_bits() const { return shape_.arity == 4 ? 2 : 1; }
  // Nodes of a layer, without the zero digests that pad it.
  int log_nodes(int layer) const { return std::max(0, order_.log_rows - layer * arity_bits()); }
  // Whether a layer is stored rotated as the rows are, or plainly bit-reversed.
  bool rotated(int layer) const {
    return order_.group_bits() > 0 && order_.log_rows - (layer + 1) * arity_bits() >= order_.group_bits();
  }

  void append_row(std::size_t i, std::vector<F>& out) const {
    const u32* p = values_.data() + order_.position(i);
    for (std::size_t w = 0; w < words_; w++) out.push_back(F::raw(p[w * stride_]));
  }

  // Leaf digests computed again, for layers that were dropped.
  struct Rehashed {
    std::vector<std::size_t> leaves;  // ascending
    std::vector<Digest<F>> digests;
  };
  Rehashed rehash(const std::vector<std::size_t>& indices) const {
    Rehashed r;
    walk_multiproof(shape_, indices, [&](int layer, std::size_t i) {
      if (layer >= dropped_ || i >> log_nodes(layer) != 0) return;
      const int bits = layer * arity_bits();
      for (std::size_t leaf = i << bits; leaf < std::min(rows(), (i + 1) << bits); leaf++)
        r.leaves.push_back(leaf);
    });
    std::sort(r.leaves.begin(), r.leaves.end());
    r.digests.resize(r.leaves.size());
    const PackedHash<F> h(hash_);
    threads_.run([&] {
      parallel_for((r.leaves.size() + lanes - 1) / lanes, 4, [&](std::size_t begin, std::size_t end) {
        Buffer<u32> words(words_ * lanes);
        DigestPlanes out(lanes);
        for (std::size_t at = begin * lanes; at < std::min(end * lanes, r.leaves.size()); at += lanes) {
          const std::size_t count = std::min(lanes, r.leaves.size() - at);
          for (std::size_t l = 0; l < lanes; l++) {  // the last leaf again where there are too few
            const u32* p = values_.data() + order_.position(r.leaves[at + std::min(l, count - 1)]);
            for (std::size_t w = 0; w < words_; w++) words[w * lanes + l] = p[w * stride_];
          }
          if (h.p24)
            hash_rows<F, typename PackedHash<F>::P24, 1>(*h.p24, words.data(), lanes, words_, 0, out);
          else
            hash_rows<F, typename PackedHash<F>::P16, 1>(h.p16, words.data(), lanes, words_, 0, out);
          for (std::size_t l = 0; l < count; l++) r.digests[at + l] = out.template get<F>(l);
        }
      });
    });
    return r;
  }

  Digest<F> digest(int layer, std::size_t i, const Rehashed& again) const {
    if (i >> log_nodes(layer) != 0) return {};  // padding
    if (layer >= dropped_) return stored_digest(layer, i);
    if (layer == 0) {
      const auto at = std::lower_bound(again.leaves.begin(), again.leaves.end(), i) - again.leaves.begin();
      return again.digests[std::size_t(at)];
    }
    std::vector<Digest<F>> children;
    for (std::size_t k = 0; k < std::size_t(shape_.arity); k++)
      children.push_back(digest(layer - 1, i * std::size_t(shape_.arity) + k, again));
    return hash_.node(children);
  }
  Digest<F> stored_digest(int layer, std::size_t i) const {
    std::size_t q = RowOrder::reverse(i, log_nodes(layer));
    if (rotated(layer)) q = order_.rotate(q);
    return layers_[std::size_t(layer)].template get<F>(q);
  }

  // The first pass, from the coefficients into every block, then the passes of the sub-blocks.
  void start_columns(std::span<const u32* const> in, int log_in, int rate, const Twiddles<F>& w) {
    const std::size_t size = std::size_t(1) << log_in, blocks = std::size_t(1) << rate, jobs = words_ << rate;
    const int k = log_in > tile_bits ? pass_levels(log_in - tile_bits) : 0;
    const std::size_t part = size >> k, chunk = std::min<std::size_t>(part, 4096), chunks = part / chunk;
    parallel_for(jobs * chunks, std::max<std::size_t>(1, 4096 / chunk),
                 [&](std::size_t begin, std::size_t end) {
                   for (std::size_t i = begin; i < end; i++) {
                     const std::size_t job = i / chunks, word = job >> rate, b = job & (blocks - 1),
                                       at = i % chunks * chunk;
                     const u32* from = in[word];
                     u32* to = values_.data() + word * stride_ + (b << log_in);
                     if (k == 0)
                       std::copy(from + at, from + at + chunk, to + at);
                     else
                       run_pass(w, k, from, to, log_in, b, at, at + chunk);
                   }
                 });
    if (log_in - k <= tile_bits) return;
    parallel_for(jobs << k, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; i++) {
        const std::size_t word = i >> (rate + k), b = i & ((blocks << k) - 1);
        run_passes(w, values_.data() + word * stride_ + (b << (log_in - k)), log_in - k, b);
      }
    });
  }

  // A multiple of Lanes::count positions.
  void hash_positions(const PackedHash<F>& h, std::size_t begin, std::size_t end) {
    if (h.p24)
      hash_positions_by(*h.p24, begin, end);
    else
      hash_positions_by(h.p16, begin, end);
  }
  template <class Perm>
  void hash_positions_by(const Perm& perm, std::size_t begin, std::size_t end) {
    std::size_t at = begin;
    for (; at + 2 * lanes <= end; at += 2 * lanes)
      hash_rows<F, Perm, 2>(perm, values_.data(), stride_, words_, at, layers_[0]);
    if (at < end) hash_rows<F, Perm, 1>(perm, values_.data(), stride_, words_, at, layers_[0]);
  }

  void finish_tiles(const Twiddles<F>& w, const PackedHash<F>& h) {
    parallel_for(rows() >> tile_bits, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t tile = begin; tile < end; tile++) {
        const TileRoots<F> roots(w, tile);
        for (std::size_t word = 0; word < words_; word++) {
          u32* data = values_.data() + word * stride_ + (tile << tile_bits);
          const u32* next =
              word + 1 < words_ ? data + stride_ : values_.data() + ((tile + 1) << tile_bits) % rows();
          for (std::size_t i = 0; i < std::size_t(1) << tile_bits; i += 16) __builtin_prefetch(next + i);
          finish_tile(roots, data);
        }
        hash_positions(h, tile << tile_bits, (tile + 1) << tile_bits);
      }
    });
  }

  // Few coefficients, many blocks: every lane is a block, all starting from the same coefficients.
  void encode_lanes(std::span<const u32* const> in, int log_in, int rate, const Twiddles<F>& w,
                    const PackedHash<F>& h) {
    const std::size_t size = std::size_t(1) << log_in;
    const Twiddles<F> own(0, rate, log_in);
    parallel_for((std::size_t(1) << rate) / lanes, 1, [&](std::size_t begin, std::size_t end) {
      std::vector<Packed<F>> x(size), roots(size);
      for (std::size_t g = begin; g < end; g++) {
        lane_roots(w, Packed<F>::load(reinterpret_cast<const u32*>(own.last() + g * lanes)), log_in,
                   roots.data());
        for (std::size_t word = 0; word < words_; word++) {
          for (std::size_t i = 0; i < size; i++) x[i] = Packed<F>::all(F::raw(in[word][i]));
          lane_levels(x.data(), roots.data(), log_in);
          u32* to = values_.data() + word * stride_ + g * lanes * size;
          for (std::size_t i = 0; i < size; i++) x[i].store(to + i * lanes);
        }
        hash_positions(h, g * lanes * size, (g + 1) * lanes * size);
      }
    });
  }

  // Too few rows for either: plain loops.
  void encode_small(std::span<const u32* const> in, int log_in, int rate, const Twiddles<F>& w,
                    const PackedHash<F>& h) {
    const std::size_t size = std::size_t(1) << log_in;
    parallel_for(words_, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t word = begin; word < end; word++)
        for (std::size_t b = 0; b < std::size_t(1) << rate; b++) {
          u32* x = values_.data() + word * stride_ + b * size;
          std::copy(in[word], in[word] + size, x);
          for (int j = 0; j < log_in; j++) small_level(x, log_in - j, b << j, std::size_t(1) << j, w);
        }
    });
    if (rows() >= lanes)
      return parallel_for(rows() / lanes, 1, [&](std::size_t begin, std::size_t end) {
        hash_positions(h, begin * lanes, end * lanes);
      });
    for (std::size_t q = 0; q < rows(); q++) {
      std::vector<F> row;
      append_row(RowOrder::reverse(q, order_.log_rows), row);
      const Digest<F> d = hash_.leaf(row);
      for (int j = 0; j < digest_size; j++) layers_[0].plane(j)[q] = d[std::size_t(j)].montgomery();
    }
  }
  static void small_level(u32* x, int log_size, std::size_t b, std::size_t blocks, const Twiddles<F>& w) {
    const std::size_t half = std::size_t(1) << (log_size - 1);
    for (std::size_t c = 0; c < blocks; c++)
      for (std::size_t i = 0; i < half; i++) {
        u32 &low = x[2 * half * c + i], &high = x[2 * half * c + half + i];
        const F u = F::raw(high) * w.roots()[b + c], v = F::raw(low);
        low = (v + u).montgomery(), high = (v - u).montgomery();
      }
  }

  void unrotate(DigestPlanes& layer, std::size_t nodes) const {
    DigestPlanes plain(layer.count());
    for (std::size_t q = 0; q < nodes; q++)
      for (int j = 0; j < digest_size; j++) plain.plane(j)[q] = layer.plane(j)[order_.rotate(q)];
    layer = std::move(plain);
  }

  void build_tree(const PackedHash<F>& h) {
    const int steps = int(shape_.sizes.size()) - 1;
    for (int l = 0; l < steps; l++) {
      const std::size_t nodes = std::size_t(1) << log_nodes(l);
      if (order_.group_bits() > 0 && !rotated(l) && (l == 0 || rotated(l - 1)))
        unrotate(layers_[std::size_t(l)], nodes);
      const std::size_t parents = std::max<std::size_t>(1, nodes / std::size_t(shape_.arity));
      DigestPlanes next(parents);
      const DigestPlanes& below = layers_[std::size_t(l)];
      if (nodes < std::size_t(shape_.arity)) {  // two nodes and two zero digests
        const std::array<Digest<F>, 4> children = {stored_digest(l, 0), stored_digest(l, 1)};
        const Digest<F> d = hash_.node(children);
        for (int j = 0; j < digest_size; j++) next.plane(j)[0] = d[std::size_t(j)].montgomery();
      } else {
        parallel_for((parents + lanes - 1) / lanes, 8, [&](std::size_t begin, std::size_t end) {
          if (h.p32)
            join_nodes<F, PackedPermutation<F, 32>, 4>(*h.p32, below, begin * lanes, end * lanes, next);
          else
            join_nodes<F, PackedPermutation<F, 16>, 2>(h.p16, below, begin * lanes, end * lanes, next);
        });
      }
      layers_.push_back(std::move(next));
      if (l < dropped_) layers_[std::size_t(l)] = DigestPlanes();
    }
    for (std::size_t i = 0; i < shape_.cap_size(); i++)
      cap_.push_back(i >> log_nodes(shape_.cap_layer) != 0 ? Digest<F>{}
                                                           : stored_digest(shape_.cap_layer, i));
  }

  std::size_t words_, stride_ = 0;
  RowOrder order_;
  MerkleHash<F> hash_;
  int dropped_;
  Threads threads_;
  MerkleShape shape_;
  Buffer<u32> values_;  // words_ columns of rows() values, stride_ apart
  std::vector<DigestPlanes> layers_;
  std::vector<Digest<F>> cap_;
};
