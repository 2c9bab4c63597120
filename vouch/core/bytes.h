// Bytes and little-endian integers: the only way files are read, so every length is checked here.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>

namespace vouch {

using Bytes = std::span<const std::uint8_t>;

static_assert(std::endian::native == std::endian::little,
              "file formats are consumed in place: little-endian only");

// The integer stored at p, which need not be aligned.
template <class T>
  requires std::is_trivially_copyable_v<T>
inline T load_le(const std::uint8_t* p) {
  T x;
  std::memcpy(&x, p, sizeof x);
  return x;
}

// A cursor over bytes. A read beyond the end returns zero and sets failed(); check it once at the end of a
// group of reads.
class Reader {
 public:
  explicit Reader(Bytes data) : data_(data) {}

  template <class T>
  T read() {
    if (data_.size() - at_ < sizeof(T)) return failed_ = true, T{};
    T x = load_le<T>(data_.data() + at_);
    at_ += sizeof(T);
    return x;
  }
  Bytes take(std::uint64_t n) {
    if (n > data_.size() - at_) return failed_ = true, Bytes{};
    Bytes r = data_.subspan(at_, n);
    at_ += n;
    return r;
  }
  bool failed() const { return failed_; }
  std::size_t position() const { return at_; }
  std::size_t remaining() const { return data_.size() - at_; }

 private:
  Bytes data_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

// Overwrites memory that held a secret, in a way the compiler may not remove.
inline void wipe(void* p, std::size_t n) {
  if (n == 0) return;  // p may then be null, which memset does not allow
  std::memset(p, 0, n);
  __asm__ __volatile__("" : : "r"(p) : "memory");
}
template <class T>
  requires std::is_trivially_copyable_v<T>
inline void wipe(std::span<T> s) {
  wipe(s.data(), s.size_bytes());
}

}  // namespace vouch
