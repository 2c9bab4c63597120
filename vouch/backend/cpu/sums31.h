// Sums and updates over whole vectors: inner products with tensor weights, folding, sumcheck rounds. Text:
// included inside a namespace after packed31.h.
//
// Extension vectors are planes of coefficients. A weight over 2^n cells is a tensor product; the last (up to)
// `inner_bits` coordinates are expanded to a table in planes, the others to a table of elements.

// D planes of `size` words each.
template <int D>
class Planes {
 public:
  Planes() = default;
  explicit Planes(std::size_t size) : size_(size), stride_(size + Lanes::count), words_(stride_ * D) {}
  u32* data() { return words_.data(); }
  const u32* data() const { return words_.data(); }
  std::size_t size() const { return size_; }
  std::size_t stride() const { return stride_; }
  std::size_t capacity() const { return stride_ == 0 ? 0 : stride_ - Lanes::count; }
  void shrink(std::size_t size) { size_ = size; }  // at most the capacity

  template <class F>
  Ext31<F, D> get(std::size_t i) const {
    Ext31<F, D> x;
    for (std::size_t d = 0; d < D; d++) x.c[d] = F::raw(words_[d * stride_ + i]);
    return x;
  }
  template <class F>
  void set(std::size_t i, const Ext31<F, D>& x) {
    for (std::size_t d = 0; d < D; d++) words_[d * stride_ + i] = x.c[d].montgomery();
  }
  void clear() { std::fill(words_.data(), words_.data() + words_.size(), 0); }

 private:
  std::size_t size_ = 0, stride_ = 0;  // the stride leaves room for a vector that starts at the last element
  Buffer<u32> words_;
};

// The sum of f(begin, end) over parts of [0, n), in any order: sums of field elements are exact.
template <class T, class Fn>
T parallel_sum(std::size_t n, std::size_t grain, Fn&& f) {
  T total{};
  std::mutex lock;
  parallel_for(n, grain, [&](std::size_t begin, std::size_t end) {
    const T part = f(begin, end);
    const std::lock_guard<std::mutex> hold(lock);
    total += part;
  });
  return total;
}

// eq(point, x) for all x, times scale.
template <class E>
std::vector<E> eq_table(std::span<const E> point, const E& scale) {
  std::vector<E> t(std::size_t(1) << point.size());
  t[0] = scale;
  for (std::size_t i = 0, n = 1; i < point.size(); i++, n *= 2)
    for (std::size_t x = n; x-- > 0;) {
      const E high = t[x] * point[i];
      t[2 * x] = t[x] - high, t[2 * x + 1] = high;
    }
  return t;
}

// The same in planes: from the last coordinate to the first, so that each step appends a multiple of what is
// there.
template <class F, int D>
Planes<D> eq_planes(std::span<const Ext31<F, D>> point) {
  using E = Ext31<F, D>;
  using P = PackedExt<F, D>;
  Planes<D> t(std::size_t(1) << point.size());
  t.set(0, E::one());
  for (std::size_t i = point.size(), n = 1; i-- > 0; n *= 2) {
    if (n < std::size_t(Lanes::count)) {
      for (std::size_t x = 0; x < n; x++) {
        const E value = t.template get<F>(x), high = value * point[i];
        t.set(x, value - high), t.set(n + x, high);
      }
      continue;
    }
    const P factor = P::all(point[i]);
    for (std::size_t x = 0; x < n; x += Lanes::count) {
      u32* at = t.data() + x;
      const P value = P::load(at, t.stride()), high = value * factor;
      (value - high).store(at, t.stride());
      high.store(at + n, t.stride());
    }
  }
  return t;
}

inline constexpr int inner_bits = 10;

// eq(point, .) as outer[x >> inner] * inner(x & mask).
template <class F, int D>
struct SplitEq {
  using E = Ext31<F, D>;
  std::vector<E> outer;
  Planes<D> inner;

  SplitEq(std::span<const E> point, const E& scale) {
    const std::size_t bits = std::min<std::size_t>(point.size(), inner_bits);
    outer = eq_table<E>(point.first(point.size() - bits), scale);
    inner = eq_planes<F, D>(point.last(bits));
  }
};

// Sum of f[x] eq(x), f in the base field and contiguous.
template <class F, int D>
Ext31<F, D> dot_base(const u32* f, const SplitEq<F, D>& eq) {
  using E = Ext31<F, D>;
  const std::size_t inner = eq.inner.size();
  if (inner < std::size_t(Lanes::count)) {
    E sum;
    for (std::size_t x = 0; x < inner; x++) sum += eq.inner.template get<F>(x) * F::raw(f[x]);
    return sum * eq.outer[0];
  }
  return parallel_sum<E>(eq.outer.size(), 4, [&](std::size_t begin, std::size_t end) {
    PackedExt<F, D> total = PackedExt<F, D>::zero();
    for (std::size_t o = begin; o < end; o++) {
      PackedSum<F> sums[D];
      for (std::size_t x = 0; x < inner; x += 2 * Lanes::count) {
        const std::size_t stop = std::min(inner, x + 2 * Lanes::count);
        for (std::size_t y = x; y < stop; y += Lanes::count) {
          const Lanes v = Lanes::load(f + o * inner + y), v_odd = v.odd();
          for (int d = 0; d < D; d++) {
            const Lanes w = Lanes::load(eq.inner.data() + std::size_t(d) * eq.inner.stride() + y);
            sums[d].add(v, v_odd, w, w.odd());
          }
        }
        for (int d = 0; d < D; d++) sums[d].settle();
      }
      PackedExt<F, D> part;
      for (int d = 0; d < D; d++) part.c[d] = sums[d].value();
      total = total + part * PackedExt<F, D>::all(eq.outer[o]);
    }
    return total.sum();
  });
}

// Sum of f[x] eq(point, x), f in planes.
template <class F, int D>
Ext31<F, D> dot_ext(const Planes<D>& f, std::span<const Ext31<F, D>> point) {
  using E = Ext31<F, D>;
  using P = PackedExt<F, D>;
  const SplitEq<F, D> eq(point, E::one());
  const std::size_t inner = eq.inner.size();
  if (inner < std::size_t(Lanes::count)) {
    E sum;
    for (std::size_t x = 0; x < inner; x++) sum += eq.inner.template get<F>(x) * f.template get<F>(x);
    return sum * eq.outer[0];
  }
  return parallel_sum<E>(eq.outer.size(), 4, [&](std::size_t begin, std::size_t end) {
    P total = P::zero();
    for (std::size_t o = begin; o < end; o++) {
      P part = P::zero();
      for (std::size_t x = 0; x < inner; x += Lanes::count)
        part = part + P::load(f.data() + o * inner + x, f.stride()) *
                          P::load(eq.inner.data() + x, eq.inner.stride());
      total = total + part * P::all(eq.outer[o]);
    }
    return total.sum();
  });
}

// w[x] += scale eq(point, x).
template <class F, int D>
void add_eq(Planes<D>& w, std::span<const Ext31<F, D>> point, const Ext31<F, D>& scale) {
  using P = PackedExt<F, D>;
  const SplitEq<F, D> eq(point, scale);
  const std::size_t inner = eq.inner.size();
  if (inner < std::size_t(Lanes::count)) {
    for (std::size_t x = 0; x < inner; x++)
      w.set(x, w.template get<F>(x) + eq.inner.template get<F>(x) * eq.outer[0]);
    return;
  }
  parallel_for(eq.outer.size(), 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t o = begin; o < end; o++) {
      const P factor = P::all(eq.outer[o]);
      for (std::size_t x = 0; x < inner; x += Lanes::count) {
        u32* at = w.data() + o * inner + x;
        (P::load(at, w.stride()) + P::load(eq.inner.data() + x, eq.inner.stride()) * factor)
            .store(at, w.stride());
      }
    }
  });
}

// out[x] = sum of e[b] columns[b][x]: base columns of out.size() values bound to one extension vector.
template <class F, int D>
void bind_columns(const u32* columns, std::span<const Ext31<F, D>> e, Planes<D>& out) {
  using E = Ext31<F, D>;
  const std::size_t size = out.size();
  if (size < std::size_t(Lanes::count)) {
    for (std::size_t x = 0; x < size; x++) {
      E sum;
      for (std::size_t b = 0; b < e.size(); b++) sum += e[b] * F::raw(columns[b * size + x]);
      out.set(x, sum);
    }
    return;
  }
  parallel_for(size / Lanes::count, 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t x = begin * Lanes::count; x < end * Lanes::count; x += Lanes::count) {
      PackedSum<F> sums[D];
      for (std::size_t b = 0; b < e.size(); b++) {
        const Lanes v = Lanes::load(columns + b * size + x), v_odd = v.odd();
        for (int d = 0; d < D; d++) {
          const Lanes s = Lanes::all(e[b].c[std::size_t(d)].montgomery());
          sums[d].add(v, v_odd, s, s);
        }
        if (b % 2 == 1)
          for (int d = 0; d < D; d++) sums[d].settle();
      }
      for (int d = 0; d < D; d++) sums[d].value().store(out.data() + std::size_t(d) * out.stride() + x);
    }
  });
}

template <class E>
struct RoundSums {
  E at_zero, leading;
  RoundSums& operator+=(const RoundSums& o) {
    at_zero += o.at_zero, leading += o.leading;
    return *this;
  }
};

// Cells 2x.. or x.., x + half..: the two values that a round pairs, for a vector of x.
template <class F, int D, FoldOrder order>
VOUCH_INLINE void load_pair(const Planes<D>& t, std::size_t half, std::size_t x, PackedExt<F, D>& low,
                            PackedExt<F, D>& high) {
  if constexpr (order == FoldOrder::prefix) {
    low = PackedExt<F, D>::load(t.data() + x, t.stride());
    high = PackedExt<F, D>::load(t.data() + half + x, t.stride());
  } else {
    for (int d = 0; d < D; d++) {
      const u32* p = t.data() + std::size_t(d) * t.stride() + 2 * x;
      Lanes::unzip(Lanes::load(p), Lanes::load(p + Lanes::count), low.c[d].v, high.c[d].v);
    }
  }
}

template <class F, int D, FoldOrder order>
RoundSums<Ext31<F, D>> round_sums(const Planes<D>& f, const Planes<D>& w) {
  using E = Ext31<F, D>;
  using P = PackedExt<F, D>;
  const std::size_t half = f.size() / 2;
  RoundSums<E> r;
  if (half < std::size_t(Lanes::count)) {
    for (std::size_t x = 0; x < half; x++) {
      const std::size_t l = order == FoldOrder::prefix ? x : 2 * x,
                        h = order == FoldOrder::prefix ? x + half : 2 * x + 1;
      const E fl = f.template get<F>(l), wl = w.template get<F>(l);
      r.at_zero += fl * wl;
      r.leading += (f.template get<F>(h) - fl) * (w.template get<F>(h) - wl);
    }
    return r;
  }
  return parallel_sum<RoundSums<E>>(half / Lanes::count, 64, [&](std::size_t begin, std::size_t end) {
    P zero = P::zero(), lead = P::zero();
    for (std::size_t x = begin * Lanes::count; x < end * Lanes::count; x += Lanes::count) {
      P fl, fh, wl, wh;
      load_pair<F, D, order>(f, half, x, fl, fh);
      load_pair<F, D, order>(w, half, x, wl, wh);
      zero = zero + fl * wl;
      lead = lead + (fh - fl) * (wh - wl);
    }
    return RoundSums<E>{zero.sum(), lead.sum()};
  });
}

// out[x] = low + r (high - low) for the first half of t's cells; out may be t in prefix order.
template <class F, int D, FoldOrder order>
void fold_into(const Planes<D>& t, const Ext31<F, D>& r, Planes<D>& out) {
  using P = PackedExt<F, D>;
  const std::size_t half = t.size() / 2;
  if (half < std::size_t(Lanes::count)) {
    for (std::size_t x = 0; x < half; x++) {
      const std::size_t l = order == FoldOrder::prefix ? x : 2 * x,
                        h = order == FoldOrder::prefix ? x + half : 2 * x + 1;
      const Ext31<F, D> low = t.template get<F>(l);
      out.set(x, low + r * (t.template get<F>(h) - low));
    }
    return;
  }
  parallel_for(half / Lanes::count, 64, [&](std::size_t begin, std::size_t end) {
    const P factor = P::all(r);
    for (std::size_t x = begin * Lanes::count; x < end * Lanes::count; x += Lanes::count) {
      P low, high;
      load_pair<F, D, order>(t, half, x, low, high);
      (low + (high - low) * factor).store(out.data() + x, out.stride());
    }
  });
}
template <class F, int D>
void fold_prefix(Planes<D>& t, const Ext31<F, D>& r) {
  fold_into<F, D, FoldOrder::prefix>(t, r, t);
  t.shrink(t.size() / 2);
}
// In suffix order a cell's place belongs to other cells' sources, so a second array is needed; the two swap
// roles.
template <class F, int D>
void fold_suffix(Planes<D>& t, Planes<D>& spare, const Ext31<F, D>& r) {
  const std::size_t half = t.size() / 2;
  if (spare.capacity() < half) spare = Planes<D>(half);
  spare.shrink(half);
  fold_into<F, D, FoldOrder::suffix>(t, r, spare);
  std::swap(t, spare);
}
