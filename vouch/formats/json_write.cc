// Writing JSON exactly as snarkjs does (bfj with one space): every element on its own line, no newline at the
// end.
#include "vouch/curve/pairing.h"
#include "vouch/formats/decimal.h"
#include "vouch/formats/json.h"

namespace vouch::formats {
namespace {

class Writer {
 public:
  void open(char bracket) {
    begin_value();
    out_ += bracket;
    depth_++;
    first_ = true;
  }
  void close(char bracket) {
    depth_--;
    new_line();  // also in an empty array, unlike JSON.stringify
    out_ += bracket;
    first_ = false;
  }
  void key(std::string_view name) {
    begin_value();
    out_.append("\"").append(name).append("\": ");
    after_key_ = true;
  }
  void text(std::string_view s) {
    begin_value();
    out_.append("\"").append(s).append("\"");
  }
  void number(std::size_t n) {
    begin_value();
    out_ += std::to_string(n);
  }
  void value(const Bn254Fq& x) { text(to_decimal(x.to_int())); }
  void value(const Bn254Fq2& x) { array(x.c0, x.c1); }
  void value(const Bn254Fq6& x) { array(x.c0, x.c1, x.c2); }
  void value(const Bn254Fq12& x) { array(x.c0, x.c1); }
  template <class C>
  void value(const AffinePoint<C>& p) {
    using F = typename C::Field;
    if (p.is_infinity()) return array(F::zero(), F::one(), F::zero());
    array(p.x, p.y, F::one());
  }
  template <class T>
  void member(std::string_view name, const T& x) {
    key(name);
    value(x);
  }
  std::string take() { return std::move(out_); }

 private:
  template <class... T>
  void array(const T&... x) {
    open('[');
    (value(x), ...);
    close(']');
  }
  void new_line() {
    out_ += '\n';
    out_.append(depth_, ' ');
  }
  void begin_value() {
    if (std::exchange(after_key_, false)) return;
    if (depth_ == 0) return;
    if (!first_) out_ += ',';
    first_ = false;
    new_line();
  }

  std::string out_;
  std::size_t depth_ = 0;
  bool first_ = true;
  bool after_key_ = false;
};

}  // namespace

std::string proof_json(const groth16::Proof& proof) {
  Writer w;
  w.open('{');
  w.member("pi_a", proof.a);
  w.member("pi_b", proof.b);
  w.member("pi_c", proof.c);
  w.key("protocol");
  w.text("groth16");
  w.key("curve");
  w.text("bn128");
  w.close('}');
  return w.take();
}

std::string public_json(std::span<const Bn254Fr> signals) {
  Writer w;
  w.open('[');
  for (const auto& x : signals) w.text(to_decimal(x.to_int()));
  w.close(']');
  return w.take();
}

std::string verifying_key_json(const groth16::VerifyingKey& key) {
  Writer w;
  w.open('{');
  w.key("protocol");
  w.text("groth16");
  w.key("curve");
  w.text("bn128");
  w.key("nPublic");
  w.number(key.public_count());
  w.member("vk_alpha_1", key.alpha1);
  w.member("vk_beta_2", key.beta2);
  w.member("vk_gamma_2", key.gamma2);
  w.member("vk_delta_2", key.delta2);
  w.member("vk_alphabeta_12", pairing(key.alpha1, key.beta2));
  w.key("IC");
  w.open('[');
  for (const auto& p : key.ic) w.value(p);
  w.close(']');
  w.close('}');
  return w.take();
}

}  // namespace vouch::formats
