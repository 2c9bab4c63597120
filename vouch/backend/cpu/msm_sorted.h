// Scalars' digits for tables of multiples (MsmTables): every window that has a table of its own shares the
// buckets of the others, so all digits of a scalar vector are sorted by bucket once, for every sum over it.
//
// Table j holds 2^(bits j) times the points. The bits of a table are cut into `sets` windows; window t of
// every table fills set t of buckets, so a sum is that of 2^(window_bits t) times the weighted sum of set t.
#pragma once

#include <span>
#include <vector>

#include "vouch/backend/cpu/msm_digits.h"

namespace vouch {

struct MsmShape {
  int bits = 0;    // between multiples
  int tables = 0;  // multiples, the points themselves among them; bits * tables reaches every scalar
  int sets = 1;

  static constexpr int max_window_bits = 20;
  int window_bits() const { return (bits + sets - 1) / sets; }
  int width(int set) const {  // of a window of that set: only the last is narrower
    return set + 1 < sets ? window_bits() : bits - window_bits() * (sets - 1);
  }
  std::size_t buckets(int set) const { return std::size_t(1) << (width(set) - 1); }
  bool valid() const {
    return tables > 0 && bits * tables >= 255 && bits * tables <= 318 && window_bits() <= max_window_bits &&
           width(sets - 1) >= 4;
  }
};

// What a sum over such scalars costs, in additions.
double estimate_sorted(const BitLengths& lengths, const MsmShape& shape);
// The cheapest number of sets; sets = 0 if these tables are of no use.
MsmShape choose_shape(const BitLengths& lengths, int bits, int tables);

// Buckets [first, end) of one set, and their entries [begin, finish) as far as they belong to this piece: a
// bucket with many entries may be cut.
struct MsmPiece {
  int set;
  u32 first, end;
  u32 begin, finish;
  double cost() const { return double(finish - begin) + 2 * double(end - first); }
};

class MsmSorted {
 public:
  // Entry of table j and scalar i: j * stride + i, with MsmDigits::negative. tables * stride < 2^31.
  MsmSorted(const u8* scalars, std::size_t count, std::size_t stride, const MsmShape& shape);
  ~MsmSorted();  // wipes: entries tell the witness
  MsmSorted(const MsmSorted&) = delete;
  MsmSorted& operator=(const MsmSorted&) = delete;

  const MsmShape& shape() const { return shape_; }
  // By bucket: bucket b holds entries [ends[b - 1], ends[b]). Bucket first_bucket(t) + d - 1 is for digit d
  // of set t.
  std::span<const u32> entries() const { return entries_; }
  std::span<const u32> ends() const { return ends_; }
  u32 first_bucket(int set) const { return first_[std::size_t(set)]; }

  // Pieces of about that cost at most, each of at most that many buckets.
  std::vector<MsmPiece> pieces(double cost, std::size_t buckets) const;

 private:
  struct Window {
    int bit, width;
    u32 bucket, entry;  // added to a digit, and to a scalar's number
  };
  template <class F>
  void for_each_digit(const u8* scalar, u32 index, F&& f) const;
  void sort(const u8* scalars, std::size_t count);

  MsmShape shape_;
  std::vector<Window> windows_;
  UInt<5> offset_;
  std::vector<u32> first_;
  std::vector<u32> entries_, ends_;
};

}  // namespace vouch
