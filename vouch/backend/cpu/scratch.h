// Working memory: aligned blocks that tasks borrow, and large arrays that the system may back with large
// pages.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "vouch/core/bytes.h"

namespace vouch {

// Working memory held values that derive from a witness: it is cleared before it goes back to the system.
struct WipingDeleter {
  std::size_t bytes = 0;
  void operator()(void* p) const {
    wipe(p, bytes);
    std::free(p);
  }
};

// `count` objects of T, not initialised. Throws std::bad_alloc as new does.
template <class T>
class Scratch {
 public:
  Scratch() = default;
  explicit Scratch(std::size_t count) {
    const std::size_t huge = std::size_t(2) << 20, align = count * sizeof(T) >= huge ? huge : 64;
    const std::size_t bytes = count * sizeof(T);
    if (bytes == 0) return;
    void* data = nullptr;  // not aligned_alloc, which would round the size up to whole large pages
    if (posix_memalign(&data, align, bytes) != 0) throw std::bad_alloc();
    data_ = {static_cast<T*>(data), WipingDeleter{bytes}};
#ifdef MADV_HUGEPAGE
    if (align == huge)
      madvise(data_.get(), bytes / huge * huge, MADV_HUGEPAGE);  // fewer page table misses; a hint
#endif
  }
  T* data() const { return data_.get(); }
  // The caller has wiped it.
  void cleared() { data_.get_deleter().bytes = 0; }

 private:
  std::unique_ptr<T[], WipingDeleter> data_;
};

// Keeps the last array given back, if it is not large, so that repeated calls find their pages in place. The
// body wipes what it wrote, which costs least while it is in the cache.
template <class T>
class ScratchKeeper {
 public:
  static constexpr std::size_t keep_bytes = std::size_t(64) << 20;

  template <class Body>
  void with(std::size_t count, Body&& body) {
    Kept block = take(count);
    body(block.memory.data());
    if (block.count * sizeof(T) > keep_bytes) return block.memory.cleared();
    const std::lock_guard lock(mutex_);
    if (block.count > kept_.count) kept_ = std::move(block);
  }

 private:
  struct Kept {
    std::size_t count = 0;
    Scratch<T> memory;
  };
  Kept take(std::size_t count) {
    {
      const std::lock_guard lock(mutex_);
      if (kept_.count >= count) return std::exchange(kept_, Kept{});
    }
    return {count, Scratch<T>(count)};
  }

  std::mutex mutex_;
  Kept kept_;
};

// Blocks of one size, made when a task finds none free: as many as tasks run at once.
template <class T>
class ScratchPool {
 public:
  explicit ScratchPool(std::size_t count) : count_(count) {}

  template <class Body>
  void with(Body&& body) {
    Scratch<T> block = take();
    body(block.data());
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(block));
  }

 private:
  Scratch<T> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        Scratch<T> block = std::move(free_.back());
        free_.pop_back();
        return block;
      }
    }
    return Scratch<T>(count_);
  }

  std::size_t count_;
  std::mutex mutex_;
  std::vector<Scratch<T>> free_;
};

}  // namespace vouch
