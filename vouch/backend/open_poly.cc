// Choice of the place where WHIR's operations run.
#include "vouch/backend/reference/poly.h"

namespace vouch {

template <class F, int D>
Result<std::unique_ptr<PolyOps<F, D>>> open_poly(const std::string& name, const BackendOptions&) {
  if (name == "reference" || name == "cpu" || name == "auto") return reference::open_poly<F, D>();
  return Error{Code::unsupported, "no backend named '" + name + "': use auto, cpu or reference"};
}
template Result<std::unique_ptr<PolyOps<BabyBear, 4>>> open_poly(const std::string&, const BackendOptions&);
template Result<std::unique_ptr<PolyOps<BabyBear, 5>>> open_poly(const std::string&, const BackendOptions&);
template Result<std::unique_ptr<PolyOps<KoalaBear, 4>>> open_poly(const std::string&, const BackendOptions&);
template Result<std::unique_ptr<PolyOps<KoalaBear, 5>>> open_poly(const std::string&, const BackendOptions&);

}  // namespace vouch
