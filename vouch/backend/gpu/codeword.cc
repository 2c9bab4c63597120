// Encoding, hashing and opening of codewords on a device.
#include "vouch/backend/gpu/codeword.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "vouch/backend/gpu/costs31.h"
#include "vouch/core/progress.h"

namespace vouch::gpu {
namespace {

// The parameter structs of vouch/kernels/encode31_params.h.
struct NttParams {
  u32 log_n, s, rows_in, step_row, step_column, degree, interleave, order;
};
struct LeafParams {
  u32 log_n, words, count, listed, list_at, rows, pairs, quads;
};
constexpr int tree_levels = 9;
struct TreeParams {
  u32 nodes, src, levels, to[tree_levels];
};
struct GatherParams {
  u32 log_n, words, count, list_at, out_at;
};
static_assert(sizeof(NttParams) == 32 && sizeof(LeafParams) == 32 && sizeof(TreeParams) == 48 &&
              sizeof(GatherParams) == 20);
constexpr u32 nowhere = 0xffffffff, temporary = 0x80000000;

constexpr int pass_bits = 5;
// Few group sizes: an OpenCL for processors compiles a kernel anew for each.
constexpr u32 narrow_group = 32, leaf_group = 128, wide_group = 256;

u32 groups_for(std::size_t items, u32 size) {
  return static_cast<u32>((items + size - 1) / size);
}
u32 reversed(std::size_t i, int bits) {
  u32 r = 0;
  for (int b = 0; b < bits; b++) r = 2 * r + u32(i >> b & 1);
  return r;
}

// The launches that transform `words` columns of 2^log_n elements, the first of them reading f.
void record_ntt(Batch& batch, const Kernels31& kernels, const Buffer& f, const Buffer& values,
                const Buffer& roots, NttParams p, u32 words, int tail_bits) {
  const int log_n = int(p.log_n), upper = std::max(0, log_n - tail_bits);
  const int passes = (upper + pass_bits - 1) / pass_bits;
  const Buffer* from = &f;
  p.s = p.log_n;
  const auto read = [&] { return p.rows_in ? u64(words) * p.rows_in : u64(words) << p.log_n; };
  for (int i = 0; i < passes; i++) {
    const int levels = upper / passes + (i < upper % passes);
    const std::size_t items = std::size_t(words) << (log_n - levels);
    const u32 group = log_n - levels < 8 ? narrow_group : wide_group;  // divides a column's work-items
    batch.launch(kernels.ntt_pass[levels - 1], groups_for(items, group), group, 0, {from, &values, &roots}, p,
                 cost::ntt_pass(log_n, words, levels, read()));
    from = &values;
    p.s -= u32(levels);
    p.rows_in = 0, p.interleave = 1;
  }
  const u32 size = u32(1) << p.s, group = size < 1024 ? narrow_group : wide_group;
  batch.launch(kernels.ntt_tail, words << (p.log_n - p.s), group, (size + size / 16 + 1) * 4,
               {from, &values, &roots}, p, cost::ntt_tail(log_n, words, int(p.s), read()));
}

// Trees as launches, planned before the buffers exist.
struct TreePlan {
  u32 arity = 2;
  bool fused = true;    // several levels a launch
  u32 temporaries = 0;  // digests in the temporary buffer
  std::vector<TreeParams> launches;

  u32 take(std::size_t digests) {
    temporaries += u32(digests);
    return temporary | (temporaries - u32(digests));
  }
  // `levels` levels above the layer of `nodes` nodes at src. place(level, last): where the layer `level`
  // above it goes; last says that the next launch reads it from there. Returns the place of the last.
  u32 add(std::size_t nodes, u32 src, int levels, const std::function<u32(int, bool)>& place) {
    for (int done = 0; done < levels;) {
      const std::size_t parents = (nodes + arity - 1) / arity;
      // A group of 256 can go up 9 levels, or 5 at arity 4; while a layer is large, launches end before most
      // work-items of a group are idle.
      const bool large = parents > std::size_t(1) << 14;
      const int most = !fused ? 1 : arity == 2 ? (large ? 4 : 9) : (large ? 2 : 5);
      TreeParams p{u32(nodes), src, u32(std::min(most, levels - done)), {}};
      for (u32 t = 0; t < p.levels; t++) p.to[t] = place(++done, t + 1 == p.levels);
      for (u32 t = 0; t < p.levels; t++) nodes = (nodes + arity - 1) / arity;
      src = p.to[p.levels - 1];
      launches.push_back(p);
    }
    return src;
  }
  // products: of one node's permutation.
  void record(Batch& batch, const Kernels31& kernels, const Buffer& kept, const Buffer& temp,
              const Buffer& constants, u64 products) const {
    for (const TreeParams& p : launches) {
      u64 nodes = p.nodes, made = 0, written = 0;
      for (u32 t = 0; t < p.levels; t++) {
        nodes = (nodes + arity - 1) / arity;
        made += nodes, written += p.to[t] == nowhere ? 0 : nodes;
      }
      batch.launch(arity == 4 ? kernels.tree4 : kernels.tree2, groups_for(p.nodes, arity * wide_group),
                   wide_group, (wide_group + wide_group / arity) * 32, {&kept, &temp, &constants}, p,
                   cost::nodes(p.nodes, made, written, products));
    }
  }
};

void add_times(PolyTimes& times, std::span<const LaunchTime> launches, double whole) {
  if (launches.empty()) times.hash += whole;
  for (const LaunchTime& one : launches)
    (std::string_view(one.kernel).find("_ntt_") != std::string_view::npos ? times.encode : times.hash) +=
        one.seconds;
}

template <class F>
class GpuCodeword final : public Codeword<F> {
 public:
  GpuCodeword(Tables31<F>& tables, int log_rows, u32 words, const EncodeShape& shape,
              const MerkleHash<F>& hash)
      : tables_(tables), log_rows_(log_rows), words_(words), leaf_rate_(hash.leaf_rate()) {
    shape_ = MerkleShape::of(rows(), hash.arity(), shape.cap_height);
    dropped_ = std::clamp(shape.dropped_layers, 0, shape_.cap_layer);
    for (int l = 0; l <= shape_.cap_layer; l++) {
      places_.push_back(kept_digests_);
      if (l >= dropped_) kept_digests_ += u32(1) << log_nodes(l);
    }
  }

  ~GpuCodeword() override {
    if (!values_) return;
    const std::scoped_lock turn(tables_.turn());
    give_back();
  }

  Status build(const Buffer& f, NttParams ntt, const MerkleHash<F>& hash, PolyTimes& times);
  // The memory, by who has the device's turn.
  void give_back() { values_ = Buffer(), kept_ = Buffer(); }

  std::span<const Digest<F>> cap() const override { return cap_; }
  std::size_t rows() const override { return std::size_t(1) << log_rows_; }
  std::size_t row_words() const override { return words_; }
  std::uint64_t permutations() const override {
    const std::size_t rate = std::size_t(leaf_rate_);
    std::uint64_t n = rows() * ((words_ + rate - 1) / rate);
    for (std::size_t l = 0; l + 1 < shape_.sizes.size(); l++)
      n += shape_.sizes[l] / std::size_t(shape_.arity);
    return n;
  }
  Result<typename Codeword<F>::Opening> open(std::span<const std::size_t> indices) const override;

 private:
  struct OpeningPlan;

  int arity_bits() const { return shape_.arity == 4 ? 2 : 1; }
  // Nodes of a layer, without the zero digests that pad it.
  int log_nodes(int layer) const { return std::max(0, log_rows_ - layer * arity_bits()); }
  Device& device() const { return tables_.device(); }
  Status upload_constants(const MerkleHash<F>& hash);
  void record_leaves(Batch& batch, const Buffer& list, const Buffer& temp, const LeafParams& p) const;
  Cost quads_cost(const LeafParams& p) const;
  OpeningPlan plan_opening(std::span<const std::size_t> indices) const;

  Tables31<F>& tables_;
  int log_rows_;
  u32 words_;
  int leaf_rate_;
  MerkleShape shape_;
  int dropped_;
  std::vector<u32> places_;  // of a layer's first digest in kept_
  u32 kept_digests_ = 0;
  const Buffer *leaf_constants_ = nullptr, *node_constants_ = nullptr;
  u64 leaf_products_ = 0, node_products_ = 0;  // of their permutations
  Buffer values_;                              // words_ columns of rows() values in bit-reversed order
  Buffer kept_;                                // layers dropped_.. up to the cap
  std::vector<Digest<F>> cap_;
};

template <class F>
Status GpuCodeword<F>::upload_constants(const MerkleHash<F>& hash) {
  VOUCH_TRY(leaf_constants_, hash.p24 ? tables_.constants(*hash.p24) : tables_.constants(*hash.p16));
  VOUCH_TRY(node_constants_, hash.p32 ? tables_.constants(*hash.p32) : tables_.constants(*hash.p16));
  leaf_products_ = hash.p24 ? cost::permutation_products(*hash.p24) : cost::permutation_products(*hash.p16);
  node_products_ = hash.p32 ? cost::permutation_products(*hash.p32) : cost::permutation_products(*hash.p16);
  return ok();
}

template <class F>
void GpuCodeword<F>::record_leaves(Batch& batch, const Buffer& list, const Buffer& temp,
                                   const LeafParams& p) const {
  const Kernels31& k = kernels31<F>();
  batch.launch(
      leaf_rate_ == 16 ? k.leaves24 : k.leaves16, groups_for(p.count, leaf_group), leaf_group, 0,
      {&values_, &list, leaf_constants_, &kept_, &temp}, p,
      cost::leaves(p.count, words_, u32(leaf_rate_), leaf_products_, p.rows == nowhere ? 0 : p.count));
}

// Four rows, two parents and theirs for each of p.count.
template <class F>
Cost GpuCodeword<F>::quads_cost(const LeafParams& p) const {
  const u64 pairs = p.pairs == nowhere ? 0 : 2 * u64(p.count), quads = p.quads == nowhere ? 0 : u64(p.count);
  return cost::sum(cost::leaves(4 * u64(p.count), words_, u32(leaf_rate_), leaf_products_,
                                p.rows == nowhere ? 0 : 4 * u64(p.count)),
                   cost::nodes(0, 3 * u64(p.count), pairs + quads, node_products_));
}

template <class F>
Status GpuCodeword<F>::build(const Buffer& f, NttParams ntt, const MerkleHash<F>& hash, PolyTimes& times) {
  const Kernels31& kernels = kernels31<F>();
  VOUCH_TRY(const Buffer* roots, tables_.roots());
  VOUCH_CHECK(upload_constants(hash));
  TreePlan tree;
  tree.arity = u32(shape_.arity), tree.fused = tables_.fused;
  const auto place = [&](int layer, bool last) {
    if (layer >= dropped_) return places_[std::size_t(layer)];
    return last ? tree.take(std::size_t(1) << log_nodes(layer)) : nowhere;
  };
  const bool quads =
      tables_.fused && shape_.arity == 2 && shape_.cap_layer >= 2 && log_rows_ >= tables_.quads_from_log_rows;
  const int start = quads ? 2 : 0;  // the first layer that is made as a whole
  LeafParams leaves{u32(log_rows_), words_, u32(rows()), 0, 0, place(0, !quads), nowhere, nowhere};
  if (quads) leaves.count /= 4, leaves.pairs = place(1, false), leaves.quads = place(2, true);
  tree.add(std::size_t(1) << log_nodes(start), quads ? leaves.quads : leaves.rows, shape_.cap_layer - start,
           [&](int level, bool last) { return place(start + level, last); });

  VOUCH_TRY(values_, device().allocate((std::size_t(words_) << log_rows_) * 4));
  VOUCH_TRY(kept_, device().allocate(std::size_t(kept_digests_) * 32));
  VOUCH_TRY(Buffer temp, device().allocate(std::size_t(tree.temporaries) * 32));
  Batch batch;
  record_ntt(batch, kernels, f, values_, *roots, ntt, words_, tables_.tail_bits);
  if (quads)
    batch.launch(leaf_rate_ == 16 ? kernels.quads24 : kernels.quads16, groups_for(leaves.count, leaf_group),
                 leaf_group, leaf_group * 64, {&values_, leaf_constants_, node_constants_, &kept_, &temp},
                 leaves, quads_cost(leaves));
  else
    record_leaves(batch, *roots, temp, leaves);  // no list is read
  tree.record(batch, kernels, kept_, temp, *node_constants_, node_products_);
  cap_.resize(shape_.cap_size());
  const std::size_t digests = std::size_t(1) << log_nodes(shape_.cap_layer);  // the rest pads
  batch.read({reinterpret_cast<u8*>(cap_.data()), digests * 32}, kept_,
             std::size_t(places_[std::size_t(shape_.cap_layer)]) * 32);
  const Stopwatch watch;
  std::vector<LaunchTime> launches;
  VOUCH_CHECK(device().run(batch, &launches));
  add_times(times, launches, watch.seconds());
  return ok();
}

// What an opening asks of the device. list: positions of rows, positions of leaves to hash again, places of
// digests.
template <class F>
struct GpuCodeword<F>::OpeningPlan {
  std::vector<u32> list;
  std::size_t rows = 0, leaves = 0, digests = 0;
  std::vector<std::size_t> padding;  // siblings that are zero digests
  TreePlan tree;
};

template <class F>
typename GpuCodeword<F>::OpeningPlan GpuCodeword<F>::plan_opening(
    std::span<const std::size_t> indices) const {
  OpeningPlan plan;
  plan.tree.arity = u32(shape_.arity), plan.tree.fused = tables_.fused;
  std::vector<u32> places;
  struct Again {
    std::size_t node, sibling;
  };
  std::vector<std::vector<Again>> again(static_cast<std::size_t>(dropped_));  // by layer
  std::size_t siblings = 0;
  walk_multiproof(shape_, {indices.begin(), indices.end()}, [&](int layer, std::size_t i) {
    if (i >> log_nodes(layer) != 0) return plan.padding.push_back(siblings++);
    if (layer < dropped_) again[std::size_t(layer)].push_back({i, places.size()});
    places.push_back(places_[std::size_t(layer)] + u32(i));  // not for a dropped one, see below
    siblings++;
  });
  for (const std::size_t i : indices) plan.list.push_back(reversed(i, log_rows_));
  plan.rows = indices.size();
  std::vector<u32> first(again.size());
  for (std::size_t l = 0; l < again.size(); l++) {  // all leaves come first, one launch hashes them
    const std::size_t below = std::size_t(1) << (int(l) * arity_bits());
    first[l] = plan.tree.take(again[l].size() * below);
    for (const Again& a : again[l])
      for (std::size_t k = 0; k < below; k++) plan.list.push_back(reversed(a.node * below + k, log_rows_));
    plan.leaves += again[l].size() * below;
  }
  for (std::size_t l = 0; l < again.size(); l++) {
    if (again[l].empty()) continue;
    const std::size_t count = again[l].size();
    const auto nodes = [&](int level) { return count << ((int(l) - level) * arity_bits()); };
    const u32 top = plan.tree.add(nodes(0), first[l], int(l), [&](int level, bool last) {
      return last ? plan.tree.take(nodes(level)) : nowhere;
    });
    for (std::size_t k = 0; k < count; k++) places[again[l][k].sibling] = top + u32(k);
  }
  plan.list.insert(plan.list.end(), places.begin(), places.end());
  plan.digests = places.size();
  return plan;
}

template <class F>
Result<typename Codeword<F>::Opening> GpuCodeword<F>::open(std::span<const std::size_t> indices) const {
  typename Codeword<F>::Opening opening;
  if (indices.empty()) return opening;
  const std::scoped_lock turn(tables_.turn());
  const Kernels31& kernels = kernels31<F>();
  const OpeningPlan plan = plan_opening(indices);
  const std::size_t row_total = plan.rows * words_, out_words = row_total + 8 * plan.digests;
  VOUCH_TRY(Buffer list, device().allocate(plan.list.size() * 4));
  VOUCH_TRY(Buffer out, device().allocate(out_words * 4));
  VOUCH_TRY(Buffer temp, device().allocate(std::size_t(plan.tree.temporaries) * 32));
  VOUCH_CHECK(
      device().upload(list, 0, {reinterpret_cast<const u8*>(plan.list.data()), plan.list.size() * 4}));
  Batch batch;
  batch.launch(kernels.gather_rows, groups_for(row_total, wide_group), wide_group, 0, {&values_, &list, &out},
               GatherParams{u32(log_rows_), words_, u32(row_total), 0, 0}, Cost{8 * row_total, 0});
  if (plan.leaves != 0)
    record_leaves(batch, list, temp,
                  {u32(log_rows_), words_, u32(plan.leaves), 1, u32(plan.rows), temporary, nowhere, nowhere});
  plan.tree.record(batch, kernels, kept_, temp, *node_constants_, node_products_);
  if (plan.digests != 0)
    batch.launch(kernels.gather_digests, groups_for(8 * plan.digests, wide_group), wide_group, 0,
                 {&kept_, &temp, &list, &out},
                 GatherParams{u32(log_rows_), words_, u32(8 * plan.digests), u32(plan.rows + plan.leaves),
                              u32(row_total)},
                 Cost{64 * plan.digests, 0});
  opening.rows.resize(row_total);
  opening.siblings.resize(plan.digests);
  const auto bytes = [](auto& v) {
    return std::span<u8>(reinterpret_cast<u8*>(v.data()), v.size() * sizeof(v[0]));
  };
  batch.read(bytes(opening.rows), out, 0);
  batch.read(bytes(opening.siblings), out, row_total * 4);
  VOUCH_CHECK(device().run(batch));
  for (const std::size_t i : plan.padding)
    opening.siblings.insert(opening.siblings.begin() + std::ptrdiff_t(i), Digest<F>{});
  return opening;
}

}  // namespace

template <class F>
Result<std::unique_ptr<Codeword<F>>> gpu_encode(Tables31<F>& tables, const Buffer& f, int variables,
                                                int degree, FoldOrder order, const EncodeShape& shape,
                                                const MerkleHash<F>& hash, PolyTimes& times) {
  const int log_rows = variables + shape.log_inv_rate - shape.fold;
  if (shape.fold < 0 || shape.fold > variables || shape.log_inv_rate < 0 || log_rows > F::two_adicity())
    return Error{Code::invalid_argument, "encode: no codeword of 2^" + std::to_string(log_rows) +
                                             " rows over " + F::Params::name + " from 2^" +
                                             std::to_string(variables) + " values"};
  if (f.size() / 4 / std::size_t(degree) < std::size_t(1) << variables)
    return Error{Code::internal, "encode: the buffer is too small"};
  const u32 words = u32(degree) << shape.fold, rows_in = u32(1) << (variables - shape.fold);
  const bool prefix = order == FoldOrder::prefix;
  NttParams ntt{u32(log_rows),
                0,
                rows_in,
                prefix ? u32(degree) : words,
                prefix ? rows_in * u32(degree) : u32(degree),
                u32(degree),
                u32(degree),
                u32(F::two_adicity())};
  // Work-items side by side read words side by side: of one entry, or of several in a row.
  while (!prefix && 2 * ntt.interleave <= std::min<u32>(words, 8)) ntt.interleave *= 2;
  auto codeword = std::make_unique<GpuCodeword<F>>(tables, log_rows, words, shape, hash);
  if (const Status built = codeword->build(f, ntt, hash, times); !built.ok()) {
    codeword->give_back();
    return built.error();
  }
  return std::unique_ptr<Codeword<F>>(std::move(codeword));
}
template Result<std::unique_ptr<Codeword<BabyBear>>> gpu_encode(Tables31<BabyBear>&, const Buffer&, int, int,
                                                                FoldOrder, const EncodeShape&,
                                                                const MerkleHash<BabyBear>&, PolyTimes&);
template Result<std::unique_ptr<Codeword<KoalaBear>>> gpu_encode(Tables31<KoalaBear>&, const Buffer&, int,
                                                                 int, FoldOrder, const EncodeShape&,
                                                                 const MerkleHash<KoalaBear>&, PolyTimes&);

}  // namespace vouch::gpu
