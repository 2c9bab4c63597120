// What a launch moves and multiplies, from its parameters alone: what its time is measured against.
//
// bytes: every word that it must read or write once, caches and partly used lines left out. products: of
// 254-bit elements, three for one of Fq2; for sums that pass zero digits and infinities over this is the most
// they make, for those of constant work it is exact (msm_test.cc counts them).
#pragma once

#include "vouch/backend/gpu/device.h"

namespace vouch::gpu {

// Of the kernels over BN254. fr_gather: without its records (44 bytes, 32 of the witness and a product each),
// whose number a launch does not tell. Nothing for other kernels.
Cost cost_of(const Launch& launch);

}  // namespace vouch::gpu
