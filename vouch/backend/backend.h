// Backend: where the heavy operations run. One class per place: reference, cpu, later gpu.
//
// Public functions check their arguments; the virtuals below them assume every precondition.
// All backends give the same bits for the same input. A Backend may be used by several threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vouch/core/bytes.h"
#include "vouch/core/mapped_file.h"
#include "vouch/core/parallel.h"
#include "vouch/core/progress.h"
#include "vouch/core/result.h"
#include "vouch/curve/curves.h"
#include "vouch/field/fields.h"

namespace vouch {

enum class Direction : std::uint8_t { forward, inverse };

// Tables of multiples of a job's points, made once for proof after proof: table j, j < count, holds 2^(bits
// j) times every point (so table 0 is the points), point i at data + (j stride + i) * the size of a point.
// bits * count is at least 255.
struct MsmTables {
  const std::uint8_t* data = nullptr;  // null: none
  std::size_t stride = 0;              // at least the job's count; the same for jobs that share scalars
  int bits = 0, count = 0;
  bool operator==(const MsmTables&) const = default;
};

// One sum over a fixed base: sum of scalars[i] * points[i].
// points: affine, Montgomery little-endian as in a .zkey (64 bytes each for G1, 128 for G2; all zero bytes
// are the point at infinity), any alignment. scalars: plain integers below the group order, 32 bytes
// little-endian each (as in a .wtns), any alignment. Both have `count` entries.
struct MsmJob {
  const std::uint8_t* points = nullptr;
  const std::uint8_t* scalars = nullptr;
  std::size_t count = 0;
  const char* name = "sum";  // in a trace
  MsmTables tables = {};     // a help that a backend may leave unused
  // A backend that cannot fail any more may call it once it has read the scalars for the last time, before it
  // takes the sums: what they lie in may go then.
  std::function<void()> scalars_read = nullptr;
};

// What one Groth16 proof needs summed, given at once so that a backend schedules them together.
struct MsmSet {
  std::vector<MsmJob> g1;
  std::vector<MsmJob> g2;
};
struct MsmSums {
  std::vector<Bn254G1::Affine> g1;  // same order as MsmSet
  std::vector<Bn254G2::Affine> g2;
};

// The rows of A and B as the .zkey stores them (formats.md section 2, id 4), records checked to be in range.
struct QuotientInput {
  const std::uint8_t* records = nullptr;  // 44 bytes each: u32 matrix, u32 row, u32 signal, value * R^2 mod r
  std::size_t record_count = 0;
  const std::uint8_t* witness = nullptr;  // 32 bytes each, plain little-endian, canonical
  std::size_t witness_count = 0;
  int log_n = 0;                       // domain size 2^log_n, 0 <= log_n <= 28
  const MappedFile* stream = nullptr;  // if set: gives back the pages of records that have been read
};

// What a device was asked to do and what its own clock says it took (0: it tells no times).
struct KernelUse {
  std::string kernel;
  std::uint64_t launches = 0, bytes = 0,
                products = 0;  // bytes moved, products of field elements made: at least
  double seconds = 0;
};
struct DeviceUse {
  std::vector<KernelUse> kernels;                             // in the order of their first launch
  std::uint64_t submissions = 0, uploads = 0, downloads = 0;  // a submission or a download is a wait
  std::uint64_t peak_bytes = 0;                               // of its memory
  double copy_rate = 0, product_rate = 0;  // bytes and products a second at best, measured at the start
};

class Backend {
 public:
  struct Info {
    std::string name;    // "cpu", "reference", ...
    std::string device;  // the processor and the instruction set chosen
    int threads = 1;
    bool accelerator = false;  // a device with a driver of its own, whose results may be wrong
  };

  virtual ~Backend() = default;
  virtual Info info() const = 0;
  // The cores it uses, for a caller's own work between its calls: a worker that has to change sides comes
  // late.
  virtual Threads threads() const { return Threads(info().accelerator ? 0 : info().threads); }

  // A device that the processor can stand in for gives that processor's backend here while it is in use
  // itself, so that a wrong result can be told from a wrong input. distrust: the device's result was wrong,
  // it is not to be used again.
  virtual Backend* stand_in() { return nullptr; }
  virtual void distrust(const std::string& /*why*/) {}

  // So far, where BackendOptions::device_account asks for it and there is a device.
  virtual DeviceUse use() const { return {}; }

  // The tables of a key, used by proof after proof: their bytes do not change while the result lives, so that
  // a backend may keep copies of them where it computes. May be null. It must go before the backend does.
  virtual std::shared_ptr<void> hold(const std::vector<Bytes>& /*ranges*/) { return nullptr; }

  // In place, natural order in and out, values.size() a power of two up to 2^28.
  // forward: out[j] = sum_i in[i] (shift w^j)^i.  inverse undoes forward with the same shift.
  Status ntt(std::span<Bn254Fr> values, Direction direction, const Bn254Fr& shift = Bn254Fr::one());

  // The scalars of section 9: A(x) B(x) - C(x) at the odd 2n-th roots of unity (formats.md section 3),
  // written as plain little-endian integers, 32 bytes each; h has 2^log_n entries.
  Status groth16_quotient(const QuotientInput& input, std::span<UInt<4>> h, Progress* progress = nullptr);

  Result<MsmSums> msm(const MsmSet& set, Progress* progress = nullptr);

  // Whether its sums are faster for tables.
  virtual bool uses_tables() const { return false; }
  // Writes the tables for `count` points of G1 or G2 to `data`, which has room for tables.count * stride
  // points; tables.data is not looked at. What lies between count and stride becomes zero. Code::unsupported
  // where tables are not used.
  enum class Group : std::uint8_t { g1, g2 };
  Status multiples(Group group, const std::uint8_t* points, std::size_t count, const MsmTables& tables,
                   std::uint8_t* data, Progress* progress = nullptr);

 protected:
  virtual Status do_ntt(std::span<Bn254Fr> values, int log_n, Direction, const Bn254Fr& shift) = 0;
  virtual Status do_groth16_quotient(const QuotientInput&, std::span<UInt<4>> h, Progress&) = 0;
  virtual Result<MsmSums> do_msm(const MsmSet&, Progress&) = 0;
  virtual Status do_multiples(Group, const std::uint8_t* points, std::size_t count, const MsmTables&,
                              std::uint8_t* data, Progress&);
};

// Products of 254-bit elements that one thread of a processor makes a second, roughly, in everything a proof
// does: a dense circuit of 2^18 constraints takes it 2 s.
inline constexpr double thread_products = 1.5e8;

// The same of 31-bit elements, in everything a WHIR proof does, with the widest vectors there are: 2^20
// values at fold 4 and rate 1/2 take 0.2 s.
inline constexpr double thread_products31 = 6e9;

// What of a device's memory work may plan with: its driver takes some, too.
constexpr std::uint64_t room_of(std::uint64_t memory) {
  return memory / 10 * 9;
}

// How a device does WHIR's work. Every mode gives the same proof; those before the last are there to be
// compared with it, by `vouch whir sweep --modes` and by tests.
enum class DeviceMode : std::uint8_t {
  operations,   // every kernel a submission and a wait of its own, none of which does two operations;
                // proof of work on the processor
  fused,        // what needs no answer in between is one submission; proof of work on the processor
  fused_grind,  // proof of work on the device, too
};

struct BackendOptions {
  int threads = 0;  // 0: every core this process may use
  std::string instructions =
      "auto";  // or "portable", "adx", ...: forces a form of arithmetic, for tests and benchmarks
  // What the work would take one thread of a processor, roughly, in seconds: "auto" takes a GPU only for work
  // that is worth it. 0: not known, and "auto" is the processor.
  double work_seconds = 0;
  // Bytes that the work needs of a device's memory at least, and in one buffer: "auto" takes no device with
  // less.
  std::uint64_t work_memory = 0, work_buffer = 0;
  // For WHIR on a device: how it works.
  DeviceMode device_mode = DeviceMode::fused_grind;
  // Whether a device keeps account of what it does (use()), beside rates measured when it is opened.
  bool device_account = false;
  // Bytes of a device's memory that the tables of keys may take between proofs; 0: half of what it has.
  std::uint64_t device_memory = 0;
  // Tables of multiples of a held key's points are made on the device once, as far as device_memory goes.
  // They cost a dozen proofs' sums and save a seventh to a fifth of those of each later proof.
  bool device_tables = false;
  // Sums (Backend::msm) make the same additions, doublings, field products, passes, launches and buffers for
  // all scalars of the same counts over the same points: no zero digit, zero, one or short scalar is passed
  // over and additions are complete. Not covered: which bucket a digit selects, so addresses in memory, and
  // with them caches, depend on scalars; the quotient and transforms, which never look at values; reading the
  // witness, the prover's last sums over a few points, and whether scalars of different sums are the same
  // bytes.
  bool constant_work = false;
  // Set: when a device fails or computes wrongly, the processor takes over and this is told so in a sentence,
  // from any thread. Not set: the failure is the error of the call.
  std::function<void(const std::string&)> warn = nullptr;
  // Set: told in a sentence what "auto" takes and why, whatever that is.
  std::function<void(const std::string&)> explain = nullptr;
};

// "auto", "cpu", "reference", or a device as `vouch devices` lists them: "opencl:0", "host".
Result<std::unique_ptr<Backend>> open_backend(const std::string& name = "auto", const BackendOptions& = {});

}  // namespace vouch
