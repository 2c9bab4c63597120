// What a file looks like: see sniff.h.
#include "vouch/formats/sniff.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace vouch::formats {
namespace {

std::string_view text_of(Bytes b) {
  return {reinterpret_cast<const char*>(b.data()), b.size()};
}

struct Prime {
  std::string_view curve;
  std::string_view hex;  // as papers print it
};
// The primes circom knows, and the coordinate fields of the curves a .zkey can be for.
constexpr std::array primes = {
    Prime{"BN254", "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001"},
    Prime{"BN254", "30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47"},
    Prime{"BLS12-381", "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001"},
    Prime{"BLS12-381",
          "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab"},
    Prime{"BLS12-377", "12ab655e9a2ca55660b44d1e5c37b00159aa76fed00000010a11800000000001"},
    Prime{"Pallas", "40000000000000000000000000000000224698fc0994a8dd8c46eb2100000001"},
    Prime{"Vesta", "40000000000000000000000000000000224698fc094cf91b992d30ed00000001"},
    Prime{"secp256r1", "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"},
    Prime{"Goldilocks", "ffffffff00000001"},
};

bool same(Bytes little_endian, std::string_view hex) {
  const std::size_t n = hex.size() / 2;
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  for (std::size_t i = 0; i < std::max(n, little_endian.size()); i++) {
    const int got = i < little_endian.size() ? little_endian[i] : 0;
    const int want = i < n ? digit(hex[2 * (n - 1 - i)]) * 16 + digit(hex[2 * (n - 1 - i) + 1]) : 0;
    if (got != want) return false;
  }
  return true;
}

// The protocol number of a .zkey, from section 1 when it comes first, as every tool writes it; 0 when it does
// not.
std::uint32_t zkey_protocol(Bytes file) {
  Reader in(file);
  in.take(12);
  const auto id = in.read<std::uint32_t>();
  const auto length = in.read<std::uint64_t>();
  const auto protocol = in.read<std::uint32_t>();
  return !in.failed() && id == 1 && length == 4 ? protocol : 0;
}

std::string describe_json(std::string_view head) {
  const auto has = [&](std::string_view key) { return head.find(key) != std::string_view::npos; };
  if (has("\"pi_a\"")) return "a proof in JSON";
  if (has("\"vk_alpha_1\"") || has("\"IC\"")) return "a verification key in JSON";
  if (head.front() == '[') return "a JSON array (public signals, perhaps)";
  return "JSON";
}

struct Magic {
  std::string_view bytes;
  std::string_view what;
};
using namespace std::string_view_literals;
constexpr std::array magics = {
    Magic{"\0asm"sv, "a WebAssembly module (.wasm)"},
    Magic{"\x7f"
          "ELF"sv,
          "an ELF program"},
    Magic{"\x1f\x8b"sv, "a gzip archive"},
    Magic{"PK\x03\x04"sv, "a zip archive"},
    Magic{"\x28\xb5\x2f\xfd"sv, "a zstd archive"},
    Magic{"pragma circom"sv, "circom source"},
    Magic{"version https://git-lfs"sv, "a Git LFS pointer, not the file itself"},
    Magic{"<"sv, "HTML or XML"},
};

}  // namespace

FileKind kind_of(Bytes file) {
  const std::string_view text = text_of(file);
  if (text.starts_with("zkey")) return FileKind::zkey;
  if (text.starts_with("wtns")) return FileKind::wtns;
  if (text.starts_with("r1cs")) return FileKind::r1cs;
  if (text.starts_with("ptau")) return FileKind::ptau;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (text[first] == '{' || text[first] == '[')) return FileKind::json;
  return FileKind::other;
}

std::string describe(Bytes file) {
  const std::string_view text = text_of(file);
  switch (kind_of(file)) {
    case FileKind::zkey: {
      const std::string_view protocol = protocol_name(zkey_protocol(file));
      return "a " + std::string(protocol) + (protocol.empty() ? "" : " ") + "proving key (.zkey)";
    }
    case FileKind::wtns:
      return "a witness (.wtns)";
    case FileKind::r1cs:
      return "a constraint system (.r1cs)";
    case FileKind::ptau:
      return "powers of tau (.ptau)";
    case FileKind::json: {
      const std::string_view body = text.substr(text.find_first_not_of(" \t\r\n"));
      return describe_json(body.substr(0, 8192));
    }
    case FileKind::other:
      break;
  }
  if (file.empty()) return "an empty file";
  for (const Magic& magic : magics)
    if (text.starts_with(magic.bytes)) return std::string(magic.what);
  const std::string_view head = text.substr(0, 512);
  const bool zero = std::all_of(head.begin(), head.end(), [](char c) { return c == 0; });
  if (zero) return "zero bytes (a download that was cut off, perhaps)";
  const bool printable = std::all_of(head.begin(), head.end(), [](char c) {
    return std::isprint(static_cast<unsigned char>(c)) || std::isspace(static_cast<unsigned char>(c));
  });
  return printable ? "text" : "none of the formats vouch knows";
}

std::string_view protocol_name(std::uint32_t number) {
  switch (number) {
    case 1:
      return "Groth16";
    case 2:
      return "PLONK";
    case 10:
      return "FFLONK";
    default:
      return {};
  }
}

std::string_view curve_of_prime(Bytes prime) {
  for (const Prime& known : primes)
    if (same(prime, known.hex)) return known.curve;
  return {};
}

}  // namespace vouch::formats
