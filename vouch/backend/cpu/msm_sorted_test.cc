// Sums with tables of multiples against reference: the tables, the order of digits, and the sums.
#include "vouch/backend/cpu/msm_sorted.h"

#include <gtest/gtest.h>

#include "vouch/backend/cpu/cpu.h"
#include "vouch/backend/cpu/msm.h"
#include "vouch/backend/cpu/msm_multiples.h"
#include "vouch/backend/cpu/msm_sample.h"
#include "vouch/backend/reference/msm.h"

namespace vouch {
namespace {

using namespace msm_sample;
using Group = Backend::Group;

MsmTables shape_of(int count, std::size_t stride) {
  return {nullptr, stride, (255 + count - 1) / count, count};
}

template <class C>
std::vector<u8> make_tables(Instructions form, const std::vector<typename C::Affine>& points,
                            std::size_t skip, const MsmTables& shape) {
  constexpr std::size_t bytes = sizeof(typename C::Affine);
  std::vector<u8> data(std::size_t(shape.count) * shape.stride * bytes, 0xee);
  Progress progress;
  cpu_multiples(bytes == 64 ? Group::g1 : Group::g2,
                reinterpret_cast<const u8*>(points.data()) + skip * bytes, points.size() - skip, shape,
                data.data(), form, progress);
  return data;
}

// Every third point at infinity, some equal, some opposite.
template <class C>
std::vector<typename C::Affine> mixed_points(std::size_t n, Random& random) {
  auto points = multiples<C>(1 + random.next() % 1000, n);
  for (std::size_t i = 1; i < n; i++) {
    const u64 kind = random.next() % 9;
    if (kind < 3) points[i] = {};
    if (kind == 3) points[i] = points[i - 1];
    if (kind == 4) points[i] = -points[i - 1];
  }
  return points;
}

// Zeros, ones, -1, short and full scalars, those with the longest digits, and one value again and again.
std::vector<UInt<4>> mixed_scalars(std::size_t n, Random& random) {
  const UInt<4> fixed = random.scalar();
  std::vector<UInt<4>> scalars;
  for (std::size_t i = 0; i < n; i++) {
    UInt<4> x = random.scalar(), minus_one = Bn254Fr::modulus;
    sub(minus_one, UInt<4>::of(1));
    switch (random.next() % 8) {
      case 0:
        x = {};
        break;
      case 1:
        x = UInt<4>::of(1);
        break;
      case 2:
        x = minus_one;
        break;
      case 3:
        x = UInt<4>::of(random.next() >> (random.next() % 64));
        break;
      case 4:
        x = fixed;
        break;
      case 5:
        x = half_group_order;
        if (random.next() % 2) add(x, UInt<4>::of(1));
        break;
      case 6: {
        x = {};
        x.limb[random.next() % 4] = u64(1) << (random.next() % 60);
        if (random.next() % 2) sub(x, UInt<4>::of(1));
        break;
      }
      default:
        break;
    }
    scalars.push_back(x);
  }
  return scalars;
}

template <class C>
void expect_tables(Group group, std::size_t n, int count) {
  Random random(n + std::size_t(count));
  const auto points = mixed_points<C>(n, random);
  const MsmTables shape = shape_of(count, n + 3);
  std::vector<u8> expected(std::size_t(count) * (n + 3) * sizeof(typename C::Affine));
  reference_multiples(group, reinterpret_cast<const u8*>(points.data()), n, shape, expected.data());
  for (const Instructions form : forms_here())
    EXPECT_TRUE(make_tables<C>(form, points, 0, shape) == expected)
        << "n " << n << " count " << count << " form " << int(form);
}

TEST(MsmTables, AreTheMultiples) {
  for (const int count : {1, 2, 5, 16, 63})
    for (const std::size_t n : {1, 31, 33, 70}) {
      expect_tables<Bn254G1>(Group::g1, n, count);
      expect_tables<Bn254G2>(Group::g2, n, count);
    }
  expect_tables<Bn254G1>(Group::g1, 2100, 2);  // more than a block
}

// Every way to cut the bits between multiples gives every scalar back, and the order is by bucket.
TEST(MsmTables, DigitsGiveTheScalars) {
  Random random(3);
  const auto scalars = mixed_scalars(300, random);
  const auto* bytes = reinterpret_cast<const u8*>(scalars.data());
  for (int count = 1; count <= 63; count++)
    for (int sets = 1; sets <= 40; sets++) {
      const MsmShape shape{(255 + count - 1) / count, count, sets};
      if (!shape.valid()) continue;
      const MsmSorted sorted(bytes, scalars.size(), 300, shape);
      std::vector<Bn254Fr> values(300);
      u32 at = 0;
      for (int t = 0; t < sets; t++)
        for (u32 b = 0; b < shape.buckets(t); b++)
          for (; at < sorted.ends()[sorted.first_bucket(t) + b]; at++) {
            const u32 entry = sorted.entries()[at] & ~MsmDigits::negative;
            const auto power = u64(shape.bits) * (entry / 300) + u64(shape.window_bits() * t);
            const Bn254Fr term = Bn254Fr(2).pow(UInt<1>::of(power)) * Bn254Fr(b + 1);
            Bn254Fr& value = values[entry % 300];
            value = sorted.entries()[at] & MsmDigits::negative ? value - term : value + term;
          }
      ASSERT_EQ(at, sorted.entries().size());
      for (std::size_t i = 0; i < 300; i++)
        ASSERT_TRUE(values[i].to_int() == scalars[i]) << count << " tables, " << sets << " sets, " << i;
    }
}

// Pieces follow one another and cover every entry once, however small they are.
TEST(MsmTables, PiecesCoverTheEntries) {
  Random random(4);
  const auto scalars = mixed_scalars(500, random);
  const MsmSorted sorted(reinterpret_cast<const u8*>(scalars.data()), 500, 500, {26, 10, 3});
  for (const double cost : {1.0, 7.0, 100.0, 1e6})
    for (const std::size_t buckets : {1, 50, 100000}) {
      u32 at = 0;
      for (const MsmPiece& piece : sorted.pieces(cost, buckets)) {
        EXPECT_EQ(piece.begin, at);
        EXPECT_LE(piece.end - piece.first, buckets);
        EXPECT_LE(double(piece.finish - piece.begin), cost);
        const u32 before = piece.first ? sorted.ends()[piece.first - 1] : 0;
        EXPECT_LE(before, piece.begin);
        EXPECT_LE(piece.finish, sorted.ends()[piece.end - 1]);
        at = piece.finish;
      }
      EXPECT_EQ(at, sorted.entries().size());
    }
}

// A, B1, B2 over one witness, L over its private part, H over other scalars, one sum without tables.
TEST(MsmTables, SumsAgreeWithReference) {
  Progress progress;
  for (const std::size_t n : {1, 9, 300}) {
    Random random(n);
    const auto a = mixed_points<Bn254G1>(n, random), h = multiples<Bn254G1>(5, n);
    const auto b2 = mixed_points<Bn254G2>(std::min<std::size_t>(n, 100), random);
    const auto witness = mixed_scalars(n, random), other = mixed_scalars(n, random);
    const auto job = [](const auto& points, const auto& scalars, std::size_t skip) {
      return MsmJob{reinterpret_cast<const u8*>(points.data() + skip),
                    reinterpret_cast<const u8*>(scalars.data() + skip), points.size() - skip};
    };
    MsmSet set;
    set.g1 = {job(a, witness, 0), job(a, witness, n / 3), job(h, other, 0), job(h, witness, 0)};
    set.g2 = {job(b2, witness, 0)};
    const MsmSums expected = reference_msm(set, progress).value();
    for (const Instructions form : forms_here())
      for (const int count : {1, 2, 4, 15, 33}) {
        const MsmTables shape = shape_of(count, n + 5);
        const auto with = [&](MsmJob& to, const std::vector<u8>& data) {
          to.tables = shape, to.tables.data = data.data();
          to.points = nullptr;  // the tables have them
        };
        const auto ta = make_tables<Bn254G1>(form, a, 0, shape),
                   tl = make_tables<Bn254G1>(form, a, n / 3, shape),
                   th = make_tables<Bn254G1>(form, h, 0, shape),
                   tb = make_tables<Bn254G2>(form, b2, 0, shape);
        MsmSet fast = set;
        with(fast.g1[0], ta), with(fast.g1[1], tl), with(fast.g1[2], th), with(fast.g2[0], tb);
        for (const int threads : {1, 3}) {
          const MsmSums sums = on_cpu(fast, form, threads);
          for (std::size_t i = 0; i < sums.g1.size(); i++)
            EXPECT_TRUE(sums.g1[i] == expected.g1[i]) << "n " << n << " count " << count << " sum " << i;
          EXPECT_TRUE(sums.g2[0] == expected.g2[0]) << "n " << n << " count " << count;
        }
      }
  }
}

// Buckets of many tasks, and one bucket that several tasks share.
TEST(MsmTables, SumsOfManyPoints) {
  constexpr std::size_t n = 6000;
  Random random(8);
  const auto points = multiples<Bn254G1>(7, n);
  std::vector<UInt<4>> scalars;
  Bn254Fr k;
  for (std::size_t i = 0; i < n; i++) {
    scalars.push_back(i % 3 ? UInt<4>::of(1) : random.scalar());
    k = k + Bn254Fr::from_int(scalars[i]) * Bn254Fr(7 + i);
  }
  const auto expected = Bn254G1::Xyzz::from(Bn254G1::generator()).mul_vartime(k.to_int()).to_affine();
  for (const Instructions form : forms_here())
    for (const int count : {4, 15}) {
      const auto data = make_tables<Bn254G1>(form, points, 0, shape_of(count, n));
      MsmSet set;
      set.g1 = {{reinterpret_cast<const u8*>(points.data()), reinterpret_cast<const u8*>(scalars.data()), n}};
      set.g1[0].tables = shape_of(count, n), set.g1[0].tables.data = data.data();
      for (const int threads : {1, 4}) EXPECT_TRUE(on_cpu(set, form, threads).g1[0] == expected) << count;
    }
}

TEST(MsmTables, AreChecked) {
  CpuBackend backend(1, Instructions::portable);
  const std::vector<u8> bytes(4096);
  MsmSet set;
  set.g1 = {{bytes.data(), bytes.data(), 4}};
  for (const MsmTables& bad : {MsmTables{bytes.data(), 3, 255, 1}, MsmTables{bytes.data(), 4, 17, 14},
                               MsmTables{bytes.data(), 4, 17, 16}, MsmTables{bytes.data(), 4, 255, 0}}) {
    set.g1[0].tables = bad;
    EXPECT_EQ(backend.msm(set).error().code, Code::invalid_argument);
  }
  EXPECT_TRUE(backend.uses_tables());
}

}  // namespace
}  // namespace vouch
