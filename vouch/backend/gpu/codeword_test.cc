// Codewords made on every device that is present (the host device always) against the reference: cap, rows,
// siblings, over field x degree x order x size x hash.
#include "vouch/backend/gpu/codeword.h"

#include <gtest/gtest.h>

#include <thread>

#include "vouch/backend/gpu/passing.h"
#include "vouch/backend/gpu/test_devices.h"
#include "vouch/backend/reference/poly.h"
#include "vouch/core/rng.h"

namespace vouch::gpu {
namespace {

constexpr bool thorough = VOUCH_TEST_LOG >= 12;  // devices that interpret their kernels take small sizes

struct Case {
  int n, fold, rate, cap, dropped;
};

template <class F>
F random_base(InsecureTestRng& rng) {
  const std::uint64_t x = rng.next();
  return x % 8 == 0 ? F::raw(F::modulus - 1) : x % 8 == 1 ? F::zero() : F(static_cast<u32>(x >> 32));
}

// One device for all tests: a device compiles its kernels once.
Device* shared_device(const std::string& name) {
  static std::map<std::string, std::unique_ptr<Device>> devices;
  auto& device = devices[name];
  if (device) return device.get();
  auto opened = open_test_device(name);
  if (opened.ok()) device = std::move(opened).value();
  return device.get();
}

class CodewordTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    device_ = shared_device(GetParam());
    if (!device_) GTEST_SKIP() << "NOT RUN: no device " << GetParam();
  }

  // degree 1: base values. Otherwise the extension values of a polynomial that has been folded once.
  template <class F, int D>
  void compare(Tables31<F>& tables, const Case& c, int degree, FoldOrder order, const MerkleHash<F>& hash) {
    SCOPED_TRACE(testing::Message() << F::Params::name << ", degree " << degree << ", "
                                    << (order == FoldOrder::prefix ? "prefix" : "suffix") << ", 2^" << c.n
                                    << " values, fold " << c.fold << ", rate " << c.rate << ", cap " << c.cap
                                    << ", dropped " << c.dropped << ", leaf rate " << hash.leaf_rate()
                                    << ", arity " << hash.arity());
    const bool folded = degree != 1;
    std::vector<F> f(std::size_t(1) << (c.n + folded));
    for (F& x : f) x = random_base<F>(rng_);
    auto plain = reference::open_poly<F, D>()->start(f, order, 1).value();
    std::vector<u32> words;
    if (folded) {
      Ext31<F, D> r;
      for (F& x : r.c) x = random_base<F>(rng_);
      ASSERT_TRUE(plain->fold(r).ok());
      const auto folded_values = plain->values().value();
      for (const auto& e : folded_values)
        for (const F x : e.c) words.push_back(x.montgomery());
    } else {
      for (const F x : f) words.push_back(x.montgomery());
    }
    Buffer values = device_->allocate(words.size() * 4).value();
    ASSERT_TRUE(
        device_->upload(values, 0, {reinterpret_cast<const u8*>(words.data()), words.size() * 4}).ok());
    const EncodeShape shape{c.fold, c.rate, c.cap, c.dropped};
    auto made = gpu_encode<F>(tables, values, c.n, degree, order, shape, hash, times_);
    ASSERT_TRUE(made.ok()) << made.error().what;
    same(*plain->encode(shape, hash).value(), *made.value());
  }

  template <class F>
  void same(const Codeword<F>& a, const Codeword<F>& b) {
    ASSERT_EQ(a.rows(), b.rows());
    ASSERT_EQ(a.row_words(), b.row_words());
    EXPECT_EQ(a.permutations(), b.permutations());
    ASSERT_EQ(a.cap().size(), b.cap().size());
    for (std::size_t i = 0; i < a.cap().size(); i++) EXPECT_EQ(a.cap()[i], b.cap()[i]) << "cap entry " << i;
    std::vector<std::size_t> few = {a.rows() - 1}, some, all;
    const std::size_t spread = std::max<std::size_t>(3, a.rows() / 50);
    for (std::size_t i = 0; i < a.rows(); i++) {
      if (rng_.next() % spread == 0) some.push_back(i);
      if (a.rows() <= 64) all.push_back(i);
    }
    for (const auto* indices : {&few, &some, &all}) {
      auto x = a.open(*indices), y = b.open(*indices);
      ASSERT_TRUE(y.ok()) << y.error().what;
      EXPECT_EQ(x.value().rows, y.value().rows);
      EXPECT_EQ(x.value().siblings, y.value().siblings);
    }
  }

  // Every way to hash: leaves by 16 or 24 words, trees of arity 2 or 4.
  template <class F>
  static std::vector<MerkleHash<F>> hashes() {
    std::vector<MerkleHash<F>> all(4);
    for (const int i : {1, 3}) all[std::size_t(i)].p24 = &Poseidon2<F, 24>::standard();
    for (const int i : {2, 3}) all[std::size_t(i)].p32 = &Poseidon2<F, 32>::standard();
    return all;
  }

  template <class F>
  void small_sizes() {
    const Case cases[] = {{0, 0, 1, 0, 0}, {0, 0, 4, 2, 1}, {1, 0, 1, 0, 0}, {1, 1, 1, 0, 0},
                          {1, 1, 2, 1, 1}, {2, 1, 1, 0, 1}, {3, 2, 1, 1, 0}, {5, 5, 4, 0, 2},
                          {6, 6, 3, 0, 1}, {6, 1, 2, 2, 0}, {6, 2, 1, 9, 3}, {7, 3, 2, 0, 9},
                          {8, 4, 6, 0, 2}, {9, 2, 3, 1, 4}, {9, 5, 1, 3, 0}};
    Tables31<F> tables(*device_, turn_);
    int turn = 0;  // degrees take turns: every case meets each of them, with one hash or another
    for (const Case& c : cases) {
      if (!thorough && c.n + c.rate - c.fold > 5) continue;
      for (const MerkleHash<F>& hash : hashes<F>())
        for (const FoldOrder order : {FoldOrder::prefix, FoldOrder::suffix}) {
          const int degree = turn++ % 3;
          if (degree == 0) compare<F, 4>(tables, c, 1, order, hash);
          if (degree == 1) compare<F, 4>(tables, c, 4, order, hash);
          if (degree == 2) compare<F, 5>(tables, c, 5, order, hash);
        }
    }
  }

  // Every radix of the passes in registers, alone and after one another.
  template <class F>
  void passes() {
    Tables31<F> tables(*device_, turn_);
    tables.tail_bits = 5;
    for (int rows = 6; rows <= (thorough ? 16 : 11); rows++) {
      const int rate = 1 + rows % 4;
      compare<F, 4>(tables, {rows - rate, 0, rate, rows % 3, rows % 4}, 1, FoldOrder::prefix, {});
      if (rows > (thorough ? 13 : 7)) continue;
      for (const FoldOrder order : {FoldOrder::prefix, FoldOrder::suffix}) {
        compare<F, 4>(tables, {rows - rate + 2, 2, rate, 1, 2}, 1, order, {});
        compare<F, 4>(tables, {rows - rate + 1, 1, rate, 0, 0}, 4, order, {});
        compare<F, 5>(tables, {rows - rate + 1, 1, rate, 0, 0}, 5, order, {});
      }
    }
  }

  // As sizes come in practice: blocks of 4096, wide groups, several launches of tree levels.
  template <class F>
  void large_sizes() {
    if (!thorough) return;
    Tables31<F> tables(*device_, turn_);
    compare<F, 4>(tables, {11, 0, 1, 0, 3}, 1, FoldOrder::suffix, {});
    compare<F, 4>(tables, {13, 1, 1, 2, 1}, 4, FoldOrder::suffix, {});
    compare<F, 4>(tables, {16, 0, 1, 0, 3}, 1, FoldOrder::prefix, hashes<F>()[2]);
    compare<F, 4>(tables, {17, 0, 1, 0, 2}, 1, FoldOrder::prefix, {});
  }

  // Trees that start with four rows for each work-item.
  template <class F>
  void quads() {
    Tables31<F> tables(*device_, turn_);
    tables.quads_from_log_rows = 2;
    for (int rows = 2; rows <= (thorough ? 10 : 5); rows++)
      for (const MerkleHash<F>& hash : hashes<F>()) {
        if (hash.arity() != 2) continue;
        compare<F, 4>(tables, {rows + 1, 2, 1, rows % 3, rows % 5}, 1, FoldOrder::prefix, hash);
        compare<F, 5>(tables, {rows, 1, 1, 0, rows % 4}, 5, FoldOrder::suffix, hash);
      }
  }

  InsecureTestRng rng_{11};
  Device* device_ = nullptr;
  std::mutex turn_;
  PolyTimes times_;
};

TEST_P(CodewordTest, SmallBabyBear) {
  small_sizes<BabyBear>();
}
TEST_P(CodewordTest, SmallKoalaBear) {
  small_sizes<KoalaBear>();
}
TEST_P(CodewordTest, PassesBabyBear) {
  passes<BabyBear>();
}
TEST_P(CodewordTest, PassesKoalaBear) {
  passes<KoalaBear>();
}
TEST_P(CodewordTest, LargeBabyBear) {
  large_sizes<BabyBear>();
}
TEST_P(CodewordTest, LargeKoalaBear) {
  large_sizes<KoalaBear>();
}
TEST_P(CodewordTest, QuadsBabyBear) {
  quads<BabyBear>();
}
TEST_P(CodewordTest, QuadsKoalaBear) {
  quads<KoalaBear>();
}

TEST_P(CodewordTest, SeededPermutations) {
  Tables31<BabyBear> tables(*device_, turn_);
  SmallRng rng(1);
  const auto p16 = Poseidon2<BabyBear, 16>::from_rng128(rng);
  const auto p24 = Poseidon2<BabyBear, 24>::from_rng128(rng);
  const auto p32 = Poseidon2<BabyBear, 32>::from_rng128(rng);
  for (const MerkleHash<BabyBear>& hash :
       {MerkleHash<BabyBear>{&p16, nullptr, nullptr}, MerkleHash<BabyBear>{&p16, &p24, &p32}, {}})
    compare<BabyBear, 4>(tables, {8, 2, 1, 0, 2}, 4, FoldOrder::prefix, hash);
}

TEST_P(CodewordTest, CountsItsTime) {
  Tables31<BabyBear> tables(*device_, turn_);
  compare<BabyBear, 4>(tables, {6, 2, 1, 0, 0}, 1, FoldOrder::prefix, {});
  EXPECT_GT(times_.hash, 0);
  if (GetParam() == "opencl") {  // this device times each launch
    EXPECT_GT(times_.encode, 0);
  }
}

TEST_P(CodewordTest, RefusesMoreRowsThanTheFieldHasRoots) {
  Tables31<KoalaBear> tables(*device_, turn_);
  const Buffer f = device_->allocate(64).value();
  const auto made = gpu_encode<KoalaBear>(tables, f, 4, 1, FoldOrder::prefix, {0, 21, 0, 0}, {}, times_);
  EXPECT_EQ(made.error().code, Code::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(Devices, CodewordTest, testing::Values(VOUCH_TEST_DEVICES),
                         [](const auto& i) { return i.param; });

// A device that is asked something by who does not have its turn.
class TurnDevice final : public PassingDevice {
 public:
  TurnDevice(std::mutex& turn, int& intrusions)
      : PassingDevice(std::move(open_host(0)).value()), turn_(turn), intrusions_(intrusions) {}

 protected:
  void do_free(std::uint64_t handle) noexcept override {
    std::thread([&] {
      const std::unique_lock other(turn_, std::try_to_lock);
      intrusions_ += other.owns_lock();
    }).join();
    PassingDevice::do_free(handle);
  }

 private:
  std::mutex& turn_;
  int& intrusions_;
};

TEST(Codeword, GivesItsMemoryBackInTurn) {
  std::mutex turn;
  int intrusions = 0;
  TurnDevice device(turn, intrusions);
  std::unique_lock mine(turn);
  Tables31<BabyBear> tables(device, turn);
  Buffer f = device.allocate(4 << 6).value();
  ASSERT_TRUE(device.clear(f).ok());
  PolyTimes times;
  auto codeword = gpu_encode<BabyBear>(tables, f, 6, 1, FoldOrder::prefix, {2, 1}, {}, times);
  ASSERT_TRUE(codeword.ok()) << codeword.error().what;
  mine.unlock();
  const std::size_t indices[] = {3};
  EXPECT_TRUE(codeword.value()->open(indices).ok());
  codeword.value().reset();
  EXPECT_EQ(intrusions, 0);
  mine.lock();  // what is left goes in turn
  f = Buffer();
}

}  // namespace
}  // namespace vouch::gpu
