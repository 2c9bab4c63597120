// .ptau headers: see ptau.h.
#include "vouch/formats/ptau.h"

#include "vouch/formats/container.h"
#include "vouch/formats/sniff.h"

namespace vouch::formats {
namespace {

constexpr std::uint32_t header_id = 1, contributions_id = 7, lagrange_id = 12;
constexpr std::string_view titles[] = {"",
                                       "header",
                                       "tau G1",
                                       "tau G2",
                                       "alpha tau G1",
                                       "beta tau G1",
                                       "beta G2",
                                       "contributions",
                                       "",
                                       "",
                                       "",
                                       "",
                                       "Lagrange tau G1",
                                       "Lagrange tau G2",
                                       "Lagrange alpha tau G1",
                                       "Lagrange beta tau G1"};
constexpr ContainerFormat format{"ptau", "powers of tau (.ptau)", 1, titles};

}  // namespace

Result<Ptau> parse_ptau(const std::string& name, Bytes bytes) {
  VOUCH_TRY(const Container file, Container::open(name, bytes, format));
  VOUCH_TRY(const Bytes header, file.section(header_id));
  Reader in(header);
  Ptau ptau;
  ptau.curve = curve_of_prime(in.take(in.read<std::uint32_t>()));
  ptau.power = in.read<std::uint32_t>();
  ptau.ceremony_power = in.read<std::uint32_t>();
  if (in.failed()) return file.error(header_id, "is cut off");
  if (in.remaining() != 0)
    return file.error(header_id, "has " + std::to_string(in.remaining()) + " bytes too many");
  if (ptau.curve.empty()) return file.error(header_id, "the prime is that of no curve vouch knows");
  if (file.has(contributions_id)) {
    VOUCH_TRY(const Bytes contributions, file.section(contributions_id));
    if (contributions.size() < 4) return file.error(contributions_id, "is cut off before its count");
    ptau.contribution_count = load_le<std::uint32_t>(contributions.data());
  }
  ptau.prepared = file.has(lagrange_id);
  return ptau;
}

}  // namespace vouch::formats
