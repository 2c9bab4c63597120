// The steps of poly_steps.h: tables of tensor weights, sums, weights, rounds and folds.
#include "vouch/backend/gpu/poly_steps.h"

#include <algorithm>
#include <type_traits>

#include "vouch/backend/gpu/costs31.h"

namespace vouch::gpu {
namespace {

// The parameter structs of vouch/kernels/poly31_params.h.
struct TableParams {
  u32 at, log_outer, log_inner;
};
struct DotParams {
  u32 at, columns, log_rows, log_inner, row_shift, skip, log_lanes;
};
struct FinishParams {
  u32 count, weighted, first;
};
struct GatherParams {
  u32 at, cells, words, to;
};
struct BindParams {
  u32 at, log_rows, log_columns, suffix;
};
struct PowerParams {
  u32 at, count, log_cells, set;
};
struct WeightParams {
  u32 at, scales, log_rows, log_inner, row_shift, skip;
};
struct CellParams {
  u32 at, cells;
};
struct RoundParams {
  u32 log_size, suffix;
  u32 r[5];
};

// Kernel names of one field and degree, by operation.
struct Names {
  const char *tables, *dot_base, *dot_ext, *finish, *gather, *bind, *power_table, *powers, *weights, *cells,
      *sums, *fold_round, *fold;
};
#define VOUCH_POLY31_NAMES(v)                                                                           \
  {v "_tables", v "_dot_base", v "_dot_ext", v "_finish", v "_gather",     v "_bind", v "_power_table", \
   v "_powers", v "_weights",  v "_cells",   v "_sums",   v "_fold_round", v "_fold"}
template <class F, int D>
constexpr Names names_of() {
  constexpr Names bb4 = VOUCH_POLY31_NAMES("bb4"), bb5 = VOUCH_POLY31_NAMES("bb5");
  constexpr Names kb4 = VOUCH_POLY31_NAMES("kb4"), kb5 = VOUCH_POLY31_NAMES("kb5");
  if (std::is_same_v<F, BabyBear>) return D == 4 ? bb4 : bb5;
  return D == 4 ? kb4 : kb5;
}
#undef VOUCH_POLY31_NAMES

constexpr u32 group = 256;
constexpr u32 most_round_groups = 1024;  // enough to fill a large device; a second launch adds their sums
constexpr int inner_bits = 11;     // of a tensor weight's inner table: it stays in a multiprocessor's cache
constexpr u32 block_cells = 1024;  // cells of a group of the powers kernel
constexpr u32 power_chunk = 128;   // terms it holds at a time

u32 groups_for(std::uint64_t items) {
  return u32((items + group - 1) / group);
}
int inner_of(int log_rows) {
  return std::min(log_rows, inner_bits);
}

template <class T>
std::span<const T> view(const std::vector<T>& v) {
  return v;
}

// What a launch of each kernel costs (costs31.h). ext: multiplications of one product in the extension.
template <class F, int D>
struct Costs {
  static constexpr u64 ext = cost::ext_multiplications<F, D>(), element = 4 * D;

  static Cost of(u64 bytes, u64 multiplications) { return {bytes, cost::products_of(multiplications)}; }

  static Cost tables(u64 log_outer, u64 log_inner) {
    const u64 outer = u64(1) << log_outer, inner = u64(1) << log_inner;
    return of((outer + inner) * element, (outer * log_outer + inner * log_inner) * ext);
  }
  static Cost dot(u64 columns, u64 log_rows, u64 log_outer, bool extension) {
    const u64 cells = columns << log_rows;
    return of(cells * (extension ? element : 4) + (columns << log_outer) * element,
              cells * (extension ? ext : D));
  }
  static Cost finish(u64 results, u64 count, bool weighted) {
    return of(results * (count + 1) * element, weighted ? results * count * ext : 0);
  }
  static Cost bind(u64 log_rows, u64 columns) {
    return of((columns * 4 + element) << log_rows, (columns * D + 2 * D) << log_rows);
  }
  // A power has as many squarings as its exponent has bits, and half as many products.
  static Cost power_table(u64 count) { return {count * 256 * 4, count * 256 * 12}; }
  static Cost powers(u64 count, u64 log_cells, bool set) {
    const u64 cells = u64(1) << log_cells, blocks = (cells + block_cells - 1) / block_cells;
    const u64 chunks = std::max<u64>(1, (count + power_chunk - 1) / power_chunk);
    const u64 each_block = 3 * (4 * D + 3 * u64(std::bit_width(blocks)) / 2);
    return of(cells * element * (2 * chunks - (set ? 1 : 0)),
              cells * D * (count + 2 * chunks) + count * blocks * each_block);
  }
  static Cost weights(u64 columns, u64 log_rows) {
    return of(2 * (columns << log_rows) * element, (columns << log_rows) * ext);
  }
  static Cost cells(u64 count) { return {count * (3 * element + 8), 0}; }
  // Of both vectors, 2^log_size elements each.
  static Cost sums(int log_size) { return of(2 * element << log_size, 2 * ext << (log_size - 1)); }
  static Cost fold_round(int log_size) { return of(3 * element << log_size, 6 * ext << (log_size - 2)); }
  // Of one.
  static Cost fold(int log_size) { return of((3 * element << log_size) / 2, ext << (log_size - 1)); }
};

}  // namespace

template <class F, int D>
Status PolySteps<F, D>::upload(const Args& args) {
  const auto words = args.words();
  VOUCH_CHECK(on_.need(on_.args, words.size_bytes()));
  return on_.device->upload(on_.args, 0,
                            {reinterpret_cast<const std::uint8_t*>(words.data()), words.size_bytes()});
}

template <class F, int D>
Result<DeviceVector> PolySteps<F, D>::allocate(int log_size) {
  DeviceVector v;
  VOUCH_TRY(v.words, on_.device->allocate(element_bytes << log_size));
  v.log_size = log_size;
  return v;
}

template <class F, int D>
auto PolySteps<F, D>::dots(const Buffer& f, const DotJob& job) -> Result<Dots> {
  constexpr Names names = names_of<F, D>();
  using Cost31 = Costs<F, D>;
  const int log_inner = inner_of(job.log_rows()), log_outer = job.log_rows() - log_inner;
  const std::size_t columns = job.columns.size(), cell_words = job.extension ? D : 1;
  const std::size_t sums = (job.plain + job.shifted) * columns;
  Args args;
  const u32 factors_at = args.put(view(job.factors)), columns_at = args.put(view(job.columns)),
            cells_at = args.put(view(job.cells));
  VOUCH_CHECK(upload(args));
  VOUCH_CHECK(on_.need(on_.outer, element_bytes << log_outer));
  VOUCH_CHECK(on_.need(on_.inner, element_bytes << log_inner));
  VOUCH_CHECK(on_.need(on_.partials, (element_bytes * columns) << log_outer));
  VOUCH_CHECK(on_.need(on_.out, element_bytes * sums + 4 * cell_words * job.cells.size()));

  Batch batch;
  batch.launch(names.tables, groups_for((u32(1) << log_outer) + (u32(1) << log_inner)), group, 0,
               {&on_.args, &on_.outer, &on_.inner}, TableParams{factors_at, u32(log_outer), u32(log_inner)},
               Cost31::tables(u64(log_outer), u64(log_inner)));
  const u32 lanes = u32(1) << job.log_lanes, blocks = (u32(columns) + lanes - 1) / lanes;
  u32 first = 0;
  for (const bool shifted : {false, true}) {
    if (!(shifted ? job.shifted : job.plain)) continue;
    batch.launch(job.extension ? names.dot_ext : names.dot_base, blocks << log_outer, group,
                 element_bytes * group, {&f, &on_.args, &on_.inner, &on_.partials},
                 DotParams{columns_at, u32(columns), u32(job.log_rows()), u32(log_inner), u32(job.row_shift),
                           shifted, u32(job.log_lanes)},
                 Cost31::dot(columns, u64(job.log_rows()), u64(log_outer), job.extension));
    batch.launch(names.finish, u32(columns), group, element_bytes * group,
                 {&on_.partials, &on_.outer, &on_.out}, FinishParams{u32(1) << log_outer, 1, first},
                 Cost31::finish(columns, u64(1) << log_outer, true));
    first += u32(columns);
  }
  if (!job.cells.empty())
    batch.launch(names.gather, groups_for(job.cells.size()), group, 0, {&f, &on_.args, &on_.out},
                 GatherParams{cells_at, u32(job.cells.size()), u32(cell_words), u32(sums * D)},
                 Cost{8 * job.cells.size() * (cell_words + 1), 0});
  std::vector<F> words(sums * D + job.cells.size() * cell_words);
  VOUCH_CHECK(run(batch, std::span<F>(words)));
  Dots result;
  const auto element = [&](std::size_t at, std::size_t size) {
    E x;
    std::copy_n(words.begin() + std::ptrdiff_t(at), size, x.c.begin());
    return x;
  };
  for (std::size_t i = 0; i < sums; i++)
    (job.plain && i < columns ? result.plain : result.shifted).push_back(element(i * D, D));
  for (std::size_t i = 0; i < job.cells.size(); i++)
    result.cells.push_back(element(sums * D + i * cell_words, cell_words));
  return result;
}

template <class F, int D>
Result<DeviceVector> PolySteps<F, D>::bind(const Buffer& f, int log_rows, FoldOrder order,
                                           std::span<const E> e) {
  Args args;
  const u32 at = args.put(e);
  VOUCH_CHECK(upload(args));
  VOUCH_TRY(DeviceVector v, allocate(log_rows));
  Batch batch;
  batch.launch(names_of<F, D>().bind, groups_for(std::uint64_t(1) << log_rows), group, 0,
               {&f, &on_.args, &v.words},
               BindParams{at, u32(log_rows), u32(std::countr_zero(e.size())), order == FoldOrder::suffix},
               Costs<F, D>::bind(u64(log_rows), e.size()));
  VOUCH_CHECK(on_.device->run(batch));
  return v;
}

// Terms with the same tensor weight on columns that have no cell in common: one launch.
template <class F, int D>
struct PolySteps<F, D>::TensorWeight {
  const std::vector<E>* y;
  TermKind kind;
  int stride;
  std::map<std::pair<std::size_t, std::size_t>, E> columns;  // (offset mod 2^stride, offset) to scale
  u32 factors_at = 0, columns_at = 0, scales_at = 0;

  bool fits(const Term<F, D>& t) const {
    if (t.y.get() != y || t.kind != kind || t.slot.stride != stride) return false;
    const Key k = key(t);
    const auto next = columns.lower_bound(k);
    return (next == columns.end() || !touch(k, next->first)) &&
           (next == columns.begin() || !touch(std::prev(next)->first, k));
  }
  void add(const Term<F, D>& t) { columns[key(t)] += t.u[0]; }

 private:
  using Key = std::pair<std::size_t, std::size_t>;
  Key key(const Term<F, D>& t) const {
    return {t.slot.offset & ((std::size_t(1) << stride) - 1), t.slot.offset};
  }
  // Whether two different columns, the lower one first, have a cell in common.
  bool touch(const Key& low, const Key& high) const {
    return low != high && low.first == high.first &&
           high.second - low.second < std::size_t(1) << (y->size() + std::size_t(stride));
  }
};

// The terms of W by launch, and the words they need.
template <class F, int D>
struct PolySteps<F, D>::Weights {
  std::vector<TensorWeight> tensors;
  std::map<std::uint64_t, E> cells;
  Args args;
  u32 powers_at = 0, cells_at = 0;
  int most_outer = 0;

  explicit Weights(std::span<const Term<F, D>> terms) {
    for (const Term<F, D>& t : terms) {
      if (t.kind == TermKind::cell) {
        cells[t.slot.offset + (t.cell << t.slot.stride)] += t.u[0];
        continue;
      }
      if (tensors.empty() || !tensors.back().fits(t))
        tensors.push_back({t.y.get(), t.kind, t.slot.stride, {}});
      tensors.back().add(t);
    }
  }
  void compose(std::span<const F> z, std::span<const E> coefficients) {
    std::vector<F> z256, z1024;
    for (const F& x : z) z256.push_back(x.pow(256)), z1024.push_back(x.pow(1024));
    powers_at = args.put(z);
    args.put(view(z256)), args.put(view(z1024)), args.put(coefficients);
    for (TensorWeight& t : tensors) {
      std::vector<std::uint64_t> places;
      std::vector<E> scales;
      for (const auto& [key, scale] : t.columns) places.push_back(key.second), scales.push_back(scale);
      t.factors_at = args.put(view(eq_factors<E>(*t.y)));
      t.columns_at = args.put(view(places)), t.scales_at = args.put(view(scales));
      most_outer = std::max(most_outer, int(t.y->size()) - inner_of(int(t.y->size())));
    }
    std::vector<std::uint64_t> places;
    std::vector<E> values;
    for (const auto& [at, value] : cells) places.push_back(at), values.push_back(value);
    cells_at = args.put(view(places));
    args.put(view(values));
  }
};

template <class F, int D>
Status PolySteps<F, D>::add_weights(Batch& batch, const DeviceVector& w, bool set,
                                    std::span<const Term<F, D>> terms, std::span<const F> z,
                                    std::span<const E> coefficients) {
  constexpr Names names = names_of<F, D>();
  using Cost31 = Costs<F, D>;
  Weights weights(terms);
  weights.compose(z, coefficients);
  VOUCH_CHECK(upload(weights.args));
  VOUCH_CHECK(on_.need(on_.powers, std::max<std::size_t>(z.size(), 1) * 1024));
  VOUCH_CHECK(on_.need(on_.outer, element_bytes << weights.most_outer));
  VOUCH_CHECK(on_.need(on_.inner, element_bytes << inner_bits));

  const u32 count = u32(z.size());
  if (count)
    batch.launch(names.power_table, count, group, 0, {&on_.args, &on_.powers},
                 PowerParams{weights.powers_at, count, 0, 0}, Cost31::power_table(count));
  if (count || set)
    batch.launch(names.powers, u32(((std::uint64_t(1) << w.log_size) + block_cells - 1) / block_cells), group,
                 4 * power_chunk * u32(element_bytes), {&on_.args, &on_.powers, &w.words},
                 PowerParams{weights.powers_at, count, u32(w.log_size), set},
                 Cost31::powers(count, u64(w.log_size), set));
  for (const TensorWeight& t : weights.tensors) {
    const u32 rows = u32(t.y->size()), inner = u32(inner_of(int(rows))), outer = rows - inner;
    batch.launch(names.tables, groups_for((u32(1) << outer) + (u32(1) << inner)), group, 0,
                 {&on_.args, &on_.outer, &on_.inner}, TableParams{t.factors_at, outer, inner},
                 Cost31::tables(outer, inner));
    batch.launch(
        names.weights, u32(t.columns.size()) << outer, group, 0,
        {&w.words, &on_.args, &on_.outer, &on_.inner},
        WeightParams{t.columns_at, t.scales_at, rows, inner, u32(t.stride), t.kind == TermKind::shifted},
        Cost31::weights(t.columns.size(), rows));
  }
  const u32 cells = u32(weights.cells.size());
  if (cells)
    batch.launch(names.cells, groups_for(cells), group, 0, {&w.words, &on_.args},
                 CellParams{weights.cells_at, cells}, Cost31::cells(cells));
  return ok();
}

namespace {

template <class E>
RoundParams round_params(int log_size, FoldOrder order, const E* r) {
  RoundParams p{u32(log_size), order == FoldOrder::suffix, {}};
  for (std::size_t i = 0; r && i < r->c.size(); i++) p.r[i] = r->c[i].montgomery();
  return p;
}

}  // namespace

template <class F, int D>
auto PolySteps<F, D>::round(Batch batch, const DeviceVector& f, const DeviceVector& w, FoldOrder order,
                            const E* r, const Buffer* f_out, const Buffer* w_out) -> Result<Round> {
  constexpr Names names = names_of<F, D>();
  using Cost31 = Costs<F, D>;
  const std::uint64_t items = std::uint64_t(1) << (f.log_size - (r ? 2 : 1));
  const u32 groups = u32(std::min<std::uint64_t>((items + group - 1) / group, most_round_groups));
  VOUCH_CHECK(on_.need(on_.partials, 2 * groups * element_bytes));
  VOUCH_CHECK(on_.need(on_.out, 2 * element_bytes));
  const RoundParams p = round_params(f.log_size, order, r);
  const u32 local = 2 * group * u32(element_bytes);
  if (r)
    batch.launch(names.fold_round, groups, group, local, {&f.words, &w.words, f_out, w_out, &on_.partials}, p,
                 Cost31::fold_round(f.log_size));
  else
    batch.launch(names.sums, groups, group, local, {&f.words, &w.words, &on_.partials}, p,
                 Cost31::sums(f.log_size));
  batch.launch(names.finish, 2, group, group * u32(element_bytes), {&on_.partials, &on_.partials, &on_.out},
               FinishParams{groups, 0, 0}, Cost31::finish(2, groups, false));
  E sums[2];
  VOUCH_CHECK(run(batch, std::span<E>(sums)));
  return Round{sums[0], sums[1]};
}

template <class F, int D>
Status PolySteps<F, D>::fold(std::initializer_list<DeviceVector*> vectors, FoldOrder order, const E& r) {
  Batch batch;
  std::vector<DeviceVector> folded;
  for (const DeviceVector* v : vectors) {
    VOUCH_TRY(DeviceVector half, allocate(v->log_size - 1));
    batch.launch(names_of<F, D>().fold, groups_for(std::uint64_t(1) << half.log_size), group, 0,
                 {&v->words, &half.words}, round_params(v->log_size, order, &r),
                 Costs<F, D>::fold(v->log_size));
    folded.push_back(std::move(half));
  }
  VOUCH_CHECK(on_.device->run(batch));
  std::size_t i = 0;
  for (DeviceVector* v : vectors) *v = std::move(folded[i++]);
  return ok();
}

template class PolySteps<BabyBear, 4>;
template class PolySteps<BabyBear, 5>;
template class PolySteps<KoalaBear, 4>;
template class PolySteps<KoalaBear, 5>;

}  // namespace vouch::gpu
