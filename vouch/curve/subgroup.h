// Is a point what a pairing may be given: canonical coordinates, on the curve, in the group of order r?
//
// G1 is all of its curve. The twist of G2 has r (2p - r) points, so there membership is a question of its
// own.
#pragma once

#include <cstddef>
#include <optional>

#include "vouch/core/bytes.h"
#include "vouch/core/result.h"
#include "vouch/core/rng.h"
#include "vouch/curve/curves.h"

namespace vouch {

// For a point of the twist, infinity included.
bool in_subgroup(const Bn254G2::Affine& p);

enum class PointFault : std::uint8_t { not_canonical, off_curve, outside_subgroup };
struct BadPoint {
  std::size_t index;
  PointFault fault;
};
const char* describe(PointFault fault);  // "is not on the curve", ...

// The first bad point of a table as a .zkey stores it: 64 bytes (G1) or 128 (G2) each, Montgomery
// coordinates, all zero for infinity, any alignment; a last point that is cut short is not looked at. Uses
// the caller's cores.
std::optional<BadPoint> find_bad_g1(Bytes points);

// From 2^13 points on, membership is checked for all at once by ten random sums, which a table with a point
// outside passes with probability below 2^-130 over rng; it must be a generator the maker of the table could
// not foresee.
Result<std::optional<BadPoint>> find_bad_g2(Bytes points, Rng& rng);

}  // namespace vouch
