// .wtns: see wtns.h.
#include "vouch/formats/wtns.h"

#include "vouch/core/mapped_file.h"
#include "vouch/field/fields.h"
#include "vouch/formats/container.h"
#include "vouch/formats/sniff.h"
#include "vouch/groth16/witness.h"

namespace vouch::formats {
namespace {

constexpr std::uint32_t header_id = 1, values_id = 2;
constexpr std::string_view titles[] = {"", "header", "values"};
constexpr ContainerFormat format{"wtns", "a witness (.wtns)", 2, titles};

}  // namespace

Result<Wtns> parse_wtns(const std::string& name, Bytes bytes) {
  VOUCH_TRY(const Container file, Container::open(name, bytes, format));
  VOUCH_TRY(const Bytes header, file.section(header_id));
  Reader in(header);
  const Bytes prime = in.take(in.read<std::uint32_t>());
  const auto count = in.read<std::uint32_t>();
  if (in.failed()) return file.error(header_id, "is cut off");
  if (in.remaining() != 0)
    return file.error(header_id, "has " + std::to_string(in.remaining()) + " bytes too many");
  if (prime.size() != 32 || load_le<UInt<4>>(prime.data()) != Bn254Fr::modulus) {
    const std::string_view curve = curve_of_prime(prime);
    if (curve.empty() || curve == "BN254")
      return file.error(header_id, "the prime is that of no field vouch knows");
    return Error{Code::unsupported, file.error("this witness is over the field of " + std::string(curve) +
                                               "; vouch makes Groth16 proofs over BN254 only")
                                        .what};
  }
  if (count == 0) return file.error(header_id, "claims no values; wire 0, the constant 1, is always there");
  Wtns wtns;
  wtns.name = name;
  VOUCH_TRY(wtns.values, file.section(values_id, std::uint64_t(count) * 32,
                                      std::to_string(count) + " values of 32 bytes"));
  return wtns;
}

Result<Wtns> open_wtns(const std::string& path) {
  VOUCH_TRY(auto mapped, MappedFile::open(path));
  const auto file = std::make_shared<const MappedFile>(std::move(mapped));
  VOUCH_TRY(Wtns wtns, parse_wtns(path, file->bytes()));
  wtns.storage = file;
  return wtns;
}

Status check_values(const Wtns& wtns, std::size_t public_count) {
  return groth16::check_values({wtns.name, wtns.values}, public_count);
}

}  // namespace vouch::formats
