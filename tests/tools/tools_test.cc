// The tools against slow twins: fixed-base products, the made-up circuits, a contributed key against an
// uncontributed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "circuit.h"
#include "fixed_base.h"
#include "keys.h"
#include "vouch/core/bytes.h"
#include "vouch/core/rng.h"

namespace vouch::tools {
namespace {

std::string temporary(const std::string& name) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("vouch_tools_test." + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  return (folder / name).string();
}
std::vector<std::uint8_t> contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

template <class C>
void compare_products(int window) {
  InsecureTestRng rng(1);
  std::vector<Bn254Fr> scalars{Bn254Fr(0),  Bn254Fr(1),  Bn254Fr(2),
                               -Bn254Fr(1), -Bn254Fr(2), Bn254Fr(u64(1) << 63)};
  for (int i = 0; i < 3000; i++)
    scalars.push_back(i % 3 ? scalars[rng.next() % 6] : Bn254Fr(rng.next()).inverse());
  std::vector<AffinePoint<C>> out(scalars.size());
  FixedBase<C>(C::generator(), window).multiply(scalars, out.data());
  const auto g = XyzzPoint<C>::from(C::generator());
  for (std::size_t i = 0; i < out.size(); i += i < 8 ? 1 : 97)
    EXPECT_EQ(out[i], g.mul_vartime(scalars[i].to_int()).to_affine()) << i;
}
TEST(FixedBase, EqualsDoubleAndAdd) {
  for (int window : {1, 6, 10, 13}) compare_products<Bn254G1>(window);
  compare_products<Bn254G2>(6);
}

TEST(SyntheticCircuit, WitnessSatisfiesItAndLooksAsPromised) {
  for (const Kind kind : {Kind::dense, Kind::sparse, Kind::skewed}) {
    for (const std::uint32_t publics : {0u, 1u, 5u}) {
      const SyntheticCircuit circuit(kind, 12, publics);
      EXPECT_EQ(circuit.log_domain(), 12);
      EXPECT_EQ(circuit.constraint_count + publics + 1, 4096u);
      const auto witness = circuit.witness();
      ASSERT_EQ(witness.size(), circuit.wire_count);
      EXPECT_EQ(witness[0], UInt<4>::of(1));
      std::vector<Bn254Fr> w;
      for (const auto& x : witness) w.push_back(Bn254Fr::from_int(x));
      const auto value = [&](const std::vector<Term>& side) {
        Bn254Fr sum;
        for (const Term& t : side) sum += w.at(t.wire) * t.value;
        return sum;
      };
      std::uint32_t constraints = 0, unsatisfied = 0;
      ASSERT_TRUE(circuit
                      .for_each([&](const Constraint& c) {
                        constraints++;
                        unsatisfied += !(value(c.a) * value(c.b) == value(c.c));
                      })
                      .ok());
      EXPECT_EQ(constraints, circuit.constraint_count);
      EXPECT_EQ(unsatisfied, 0u);

      std::size_t bits = 0, same = 0;
      for (const auto& x : witness) bits += x.bit_length() <= 1, same += x == witness[circuit.wire_count - 4];
      switch (kind) {
        case Kind::sparse:
          EXPECT_GT(bits, witness.size() * 96 / 100);
          break;
        case Kind::dense:
          EXPECT_EQ(bits, 1u);
          break;
        case Kind::skewed:
          EXPECT_GT(same, witness.size() / 5);
      }
    }
  }
}

TEST(Circuit, DomainIsThatOfSnarkjs) {
  SyntheticCircuit c(Kind::dense, 4, 0);
  const auto log_domain = [&](std::uint32_t constraints, std::uint32_t publics) {
    c.constraint_count = constraints, c.public_count = publics;
    return c.log_domain();
  };
  EXPECT_EQ(log_domain(0, 0), 1);
  EXPECT_EQ(log_domain(1, 0), 1);
  EXPECT_EQ(log_domain(6, 1), 3);
  EXPECT_EQ(log_domain(7, 1), 4);
  EXPECT_EQ(log_domain(0, 2), 2);
}

// A contribution divides sections 8 and 9 by delta, and multiplies nothing else of 3 to 9.
TEST(Keys, ContributionDividesByDelta) {
  const std::string r1cs = VOUCH_VECTORS "/groth16/mul3/mul3.r1cs";
  auto circuit = read_r1cs(r1cs);
  ASSERT_TRUE(circuit.ok()) << circuit.error().what;
  const auto sections = [&](bool contributed) {
    const std::string path = temporary("key.zkey");
    EXPECT_TRUE(write_zkey(*circuit.value(), Secrets::fixed(), contributed, path).ok());
    const auto file = contents(path);
    std::vector<std::vector<std::uint8_t>> found(11);
    for (std::size_t at = 12; at < file.size();) {
      const auto length = load_le<u64>(&file[at + 4]);
      found.at(file[at]).assign(file.begin() + std::ptrdiff_t(at + 12),
                                file.begin() + std::ptrdiff_t(at + 12 + length));
      at += 12 + length;
    }
    return found;
  };
  const auto before = sections(false), after = sections(true);
  for (std::size_t id : {1, 3, 4, 5, 6, 7}) EXPECT_EQ(before[id], after[id]) << id;
  for (std::size_t id : {8, 9}) {
    ASSERT_EQ(before[id].size(), after[id].size());
    for (std::size_t at = 0; at < before[id].size(); at += 64) {
      const auto divided = load_le<Bn254G1::Affine>(&after[id][at]);
      EXPECT_EQ(Bn254G1::Xyzz::from(divided).mul_vartime(Secrets::fixed().delta.to_int()).to_affine(),
                load_le<Bn254G1::Affine>(&before[id][at]));
    }
  }
  EXPECT_EQ(before[10].size(), 68u);
  EXPECT_EQ(after[10].size(), 68u + 64 * 3 + 128 + 64 + 8);
}

}  // namespace
}  // namespace vouch::tools
