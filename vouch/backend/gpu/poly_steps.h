// PolySteps<F, D>: the launches that WHIR's sums, weights and folds consist of, each written once over
// Device.
//
// The kernels are those of vouch/kernels/{claims31,weights31,sumcheck31}.inc.h. What a step takes from the
// host goes up as one buffer of words, and what it gives comes down as one.
#pragma once

#include <bit>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "vouch/backend/gpu/device.h"
#include "vouch/backend/gpu/poly_terms.h"

namespace vouch::gpu {

// A device that the instances and codewords of one PolyOps share, taking turns, and what its steps reuse.
struct PolyDevice {
  explicit PolyDevice(std::unique_ptr<Device> d) : device(std::move(d)) {}
  std::unique_ptr<Device> device;
  std::mutex turn;
  Buffer args, outer, inner, partials, powers, out;

  // Makes a reused buffer large enough; what it held is lost.
  Status need(Buffer& buffer, std::size_t bytes) {
    if (buffer && buffer.size() >= bytes) return ok();
    buffer = Buffer();
    VOUCH_TRY(buffer, device->allocate(bytes));
    return ok();
  }
};

// Words for a step, with the place of each piece.
class Args {
 public:
  template <class T>
  u32 put(std::span<const T> values) {
    static_assert(sizeof(T) % 4 == 0);
    const std::size_t at = words_.size();
    words_.resize(at + values.size_bytes() / 4);
    if (!values.empty()) std::memcpy(words_.data() + at, values.data(), values.size_bytes());
    return u32(at);
  }
  std::span<const u32> words() const { return words_; }

 private:
  std::vector<u32> words_;
};

// f in device memory.
struct DeviceVector {
  Buffer words;
  int log_size = 0;
  explicit operator bool() const { return bool(words); }
};

template <class F, int D>
class PolySteps {
 public:
  using E = Ext31<F, D>;
  using Round = typename PolyInstance<F, D>::Round;
  static constexpr std::size_t element_bytes = sizeof(E);
  static_assert(sizeof(E) == 4 * D && sizeof(F) == 4);

  explicit PolySteps(PolyDevice& on) : on_(on) {}

  // Sums of columns of f against one tensor weight, and single cells of f. Row r of column c is
  // f[columns[c] + (r << row_shift)].
  struct DotJob {
    std::vector<E> factors;  // of each coordinate of a row, most significant first: for bit 0, for bit 1
    std::vector<std::uint64_t> columns, cells;
    int row_shift = 0;
    int log_lanes = 0;       // how many columns lie side by side
    bool plain = true;       // row r against weight r
    bool shifted = false;    // row r + 1 against weight r
    bool extension = false;  // f's elements
    int log_rows() const { return int(factors.size() / 2); }
  };
  struct Dots {
    std::vector<E> plain, shifted, cells;
  };
  Result<Dots> dots(const Buffer& f, const DotJob& job);

  // The vector of sums over b of e[b] f(b, .), f in the base field.
  Result<DeviceVector> bind(const Buffer& f, int log_rows, FoldOrder order, std::span<const E> e);

  // Records w += (set: =) terms and powers; uploads what they need.
  Status add_weights(Batch& batch, const DeviceVector& w, bool set, std::span<const Term<F, D>> terms,
                     std::span<const F> z, std::span<const E> coefficients);

  // Records and runs a round on f and w, folding them by *r first where given: into f_out, w_out (which may
  // be f and w in prefix order).
  Result<Round> round(Batch batch, const DeviceVector& f, const DeviceVector& w, FoldOrder order, const E* r,
                      const Buffer* f_out, const Buffer* w_out);
  // v folded by r into memory of its own; the old memory is freed.
  Status fold(std::initializer_list<DeviceVector*> vectors, FoldOrder order, const E& r);

  Result<DeviceVector> allocate(int log_size);

 private:
  struct TensorWeight;
  struct Weights;
  Status upload(const Args& args);
  // Runs what is recorded; `to` is what it leaves at the beginning of `out`.
  template <class T>
  Status run(Batch& batch, std::span<T> to) {
    batch.read({reinterpret_cast<std::uint8_t*>(to.data()), to.size_bytes()}, on_.out, 0);
    return on_.device->run(batch);
  }
  PolyDevice& on_;
};

}  // namespace vouch::gpu
