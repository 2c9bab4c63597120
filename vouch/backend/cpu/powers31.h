// Weights of queried points: w[x] += sum of c[i] z[i]^x. Text: included inside a namespace after sums31.h.
//
// Queried points are roots of unity of a small multiple 2^r of the table's size. Then with x = a + part * b
// the sum is a transform over b of size 2^(log_bins): z[i]^part is one of 2^log_bins roots, so for every a
// the c[i] z[i]^a fall into as many bins, and of the transform of the bins only b < 2^(log_bins - r) are
// wanted. For any other points accumulate_powers forms all the products.

inline constexpr int log_bins = 5;

// The queries sorted by bin, and the roots of the transform.
template <class F, int D>
struct BinnedPowers {
  using E = Ext31<F, D>;
  int unused_bits = 0;  // r
  std::size_t part = 0;
  std::vector<F> z;
  std::vector<E> c;
  std::array<std::size_t, (1 << log_bins) + 1> begin{};  // of each bin
  std::array<F, 1 << log_bins> roots{};                  // powers of the root of that order

  // Whether the points and the size are such that this pays.
  bool prepare(std::size_t size, std::span<const F> points, std::span<const E> coefficients) {
    if (points.size() < 16) return false;
    const int log_size = std::countr_zero(size);
    int order = 0;  // log of the common order
    for (F x : points) {
      int k = 0;
      for (; x != F::one() && k <= F::two_adicity(); k++) x = x.square();
      order = std::max(order, k);
    }
    unused_bits = order - log_size;
    if (order > F::two_adicity() || unused_bits < 1 || unused_bits > 2) return false;
    part = size >> (log_bins - unused_bits);
    if (part < std::size_t(Lanes::count)) return false;

    const F root = F::root_of_unity(log_bins);
    roots[0] = F::one();
    for (std::size_t j = 1; j < roots.size(); j++) roots[j] = roots[j - 1] * root;
    std::vector<std::size_t> bin;
    for (const F& x : points)
      bin.push_back(std::size_t(std::find(roots.begin(), roots.end(), x.pow(part)) - roots.begin()));
    for (std::size_t j = 0; j < roots.size(); j++) {
      for (std::size_t i = 0; i < points.size(); i++)
        if (bin[i] == j) z.push_back(points[i]), c.push_back(coefficients[i]);
      begin[j + 1] = z.size();
    }
    return true;
  }

  // The bins of coefficient d, for the powers of a vector of a.
  VOUCH_INLINE void fill(const u32* power, std::size_t d, Packed<F>* x) const {
    for (std::size_t j = 0; j < std::size_t(1) << log_bins; j++) {
      PackedSum<F> sum;
      for (std::size_t i = begin[j], n = 0; i < begin[j + 1]; i++, n++) {
        if (n >= 4 && n % 2 == 0) sum.settle();
        const Lanes s = Lanes::all(c[i].c[d].montgomery()), v = Lanes::load(power + i * Lanes::count);
        sum.add(v, v.odd(), s, s);
      }
      x[j] = sum.value();
    }
  }
  // Decimation in frequency: output b lies at its bits reversed; the last r levels only add.
  VOUCH_INLINE void transform(Packed<F>* x) const {
    const int levels = log_bins - unused_bits;
    for (int l = 0; l < levels; l++) {
      const std::size_t half = std::size_t(1) << (log_bins - 1 - l);
      for (std::size_t first = 0; first < std::size_t(1) << log_bins; first += 2 * half)
        for (std::size_t j = 0; j < half; j++) {
          Packed<F>&a = x[first + j], &b = x[first + half + j];
          const Packed<F> d = a - b;
          a = a + b;
          b = j == 0 ? d : d.times_all(Packed<F>::all(roots[j << l]));
        }
    }
    for (int l = levels; l < log_bins; l++) {
      const std::size_t half = std::size_t(1) << (log_bins - 1 - l);
      for (std::size_t first = 0; first < std::size_t(1) << log_bins;
           first += std::size_t(2) << (log_bins - 1 - levels))
        for (std::size_t j = 0; j < half; j++) x[first + j] = x[first + j] + x[first + half + j];
    }
  }

  // For the vectors [first, last) of a.
  void add_to(Planes<D>& w, std::size_t first, std::size_t last) const {
    const std::size_t q = z.size();
    Buffer<u32> power(q * Lanes::count);
    std::vector<F> step(q);
    for (std::size_t i = 0; i < q; i++) {
      F x = z[i].pow(first * Lanes::count);
      for (std::size_t l = 0; l < std::size_t(Lanes::count); l++, x *= z[i])
        power[i * Lanes::count + l] = x.montgomery();
      step[i] = z[i].pow(Lanes::count);
    }
    for (std::size_t v = first; v < last; v++) {
      for (std::size_t d = 0; d < D; d++) {
        Packed<F> x[1 << log_bins];
        fill(power.data(), d, x);
        transform(x);
        u32* to = w.data() + d * w.stride() + v * Lanes::count;
        for (std::size_t b = 0; b < std::size_t(1) << (log_bins - unused_bits); b++) {
          u32* at = to + RowOrder::reverse(b, log_bins - unused_bits) * part;
          (Packed<F>::load(at) + x[b << unused_bits]).store(at);
        }
      }
      for (std::size_t i = 0; i < q; i++) {
        u32* at = power.data() + i * Lanes::count;
        Packed<F>::load(at).times_all(Packed<F>::all(step[i])).store(at);
      }
    }
  }
};

// w[x] += sum of c[i] z[i]^x for any z: per block of cells, powers inside the block times
// c[i] z[i]^(start of the block).
template <class F, int D>
void accumulate_powers(Planes<D>& w, std::span<const F> z, std::span<const Ext31<F, D>> c) {
  using E = Ext31<F, D>;
  using P = PackedExt<F, D>;
  BinnedPowers<F, D> binned;
  if (binned.prepare(w.size(), z, c))
    return parallel_for(binned.part / Lanes::count, 8,
                        [&](std::size_t begin, std::size_t end) { binned.add_to(w, begin, end); });
  const std::size_t block = std::min<std::size_t>(w.size(), 256), q = z.size();
  if (block < std::size_t(Lanes::count)) {
    for (std::size_t i = 0; i < q; i++) {
      E term = c[i];
      for (std::size_t x = 0; x < w.size(); x++, term *= z[i]) w.set(x, w.template get<F>(x) + term);
    }
    return;
  }
  Buffer<u32> powers(q * block);  // [cell / lanes][i][lane]
  for (std::size_t i = 0; i < q; i++) {
    F power = F::one();
    for (std::size_t x = 0; x < block; x++, power *= z[i])
      powers[(x / Lanes::count * q + i) * Lanes::count + x % Lanes::count] = power.montgomery();
  }
  parallel_for(w.size() / block, 4, [&](std::size_t begin, std::size_t end) {
    std::vector<E> scale(q);
    std::vector<F> step(q);
    for (std::size_t i = 0; i < q; i++) scale[i] = c[i] * z[i].pow(begin * block), step[i] = z[i].pow(block);
    for (std::size_t b = begin; b < end; b++) {
      for (std::size_t x = 0; x < block; x += Lanes::count) {
        PackedSum<F> sums[D];
        const u32* power = powers.data() + x * q;
        for (std::size_t i = 0; i < q; i++) {
          const Lanes v = Lanes::load(power + i * Lanes::count), v_odd = v.odd();
          for (int d = 0; d < D; d++) {
            const Lanes s = Lanes::all(scale[i].c[std::size_t(d)].montgomery());
            sums[d].add(v, v_odd, s, s);
          }
          if (i % 2 == 1)
            for (int d = 0; d < D; d++) sums[d].settle();
        }
        P part;
        for (int d = 0; d < D; d++) part.c[d] = sums[d].value();
        u32* at = w.data() + b * block + x;
        (P::load(at, w.stride()) + part).store(at, w.stride());
      }
      for (std::size_t i = 0; i < q; i++) scale[i] *= step[i];
    }
  });
}
