// Counts what this test program allocates; the memory itself comes from malloc, so sanitizers still see it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <new>
#include <vector>

#include "vouch/core/parallel.h"
#include "vouch/formats/test_allocations.h"

namespace vouch::formats {

thread_local std::size_t largest_request = 0;

#ifndef VOUCH_TSAN  // ThreadSanitizer brings its own operator new, and runs none of the tests that count
TEST(Allocations, TheLargestIsSeen) {
  largest_request = 0;
  std::vector<char> small(1000), large(100000);
  EXPECT_EQ(largest_request, large.size());
}
#endif

}  // namespace vouch::formats

#ifndef VOUCH_TSAN
void* operator new(std::size_t n) {
  vouch::formats::largest_request = std::max(vouch::formats::largest_request, n);
  if (void* p = std::malloc(n ? n : 1)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept {
  std::free(p);
}
void operator delete(void* p, std::size_t) noexcept {
  std::free(p);
}
#endif
