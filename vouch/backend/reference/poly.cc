// The WHIR operations in their plainest form.
#include "vouch/backend/reference/poly.h"

#include <bit>
#include <utility>

namespace vouch::reference {

template <class F>
std::vector<F> dft(std::vector<F> in) {
  if (in.size() == 1) return in;
  std::vector<F> even, odd;
  for (std::size_t i = 0; i < in.size(); i += 2) even.push_back(in[i]), odd.push_back(in[i + 1]);
  even = dft(std::move(even)), odd = dft(std::move(odd));
  const F w = F::root_of_unity(std::countr_zero(in.size()));
  F power = F::one();
  for (std::size_t i = 0; i < even.size(); i++, power *= w) {
    in[i] = even[i] + power * odd[i];
    in[i + even.size()] = even[i] - power * odd[i];
  }
  return in;
}
template std::vector<BabyBear> dft(std::vector<BabyBear>);
template std::vector<KoalaBear> dft(std::vector<KoalaBear>);

namespace {

template <class F>
class PlainCodeword final : public Codeword<F> {
 public:
  PlainCodeword(std::vector<std::vector<F>> rows, const MerkleHash<F>& hash, int cap_height)
      : rows_(std::move(rows)) {
    std::vector<Digest<F>> leaves;
    for (const auto& row : rows_) leaves.push_back(hash.leaf(row));
    tree_ = MerkleTree<F>::build(hash, std::move(leaves), cap_height);
    const std::size_t rate = std::size_t(hash.leaf_rate());
    permutations_ = rows_.size() * ((row_words() + rate - 1) / rate);
    for (std::size_t l = 0; l + 1 < tree_.shape.sizes.size(); l++)
      permutations_ += tree_.shape.sizes[l] / std::size_t(tree_.shape.arity);
  }
  std::span<const Digest<F>> cap() const override { return tree_.cap(); }
  std::size_t rows() const override { return rows_.size(); }
  std::size_t row_words() const override { return rows_[0].size(); }
  std::uint64_t permutations() const override { return permutations_; }
  Result<typename Codeword<F>::Opening> open(std::span<const std::size_t> indices) const override {
    typename Codeword<F>::Opening o;
    for (const std::size_t i : indices) o.rows.insert(o.rows.end(), rows_[i].begin(), rows_[i].end());
    o.siblings = tree_.open(indices);
    return o;
  }

 private:
  std::vector<std::vector<F>> rows_;
  MerkleTree<F> tree_;
  std::uint64_t permutations_ = 0;
};

// The weights of one claim on the 2^arity cells of its column.
template <class E>
std::vector<E> weights(std::span<const E> point, bool next) {
  std::vector<E> t = {E::one()};
  for (const E& y : point) {
    std::vector<E> longer;
    for (const E& v : t) longer.push_back(v * (E::one() - y)), longer.push_back(v * y);
    t = std::move(longer);
  }
  if (!next) return t;
  std::vector<E> shifted(t.size());
  for (std::size_t i = 1; i < t.size(); i++) shifted[i] = t[i - 1];
  shifted.back() += t.back();
  return shifted;
}

template <class F, int D>
class PlainInstance final : public PolyInstance<F, D> {
 public:
  using E = Ext31<F, D>;
  using Round = typename PolyInstance<F, D>::Round;

  PlainInstance(const std::vector<F>& f, FoldOrder order) : order_(order), w_(f.size()) {
    for (const F x : f) f_.push_back(E(x));
  }
  int variables() const override { return std::countr_zero(f_.size()); }
  const PolyTimes& times() const override { return times_; }

  Result<std::unique_ptr<Codeword<F>>> encode(const EncodeShape& shape, const MerkleHash<F>& hash) override {
    const std::size_t columns = std::size_t(1) << shape.fold, in = f_.size() / columns;
    const int words = folded_ ? D : 1;  // base elements of one entry
    std::vector<std::vector<F>> rows(in << shape.log_inv_rate);
    for (std::size_t c = 0; c < columns; c++)
      for (int d = 0; d < words; d++) {
        std::vector<F> column(rows.size());
        for (std::size_t i = 0; i < in; i++)
          column[i] = f_[order_ == FoldOrder::prefix ? c * in + i : i * columns + c].c[d];
        column = dft(std::move(column));
        for (std::size_t j = 0; j < rows.size(); j++) rows[j].push_back(column[j]);
      }
    return std::unique_ptr<Codeword<F>>(new PlainCodeword<F>(std::move(rows), hash, shape.cap_height));
  }

  Result<std::vector<E>> claim(const ClaimBatch<E>& batch) override {
    const std::vector<E> w = weights(batch.point, batch.next);
    std::vector<E> sums;
    for (const Slot& slot : batch.slots) {
      E sum;
      for (std::size_t x = 0; x < w.size(); x++) sum += f_[slot.offset + (x << slot.stride)] * w[x];
      sums.push_back(sum);
      pending_.emplace_back(slot, w);
    }
    return sums;
  }

  Status combine(std::span<const E> coefficients) override {
    for (std::size_t i = 0; i < pending_.size(); i++) {
      const auto& [slot, w] = pending_[i];
      for (std::size_t x = 0; x < w.size(); x++)
        w_[slot.offset + (x << slot.stride)] += coefficients[i] * w[x];
    }
    pending_.clear();
    return ok();
  }

  Status add_powers(std::span<const F> z, std::span<const E> coefficients) override {
    for (std::size_t i = 0; i < z.size(); i++) {
      E term = coefficients[i];
      for (E& w : w_) w += term, term *= z[i];
    }
    return ok();
  }

  Result<Round> round() override {
    Round r;
    for (std::size_t x = 0; x < f_.size() / 2; x++) {
      r.at_zero += f_[low(x)] * w_[low(x)];
      r.leading += (f_[high(x)] - f_[low(x)]) * (w_[high(x)] - w_[low(x)]);
    }
    return r;
  }

  Status fold(const E& r) override {
    const auto bind = [&](const std::vector<E>& t) {
      std::vector<E> half(t.size() / 2);
      for (std::size_t x = 0; x < half.size(); x++) half[x] = t[low(x)] + r * (t[high(x)] - t[low(x)]);
      return half;
    };
    w_ = bind(w_);
    f_ = bind(f_);
    folded_ = true;
    return ok();
  }

  Result<std::vector<E>> values() override { return f_; }

 private:
  std::size_t low(std::size_t x) const { return order_ == FoldOrder::prefix ? x : 2 * x; }
  std::size_t high(std::size_t x) const {
    return order_ == FoldOrder::prefix ? x + f_.size() / 2 : 2 * x + 1;
  }

  FoldOrder order_;
  bool folded_ = false;  // f has left the base field
  std::vector<E> f_, w_;
  std::vector<std::pair<Slot, std::vector<E>>> pending_;
  PolyTimes times_;
};

template <class F, int D>
class PlainPolyOps final : public PolyOps<F, D> {
 public:
  Backend::Info info() const override { return {"reference", "plain C++", 1}; }
  Result<std::unique_ptr<PolyInstance<F, D>>> start(std::vector<F> f, FoldOrder order, int) override {
    return std::unique_ptr<PolyInstance<F, D>>(new PlainInstance<F, D>(f, order));
  }
  Result<F> grind(const GrindJob<F>& job) override {
    const std::uint32_t mask = (std::uint32_t(1) << job.bits) - 1;
    for (std::uint32_t w = 0; w < F::modulus; w++) {
      if (job.cancel && *job.cancel) return Error{Code::rejected, "grinding was cancelled"};
      auto state = job.state;
      state[std::size_t(job.position)] = F(w);
      job.permutation->permute(state);
      if ((state[7].to_int() & mask) == 0) return F(w);
    }
    return Error{Code::rejected, "grinding: no witness exists; use fewer bits"};
  }
};

}  // namespace

template <class F, int D>
std::unique_ptr<PolyOps<F, D>> open_poly() {
  return std::make_unique<PlainPolyOps<F, D>>();
}
template std::unique_ptr<PolyOps<BabyBear, 4>> open_poly();
template std::unique_ptr<PolyOps<BabyBear, 5>> open_poly();
template std::unique_ptr<PolyOps<KoalaBear, 4>> open_poly();
template std::unique_ptr<PolyOps<KoalaBear, 5>> open_poly();

}  // namespace vouch::reference
