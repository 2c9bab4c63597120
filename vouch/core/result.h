// Result<T>: a value or an Error. The only error channel of the library; nothing here throws.
#pragma once

#include <cstdlib>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace vouch {

enum class Code : int {
  invalid_argument = 1,  // the caller broke a documented precondition
  malformed,             // bytes do not decode: bad magic, truncated, non-canonical, off-curve
  unsatisfied,           // the witness does not satisfy the circuit
  rejected,              // a well-formed proof that does not verify
  unsupported,           // this backend, field or size is not available here
  out_of_memory,
  device,  // the driver failed; the message carries its words
  io,
  internal,  // a bug in vouch: please report it
};

struct Error {
  Code code;
  std::string what;
};

template <class T>
class [[nodiscard]] Result {
  static_assert(!std::is_same_v<T, bool>, "name the failure with a Code instead of returning false");

 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  const Error& error() const { return std::get<1>(state_); }
  T& value() & { return ok() ? *std::get_if<0>(&state_) : (std::abort(), *std::get_if<0>(&state_)); }
  T&& value() && { return std::move(value()); }

 private:
  std::variant<T, Error> state_;
};

struct Unit {};
using Status = Result<Unit>;
inline Status ok() {
  return Unit{};
}

}  // namespace vouch

// VOUCH_TRY(auto key, load(path));   declares key, or returns the error to the caller.
#define VOUCH_TRY(decl, expr) VOUCH_TRY_(decl, expr, VOUCH_CAT_(vouch_r_, __COUNTER__))
#define VOUCH_CHECK(expr) \
  if (auto vouch_s = (expr); !vouch_s.ok()) return vouch_s.error()
#define VOUCH_TRY_(decl, expr, r) \
  auto r = (expr);                \
  if (!r.ok()) return r.error();  \
  decl = std::move(r).value()
#define VOUCH_CAT_(a, b) VOUCH_CAT2_(a, b)
#define VOUCH_CAT2_(a, b) a##b
