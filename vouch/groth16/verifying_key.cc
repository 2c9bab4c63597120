// The conditions on a verifying key that make its pairing equation mean something.
#include "vouch/groth16/verifying_key.h"

#include <string>

#include "vouch/curve/subgroup.h"

namespace vouch::groth16 {
namespace {

Error bad(const std::string& what) {
  return {Code::malformed, "verifying key: " + what};
}

Status check_point(const Bn254G1::Affine& p, const std::string& name) {
  if (!p.on_curve()) return bad(name + " is not on the curve");
  return ok();
}
Status check_point(const Bn254G2::Affine& p, const std::string& name) {
  if (!p.on_curve()) return bad(name + " is not on the curve");
  if (!in_subgroup(p)) return bad(name + " is on the curve but outside the subgroup of order r");
  return ok();
}
template <class Point>
Status check_generator(const Point& p, const std::string& name) {
  if (p.is_infinity()) return bad(name + " is the point at infinity");
  return check_point(p, name);
}

}  // namespace

Status check(const VerifyingKey& key, bool insecure_allowed) {
  if (key.ic.empty()) return bad("IC is empty; it must hold one point more than there are public signals");
  VOUCH_CHECK(check_generator(key.alpha1, "alpha1"));
  VOUCH_CHECK(check_generator(key.beta2, "beta2"));
  VOUCH_CHECK(check_generator(key.gamma2, "gamma2"));
  VOUCH_CHECK(check_generator(key.delta2, "delta2"));
  for (std::size_t i = 0; i < key.ic.size(); i++)
    VOUCH_CHECK(check_point(key.ic[i], "IC[" + std::to_string(i) + "]"));
  if (!insecure_allowed && key.gamma2 == key.delta2)
    return bad("gamma2 equals delta2, so nobody contributed to phase 2 and anyone can forge proofs");
  return ok();
}

}  // namespace vouch::groth16
