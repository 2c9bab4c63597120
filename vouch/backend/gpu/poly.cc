// PolyOps on a device.
//
// First f is in the base field, nothing is expanded, and rounds are made on the host from short vectors
// (poly_terms.h). After the last of them f is bound on the device. A later fold is put off until the next
// step: the next round's sums are made in the same pass. W is not there before a round needs it; until then
// it is a list of terms.
#include "vouch/backend/gpu/poly.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "vouch/backend/gpu/codeword.h"
#include "vouch/backend/gpu/grind.h"
#include "vouch/backend/gpu/metered.h"
#include "vouch/backend/gpu/poly_steps.h"
#include "vouch/backend/gpu/rates.h"
#include "vouch/core/progress.h"

namespace vouch::gpu {
namespace {

// The device, what encoding keeps on it, and the turn that instances and codewords take.
template <class F>
struct PolyPlace : PolyDevice {
  PolyPlace(std::unique_ptr<Device> d, bool fused) : PolyDevice(std::move(d)) { tables.fused = fused; }
  Tables31<F> tables{*device, turn};
};

template <class F, int D>
class GpuInstance final : public PolyInstance<F, D> {
 public:
  using E = Ext31<F, D>;
  using Round = typename PolyInstance<F, D>::Round;
  using Steps = PolySteps<F, D>;
  using Terms = std::vector<Term<F, D>>;

  GpuInstance(std::shared_ptr<PolyPlace<F>> place, Buffer f, int variables, FoldOrder order, int first_rounds)
      : place_(std::move(place)),
        steps_(*place_),
        order_(order),
        size_(variables),
        variables_(variables),
        early_bits_(std::clamp(first_rounds, std::min(variables, 1), variables)),
        base_(std::move(f)) {}
  ~GpuInstance() override {
    const std::scoped_lock turn(place_->turn);
    for (Buffer* b : {&base_, &f_.words, &w_.words, &f_spare_, &w_spare_}) *b = Buffer();
  }

  int variables() const override { return variables_; }
  const PolyTimes& times() const override { return times_; }

  Result<std::unique_ptr<Codeword<F>>> encode(const EncodeShape& shape, const MerkleHash<F>& hash) override;
  Result<std::vector<E>> claim(const ClaimBatch<E>& batch) override;
  Status combine(std::span<const E> coefficients) override;
  Status add_powers(std::span<const F> z, std::span<const E> coefficients) override;
  Result<Round> round() override;
  Status fold(const E& r) override;
  Result<std::vector<E>> values() override;

 private:
  bool early() const {
    return bool(base_) &&
           (size_ == 0 || int(challenges_.size()) < early_bits_);  // of one value there is no fold
  }
  bool prefix() const { return order_ == FoldOrder::prefix; }
  // Before the first fold, or with f_ as it stands; between the early folds there is no such f.
  Status settle();
  Status write_out();
  Status early_claims(const ClaimBatch<E>& batch, std::span<const Slot> slots, const std::vector<E>& eq,
                      std::shared_ptr<const std::vector<E>> y, std::vector<E>& values);
  Status late_claims(const ClaimBatch<E>& batch, std::span<const Slot> slots,
                     std::shared_ptr<const std::vector<E>> y, std::vector<E>& values);
  Status early_power(F z, const E& coefficient);
  bool weights_pending() const { return !w_ || !terms_.empty() || !z_.empty(); }
  Status record_weights(Batch& batch);
  Result<Round> device_round();

  std::shared_ptr<PolyPlace<F>> place_;
  Steps steps_;
  const FoldOrder order_;
  const int size_;  // variables at the start
  int variables_;
  const int early_bits_;  // how many rounds are made on the host
  PolyTimes times_;

  Buffer base_;                // f in the base field; freed once bound
  std::vector<E> challenges_;  // of the early rounds
  std::vector<Terms> pending_;
  Terms terms_;       // of W, not in w_ yet
  std::vector<F> z_;  // the same for powers
  std::vector<E> z_coefficients_;
  DeviceVector f_, w_;        // with one more variable while a fold is put off
  Buffer f_spare_, w_spare_;  // suffix order folds from one memory into another
  std::optional<E> put_off_;
};

template <class F, int D>
Status GpuInstance<F, D>::write_out() {
  std::vector<E> at = challenges_;
  if (!prefix()) std::reverse(at.begin(), at.end());
  VOUCH_TRY(f_, steps_.bind(base_, variables_, order_, eq_values<E>(at)));
  base_ = Buffer();
  Terms rest;
  for (Term<F, D>& t : terms_) {
    if (t.kind != TermKind::power) {
      rest.push_back(std::move(t));
      continue;
    }
    z_.push_back(t.z);
    z_coefficients_.push_back(t.u[0]);
  }
  terms_ = std::move(rest);
  return ok();
}

template <class F, int D>
Status GpuInstance<F, D>::settle() {
  if (early() && challenges_.empty()) return ok();
  if (early()) return Error{Code::internal, "whir: a polynomial is used between its first rounds"};
  if (base_) VOUCH_CHECK(write_out());
  if (!put_off_) return ok();
  f_spare_ = Buffer(), w_spare_ = Buffer();
  VOUCH_CHECK(steps_.fold({&f_, &w_}, order_, *put_off_));
  put_off_.reset();
  return ok();
}

template <class F, int D>
Result<std::unique_ptr<Codeword<F>>> GpuInstance<F, D>::encode(const EncodeShape& shape,
                                                               const MerkleHash<F>& hash) {
  const std::scoped_lock turn(place_->turn);
  VOUCH_CHECK(settle());
  return gpu_encode<F>(place_->tables, early() ? base_ : f_.words, variables_, early() ? 1 : D, order_, shape,
                       hash, times_);
}

// Columns (slot, b) for every slot and bound part b: neighbours in f side by side.
template <class F, int D>
Status GpuInstance<F, D>::early_claims(const ClaimBatch<E>& batch, std::span<const Slot> slots,
                                       const std::vector<E>& eq, std::shared_ptr<const std::vector<E>> y,
                                       std::vector<E>& values) {
  const std::size_t bound = eq.size(), count = slots.size();
  const int stride = slots[0].stride;
  std::vector<Terms> claims;
  for (const Slot& slot : slots)
    claims.push_back(early_terms<F, D>(batch.next, eq, slot, early_bits_, order_, y));

  typename Steps::DotJob job;
  job.factors = eq_factors<E>(*y);
  job.row_shift = prefix() ? stride : stride + early_bits_;
  if (prefix())
    job.log_lanes = stride == 0 ? 0 : std::min(int(std::bit_width(count - 1)), 6);
  else
    job.log_lanes = std::min(early_bits_, 8);
  job.plain = !batch.next || !prefix();
  job.shifted = batch.next;
  const auto column = [&](std::size_t s, std::size_t b) { return prefix() ? b * count + s : s * bound + b; };
  const std::uint64_t hop =
      prefix() ? std::uint64_t(1) << (variables_ - early_bits_) : std::uint64_t(1) << stride;
  job.columns.resize(count * bound);
  for (std::size_t s = 0; s < count; s++)
    for (std::size_t b = 0; b < bound; b++) job.columns[column(s, b)] = slots[s].offset + b * hop;
  for (const Terms& claim : claims)
    for (const Term<F, D>& t : claim)
      for (std::size_t b = 0; b < bound && t.kind == TermKind::cell; b++)
        job.cells.push_back(job.columns[column(std::size_t(&claim - claims.data()), b)] +
                            (std::uint64_t(t.cell) << job.row_shift));
  VOUCH_TRY(const auto dots, steps_.dots(base_, job));

  std::size_t cell = 0;
  for (std::size_t s = 0; s < count; s++) {
    E value;
    for (Term<F, D>& t : claims[s]) {
      for (std::size_t b = 0; b < bound; b++) {
        t.r.push_back(t.kind == TermKind::cell      ? dots.cells[cell++]
                      : t.kind == TermKind::shifted ? dots.shifted[column(s, b)]
                                                    : dots.plain[column(s, b)]);
        value += t.u[b] * t.r[b];
      }
    }
    values.push_back(value);
    pending_.push_back(std::move(claims[s]));
  }
  return ok();
}

template <class F, int D>
Status GpuInstance<F, D>::late_claims(const ClaimBatch<E>& batch, std::span<const Slot> slots,
                                      std::shared_ptr<const std::vector<E>> y, std::vector<E>& values) {
  typename Steps::DotJob job;
  job.factors = eq_factors<E>(*y);
  job.row_shift = slots[0].stride;
  job.log_lanes = job.row_shift == 0 ? 0 : std::min(int(std::bit_width(slots.size() - 1)), 6);
  job.plain = !batch.next;
  job.shifted = batch.next;
  job.extension = true;
  const std::uint64_t last = ((std::uint64_t(1) << y->size()) - 1) << job.row_shift;
  for (const Slot& slot : slots) {
    job.columns.push_back(slot.offset);
    if (batch.next) job.cells.push_back(slot.offset + last);
  }
  VOUCH_TRY(const auto dots, steps_.dots(f_.words, job));
  for (std::size_t s = 0; s < slots.size(); s++) {
    pending_.push_back(late_terms<F, D>(batch.next, slots[s], y));
    values.push_back(batch.next ? dots.shifted[s] + pending_.back()[1].u[0] * dots.cells[s] : dots.plain[s]);
  }
  return ok();
}

template <class F, int D>
auto GpuInstance<F, D>::claim(const ClaimBatch<E>& batch) -> Result<std::vector<E>> {
  const std::scoped_lock turn(place_->turn);
  const Stopwatch watch;
  VOUCH_CHECK(settle());
  std::span<const E> rest = batch.point, bound;
  if (early()) {
    const std::size_t bits = std::size_t(early_bits_), others = batch.point.size() - bits;
    bound = prefix() ? batch.point.first(bits) : batch.point.last(bits);
    rest = prefix() ? batch.point.last(others) : batch.point.first(others);
  }
  const auto y = std::make_shared<const std::vector<E>>(rest.begin(), rest.end());
  const std::vector<E> eq = eq_values<E>(bound);
  std::vector<E> values;
  for (std::size_t i = 0, end = 0; i < batch.slots.size(); i = end) {  // slots of one stride at a time
    while (end < batch.slots.size() && batch.slots[end].stride == batch.slots[i].stride) end++;
    const auto slots = batch.slots.subspan(i, end - i);
    VOUCH_CHECK(early() ? early_claims(batch, slots, eq, y, values) : late_claims(batch, slots, y, values));
  }
  times_.claims += watch.seconds();
  return values;
}

template <class F, int D>
Status GpuInstance<F, D>::combine(std::span<const E> coefficients) {
  for (std::size_t i = 0; i < pending_.size(); i++)
    for (Term<F, D>& t : pending_[i]) {
      for (E& u : t.u) u *= coefficients[i];
      terms_.push_back(std::move(t));
    }
  pending_.clear();
  return ok();
}

// z^x is a tensor too: the factor of an index bit is 1, or z to its weight.
template <class F, int D>
Status GpuInstance<F, D>::early_power(F z, const E& coefficient) {
  const int rest = variables_ - early_bits_;
  const std::size_t bound = std::size_t(1) << early_bits_;
  const F z_bound = prefix() ? z.pow(std::uint64_t(1) << rest) : z;
  Term<F, D> t;
  t.kind = TermKind::power;
  t.z = prefix() ? z : z.pow(bound);
  t.u.push_back(coefficient);
  while (t.u.size() < bound) t.u.push_back(t.u.back() * z_bound);
  typename Steps::DotJob job;
  for (int c = rest; c-- > 0;)
    job.factors.push_back(E::one()), job.factors.push_back(E(t.z.pow(std::uint64_t(1) << c)));
  job.row_shift = prefix() ? 0 : early_bits_;
  job.log_lanes = prefix() ? 0 : std::min(early_bits_, 8);
  for (std::size_t b = 0; b < bound; b++) job.columns.push_back(prefix() ? b << rest : b);
  VOUCH_TRY(auto dots, steps_.dots(base_, job));
  t.r = std::move(dots.plain);
  terms_.push_back(std::move(t));
  return ok();
}

template <class F, int D>
Status GpuInstance<F, D>::add_powers(std::span<const F> z, std::span<const E> coefficients) {
  const std::scoped_lock turn(place_->turn);
  const Stopwatch watch;
  VOUCH_CHECK(settle());
  for (std::size_t i = 0; i < z.size(); i++) {
    if (early()) {
      VOUCH_CHECK(early_power(z[i], coefficients[i]));
      continue;
    }
    z_.push_back(z[i]);
    z_coefficients_.push_back(coefficients[i]);
  }
  times_.weights += watch.seconds();
  return ok();
}

template <class F, int D>
Status GpuInstance<F, D>::record_weights(Batch& batch) {
  const bool set = !w_;
  if (set) {
    VOUCH_TRY(w_, steps_.allocate(f_.log_size));
  }
  VOUCH_CHECK(steps_.add_weights(batch, w_, set, terms_, z_, z_coefficients_));
  terms_.clear(), z_.clear(), z_coefficients_.clear();
  return ok();
}

template <class F, int D>
auto GpuInstance<F, D>::device_round() -> Result<Round> {
  if (base_ || weights_pending()) {
    VOUCH_CHECK(settle());
    Batch batch;
    VOUCH_CHECK(record_weights(batch));
    return steps_.round(std::move(batch), f_, w_, order_, nullptr, nullptr, nullptr);
  }
  if (!put_off_) return steps_.round({}, f_, w_, order_, nullptr, nullptr, nullptr);
  if (!prefix() && !f_spare_) {
    const std::size_t half = Steps::element_bytes << variables_;
    VOUCH_TRY(f_spare_, place_->device->allocate(half));
    VOUCH_TRY(w_spare_, place_->device->allocate(half));
  }
  const Buffer &f_out = prefix() ? f_.words : f_spare_, &w_out = prefix() ? w_.words : w_spare_;
  VOUCH_TRY(const Round sums, steps_.round({}, f_, w_, order_, &*put_off_, &f_out, &w_out));
  if (!prefix()) std::swap(f_.words, f_spare_), std::swap(w_.words, w_spare_);
  f_.log_size = w_.log_size = variables_;
  put_off_.reset();
  return sums;
}

template <class F, int D>
auto GpuInstance<F, D>::round() -> Result<Round> {
  const Stopwatch watch;
  if (variables_ == 0) return Round{};
  if (early()) {
    const Round sums = short_round(terms_, order_);
    times_.sumcheck += watch.seconds();
    return sums;
  }
  const std::scoped_lock turn(place_->turn);
  const bool weighs = weights_pending();  // the round that writes W out counts as weights
  VOUCH_TRY(const Round sums, device_round());
  (weighs ? times_.weights : times_.sumcheck) += watch.seconds();
  return sums;
}

template <class F, int D>
Status GpuInstance<F, D>::fold(const E& r) {
  const Stopwatch watch;
  if (early()) {
    challenges_.push_back(r);
    short_fold(terms_, order_, r);
  } else {
    const std::scoped_lock turn(place_->turn);
    if (base_ || put_off_ || weights_pending()) {  // a fold without a round before it
      VOUCH_CHECK(settle());
      Batch batch;
      VOUCH_CHECK(record_weights(batch));
      VOUCH_CHECK(place_->device->run(batch));
    }
    put_off_ = r;
  }
  variables_--;
  if (put_off_ && !place_->tables.fused) {
    const std::scoped_lock turn(place_->turn);
    VOUCH_CHECK(settle());
  }
  times_.sumcheck += watch.seconds();
  return ok();
}

template <class F, int D>
auto GpuInstance<F, D>::values() -> Result<std::vector<E>> {
  const std::scoped_lock turn(place_->turn);
  VOUCH_CHECK(settle());
  std::vector<E> values(std::size_t(1) << variables_);
  if (!early()) {
    VOUCH_CHECK(place_->device->download(
        {reinterpret_cast<std::uint8_t*>(values.data()), values.size() * sizeof(E)}, f_.words, 0));
    return values;
  }
  std::vector<F> base(values.size());
  VOUCH_CHECK(place_->device->download(
      {reinterpret_cast<std::uint8_t*>(base.data()), base.size() * sizeof(F)}, base_, 0));
  for (std::size_t i = 0; i < base.size(); i++) values[i] = E(base[i]);
  return values;
}

template <class F, int D>
class GpuPolyOps final : public PolyOps<F, D> {
 public:
  GpuPolyOps(std::unique_ptr<Device> device, PolyWork<F, D> work)
      : place_(std::make_shared<PolyPlace<F>>(std::move(device), work.fused)), work_(std::move(work)) {}
  Backend::Info info() const override {
    const DeviceInfo d = place_->device->info();
    return {d.id, d.name, int(d.units), true};
  }
  std::uint64_t memory() const override { return place_->device->info().memory; }
  std::uint64_t largest_buffer() const override { return place_->device->info().largest_buffer; }
  DeviceUse use() const override {
    const std::scoped_lock turn(place_->turn);
    return work_.use ? *work_.use : DeviceUse{};
  }
  Result<std::unique_ptr<PolyInstance<F, D>>> start(std::vector<F> f, FoldOrder order,
                                                    int first_rounds) override {
    const std::scoped_lock turn(place_->turn);
    const std::size_t bytes = f.size() * sizeof(F);
    VOUCH_TRY(Buffer base, place_->device->allocate(bytes));
    VOUCH_CHECK(place_->device->upload(base, 0, {reinterpret_cast<const std::uint8_t*>(f.data()), bytes}));
    return std::unique_ptr<PolyInstance<F, D>>(
        new GpuInstance<F, D>(place_, std::move(base), std::countr_zero(f.size()), order, first_rounds));
  }
  Result<F> grind(const GrindJob<F>& job) override {
    if (work_.grinder) return work_.grinder->grind(job);
    const std::scoped_lock turn(place_->turn);
    return gpu_grind<F>(place_->tables, job);
  }

 private:
  std::shared_ptr<PolyPlace<F>> place_;
  const PolyWork<F, D> work_;
};

}  // namespace

template <class F, int D>
std::unique_ptr<PolyOps<F, D>> make_poly(std::unique_ptr<Device> device, PolyWork<F, D> work) {
  return std::make_unique<GpuPolyOps<F, D>>(std::move(device), std::move(work));
}

template <class F, int D>
Result<std::unique_ptr<PolyOps<F, D>>> make_poly(std::unique_ptr<Device> device,
                                                 const BackendOptions& options) {
  PolyWork<F, D> work;
  work.fused = options.device_mode != DeviceMode::operations;
  if (options.device_mode != DeviceMode::fused_grind) {
    VOUCH_TRY(work.grinder, (open_poly<F, D>("cpu", options)));
  }
  if (options.device_account || !work.fused) {
    const auto use = std::make_shared<DeviceUse>();
    if (options.device_account) {
      VOUCH_TRY(use->copy_rate, copy_rate(*device, copied_bytes(device->info())));
      VOUCH_TRY(use->product_rate, product31_rate(*device));
    }
    work.use = use;
    device = std::make_unique<MeteredDevice>(std::move(device), use, !work.fused);
  }
  return make_poly<F, D>(std::move(device), std::move(work));
}

#define VOUCH_MAKE_POLY(F, D)                                                                 \
  template std::unique_ptr<PolyOps<F, D>> make_poly(std::unique_ptr<Device>, PolyWork<F, D>); \
  template Result<std::unique_ptr<PolyOps<F, D>>> make_poly<F, D>(std::unique_ptr<Device>,    \
                                                                  const BackendOptions&);
VOUCH_MAKE_POLY(BabyBear, 4)
VOUCH_MAKE_POLY(BabyBear, 5)
VOUCH_MAKE_POLY(KoalaBear, 4)
VOUCH_MAKE_POLY(KoalaBear, 5)
#undef VOUCH_MAKE_POLY

}  // namespace vouch::gpu
