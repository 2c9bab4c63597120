// WHIR: a hash-based commitment to multilinear polynomials over 31-bit fields, bit-compatible with Plonky3's
// p3-whir 0.7. Section numbers are those of docs/whir-protocol.md.
//
//   Setup setup = ...Setup::create({params, {{20, 1}}, {{{{0}, {}}}}});      // one table, one column of 2^20
//   auto prover = Prover::create(setup);
//   Transcript t = setup.start();
//   Cap cap = prover.commit({{values}}, t);                                  // section 9
//   Proof proof = prover.open(t);                                            // section 10
//
//   Transcript v = setup.start();
//   Status accepted = verify(setup, cap, proof, v);                          // section 11
//
// A Transcript may hold whatever a larger protocol has observed before; both sides must have done the same.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vouch/backend/poly.h"
#include "vouch/core/progress.h"
#include "vouch/core/result.h"
#include "vouch/whir/postcard.h"
#include "vouch/whir/setup.h"

namespace vouch::whir {

// The columns of one table: width spans of 2^log_rows canonical integers (below the modulus).
using Table = std::vector<std::span<const std::uint32_t>>;

// A point at which a batch is opened: arity coordinates (first the most significant index bit) of `degree`
// Montgomery words. The arity is the table's log_rows, raised to the first folding factor.
using PointWords = Words;

struct ProverOptions {
  int threads = 0;  // 0: every core
  std::string backend = "auto";
  std::string instructions = "auto";
  // Bytes the prover should stay within (see memory.h), of a device's memory where it computes on one; 0: no
  // limit, or what the device has.
  std::uint64_t memory = 0;
  Progress* progress = nullptr;  // stages and how far they are; must outlive the prover
  // As in BackendOptions: set, the processor takes over from a device that fails, and this is told so.
  std::function<void(const std::string&)> warn = nullptr;
  // As in BackendOptions: told what "auto" takes and why.
  std::function<void(const std::string&)> explain = nullptr;
  const std::atomic<bool>* cancel = nullptr;  // set: grinding stops and the call fails with Code::rejected
  // As in BackendOptions: how a device works, for comparisons and tests; and whether it keeps account of it.
  DeviceMode device_mode = DeviceMode::fused_grind;
  bool device_account = false;
};

// What a prover has done so far.
struct ProverStats {
  double encode = 0, hash = 0, claims = 0, weights = 0, sumcheck = 0;  // seconds, by kind of work
  double stack = 0, grind = 0, open_rows = 0;
  std::uint64_t tree_permutations = 0;   // leaves and nodes
  std::uint64_t grind_permutations = 0;  // witnesses tried up to the smallest right one
  DeviceUse device;                      // since the prover was made, if its options asked for an account
};

class Prover {
 public:
  // Errors: unsupported where a step needs 28 bits of grinding or more.
  static Result<Prover> create(const Setup& setup, const ProverOptions& options = {});
  // On operations that the caller has opened, of the setup's field and degree; what the options say of where
  // is not looked at. Errors: the same. Instantiated for BabyBear and KoalaBear, degrees 4 and 5.
  template <class F, int D>
  static Result<Prover> create_on(const Setup& setup, std::unique_ptr<PolyOps<F, D>> ops,
                                  const ProverOptions& options = {});
  Prover(Prover&&) noexcept;
  Prover& operator=(Prover&&) noexcept;
  ~Prover();

  // Commits to the tables (in the statement's order) and observes the commitment. The values are copied.
  // Errors (invalid_argument): number, lengths or values of the columns do not fit the statement.
  Result<Cap> commit(std::span<const Table> tables, Transcript& transcript);

  // Opens what was committed at points drawn from the transcript, and releases it. A second call is an error.
  Result<Proof> open(Transcript& transcript);
  // The same at points given by the caller, one per batch in schedule order. The caller must have observed
  // the points; commit() has observed the commitment.
  Result<Proof> open_at(std::span<const PointWords> points, Transcript& transcript);

  const ProverStats& stats() const;
  // Where it computes, as its options or "auto" chose.
  Backend::Info where() const;

  class Engine;

 private:
  explicit Prover(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

enum class Strictness : std::uint8_t {
  strict,      // every proof has exactly one encoding
  compatible,  // also what p3-whir 0.7 accepts: unused witnesses, a final sumcheck where none is due
};

struct VerifyOptions {
  Strictness strictness = Strictness::strict;
  std::string instructions = "auto";  // for hashing opened rows; "reference": one at a time
};

// Accepts or says why not (Code::rejected, with the upstream error name where there is one). Safe on any
// proof: it never reads beyond a list nor allocates more than a small multiple of the proof's size. points:
// if given, receives the points of the batches in schedule order; the values are in proof.evals.
Status verify(const Setup& setup, const Cap& commitment, const Proof& proof, Transcript& transcript,
              const VerifyOptions& options = {}, std::vector<PointWords>* points = nullptr);
// At points given by the caller, who has observed commitment and points.
Status verify_at(const Setup& setup, const Cap& commitment, const Proof& proof,
                 std::span<const PointWords> points, Transcript& transcript,
                 const VerifyOptions& options = {});

}  // namespace vouch::whir
