// The Fiat-Shamir transcript of a WHIR run (section 5): everything prover and verifier do with the challenger
// goes through here, so a recorder sees every operation and two runs can be compared step by step.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "vouch/hash/duplex_challenger.h"
#include "vouch/whir/params.h"
#include "vouch/whir/proof.h"

namespace vouch::whir {

// One transcript operation; values are canonical integers.
struct Operation {
  enum class Kind : char {
    observe = 'O',  // value
    draw = 'S',     // value drawn
    query = 'U',    // `bits` uniform bits: value
    grind = 'G',    // the prover's witness `value` for `bits`
    check = 'B',    // the verifier's low `bits` after a witness: value, 0 if the witness is right
  };
  Kind kind;
  int bits = 0;
  std::uint32_t value = 0;
  bool operator==(const Operation&) const = default;
};
using OperationLog = std::vector<Operation>;

std::string to_string(const Operation& op);  // "O 17", "U 8 225", "G 20 481180": as in the vectors
Result<Operation> parse_operation(std::string_view text);

template <class F>
struct Sponge {
  std::shared_ptr<const Poseidon2<F, 16>> owned;  // seeded constants
  DuplexChallenger<F> challenger{};
};

class Transcript {
 public:
  // Published constants, or those drawn from a seed.
  Transcript(FieldId field, std::optional<std::uint64_t> seed);

  void record_to(OperationLog* log) { log_ = log; }  // nullptr: off. The log must outlive this.

  void observe(Word montgomery);
  void observe(const Words& words) {
    for (Word w : words) observe(w);
  }
  void observe(const Cap& cap) {
    for (const DigestWords& d : cap)
      for (Word w : d) observe(w);
  }
  void observe_int(std::uint32_t value);  // canonical, reduced mod p
  Word draw();                            // Montgomery
  std::uint32_t query(int bits);          // uniform below 2^bits

  // Absorbs a witness and says whether it is right. bits > 0.
  [[nodiscard]] bool check(int bits, Word witness);
  // The prover's side of check: `witness` has been found to be right for candidate().
  void absorb_found(int bits, Word witness);

  // The words of the sponge before the permutation that decides about a witness, and where the witness goes.
  struct Candidate {
    std::array<Word, 16> state;
    int position;
  };
  Candidate candidate() const;

 private:
  void note(Operation::Kind kind, int bits, std::uint32_t value) {
    if (log_) log_->push_back({kind, bits, value});
  }

  std::variant<Sponge<BabyBear>, Sponge<KoalaBear>> sponge_;
  OperationLog* log_ = nullptr;
};

}  // namespace vouch::whir
