// Files of tables of multiples: see tables.h.
#include "vouch/formats/tables.h"

#include <algorithm>
#include <filesystem>

#include "vouch/core/mapped_file.h"
#include "vouch/core/output_pieces.h"

namespace vouch::formats {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using groth16::ProvingKey;
using groth16::Tables;
using groth16::TablesPlan;

constexpr std::size_t header_bytes = 4096;
constexpr u32 version = 1;

using Fingerprint = std::array<u64, 4>;

struct Header {
  std::array<char, 8> magic = {'v', 'o', 'u', 'c', 'h', 't', 'a', 'b'};
  u32 version_ = version, tables = 0, bits = 0, log_domain = 0;
  u64 wires = 0, publics = 0, bytes = 0;
  Fingerprint key{}, data{};
  std::array<u64, (header_bytes - 112) / 8> zeros{};
  bool operator==(const Header&) const = default;
};
static_assert(sizeof(Header) == header_bytes);

// Four chains of multiplications, so that memory is the limit. Every step is invertible: a change of one word
// changes the result.
void mix(Fingerprint& to, Bytes bytes) {
  constexpr u64 factor = 0x9e3779b97f4a7c15;
  const auto step = [](u64& h, u64 word) {
    h = (h ^ word) * factor;
    h ^= h >> 32;
  };
  std::size_t at = 0;
  for (; at + 32 <= bytes.size(); at += 32)
    for (std::size_t k = 0; k < 4; k++) step(to[k], load_le<u64>(bytes.data() + at + 8 * k));
  std::array<std::uint8_t, 32> tail{};
  std::copy(bytes.begin() + std::ptrdiff_t(at), bytes.end(), tail.begin());
  for (std::size_t k = 0; k < 4; k++) step(to[k], load_le<u64>(tail.data() + 8 * k) + bytes.size());
}

template <class T>
Bytes bytes_of(const T& x) {
  return {reinterpret_cast<const std::uint8_t*>(&x), sizeof x};
}

// Of blocks, each of which `visit` sees first.
template <class F>
Fingerprint fingerprint(Bytes bytes, const Threads& threads, F&& visit) {
  constexpr std::size_t block = std::size_t(1) << 20;
  std::vector<Fingerprint> parts((bytes.size() + block - 1) / block);
  threads.run([&] {
    parallel_for(parts.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; i++) {
        const Bytes part = bytes.subspan(i * block, std::min(block, bytes.size() - i * block));
        visit(i * block, part);
        parts[i] = {1, 2, 3, 4};
        mix(parts[i], part);
      }
    });
  });
  Fingerprint all{5, 6, 7, 8};
  for (const Fingerprint& part : parts) mix(all, bytes_of(part));
  return all;
}

Fingerprint fingerprint_of(const ProvingKey& key, const Threads& threads) {
  Fingerprint all{9, 10, 11, 12};
  for (const auto& p : {key.alpha1, key.beta1, key.delta1}) mix(all, bytes_of(p));
  for (const auto& p : {key.beta2, key.gamma2, key.delta2}) mix(all, bytes_of(p));
  for (const Bytes part : {key.ic, key.a, key.b1, key.b2, key.c, key.h})
    mix(all, bytes_of(fingerprint(part, threads, [](std::size_t, Bytes) {})));
  return all;
}

Header header_of(const ProvingKey& key, const TablesPlan& plan, const Threads& threads) {
  Header header;
  header.tables = u32(plan.count), header.bits = u32(plan.bits), header.log_domain = u32(key.log_domain);
  header.wires = key.wire_count, header.publics = key.public_count, header.bytes = plan.bytes;
  header.key = fingerprint_of(key, threads);
  return header;
}

}  // namespace

Result<Tables> read_tables(const std::string& path, const ProvingKey& key, const TablesPlan& plan,
                           const Threads& threads) {
  const auto bad = [&](const std::string& why) { return Error{Code::malformed, path + ": " + why}; };
  VOUCH_TRY(const MappedFile file, MappedFile::open(path));
  const Bytes bytes = file.bytes();
  if (bytes.size() < header_bytes || std::memcmp(bytes.data(), Header().magic.data(), 8) != 0)
    return bad("is not a file of tables of multiples");
  const auto header = load_le<Header>(bytes.data());
  if (header.version_ != version)
    return bad("has version " + std::to_string(header.version_) + " of the format; this program reads " +
               std::to_string(version));
  if (header.tables != u32(plan.count) || header.bits != u32(plan.bits))
    return bad("has " + std::to_string(header.tables) + " tables of every point, and " +
               std::to_string(plan.count) + " are wanted");
  Header expected = header_of(key, plan, threads);
  expected.data = header.data;
  if (!(header == expected)) return bad("the tables are of another key than " + key.name);
  if (bytes.size() != header_bytes + plan.bytes)
    return bad("has " + std::to_string(bytes.size()) + " bytes where " +
               std::to_string(header_bytes + plan.bytes) + " belong: it is truncated or damaged");
  const auto data = std::make_shared<Buffer<std::uint8_t>>(plan.bytes);
  const Fingerprint found =
      fingerprint(bytes.subspan(header_bytes), threads, [&](std::size_t at, Bytes part) {
        std::copy(part.begin(), part.end(), data->data() + at);
        file.release(part);
      });
  if (found != header.data) return bad("the tables are damaged");
  return groth16::tables_over(key, plan, data);
}

Status write_tables(const std::string& path, const ProvingKey& key, const Tables& tables,
                    const Threads& threads) {
  Header header = header_of(key, tables.plan, threads);
  const Bytes data(tables.data->data(), tables.plan.bytes);
  header.data = fingerprint(data, threads, [](std::size_t, Bytes) {});
  const std::array<std::string_view, 2> pieces{
      std::string_view(reinterpret_cast<const char*>(&header), sizeof header),
      std::string_view(reinterpret_cast<const char*>(data.data()), data.size())};
  return write_file(path, pieces);
}

Result<OpenedTables> open_tables(const std::string& path, const ProvingKey& key, const TablesPlan& plan,
                                 Backend& backend, const Threads& threads, Progress* progress) {
  OpenedTables opened;
  std::error_code error;
  if (std::filesystem::exists(path, error)) {
    auto read = read_tables(path, key, plan, threads);
    if (read.ok()) {
      opened.tables = std::move(read).value();
      return opened;
    }
    opened.trouble = read.error().what + "; the tables were made anew";
    // Whatever else lies there is not ours to replace.
    if (read.error().code != Code::malformed || std::filesystem::file_size(path, error) < 8 ||
        read.error().what.find("is not a file of tables") != std::string::npos)
      return read.error();
  }
  VOUCH_TRY(opened.tables, groth16::make_tables(key, plan, backend, progress));
  opened.made = true;
  if (const Status s = write_tables(path, key, opened.tables, threads); !s.ok())
    opened.trouble = s.error().what + "; the tables will be made again next time";
  return opened;
}

}  // namespace vouch::formats
