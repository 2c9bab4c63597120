// Buffer<T>: a large array whose values start out undefined, aligned for vectors, in huge pages where it
// pays.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace vouch {

template <class T>
  requires std::is_trivially_copyable_v<T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : size_(size) {
    if (size == 0) return;
    const std::size_t align = bytes() >= huge ? huge : 64, rounded = (bytes() + align - 1) / align * align;
    data_.reset(static_cast<T*>(std::aligned_alloc(align, rounded)));
    if (!data_) throw std::bad_alloc();
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    // Not the last part: a huge page for its few bytes would be memory that nobody asked for.
    if (align == huge) madvise(data_.get(), bytes() / huge * huge, MADV_HUGEPAGE);
#endif
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }
  std::span<T> span() { return {data(), size_}; }
  std::span<const T> span() const { return {data(), size_}; }

 private:
  static constexpr std::size_t huge = std::size_t(2) << 20;
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::size_t bytes() const { return size_ * sizeof(T); }

  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace vouch
