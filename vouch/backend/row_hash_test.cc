// Batches of leaves and nodes, in every form this processor has, against one at a time.
#include "vouch/backend/row_hash.h"

#include <gtest/gtest.h>

#include "vouch/backend/poly.h"
#include "vouch/core/rng.h"

namespace vouch {
namespace {

template <class F>
class RowHash : public testing::Test {};
using Fields = testing::Types<BabyBear, KoalaBear>;
TYPED_TEST_SUITE(RowHash, Fields);

TYPED_TEST(RowHash, AgreesWithOneAtATime) {
  using F = TypeParam;
  InsecureTestRng rng(5);
  for (const auto& [leaf24, arity4] : {std::pair{false, false}, {true, false}, {false, true}}) {
    MerkleHash<F> hash;
    if (leaf24) hash.p24 = &Poseidon2<F, 24>::standard();
    if (arity4) hash.p32 = &Poseidon2<F, 32>::standard();
    for (const std::string& name : poly_instructions()) {
      auto opened = open_row_hasher(hash, name);
      ASSERT_TRUE(opened.ok()) << opened.error().what;
      const RowHasher<F>& hasher = *opened.value();
      for (const std::size_t words : {1, 7, 8, 9, 20, 80})
        for (const std::size_t count : {0, 1, 3, 16, 17, 40}) {
          std::vector<F> rows(words * count);
          for (F& x : rows) x = F(std::uint32_t(rng.next()));
          std::vector<Digest<F>> out(count);
          hasher.leaves(rows, out);
          for (std::size_t i = 0; i < count; i++)
            ASSERT_EQ(out[i], hash.leaf(std::span<const F>(rows).subspan(i * words, words))) << name;
          const std::size_t arity = std::size_t(hash.arity());
          std::vector<Digest<F>> children(count * arity), parents(count);
          for (auto& d : children)
            for (F& x : d) x = F(std::uint32_t(rng.next()));
          hasher.nodes(children, parents);
          for (std::size_t i = 0; i < count; i++)
            ASSERT_EQ(parents[i], hash.node(std::span<const Digest<F>>(children).subspan(i * arity, arity)));
        }
    }
  }
  EXPECT_FALSE(open_row_hasher(MerkleHash<F>{}, "sse9").ok());
}

}  // namespace
}  // namespace vouch
