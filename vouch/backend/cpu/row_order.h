// How a codeword lies in memory: one array per column (and coefficient), rows in an order that suits the
// transform.
//
// Position q of a column holds row bitrev(q) of the code, except that the lowest bits of q are rotated where
// the last levels were done with lanes across blocks: then q = (group, place in block, block), the block
// (lane) lowest.
#pragma once

#include <cstddef>

namespace vouch {

struct RowOrder {
  int log_rows = 0;
  int lane_bits = 0;   // 0: no rotation
  int block_bits = 0;  // log of the elements in a block

  int group_bits() const { return lane_bits + block_bits; }
  // (group, block, place) -> (group, place, block), on an index of any layer with at least group_bits() bits.
  std::size_t rotate(std::size_t q) const {
    const std::size_t place = q & ((std::size_t(1) << block_bits) - 1);
    const std::size_t block = q >> block_bits & ((std::size_t(1) << lane_bits) - 1);
    return q >> group_bits() << group_bits() | place << lane_bits | block;
  }
  std::size_t position(std::size_t row) const { return rotate(reverse(row, log_rows)); }

  static std::size_t reverse(std::size_t x, int bits) {
    std::size_t r = 0;
    for (int i = 0; i < bits; i++) r = r << 1 | (x >> i & 1);
    return r;
  }
};

}  // namespace vouch
