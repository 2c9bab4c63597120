// NTT over Fr and Groth16's quotient on a device: gather, three inverse and three forward transforms, join.
#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>

#include "vouch/backend/domain.h"
#include "vouch/backend/gpu/backend.h"

namespace vouch::gpu {
namespace {

using F = Bn254Fr;

// The parameter structs of vouch/kernels/fr_ntt.h.
struct NttParams {
  u32 log_n, s0, k, first, scale, join;
};
static_assert(sizeof(NttParams) == 24);
struct GatherParams {
  u32 rows, log_n;
};
static_assert(sizeof(GatherParams) == 8);

constexpr int max_levels = 10;  // a slice of 1024 elements of 32 bytes fills 32 KiB
constexpr std::size_t record_bytes = 44;

// log_n as the fewest batches of at most max_levels, of near-equal width: 18 = 9 + 9.
std::vector<u32> split_levels(int log_n) {
  const int batches = std::max(1, (log_n + max_levels - 1) / max_levels);
  std::vector<u32> widths;
  for (int b = 0; b < batches; b++)
    widths.push_back(static_cast<u32>(log_n / batches + (b < log_n % batches)));
  return widths;
}

u32 groups_for(std::size_t items, u32 size) {
  return static_cast<u32>((items + size - 1) / size);
}
u32 ntt_group_size(u32 k) {
  return k == 0 ? 1 : std::min(max_group_size, u32(1) << (k - 1));
}

// Records the transform of `count` vectors from src to dst. table: scale factors by natural index, or null.
// plain: when given, src holds a, b, c and the last launch writes a * b - c there as integers; dst ends
// undefined.
void record_transform(Batch& batch, const Buffer& src, const Buffer& dst, const Buffer& roots,
                      const Buffer* table, int log_n, u32 count, const Buffer* plain = nullptr) {
  const std::vector<u32> widths = split_levels(log_n);
  u32 s0 = 0;
  for (std::size_t i = 0; i < widths.size(); i++) {
    const u32 k = widths[i], per_vector = u32(1) << (u32(log_n) - k), local = u32(32) << k,
              size = ntt_group_size(k);
    const bool joins = plain && i + 1 == widths.size();
    const auto tail = [&](u32 first, u32 vectors, u32 join) {
      batch.launch("fr_ntt_tail", vectors * per_vector, size, local, {&dst, &roots, plain ? plain : &dst},
                   NttParams{u32(log_n), s0, k, first, 0, join});
    };
    if (i == 0)
      batch.launch("fr_ntt_head", count * per_vector, size, local,
                   {&src, &dst, &roots, table ? table : &roots},
                   NttParams{u32(log_n), s0, k, 0, table ? 1u : 0u, 0});
    else if (joins)
      tail(0, count - 1, 0), tail(count - 1, 1, 1);
    else
      tail(0, count, 0);
    s0 += k;
  }
  if (plain && widths.size() == 1) {
    const u32 n = u32(1) << log_n;
    batch.launch("fr_join", groups_for(n, 256), 256, 0, {&dst, plain}, GatherParams{n, u32(log_n)});
  }
}

template <class T>
Result<Buffer> upload_elements(Device& device, const std::vector<T>& values) {
  const Bytes bytes(reinterpret_cast<const u8*>(values.data()), values.size() * sizeof(T));
  VOUCH_TRY(Buffer buffer, device.allocate(bytes.size()));
  VOUCH_CHECK(device.upload(buffer, 0, bytes));
  return buffer;
}

std::vector<F> powers(F first, const F& step, std::size_t n) {
  std::vector<F> all(n);
  for (F& x : all) x = first, first *= step;
  return all;
}

}  // namespace

Result<const FrDomain*> GpuBackend::domain(int log_n) {
  const auto found = domains_.find(log_n);
  if (found != domains_.end()) return &found->second;
  const std::size_t n = std::size_t(1) << log_n;
  const F w = F::root_of_unity(log_n);
  FrDomain d;
  VOUCH_TRY(d.forward, upload_elements(*device_, powers(F::one(), w, std::max<std::size_t>(n / 2, 1))));
  VOUCH_TRY(d.inverse,
            upload_elements(*device_, powers(F::one(), w.inverse(), std::max<std::size_t>(n / 2, 1))));
  VOUCH_TRY(d.coset, upload_elements(*device_, powers(F(n).inverse(), quotient_shift(log_n), n)));
  return &(domains_[log_n] = std::move(d));
}

Status GpuBackend::transform(std::span<F> values, int log_n, Direction direction, const F& shift) {
  const std::size_t n = values.size(), bytes = values.size_bytes();
  VOUCH_TRY(const FrDomain* d, domain(log_n));
  VOUCH_TRY(Buffer in, device_->allocate(bytes));
  VOUCH_TRY(Buffer out, device_->allocate(bytes));
  SecretGuard secrets(*device_, {&in, &out});
  const bool inverse = direction == Direction::inverse;
  VOUCH_TRY(Buffer table, upload_elements(*device_, inverse ? powers(F(n).inverse(), shift.inverse(), n)
                                                            : powers(F::one(), shift, n)));
  VOUCH_CHECK(device_->upload(in, 0, {reinterpret_cast<const u8*>(values.data()), bytes}));
  Batch batch;
  record_transform(batch, in, out, inverse ? d->inverse : d->forward, inverse ? nullptr : &table, log_n, 1);
  if (inverse)
    batch.launch("fr_scale", groups_for(n, 256), 256, 0, {&out, &table}, GatherParams{u32(n), u32(log_n)});
  batch.read({reinterpret_cast<u8*>(values.data()), bytes}, out, 0);
  VOUCH_CHECK(device_->run(batch));
  return secrets.clear();
}

Status GpuBackend::do_ntt(std::span<F> values, int log_n, Direction direction, const F& shift) {
  const std::scoped_lock turn(turn_);
  return with_room([&] { return transform(values, log_n, direction, shift); });
}

namespace {

// Records by row, for any order in the file: order[k] is the k-th record of the rows in ascending order,
// start[i] the first k of row i. Records of one row keep their order, so that sums do too.
struct RowIndex {
  std::vector<u32> start, order;
};
RowIndex index_rows(const QuotientInput& input, std::size_t rows) {
  RowIndex index{std::vector<u32>(rows + 1, 0),
                 std::vector<u32>(std::max<std::size_t>(input.record_count, 1))};
  const auto row = [&](std::size_t k) { return load_le<u32>(input.records + record_bytes * k + 4); };
  for (std::size_t k = 0; k < input.record_count; k++) index.start[row(k) + 1]++;
  std::partial_sum(index.start.begin(), index.start.end(), index.start.begin());
  std::vector<u32> next(index.start.begin(), index.start.end() - 1);
  for (std::size_t k = 0; k < input.record_count; k++) index.order[next[row(k)]++] = u32(k);
  return index;
}

}  // namespace

Status GpuBackend::quotient(const QuotientInput& input, std::span<UInt<4>> h, Progress& progress) {
  const int log_n = input.log_n;
  const std::size_t n = h.size();
  VOUCH_TRY(const FrDomain* d, domain(log_n));
  const Bytes source(input.records, input.record_count * record_bytes);
  std::optional<RowIndex> index;
  const auto part = [&](std::vector<u32> RowIndex::* which) -> Result<Buffer> {
    if (!index) index = index_rows(input, n);
    return upload_elements(*device_, (*index).*which);
  };
  Buffer own[3];
  VOUCH_TRY(const Buffer* records, resident_.get(source, own[0]));
  VOUCH_TRY(const Buffer* start,
            resident_.get(source, 2 * log_n + 1, own[1], [&] { return part(&RowIndex::start); }));
  VOUCH_TRY(const Buffer* order,
            resident_.get(source, 2 * log_n + 2, own[2], [&] { return part(&RowIndex::order); }));
  VOUCH_TRY(Buffer witness, device_->allocate(input.witness_count * 32));
  VOUCH_TRY(Buffer rows, device_->allocate_for_kernels(3 * n * sizeof(F)));
  VOUCH_TRY(Buffer values, device_->allocate_for_kernels(3 * n * sizeof(F)));
  VOUCH_TRY(Buffer plain, device_->allocate(n * 32));
  SecretGuard secrets(*device_, {&witness, &rows, &values, &plain});
  VOUCH_CHECK(device_->upload(witness, 0, {input.witness, input.witness_count * 32}));

  const GatherParams all{u32(n), u32(log_n)};
  Batch batch;
  batch.launch("fr_gather", groups_for(n, 128), 128, 0, {records, start, order, &witness, &rows}, all);
  record_transform(batch, rows, values, d->inverse, nullptr, log_n, 3);
  record_transform(batch, values, rows, d->forward, &d->coset, log_n, 3, &plain);
  batch.read({reinterpret_cast<u8*>(h.data()), n * 32}, plain, 0);
  KernelTimes times;
  VOUCH_CHECK(times.run(*device_, batch));
  times.report(progress);
  return secrets.clear();
}

Status GpuBackend::do_groth16_quotient(const QuotientInput& input, std::span<UInt<4>> h, Progress& progress) {
  const std::scoped_lock turn(turn_);
  return with_room([&] { return quotient(input, h, progress); });
}

}  // namespace vouch::gpu
