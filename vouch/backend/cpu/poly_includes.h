// What the texts of the WHIR kernels use, included before their target regions.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vouch/backend/cpu/poly.h"
#include "vouch/backend/cpu/poseidon2_pairs.h"
#include "vouch/backend/cpu/row_order.h"
#include "vouch/backend/cpu/twiddles31.h"
#include "vouch/core/buffer.h"
#include "vouch/core/cpu_features.h"
#include "vouch/core/parallel.h"
#include "vouch/core/progress.h"
#include "vouch/core/simd.h"
#include "vouch/field/uint.h"
