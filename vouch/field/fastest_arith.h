// Which form of 254-bit arithmetic this processor runs fastest, asked once per call that is worth it.
#pragma once

#include <utility>

#include "vouch/core/cpu_features.h"
#include "vouch/field/arith_adx.h"
#include "vouch/field/prime.h"

namespace vouch {

template <class Form>
struct ArithTag {
  using Arith = Form;
};

// f(ArithTag<Arith>{}) for the fastest form; all forms share one layout, so values cross by std::bit_cast.
template <class F>
decltype(auto) with_fastest_arith(F&& f) {
#ifdef VOUCH_HAS_ADX
  if (cpu_features().bmi2 && cpu_features().adx) return std::forward<F>(f)(ArithTag<AdxArith>{});
#endif
  return std::forward<F>(f)(ArithTag<PortableArith>{});
}

}  // namespace vouch
