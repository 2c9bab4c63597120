// .zkey: opening and checking structure. See zkey.h.
#include "vouch/formats/zkey.h"

#include <atomic>
#include <bit>
#include <limits>

#include "vouch/curve/subgroup.h"
#include "vouch/formats/container.h"
#include "vouch/formats/sniff.h"

namespace vouch::formats {
namespace {

using groth16::ProvingKey;

enum SectionId : std::uint32_t {
  protocol_id = 1,
  header_id,
  ic_id,
  records_id,
  a_id,
  b1_id,
  b2_id,
  c_id,
  h_id,
  contributions_id,
};
constexpr std::string_view titles[] = {
    "",          "protocol",  "header",   "IC points", "coefficients", "A points",
    "B1 points", "B2 points", "C points", "H points",  "contributions"};
constexpr ContainerFormat format{"zkey", "a proving key (.zkey)", 2, titles};

constexpr int largest_log_domain = 28;  // the two-adicity of Fr
static_assert(Bn254Fr::two_adicity() == largest_log_domain);

// The least of the indices that threads report.
class FirstIndex {
 public:
  void found(std::size_t i) {
    for (std::size_t seen = first_; i < seen && !first_.compare_exchange_weak(seen, i);) {
    }
  }
  bool any() const { return first_ != none; }
  std::size_t index() const { return first_; }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::atomic<std::size_t> first_{none};
};

std::string count_of(std::uint64_t n, const std::string& what) {
  return std::to_string(n) + " " + what;
}

Status check_protocol(const Container& file) {
  VOUCH_TRY(const Bytes data, file.section(protocol_id));
  if (data.size() != 4) return file.error(protocol_id, "has " + count_of(data.size(), "bytes instead of 4"));
  const auto number = load_le<std::uint32_t>(data.data());
  if (number == 1) return ok();
  const std::string_view name = protocol_name(number);
  if (name.empty())
    return file.error(protocol_id, "proof system number " + std::to_string(number) + " is not known");
  return Error{
      Code::unsupported,
      file.error("this is a " + std::string(name) + " proving key; vouch makes Groth16 proofs only").what};
}

// The two primes at the start of the header; `in` is left behind them.
Status check_primes(const Container& file, Reader& in) {
  const auto q_size = in.read<std::uint32_t>();
  const Bytes q = in.take(q_size);
  const auto r_size = in.read<std::uint32_t>();
  const Bytes r = in.take(r_size);
  if (in.failed()) return file.error(header_id, "is cut off inside its primes");
  const bool ours = q_size == 32 && r_size == 32 && load_le<UInt<4>>(q.data()) == Bn254Fq::modulus &&
                    load_le<UInt<4>>(r.data()) == Bn254Fr::modulus;
  if (ours) return ok();
  const std::string_view curve = curve_of_prime(r);
  if (curve.empty() || curve == "BN254")
    return file.error(header_id, "the primes are those of no curve vouch knows");
  return Error{Code::unsupported, file.error("this key is for the curve " + std::string(curve) +
                                             "; vouch makes Groth16 proofs over BN254 only")
                                      .what};
}

Status read_domain(const Container& file, std::uint32_t size, ProvingKey& key) {
  if (!std::has_single_bit(size))
    return file.error(header_id, "the domain size " + std::to_string(size) + " is not a power of two");
  key.log_domain = std::countr_zero(size);
  if (key.log_domain < 1 || key.log_domain > largest_log_domain)
    return file.error(header_id,
                      "the domain size 2^" + std::to_string(key.log_domain) + " is outside 2^1 .. 2^28");
  if (std::uint64_t(key.public_count) + 1 > size)
    return file.error(header_id, "a domain of " + std::to_string(size) + " rows is too small for " +
                                     count_of(key.public_count, "public signals"));
  return ok();
}

Result<Bn254G1::Affine> load(Bytes data, Bn254G1*) {
  if (const auto bad = find_bad_g1(data)) return Error{Code::malformed, describe(bad->fault)};
  return groth16::load_g1_unchecked(data.data());
}
Result<Bn254G2::Affine> load(Bytes data, Bn254G2*) {
  OsRng rng;  // not drawn from for one point
  VOUCH_TRY(const auto bad, find_bad_g2(data, rng));
  if (bad) return Error{Code::malformed, describe(bad->fault)};
  return groth16::load_g2_unchecked(data.data());
}

// Reads the header's points in turn. Infinity is allowed only in a key that is insecure on purpose.
class PointReader {
 public:
  PointReader(const Container& file, Reader& in, bool allow_infinity)
      : file_(file), in_(in), allow_infinity_(allow_infinity) {}

  Status read(const char* name, Bn254G1::Affine& to) { return read<Bn254G1>(name, groth16::g1_bytes, to); }
  Status read(const char* name, Bn254G2::Affine& to) { return read<Bn254G2>(name, groth16::g2_bytes, to); }

 private:
  template <class C>
  Status read(const char* name, std::size_t size, AffinePoint<C>& to) {
    const Bytes data = in_.take(size);
    if (in_.failed()) return file_.error(header_id, "is cut off");
    auto p = load(data, static_cast<C*>(nullptr));
    if (!p.ok()) return file_.error(header_id, std::string(name) + " " + p.error().what);
    to = p.value();
    if (!to.is_infinity() || allow_infinity_) return ok();
    return file_.error(header_id, std::string(name) +
                                      " is the point at infinity, so anyone can forge proofs under this key "
                                      "(--allow-insecure-key uses it all the same)");
  }

  const Container& file_;
  Reader& in_;
  bool allow_infinity_;
};

Status read_header(const Container& file, const ZkeyOptions& options, ProvingKey& key) {
  VOUCH_TRY(const Bytes data, file.section(header_id));
  Reader in(data);
  VOUCH_CHECK(check_primes(file, in));
  key.wire_count = in.read<std::uint32_t>();
  key.public_count = in.read<std::uint32_t>();
  const auto domain = in.read<std::uint32_t>();
  if (in.failed()) return file.error(header_id, "is cut off");
  if (key.wire_count == 0 || key.public_count >= key.wire_count)
    return file.error(header_id, "claims " + count_of(key.public_count, "public signals but only ") +
                                     count_of(key.wire_count, "wires"));
  VOUCH_CHECK(read_domain(file, domain, key));
  PointReader points(file, in, options.allow_insecure_key);
  VOUCH_CHECK(points.read("alpha1", key.alpha1));
  VOUCH_CHECK(points.read("beta1", key.beta1));
  VOUCH_CHECK(points.read("beta2", key.beta2));
  VOUCH_CHECK(points.read("gamma2", key.gamma2));
  VOUCH_CHECK(points.read("delta1", key.delta1));
  VOUCH_CHECK(points.read("delta2", key.delta2));
  if (in.remaining() != 0) return file.error(header_id, "has " + count_of(in.remaining(), "bytes too many"));
  if (key.gamma2 == key.delta2 && !options.allow_insecure_key)
    return file.error(
        header_id,
        "gamma2 equals delta2: nobody has contributed to the second phase of this key, so anyone can "
        "forge proofs under it (snarkjs zkey contribute makes it safe; --allow-insecure-key uses it all "
        "the same)");
  return ok();
}

Status read_point_sections(const Container& file, ProvingKey& key) {
  const auto points = [&](std::uint32_t id, std::uint64_t count, std::size_t size) {
    return file.section(id, count * size, count_of(count, "points of ") + count_of(size, "bytes"));
  };
  VOUCH_TRY(key.ic, points(ic_id, std::uint64_t(key.public_count) + 1, groth16::g1_bytes));
  VOUCH_TRY(key.a, points(a_id, key.wire_count, groth16::g1_bytes));
  VOUCH_TRY(key.b1, points(b1_id, key.wire_count, groth16::g1_bytes));
  VOUCH_TRY(key.b2, points(b2_id, key.wire_count, groth16::g2_bytes));
  VOUCH_TRY(key.c, points(c_id, key.wire_count - key.public_count - 1, groth16::g1_bytes));
  VOUCH_TRY(key.h, points(h_id, key.domain_size(), groth16::g1_bytes));
  if (const auto bad = find_bad_g1(key.ic))
    return file.error(ic_id, "point " + std::to_string(bad->index) + " " + describe(bad->fault));
  return ok();
}

// What is wrong with the record at p; empty when nothing is.
std::string record_problem(const ProvingKey& key, const std::uint8_t* p) {
  const auto matrix = load_le<std::uint32_t>(p);
  const auto row = load_le<std::uint32_t>(p + 4);
  const auto wire = load_le<std::uint32_t>(p + 8);
  if (matrix > 1) return "names matrix " + std::to_string(matrix) + "; only 0 (A) and 1 (B) exist";
  if (row >= key.domain_size())
    return "names row " + std::to_string(row) + ", but the domain has " + std::to_string(key.domain_size());
  if (wire >= key.wire_count)
    return "names signal " + std::to_string(wire) + ", but the circuit has " + std::to_string(key.wire_count);
  if (load_le<UInt<4>>(p + 12) >= Bn254Fr::modulus)
    return "has a value that is not below the field's modulus";
  return {};
}

// stream: the file whose pages are given back, or null.
Status read_records(const Container& file, const Threads& threads, const MappedFile* stream,
                    ProvingKey& key) {
  VOUCH_TRY(const Bytes data, file.section(records_id));
  if (data.size() < 4) return file.error(records_id, "is cut off before its count");
  const std::uint64_t count = load_le<std::uint32_t>(data.data());
  key.records = data.subspan(4);
  if (key.records.size() != count * groth16::record_bytes)
    return file.error(records_id, "claims " + count_of(count, "records of 44 bytes, but has ") +
                                      count_of(key.records.size(), "bytes for them"));
  const Span span("check records");
  FirstIndex bad;
  std::atomic<std::uint64_t> rows{0};
  threads.run([&] {
    parallel_for(count, 16384, [&](std::size_t begin, std::size_t end) {
      std::uint64_t last = 0;
      for (std::size_t i = begin; i < end; i++) {
        const std::uint8_t* p = key.records.data() + i * groth16::record_bytes;
        const auto row = load_le<std::uint32_t>(p + 4);
        const bool good = load_le<std::uint32_t>(p) <= 1 && row < key.domain_size() &&
                          load_le<std::uint32_t>(p + 8) < key.wire_count &&
                          load_le<UInt<4>>(p + 12) < Bn254Fr::modulus;
        if (!good) return bad.found(i);
        last = std::max(last, std::uint64_t(row) + 1);
      }
      for (std::uint64_t seen = rows; seen < last && !rows.compare_exchange_weak(seen, last);) {
      }
      if (stream)
        stream->release(
            key.records.subspan(begin * groth16::record_bytes, (end - begin) * groth16::record_bytes));
    });
  });
  if (bad.any())
    return file.error(records_id,
                      "record " + std::to_string(bad.index()) + " " +
                          record_problem(key, key.records.data() + bad.index() * groth16::record_bytes));
  key.row_count = rows;
  return ok();
}

// A contribution's parameters: tag, then 1 name, 2 exponent of iterations, 3 beacon; snarkjs's own form.
bool read_parameters(Bytes data, Contribution& to) {
  Reader in(data);
  while (in.remaining() != 0 && !in.failed()) {
    const auto tag = in.read<std::uint8_t>();
    if (tag == 2) {
      in.take(1);
    } else if (tag == 1 || tag == 3) {
      const Bytes text = in.take(in.read<std::uint8_t>());
      if (tag == 1) to.name.assign(text.begin(), text.end());
    } else {
      return false;
    }
  }
  return !in.failed();
}

Status read_contributions(const Container& file, Zkey& zkey) {
  VOUCH_TRY(const Bytes data, file.section(contributions_id));
  Reader in(data);
  const Bytes hash = in.take(64);
  const auto count = in.read<std::uint32_t>();
  if (in.failed()) return file.error(contributions_id, "is cut off");
  std::copy(hash.begin(), hash.end(), zkey.circuit_hash.begin());
  for (std::uint32_t i = 0; i < count; i++) {
    Contribution one;
    const Bytes after = in.take(groth16::g1_bytes);
    in.take(2 * groth16::g1_bytes + groth16::g2_bytes +
            64);  // the proof of knowledge and the transcript's hash
    one.beacon = in.read<std::uint32_t>() == 1;
    const Bytes parameters = in.take(in.read<std::uint32_t>());
    if (in.failed())
      return file.error(contributions_id, "is cut off inside contribution " + std::to_string(i + 1) +
                                              " of the " + std::to_string(count) + " it claims");
    if (!read_parameters(parameters, one))
      return file.error(contributions_id,
                        "contribution " + std::to_string(i + 1) + " has damaged parameters");
    one.delta_after = groth16::load_g1_unchecked(after.data());
    zkey.contributions.push_back(std::move(one));
  }
  if (in.remaining() != 0)
    return file.error(contributions_id, count_of(in.remaining(), "bytes follow the last contribution"));
  zkey.contributions_read = true;
  return ok();
}

}  // namespace

namespace {

Result<Zkey> parse(const std::string& name, Bytes bytes, const ZkeyOptions& options, const Threads& threads,
                   const MappedFile* stream) {
  VOUCH_TRY(const Container file, Container::open(name, bytes, format, options.allow_damaged_tail));
  Zkey zkey;
  zkey.key.name = name;
  VOUCH_CHECK(check_protocol(file));
  VOUCH_CHECK(read_header(file, options, zkey.key));
  VOUCH_CHECK(read_point_sections(file, zkey.key));
  VOUCH_CHECK(read_records(file, threads, stream, zkey.key));
  if (const Status s = read_contributions(file, zkey); !s.ok()) {
    if (!options.allow_damaged_tail) return s.error();
    zkey.contributions.clear();
  }
  return zkey;
}

}  // namespace

Result<Zkey> parse_zkey(const std::string& name, Bytes bytes, const ZkeyOptions& options,
                        const Threads& threads) {
  return parse(name, bytes, options, threads, nullptr);
}

Result<Zkey> open_zkey(const std::string& path, const ZkeyOptions& options, const Threads& threads) {
  const Span span("open key");
  VOUCH_TRY(auto mapped, MappedFile::open(path));
  const auto file = std::make_shared<const MappedFile>(std::move(mapped));
  VOUCH_TRY(Zkey zkey, parse(path, file->bytes(), options, threads, options.stream ? file.get() : nullptr));
  zkey.key.file = file;
  return zkey;
}

}  // namespace vouch::formats
