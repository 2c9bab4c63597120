// The self-test: see known_answers.h.
#include "vouch/backend/known_answers.h"

#include "vouch/core/rng.h"

namespace vouch {
namespace {

using Fr = Bn254Fr;

Status wrong(const Backend::Info& info, const char* what) {
  return Error{Code::device, info.name + " (" + info.device + "): " + what + " came out wrong"};
}

std::vector<Fr> random_elements(InsecureTestRng& rng, std::size_t n) {
  std::vector<Fr> v(n);
  for (Fr& x : v) x = Fr(rng.next()) * Fr(rng.next()) * Fr(rng.next()) * Fr(rng.next());
  return v;
}

// 2^11 is the smallest transform that a device makes in two batches of levels.
Status check_transforms(Backend& backend, Backend& cpu, InsecureTestRng& rng) {
  const std::vector<Fr> in = random_elements(rng, std::size_t(1) << 11);
  for (const Direction direction : {Direction::forward, Direction::inverse}) {
    std::vector<Fr> expected = in, got = in;
    const Fr shift = Fr(rng.next());
    VOUCH_CHECK(cpu.ntt(expected, direction, shift));
    VOUCH_CHECK(backend.ntt(got, direction, shift));
    if (got != expected) return wrong(backend.info(), "a transform");
  }
  return ok();
}

Status check_quotient(Backend& backend, Backend& cpu, InsecureTestRng& rng, int log_n) {
  const std::size_t n = std::size_t(1) << log_n, records = 2 * n;
  const std::vector<Fr> values = random_elements(rng, records + 64);
  std::vector<UInt<4>> witness;
  for (std::size_t i = 0; i < 64; i++) witness.push_back(values[records + i].to_int());
  std::vector<std::uint8_t> bytes(44 * records);
  for (std::size_t i = 0; i < records; i++) {
    const std::uint32_t head[3] = {std::uint32_t(i & 1), std::uint32_t(i / 2),
                                   std::uint32_t(rng.next() % 64)};
    const auto value = values[i].montgomery();
    std::memcpy(&bytes[44 * i], head, sizeof head);
    std::memcpy(&bytes[44 * i + 12], &value, sizeof value);
  }
  const QuotientInput input{bytes.data(), records, reinterpret_cast<const std::uint8_t*>(witness.data()),
                            witness.size(), log_n};
  std::vector<UInt<4>> expected(n), got(n);
  VOUCH_CHECK(cpu.groth16_quotient(input, expected));
  VOUCH_CHECK(backend.groth16_quotient(input, got));
  return got == expected ? ok() : wrong(backend.info(), "a quotient");
}

// Multiples of the generator, with an infinity, repeats and opposites among them.
template <class C>
std::vector<typename C::Affine> sample_points(std::size_t n) {
  std::vector<typename C::Affine> points(n);
  auto p = C::Xyzz::from(C::generator());
  for (std::size_t i = 0; i < n; i++) {
    if (i >= 100) {
      points[i] = points[i % 100];
      continue;
    }
    points[i] = i == 3 ? C::Affine::infinity() : i % 16 == 9 ? -points[i - 1] : p.to_affine();
    if (i % 5) p += C::generator();
  }
  return points;
}

Status check_sums(Backend& backend, Backend& cpu, InsecureTestRng& rng) {
  constexpr std::size_t n = 1500, n2 = n;
  const auto g1 = sample_points<Bn254G1>(n);
  const auto g2 = sample_points<Bn254G2>(n2);
  std::vector<UInt<4>> scalars;
  for (const Fr& x : random_elements(rng, n)) scalars.push_back(x.to_int());
  scalars[0] = scalars[20] = UInt<4>::of(0);
  scalars[1] = scalars[21] = scalars[22] = UInt<4>::of(1);
  scalars[4] = (-Fr::one()).to_int();
  MsmSet set;
  const auto bytes = [](const auto& v) { return reinterpret_cast<const std::uint8_t*>(v.data()); };
  set.g1.push_back({bytes(g1), bytes(scalars), n});
  set.g2.push_back({bytes(g2), bytes(scalars), n2});
  // Held as a key's points are, so that a backend that makes tables of those uses them.
  const auto held = backend.hold({{bytes(g1), sizeof(g1[0]) * n}, {bytes(g2), sizeof(g2[0]) * n2}});
  VOUCH_TRY(const MsmSums expected, cpu.msm(set));
  VOUCH_TRY(const MsmSums got, backend.msm(set));
  if (got.g1 != expected.g1) return wrong(backend.info(), "a sum in G1");
  return got.g2 == expected.g2 ? ok() : wrong(backend.info(), "a sum in G2");
}

}  // namespace

Status check_known_answers(Backend& backend) {
  VOUCH_TRY(const auto cpu, open_backend("cpu"));
  InsecureTestRng rng(7);
  VOUCH_CHECK(check_transforms(backend, *cpu, rng));
  for (const int log_n : {4, 11})  // a device makes a small one in one batch of levels
    VOUCH_CHECK(check_quotient(backend, *cpu, rng, log_n));
  return check_sums(backend, *cpu, rng);
}

namespace {

template <class F>
F random_base(InsecureTestRng& rng) {
  return F(std::uint32_t(rng.next() >> 33) % F::modulus);
}
template <class E>
E random_ext(InsecureTestRng& rng) {
  E e;
  for (auto& c : e.c) c = random_base<typename E::Base>(rng);
  return e;
}

template <class F, int D>
struct PolyCheck {
  using E = Ext31<F, D>;
  static constexpr std::size_t powers = 20;
  PolyOps<F, D>& ops;
  std::unique_ptr<PolyInstance<F, D>> mine, cpu;
  InsecureTestRng rng{11};

  Status wrong_if(bool bad, const char* what) const { return bad ? wrong(ops.info(), what) : ok(); }

  Status encode(const EncodeShape& shape, const MerkleHash<F>& hash = {}) {
    VOUCH_TRY(const auto expected, cpu->encode(shape, hash));
    VOUCH_TRY(const auto got, mine->encode(shape, hash));
    const auto a = expected->cap(), b = got->cap();
    VOUCH_CHECK(wrong_if(!std::equal(a.begin(), a.end(), b.begin(), b.end()), "a commitment"));
    const std::size_t indices[] = {0, 5, expected->rows() - 1};
    VOUCH_TRY(const auto x, expected->open(indices));
    VOUCH_TRY(const auto y, got->open(indices));
    return wrong_if(x.rows != y.rows || x.siblings != y.siblings, "an opening");
  }
  Status constrain(int variables) {
    std::vector<E> point;
    for (int i = 0; i < variables; i++) point.push_back(random_ext<E>(rng));
    const Slot whole{0, 0};
    for (const bool next : {false, true}) {
      const ClaimBatch<E> batch{point, next, {&whole, 1}};
      VOUCH_TRY(const auto a, cpu->claim(batch));
      VOUCH_TRY(const auto b, mine->claim(batch));
      VOUCH_CHECK(wrong_if(a != b, "a claim"));
    }
    std::vector<E> coefficients(2 + powers);
    for (E& c : coefficients) c = random_ext<E>(rng);
    std::vector<F> z(powers);
    for (F& x : z) x = random_base<F>(rng);
    for (auto* one : {cpu.get(), mine.get()}) {
      VOUCH_CHECK(one->combine(std::span(coefficients).first(2)));
      VOUCH_CHECK(one->add_powers(z, std::span(coefficients).last(powers)));
    }
    return ok();
  }
  Status round() {
    VOUCH_TRY(const auto a, cpu->round());
    VOUCH_TRY(const auto b, mine->round());
    VOUCH_CHECK(wrong_if(!(a.at_zero == b.at_zero && a.leading == b.leading), "a sumcheck round"));
    const E r = random_ext<E>(rng);
    VOUCH_CHECK(cpu->fold(r));
    return mine->fold(r);
  }
  // A device may have no use for f between the first rounds.
  Status values() {
    VOUCH_TRY(const auto f, cpu->values());
    VOUCH_TRY(const auto g, mine->values());
    return wrong_if(f != g, "folding");
  }
  // The other hashes; then heights at which a device takes every number of levels in a pass through memory (1
  // to 5, or 3 and 3, before the last 12) and hashes four leaves at a time.
  Status encodings(SelfTest extent) {
    MerkleHash<F> wide, four;
    wide.p24 = &Poseidon2<F, 24>::standard();
    four.p32 = &Poseidon2<F, 32>::standard();
    VOUCH_CHECK(encode({.fold = 1, .log_inv_rate = 1}, wide));
    VOUCH_CHECK(encode({.fold = 2, .log_inv_rate = 1}, four));
    if (extent == SelfTest::brief) return ok();
    for (const int rate : {2, 3, 5, 6, 7}) VOUCH_CHECK(encode({.fold = 1, .log_inv_rate = rate}));
    return encode({.fold = 1, .log_inv_rate = 7}, wide);
  }
  // The smallest witness of 8 bits.
  Status grind(PolyOps<F, D>& on_cpu) {
    GrindJob<F> job;
    job.permutation = &Poseidon2<F, 16>::standard();
    for (F& x : job.state) x = random_base<F>(rng);
    job.bits = 8;
    VOUCH_TRY(const F expected, on_cpu.grind(job));
    VOUCH_TRY(const F got, ops.grind(job));
    return wrong_if(!(got == expected), "a search for proof of work");
  }
};

}  // namespace

template <class F, int D>
Status check_known_answers(PolyOps<F, D>& ops, SelfTest extent) {
  constexpr int variables = 12;
  VOUCH_TRY(const auto cpu, (open_poly<F, D>("cpu")));
  for (const FoldOrder order : {FoldOrder::prefix, FoldOrder::suffix}) {
    PolyCheck<F, D> check{ops, {}, {}};
    std::vector<F> f(std::size_t(1) << variables);
    for (F& x : f) x = random_base<F>(check.rng);
    VOUCH_TRY(check.cpu, cpu->start(f, order, 2));
    VOUCH_TRY(check.mine, ops.start(f, order, 2));
    VOUCH_CHECK(check.encode({.fold = 2, .log_inv_rate = 1}));
    VOUCH_CHECK(check.constrain(variables));
    VOUCH_CHECK(check.round());
    VOUCH_CHECK(check.round());
    VOUCH_CHECK(check.values());
    VOUCH_CHECK(check.encode({.fold = 2, .log_inv_rate = 2}));
    VOUCH_CHECK(check.constrain(variables - 2));  // of extension elements from here on
    for (int i = 0; i < 3; i++) VOUCH_CHECK(check.round());
    VOUCH_CHECK(check.values());
    VOUCH_CHECK(check.grind(*cpu));
    if (order == FoldOrder::prefix) {
      VOUCH_TRY(check.cpu, cpu->start(f, order, 2));
      VOUCH_TRY(check.mine, ops.start(f, order, 2));
      VOUCH_CHECK(check.encodings(extent));
    }
  }
  return ok();
}
template Status check_known_answers(PolyOps<BabyBear, 4>&, SelfTest);
template Status check_known_answers(PolyOps<BabyBear, 5>&, SelfTest);
template Status check_known_answers(PolyOps<KoalaBear, 4>&, SelfTest);
template Status check_known_answers(PolyOps<KoalaBear, 5>&, SelfTest);

}  // namespace vouch
