#include "vouch/backend/cpu/msm_sorted.h"

#include <algorithm>

#include "vouch/backend/cpu/scratch.h"
#include "vouch/core/bytes.h"
#include "vouch/core/parallel.h"

namespace vouch {
namespace {

constexpr std::size_t block = std::size_t(1) << 13;  // scalars taken by one task
constexpr int part_bits = 12;                        // buckets that are sorted by one task, in the cache

}  // namespace

double estimate_sorted(const BitLengths& lengths, const MsmShape& shape) {
  const int c = shape.window_bits();
  std::vector<double> in_set(std::size_t(shape.sets), 0);
  for (int length = 1; length < int(lengths.size()); length++) {
    if (lengths[std::size_t(length)] == 0) continue;
    for (int at = 0, w = 0; at < length || w == 0; w++) {
      in_set[std::size_t(w % shape.sets)] += double(lengths[std::size_t(length)]);
      at = w / shape.sets * shape.bits + (w % shape.sets + 1) * c;
      if (w + 1 == shape.sets * shape.tables) break;
    }
  }
  double cost = 0;
  for (int t = 0; t < shape.sets; t++)
    cost += in_set[std::size_t(t)] + 1.25 * std::min(double(shape.buckets(t)), in_set[std::size_t(t)]) + 1800;
  return cost;
}

MsmShape choose_shape(const BitLengths& lengths, int bits, int tables) {
  MsmShape best{bits, tables, 0};
  double best_cost = 0;
  for (int sets = 1; sets <= bits; sets++) {
    const MsmShape shape{bits, tables, sets};
    if (!shape.valid()) continue;
    const double cost = estimate_sorted(lengths, shape);
    if (best.sets == 0 || cost < best_cost) best = shape, best_cost = cost;
  }
  return best;
}

MsmSorted::MsmSorted(const u8* scalars, std::size_t count, std::size_t stride, const MsmShape& shape)
    : shape_(shape) {
  u32 buckets = 0;
  for (int t = 0; t <= shape.sets; t++) {
    first_.push_back(buckets);
    if (t < shape.sets) buckets += u32(shape.buckets(t));
  }
  ends_.resize(buckets);
  for (int j = 0; j < shape.tables; j++)
    for (int t = 0; t < shape.sets; t++) {
      const int bit = j * shape.bits + t * shape.window_bits(), width = shape.width(t);
      windows_.push_back({bit, width, first_[std::size_t(t)], u32(std::size_t(j) * stride)});
      const int top = bit + width - 1;
      offset_.limb[top / 64] |= u64(1) << (top % 64);
    }
  sort(scalars, count);
}

MsmSorted::~MsmSorted() {
  wipe(std::span(entries_));
  wipe(std::span(ends_));
}

// f(bucket, entry) for every digit that is not zero. As in msm_digits.h: with K = the sum of 2^(width - 1)
// 2^bit over the windows, a digit is that of k + K less 2^(width - 1).
template <class F>
inline void MsmSorted::for_each_digit(const u8* scalar, u32 index, F&& f) const {
  const SignedScalar k = load_signed(scalar);
  const int bits = bit_length(k.magnitude);
  if (bits == 0) return;
  const u32 sign = k.negative ? MsmDigits::negative : 0;
  if (bits < windows_[0].width) return f(u32(k.magnitude.limb[0]) - 1, index | sign);
  UInt<5> x;
  for (int j = 0; j < 4; j++) x.limb[j] = k.magnitude.limb[j];
  add(x, offset_);
  for (const Window& w : windows_) {
    const int limb = w.bit / 64, shift = w.bit % 64;
    u64 bits_here = x.limb[limb] >> shift;
    if (shift + w.width > 64) bits_here |= x.limb[limb + 1] << (64 - shift);
    const int digit = int(bits_here & ((u64(1) << w.width) - 1)) - (1 << (w.width - 1));
    if (digit == 0) continue;
    f(w.bucket + u32(digit < 0 ? -digit : digit) - 1,
      (index + w.entry) | (sign ^ (digit < 0 ? MsmDigits::negative : 0)));
  }
}

// Twice by counting: into parts of neighbouring buckets, so that what is written together stays in the cache;
// then every part by bucket.
void MsmSorted::sort(const u8* scalars, std::size_t count) {
  const std::size_t blocks = (count + block - 1) / block;
  const std::size_t parts = (ends_.size() >> part_bits) + 1;
  std::vector<u32> at(blocks * parts + 1);  // by part, then block
  const auto each_of_block = [&](std::size_t b, auto&& f) {
    const std::size_t end = std::min(count, (b + 1) * block);
    for (std::size_t i = b * block; i < end; i++) for_each_digit(scalars + 32 * i, u32(i), f);
  };
  parallel_for(blocks, 1, [&](std::size_t begin, std::size_t end) {
    std::vector<u32> counts(parts);
    for (std::size_t b = begin; b < end; b++) {
      std::fill(counts.begin(), counts.end(), 0);
      each_of_block(b, [&](u32 bucket, u32) { counts[bucket >> part_bits]++; });
      for (std::size_t p = 0; p < parts; p++) at[p * blocks + b + 1] = counts[p];
    }
  });
  for (std::size_t i = 1; i < at.size(); i++) at[i] += at[i - 1];
  const std::size_t total = at.back();
  entries_.resize(total);
  Scratch<u32> entries(total);
  Scratch<std::uint16_t> buckets(total);
  parallel_for(blocks, 1, [&](std::size_t begin, std::size_t end) {
    std::vector<u32> next(parts);
    for (std::size_t b = begin; b < end; b++) {
      for (std::size_t p = 0; p < parts; p++) next[p] = at[p * blocks + b];
      each_of_block(b, [&](u32 bucket, u32 entry) {
        const u32 to = next[bucket >> part_bits]++;
        entries.data()[to] = entry;
        buckets.data()[to] = std::uint16_t(bucket & ((u32(1) << part_bits) - 1));
      });
    }
  });
  parallel_for(parts, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; p++) {
      const std::size_t first = p << part_bits, last = std::min(ends_.size(), (p + 1) << part_bits);
      const u32 from = at[p * blocks], to = at[(p + 1) * blocks];
      for (u32 i = from; i < to; i++) ends_[first + buckets.data()[i]]++;
      u32 sum = from;
      for (std::size_t b = first; b < last; b++) {
        const u32 entries_here = ends_[b];
        ends_[b] = sum, sum += entries_here;
      }
      for (u32 i = from; i < to; i++) entries_[ends_[first + buckets.data()[i]]++] = entries.data()[i];
    }
  });
}

std::vector<MsmPiece> MsmSorted::pieces(double cost, std::size_t buckets) const {
  std::vector<MsmPiece> pieces;
  const u32 most = u32(std::max(1.0, cost));
  for (int t = 0; t < shape_.sets; t++) {
    u32 b = first_[std::size_t(t)], at = b ? ends_[b - 1] : 0;
    const u32 last = first_[std::size_t(t) + 1];
    while (b < last) {
      MsmPiece piece{t, b, b, at, at};
      u32 taken = 0;
      while (b < last && taken < most && b - piece.first < buckets) {
        const u32 some = std::min(ends_[b] - at, most - taken);
        at += some, taken += some + (some ? 2 : 0);
        piece.end = b + 1;
        if (at < ends_[b]) break;
        b++;
      }
      piece.finish = at;
      if (piece.finish > piece.begin) pieces.push_back(piece);
    }
  }
  return pieces;
}

}  // namespace vouch
