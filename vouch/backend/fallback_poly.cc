// From a device to the processor, for WHIR: see fallback_poly.h.
#include "vouch/backend/fallback_poly.h"

#include <algorithm>
#include <variant>

namespace vouch {
namespace {

template <class F, int D>
struct Places {
  std::unique_ptr<PolyOps<F, D>> device, cpu;
  Trust trust;

  Places(std::unique_ptr<PolyOps<F, D>> on_device, std::unique_ptr<PolyOps<F, D>> on_cpu, Warn warn)
      : device(std::move(on_device)), cpu(std::move(on_cpu)), trust(device->info(), std::move(warn)) {}
};

// Everything an instance was asked that later answers depend on.
template <class F, int D>
class History {
 public:
  using E = Ext31<F, D>;
  using Instance = PolyInstance<F, D>;
  struct Claim {
    std::vector<E> point;
    bool next;
    std::vector<Slot> slots;
    std::vector<E> answer;
  };
  struct Combine {
    std::vector<E> coefficients;
  };
  struct Powers {
    std::vector<F> z;
    std::vector<E> coefficients;
  };
  struct Round {
    typename Instance::Round answer;
  };
  struct Fold {
    E r;
  };
  using Event = std::variant<Claim, Combine, Powers, Round, Fold>;

  History(std::vector<F> f, FoldOrder order, int first_rounds)
      : f_(std::move(f)), order_(order), first_rounds_(first_rounds) {}

  void add(Event event) { events_.push_back(std::move(event)); }
  std::size_t size() const { return events_.size(); }

  // An instance made by `ops` that has been through the first `count` events.
  Result<std::unique_ptr<Instance>> replay(PolyOps<F, D>& ops, std::size_t count) const {
    VOUCH_TRY(std::unique_ptr<Instance> instance, ops.start(f_, order_, first_rounds_));
    for (std::size_t i = 0; i < count; i++)
      VOUCH_CHECK(std::visit([&](const auto& event) { return again(*instance, event); }, events_[i]));
    return instance;
  }

  static Error differs(const char* what) {
    return {Code::device, std::string("the device has failed, and before that computed ") + what +
                              " wrongly: the proof cannot be completed"};
  }

 private:
  static Status again(Instance& on, const Claim& e) {
    VOUCH_TRY(const std::vector<E> answer, on.claim({e.point, e.next, e.slots}));
    return answer == e.answer ? ok() : Status(differs("a claim"));
  }
  static Status again(Instance& on, const Combine& e) { return on.combine(e.coefficients); }
  static Status again(Instance& on, const Powers& e) { return on.add_powers(e.z, e.coefficients); }
  static Status again(Instance& on, const Round& e) {
    VOUCH_TRY(const auto round, on.round());
    const bool same = round.at_zero == e.answer.at_zero && round.leading == e.answer.leading;
    return same ? ok() : Status(differs("a sumcheck round"));
  }
  static Status again(Instance& on, const Fold& e) { return on.fold(e.r); }

  std::vector<F> f_;
  FoldOrder order_;
  int first_rounds_;
  std::vector<Event> events_;
};

template <class F, int D>
class FallbackCodeword final : public Codeword<F> {
 public:
  FallbackCodeword(std::unique_ptr<Codeword<F>> made, Places<F, D>& places,
                   std::shared_ptr<const History<F, D>> history, const EncodeShape& shape,
                   const MerkleHash<F>& hash)
      : made_(std::move(made)),
        places_(places),
        history_(std::move(history)),
        at_(history_->size()),
        shape_(shape),
        hash_(hash) {}

  std::span<const Digest<F>> cap() const override { return made_->cap(); }
  std::size_t rows() const override { return made_->rows(); }
  std::size_t row_words() const override { return made_->row_words(); }
  std::uint64_t permutations() const override { return made_->permutations(); }
  Result<typename Codeword<F>::Opening> open(std::span<const std::size_t> indices) const override {
    if (again_) return again_->open(indices);
    using Opening = Result<typename Codeword<F>::Opening>;
    return places_.trust.attempt(
        "opening a codeword", [&] { return made_->open(indices); },
        [&]() -> Opening {
          VOUCH_CHECK(make_again());
          return again_->open(indices);
        });
  }

 private:
  Status make_again() const {
    VOUCH_TRY(const auto instance, history_->replay(*places_.cpu, at_));
    VOUCH_TRY(again_, instance->encode(shape_, hash_));
    const auto a = cap(), b = again_->cap();
    if (std::equal(a.begin(), a.end(), b.begin(), b.end())) return ok();
    return History<F, D>::differs("a commitment");
  }

  const std::unique_ptr<Codeword<F>> made_;
  Places<F, D>& places_;
  const std::shared_ptr<const History<F, D>> history_;
  const std::size_t at_;  // the events before this codeword
  const EncodeShape shape_;
  const MerkleHash<F> hash_;
  mutable std::unique_ptr<Codeword<F>> again_;  // by the processor
};

template <class F, int D>
class FallbackInstance final : public PolyInstance<F, D> {
  using Base = PolyInstance<F, D>;
  using Past = History<F, D>;

 public:
  using E = Ext31<F, D>;
  FallbackInstance(std::unique_ptr<Base> on_device, Places<F, D>& places, std::shared_ptr<Past> history)
      : current_(std::move(on_device)), places_(places), history_(std::move(history)) {}

  int variables() const override { return current_ ? current_->variables() : variables_; }
  const PolyTimes& times() const override { return current_ ? current_->times() : times_; }

  Result<std::unique_ptr<Codeword<F>>> encode(const EncodeShape& shape, const MerkleHash<F>& hash) override {
    VOUCH_TRY(auto made, attempt("encoding", [&](Base& on) { return on.encode(shape, hash); }));
    if (on_cpu_) return made;
    return std::unique_ptr<Codeword<F>>(
        new FallbackCodeword<F, D>(std::move(made), places_, history_, shape, hash));
  }
  Result<std::vector<E>> claim(const ClaimBatch<E>& batch) override {
    VOUCH_TRY(std::vector<E> answer, attempt("a claim", [&](Base& on) { return on.claim(batch); }));
    history_->add(typename Past::Claim{{batch.point.begin(), batch.point.end()},
                                       batch.next,
                                       {batch.slots.begin(), batch.slots.end()},
                                       answer});
    return answer;
  }
  Status combine(std::span<const E> c) override {
    VOUCH_CHECK(attempt("combining claims", [&](Base& on) { return on.combine(c); }));
    history_->add(typename Past::Combine{{c.begin(), c.end()}});
    return ok();
  }
  Status add_powers(std::span<const F> z, std::span<const E> c) override {
    VOUCH_CHECK(attempt("adding weights", [&](Base& on) { return on.add_powers(z, c); }));
    history_->add(typename Past::Powers{{z.begin(), z.end()}, {c.begin(), c.end()}});
    return ok();
  }
  Result<typename Base::Round> round() override {
    VOUCH_TRY(const auto answer, attempt("a sumcheck round", [](Base& on) { return on.round(); }));
    history_->add(typename Past::Round{answer});
    return answer;
  }
  Status fold(const E& r) override {
    VOUCH_CHECK(attempt("folding", [&](Base& on) { return on.fold(r); }));
    history_->add(typename Past::Fold{r});
    return ok();
  }
  Result<std::vector<E>> values() override {
    return attempt("reading the values", [](Base& on) { return on.values(); });
  }

 private:
  template <class Operation>
  auto attempt(const char* what, Operation&& operation) -> decltype(operation(std::declval<Base&>())) {
    if (on_cpu_) return operation(*current_);
    return places_.trust.attempt(
        what, [&] { return operation(*current_); },
        [&]() -> decltype(operation(*current_)) {
          VOUCH_CHECK(start_again(*places_.cpu));
          on_cpu_ = true;
          return operation(*current_);
        },
        [&] { return start_again(*places_.device); });
  }

  // The instance may have done a part of what failed. It goes first: a device may have no room for two.
  Status start_again(PolyOps<F, D>& where) {
    variables_ = variables(), times_ = times();
    current_.reset();
    VOUCH_TRY(current_, history_->replay(where, history_->size()));
    return ok();
  }

  std::unique_ptr<Base> current_;  // null: it failed, and none could be made in its place
  int variables_ = 0;              // of the last there was
  PolyTimes times_;
  Places<F, D>& places_;
  const std::shared_ptr<Past> history_;
  bool on_cpu_ = false;
};

template <class F, int D>
class FallbackOps final : public PolyOps<F, D> {
 public:
  FallbackOps(std::unique_ptr<PolyOps<F, D>> device, std::unique_ptr<PolyOps<F, D>> cpu, Warn warn)
      : places_(std::move(device), std::move(cpu), std::move(warn)) {}

  Backend::Info info() const override {
    return (places_.trust.lost() ? places_.cpu : places_.device)->info();
  }

  std::uint64_t memory() const override { return places_.trust.lost() ? 0 : places_.device->memory(); }

  std::uint64_t largest_buffer() const override {
    return places_.trust.lost() ? 0 : places_.device->largest_buffer();
  }
  DeviceUse use() const override { return places_.device->use(); }

  Result<std::unique_ptr<PolyInstance<F, D>>> start(std::vector<F> f, FoldOrder order,
                                                    int first_rounds) override {
    using Started = Result<std::unique_ptr<PolyInstance<F, D>>>;
    return places_.trust.attempt(
        "taking the polynomial",
        [&]() -> Started {
          VOUCH_TRY(auto on_device, places_.device->start(f, order, first_rounds));
          auto history = std::make_shared<History<F, D>>(std::move(f), order, first_rounds);
          return Started(
              std::make_unique<FallbackInstance<F, D>>(std::move(on_device), places_, std::move(history)));
        },
        [&] { return places_.cpu->start(std::move(f), order, first_rounds); });
  }

  Result<F> grind(const GrindJob<F>& job) override {
    return places_.trust.attempt(
        "the search for proof of work", [&] { return places_.device->grind(job); },
        [&] { return places_.cpu->grind(job); });
  }

 private:
  Places<F, D> places_;
};

}  // namespace

template <class F, int D>
std::unique_ptr<PolyOps<F, D>> with_fallback(std::unique_ptr<PolyOps<F, D>> device,
                                             std::unique_ptr<PolyOps<F, D>> cpu, Warn warn) {
  return std::make_unique<FallbackOps<F, D>>(std::move(device), std::move(cpu), std::move(warn));
}
#define VOUCH_WITH_FALLBACK(F, D)                                                       \
  template std::unique_ptr<PolyOps<F, D>> with_fallback(std::unique_ptr<PolyOps<F, D>>, \
                                                        std::unique_ptr<PolyOps<F, D>>, Warn);
VOUCH_WITH_FALLBACK(BabyBear, 4)
VOUCH_WITH_FALLBACK(BabyBear, 5)
VOUCH_WITH_FALLBACK(KoalaBear, 4)
VOUCH_WITH_FALLBACK(KoalaBear, 5)
#undef VOUCH_WITH_FALLBACK

}  // namespace vouch
