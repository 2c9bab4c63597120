// PolyOps<F, D>: what the WHIR prover does with whole polynomials, wherever it runs.
//
// A PolyInstance holds one polynomial f over {0,1}^n (base values first, extension values once folded) and
// the weights W of the claims made about it; sumcheck rounds halve both. The prover sees claims, round
// polynomials and commitments only, so f, W and the codewords can stay where the work is done. All backends
// give the same values. Coordinate 0 of a point is the most significant bit of an index.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vouch/backend/backend.h"
#include "vouch/core/result.h"
#include "vouch/field/ext31.h"
#include "vouch/hash/merkle.h"

namespace vouch {

// Which coordinate a sumcheck round binds: the first (pairs x, x + half) or the last (pairs 2x, 2x + 1). It
// also fixes the rows of a codeword: entry c of row i is f[c * rows + i] or f[i * columns + c] before
// encoding.
enum class FoldOrder : std::uint8_t { prefix, suffix };

// Reed-Solomon encoding followed by a Merkle tree over the rows (protocol sections 3 and 4).
struct EncodeShape {
  int fold = 0;          // 2^fold columns
  int log_inv_rate = 0;  // 2^(variables + log_inv_rate - fold) rows
  int cap_height = 0;
  int dropped_layers = 0;  // lowest layers of digests (0: leaves) not kept but hashed again when opened
};

// A codeword and its tree.
template <class F>
class Codeword {
 public:
  struct Opening {
    std::vector<F> rows;  // row_words() for every index, in order
    std::vector<Digest<F>> siblings;
  };
  virtual ~Codeword() = default;
  virtual std::span<const Digest<F>> cap() const = 0;
  virtual std::size_t rows() const = 0;
  virtual std::size_t row_words() const = 0;       // base elements in a row
  virtual std::uint64_t permutations() const = 0;  // that building leaves and tree took
  // indices: sorted, distinct, below rows().
  virtual Result<Opening> open(std::span<const std::size_t> indices) const = 0;
};

// The cells of one column inside f: its value x (of 2^arity) is f[offset + (x << stride)]. In claims before
// the first rounds, the coordinates that these bind are coordinates of the column: in prefix order arity +
// stride are all variables, in suffix order stride is 0 and offset a multiple of 2^arity.
struct Slot {
  std::size_t offset = 0;
  int stride = 0;
};

// Claims about columns at one point. Weight of cell x: eq(point, x), or, for `next`, the repeat-last
// successor: eq(point, x - 1) for x > 0, plus eq(point, 2^arity - 1) on the last cell.
template <class E>
struct ClaimBatch {
  std::span<const E> point;  // arity coordinates
  bool next = false;
  std::span<const Slot> slots;  // a claim for each
};

// Seconds spent by one instance, by kind of work.
struct PolyTimes {
  double encode = 0, hash = 0, claims = 0, weights = 0, sumcheck = 0;
};

template <class F, int D>
class PolyInstance {
 public:
  using E = Ext31<F, D>;
  struct Round {
    E at_zero;  // sum of f_lo W_lo
    E leading;  // sum of (f_hi - f_lo)(W_hi - W_lo)
  };
  virtual ~PolyInstance() = default;
  virtual int variables() const = 0;
  virtual const PolyTimes& times() const = 0;

  // The codeword of f as it stands.
  virtual Result<std::unique_ptr<Codeword<F>>> encode(const EncodeShape& shape,
                                                      const MerkleHash<F>& hash) = 0;

  // The sums of f against the weights of the claims. The claims stay pending, numbered in order of calls and
  // slots, until combine().
  virtual Result<std::vector<E>> claim(const ClaimBatch<E>& batch) = 0;
  // W += sum of coefficients[i] * (weight of pending claim i); none is pending afterwards.
  virtual Status combine(std::span<const E> coefficients) = 0;
  // W += sum of coefficients[i] * (x -> z[i]^x).
  virtual Status add_powers(std::span<const F> z, std::span<const E> coefficients) = 0;

  // The polynomial of the next sumcheck round, and binding its coordinate: f and W become lo + r (hi - lo).
  virtual Result<Round> round() = 0;
  virtual Status fold(const E& r) = 0;

  // f as it stands.
  virtual Result<std::vector<E>> values() = 0;
};

// A search for proof of work: the smallest canonical w such that permute(state with w at position) has `bits`
// low zero bits in (canonical) element 7.
template <class F>
struct GrindJob {
  const Poseidon2<F, 16>* permutation = nullptr;
  typename Poseidon2<F, 16>::State state{};
  int position = 0;  // 0..7
  int bits = 0;      // 1..27
  const std::atomic<bool>* cancel = nullptr;
};

template <class F, int D>
class PolyOps {
 public:
  using E = Ext31<F, D>;
  virtual ~PolyOps() = default;
  virtual Backend::Info info() const = 0;
  // Bytes of the device's own memory; 0 where it is the processor's.
  virtual std::uint64_t memory() const { return 0; }
  // The most that one buffer of it can hold; 0: no limit.
  virtual std::uint64_t largest_buffer() const { return 0; }
  // So far, where BackendOptions::device_account asks for it and there is a device.
  virtual DeviceUse use() const { return {}; }

  // f: 2^n values. first_rounds: how many rounds the first sumcheck has (at most n); a backend may use it to
  // work on base values as long as it can. The ops must outlive the instance.
  virtual Result<std::unique_ptr<PolyInstance<F, D>>> start(std::vector<F> f, FoldOrder order,
                                                            int first_rounds) = 0;
  // Errors: rejected if no witness exists or the search was cancelled.
  virtual Result<F> grind(const GrindJob<F>& job) = 0;
};

// "auto", "cpu", "reference" or a device ("opencl:0", "host"); options.instructions, for the cpu: "auto" or
// one of poly_instructions(). Instantiated for BabyBear and KoalaBear, degrees 4 and 5.
template <class F, int D>
Result<std::unique_ptr<PolyOps<F, D>>> open_poly(const std::string& name = "auto",
                                                 const BackendOptions& = {});

// The instruction sets the cpu backend has been compiled for and this processor has, in the order of speed.
std::vector<std::string> poly_instructions();

}  // namespace vouch
