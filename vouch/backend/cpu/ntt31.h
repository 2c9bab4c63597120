// Transforms of columns: decimation in time, natural order in, RowOrder out. Text: included inside a
// namespace after packed31.h.
//
// A column of 2^m coefficients is evaluated at 2^(m+r) points: the first r levels would only copy, so each of
// the 2^r blocks starts from the coefficients themselves with its own roots. Levels down to blocks of lanes^2
// elements run as passes over memory, four levels in registers each; the rest is done tile by tile (see
// finish_tile), so that a tile's rows can be hashed while they are in the cache.

inline constexpr int lane_bits = Lanes::count == 16 ? 4 : Lanes::count == 8 ? 3 : 2;
inline constexpr int tile_bits = 2 * lane_bits;

// The roots for every size asked for so far; tables are kept for as long as the store lives.
template <class F>
class TwiddleStore {
 public:
  // For codes of 2^log_rows rows.
  const Twiddles<F>& get(int log_rows) {
    const int log_roots = std::max(3 * lane_bits, log_rows - lane_bits - 1),
              log_last = std::max(0, log_rows - lane_bits);
    const std::lock_guard<std::mutex> hold(lock_);
    for (const auto& t : tables_)
      if (t->serves(log_roots, log_last)) return *t;
    tables_.push_back(std::make_unique<const Twiddles<F>>(log_roots, log_last, lane_bits));
    return *tables_.back();
  }

 private:
  std::mutex lock_;
  std::vector<std::unique_ptr<const Twiddles<F>>> tables_;
};

template <class F>
VOUCH_INLINE void butterfly(Packed<F>& a, Packed<F>& b, Packed<F> t) {
  const Packed<F> u = b * t;
  b = a - u;
  a = a + u;
}

// K levels on 2^K vectors. Level j of sub-block c takes roots[2^j - 1 + c]: one element in every lane ...
template <class F, int K>
VOUCH_INLINE void levels(Packed<F>* x, const F* roots) {
#pragma GCC unroll 4
  for (int j = 0; j < K; j++) {
    const int half = (1 << K) >> (j + 1);
#pragma GCC unroll 8
    for (int c = 0; c < 1 << j; c++) {
      const Packed<F> t = Packed<F>::all(roots[(1 << j) - 1 + c]);
#pragma GCC unroll 8
      for (int i = 0; i < half; i++) {
        Packed<F>&a = x[2 * half * c + i], &b = x[2 * half * c + half + i];
        const Packed<F> u = b.times_all(t);
        b = a - u;
        a = a + u;
      }
    }
  }
}
// ... or one per lane, where each lane is a block of its own.
template <class F>
VOUCH_INLINE void lane_levels(Packed<F>* x, const Packed<F>* roots, int k) {
  for (int j = 0; j < k; j++) {
    const int half = (1 << k) >> (j + 1);
    for (int c = 0; c < 1 << j; c++)
      for (int i = 0; i < half; i++)
        butterfly(x[2 * half * c + i], x[2 * half * c + half + i], roots[(1 << j) - 1 + c]);
  }
}

// The 2^K - 1 roots of K levels that start at block b.
template <class F>
VOUCH_INLINE void gather_roots(const Twiddles<F>& w, std::size_t b, int k, F* out) {
  for (int j = 0; j < k; j++)
    for (std::size_t c = 0; c < std::size_t(1) << j; c++) *out++ = w.roots()[(b << j) + c];
}
// The roots of the k levels of lanes that are blocks of 2^k elements each, from the roots of their last
// level.
template <class F>
void lane_roots(const Twiddles<F>& w, Packed<F> last, int k, Packed<F>* out) {
  for (int j = k; j-- > 0; last = last * last)
    for (std::size_t c = 0; c < std::size_t(1) << j; c++)
      out[(std::size_t(1) << j) - 1 + c] = last.times_all(Packed<F>::all(w.roots()[c]));
}

template <class F, int K>
void pass(const u32* in, u32* out, std::size_t begin, std::size_t end, std::size_t stride, const F* roots) {
  for (std::size_t i = begin; i < end; i += Lanes::count) {
    Packed<F> x[1 << K];
#pragma GCC unroll 16
    for (int q = 0; q < 1 << K; q++) x[q] = Packed<F>::load(in + i + std::size_t(q) * stride);
    levels<F, K>(x, roots);
#pragma GCC unroll 16
    for (int q = 0; q < 1 << K; q++) x[q].store(out + i + std::size_t(q) * stride);
  }
}
// k levels of block b of 2^log_size elements, on the part [begin, end) of a 2^k-th of it.
template <class F>
void run_pass(const Twiddles<F>& w, int k, const u32* in, u32* out, int log_size, std::size_t b,
              std::size_t begin, std::size_t end) {
  F roots[15];
  gather_roots(w, b, k, roots);
  const std::size_t stride = std::size_t(1) << (log_size - k);
  switch (k) {
    case 1:
      return pass<F, 1>(in, out, begin, end, stride, roots);
    case 2:
      return pass<F, 2>(in, out, begin, end, stride, roots);
    case 3:
      return pass<F, 3>(in, out, begin, end, stride, roots);
    default:
      return pass<F, 4>(in, out, begin, end, stride, roots);
  }
}

// Levels of the next pass when `levels` are to be done in passes: at most four, evenly split.
inline int pass_levels(int levels) {
  const int passes = (levels + 3) / 4;
  return (levels + passes - 1) / passes;
}

// All passes of a block, one sub-block after the other.
template <class F>
void run_passes(const Twiddles<F>& w, u32* data, int log_size, std::size_t b) {
  if (log_size <= tile_bits) return;
  const int k = pass_levels(log_size - tile_bits);
  run_pass(w, k, data, data, log_size, b, 0, std::size_t(1) << (log_size - k));
  if (log_size - k > tile_bits)
    for (std::size_t c = 0; c < std::size_t(1) << k; c++)
      run_passes(w, data + (c << (log_size - k)), log_size - k, (b << k) + c);
}

VOUCH_INLINE void transpose(Lanes* x) {
  Lanes y[Lanes::count];
#pragma GCC unroll 4
  for (int step = 0; step < lane_bits; step++) {
#pragma GCC unroll 8
    for (int i = 0; i < Lanes::count / 2; i++)
      Lanes::zip(x[i], x[i + Lanes::count / 2], y[2 * i], y[2 * i + 1]);
#pragma GCC unroll 16
    for (int i = 0; i < Lanes::count; i++) x[i] = y[i];
  }
}

// The roots of one tile, shared by all columns.
template <class F>
struct TileRoots {
  F upper[Lanes::count - 1];
  Packed<F> lower[Lanes::count - 1];

  // Tile b of the whole code.
  TileRoots(const Twiddles<F>& w, std::size_t b) {
    gather_roots(w, b, lane_bits, upper);
    const F* last = w.last() + b * Lanes::count;
    lane_roots(w, Packed<F>::load(reinterpret_cast<const u32*>(last)), lane_bits, lower);
  }
};

// The last levels of lanes^2 elements: half of them vertically, the others after a transposition that makes
// every lane a block. The result is left transposed.
template <class F>
void finish_tile(const TileRoots<F>& roots, u32* data) {
  Packed<F> x[Lanes::count];
#pragma GCC unroll 16
  for (int i = 0; i < Lanes::count; i++) x[i] = Packed<F>::load(data + i * Lanes::count);
  levels<F, lane_bits>(x, roots.upper);
  Lanes y[Lanes::count];
#pragma GCC unroll 16
  for (int i = 0; i < Lanes::count; i++) y[i] = x[i].v;
  transpose(y);
#pragma GCC unroll 16
  for (int i = 0; i < Lanes::count; i++) x[i].v = y[i];
#pragma GCC unroll 4
  for (int j = 0; j < lane_bits; j++) {
    const int half = Lanes::count >> (j + 1);
#pragma GCC unroll 8
    for (int c = 0; c < 1 << j; c++)
#pragma GCC unroll 8
      for (int i = 0; i < half; i++)
        butterfly(x[2 * half * c + i], x[2 * half * c + half + i], roots.lower[(1 << j) - 1 + c]);
  }
#pragma GCC unroll 16
  for (int i = 0; i < Lanes::count; i++) x[i].store(data + i * Lanes::count);
}
