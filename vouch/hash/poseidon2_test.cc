// Poseidon2 against the published constants and outputs of Plonky3; Merkle trees and multiproofs against
// themselves.
#include "vouch/hash/poseidon2.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "vouch/core/rng.h"
#include "vouch/hash/merkle.h"

namespace vouch {
namespace {

std::ifstream vector_file(const std::string& name) {
  std::ifstream in(std::string(VOUCH_VECTORS) + "/whir/" + name);
  EXPECT_TRUE(in.good()) << name;
  return in;
}

// The numbers of the line that starts with `label` (up to the first bracket) in the known-answer file.
std::vector<std::uint32_t> known_answer(const std::string& label) {
  std::ifstream in = vector_file("stdout.txt");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(label + " ["))
      return nlohmann::json::parse(line.substr(label.size() + 1)).get<std::vector<std::uint32_t>>();
  ADD_FAILURE() << "no known answer " << label;
  return {};
}

template <class F, int W>
void check_permutation(const Poseidon2<F, W>& p, const std::string& label) {
  std::array<F, W> x;
  for (int i = 0; i < W; i++) x[i] = F(i);
  p.permute(x);
  const auto expected = known_answer(label);
  ASSERT_EQ(expected.size(), std::size_t(W));
  for (int i = 0; i < W; i++) EXPECT_EQ(x[i].to_int(), expected[i]) << label << " " << i;
}

std::uint32_t u32_of(const nlohmann::json& j) {
  return j.get<std::uint32_t>();
}

template <class F, int W>
void check_constants() {
  const nlohmann::json all = nlohmann::json::parse(vector_file("poseidon2_constants.json"));
  const nlohmann::json& c = all.at(F::Params::name).at(std::to_string(W));
  const Poseidon2<F, W>& p = Poseidon2<F, W>::standard();
  for (int r = 0; r < 4; r++)
    for (int i = 0; i < W; i++) {
      EXPECT_EQ(p.initial()[r][i].to_int(), u32_of(c.at("external_initial")[r][i]));
      EXPECT_EQ(p.terminal()[r][i].to_int(), u32_of(c.at("external_final")[r][i]));
    }
  ASSERT_EQ(p.internal().size(), c.at("internal").size());
  for (std::size_t i = 0; i < p.internal().size(); i++)
    EXPECT_EQ(p.internal()[i].to_int(), u32_of(c.at("internal")[i]));
  for (int i = 0; i < W; i++)
    EXPECT_EQ((Poseidon2<F, W>::diagonal()[i].to_int()), u32_of(c.at("internal_diag_minus_1")[i]));
}

TEST(Poseidon2, DerivesThePublishedConstants) {
  check_constants<BabyBear, 16>();
  check_constants<BabyBear, 24>();
  check_constants<BabyBear, 32>();
  check_constants<KoalaBear, 16>();
  check_constants<KoalaBear, 24>();
  check_constants<KoalaBear, 32>();
}

TEST(Poseidon2, KnownAnswers) {
  check_permutation(Poseidon2<BabyBear, 16>::standard(), "bb16 perm(0..15)");
  check_permutation(Poseidon2<BabyBear, 24>::standard(), "bb24 perm(0..23)");
  check_permutation(Poseidon2<BabyBear, 32>::standard(), "bb32 perm(0..31)");
  check_permutation(Poseidon2<KoalaBear, 16>::standard(), "kb16 perm(0..15)");
  check_permutation(Poseidon2<KoalaBear, 24>::standard(), "kb24 perm(0..23)");
  SmallRng rng(1);
  check_permutation(Poseidon2<BabyBear, 16>::from_rng128(rng), "bb16 seed1 perm(0..15)");
}

TEST(Poseidon2, ShortLastBlockKeepsTheState) {
  const auto& p = Poseidon2<BabyBear, 16>::standard();
  std::array<BabyBear, 11> input;
  for (int i = 0; i < 11; i++) input[i] = BabyBear(100 + i);
  std::array<BabyBear, 16> state{};
  for (int i = 0; i < 8; i++) state[i] = input[i];
  p.permute(state);
  for (int i = 0; i < 3; i++) state[i] = input[8 + i];
  p.permute(state);
  const Digest<BabyBear> digest = sponge_hash(p, std::span<const BabyBear>(input));
  for (int i = 0; i < 8; i++) EXPECT_EQ(digest[i], state[i]);
}

template <class F>
std::vector<Digest<F>> leaf_digests(std::size_t n) {
  std::vector<Digest<F>> leaves(n);
  for (std::size_t i = 0; i < n; i++)
    for (int j = 0; j < 8; j++) leaves[i][j] = F(std::uint32_t(1000 * i + j));
  return leaves;
}

TEST(Merkle, ShapePadsToTheArity) {
  const MerkleShape s = MerkleShape::of(8, 4, 1);
  EXPECT_EQ(s.sizes, (std::vector<std::size_t>{8, 4, 1}));  // two nodes and two zero digests below the root
  EXPECT_EQ(s.cap_size(), 4u);
  EXPECT_EQ(MerkleShape::of(1, 2, 3).sizes, (std::vector<std::size_t>{1}));
  EXPECT_EQ(MerkleShape::of(16, 2, 2).cap_size(), 4u);
}

TEST(Merkle, EveryLeafCounts) {
  const MerkleHash<KoalaBear> hash;
  auto leaves = leaf_digests<KoalaBear>(8);
  const auto root = MerkleTree<KoalaBear>::build(hash, leaves, 0).cap()[0];
  for (auto& leaf : leaves) {
    leaf[3] += KoalaBear::one();
    EXPECT_NE(MerkleTree<KoalaBear>::build(hash, leaves, 0).cap()[0], root);
    leaf[3] -= KoalaBear::one();
  }
}

TEST(Merkle, MultiproofsVerifyAndAnyChangeIsRejected) {
  using F = BabyBear;
  for (const int arity : {2, 4})
    for (const std::size_t n : {1, 2, 4, 8, 32})
      for (const int cap_height : {0, 1, 3}) {
        MerkleHash<F> hash;
        if (arity == 4) hash.p32 = &Poseidon2<F, 32>::standard();
        const auto leaves = leaf_digests<F>(n);
        const auto tree = MerkleTree<F>::build(hash, leaves, cap_height);
        InsecureTestRng rng(n);
        std::vector<std::size_t> indices;
        std::vector<Digest<F>> opened;
        for (std::size_t i = 0; i < n; i++)
          if (rng.next() % 3 == 0 || i + 1 == n) indices.push_back(i), opened.push_back(leaves[i]);
        auto proof = tree.open(indices);
        const auto check = [&](std::span<const std::size_t> q) {
          return verify_multiproof<F>(hash, tree.shape, tree.cap(), q, opened, proof).ok();
        };
        EXPECT_TRUE(check(indices));
        for (auto* list : {&opened, &proof})
          for (auto& digest : *list) {
            digest[7] += F::one();
            EXPECT_FALSE(check(indices));
            digest[7] -= F::one();
          }
        proof.push_back({});
        EXPECT_FALSE(check(indices));
        proof.pop_back();
        if (!proof.empty()) {
          proof.pop_back();
          EXPECT_FALSE(check(indices));
        }
        std::vector<std::size_t> outside = indices;
        outside.back() = n;
        EXPECT_FALSE(check(outside));
      }
}

}  // namespace
}  // namespace vouch
