// Tables31<F>: what codewords and proof of work over a 31-bit field need on one device, uploaded once: roots
// of unity and the constants of the permutations in use. Also the names of the kernels.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "vouch/backend/gpu/device.h"
#include "vouch/field/uint.h"
#include "vouch/hash/poseidon2.h"

namespace vouch::gpu {

// Kernels of vouch/kernels/{ntt31,merkle31}.inc.h.
struct Kernels31 {
  const char* ntt_pass[5];  // radix 2, 4, 8, 16, 32
  const char *ntt_tail, *leaves16, *leaves24, *quads16, *quads24, *tree2, *tree4, *gather_rows,
      *gather_digests, *grind;
};
template <class F>
const Kernels31& kernels31();

template <class F>
class Tables31 {
 public:
  // turn is held by whoever uses the device: Codeword::open takes it, gpu_encode and gpu_grind leave that to
  // their caller. Both must outlive the tables, the tables every codeword.
  Tables31(Device& device, std::mutex& turn) : device_(device), turn_(turn) {}
  Device& device() { return device_; }
  std::mutex& turn() { return turn_; }

  // As ntt31.inc.h wants them: every root of order 2^12, then the powers of the field's root of highest
  // two-adic order up to its 2^(order - 12).
  Result<const Buffer*> roots();
  // As poseidon2.inc.h wants them. Kept by value: seeded permutations come and go.
  template <int W>
  Result<const Buffer*> constants(const Poseidon2<F, W>& permutation);

  // Trees of at least 2^this rows start with a kernel that hashes four rows and two levels per work-item:
  // less traffic, but too few work-items for a device when rows are few.
  int quads_from_log_rows = 18;
  // Whether one kernel may make leaves and levels, or several levels of a tree (see DeviceMode).
  bool fused = true;
  // The largest block that a transform finishes in local memory: 5 to 12.
  int tail_bits = 12;

 private:
  Result<Buffer> upload(const std::vector<u32>& words);

  Device& device_;
  std::mutex& turn_;
  Buffer roots_;
  std::map<std::vector<u32>, Buffer> constants_;
};

}  // namespace vouch::gpu
