// For tests: golden files, and containers taken apart, changed and put together again.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "vouch/core/bytes.h"
#include "vouch/core/result.h"
#include "vouch/field/uint.h"

namespace vouch::formats {

using Blob = std::vector<std::uint8_t>;

// "mul3/mul3.zkey" under vectors/groth16.
inline Blob read_golden(const std::string& path) {
  std::ifstream in(std::string(VOUCH_VECTORS) + "/groth16/" + path, std::ios::binary);
  EXPECT_TRUE(in.good()) << path;
  return Blob(std::istreambuf_iterator<char>(in), {});
}
inline std::string text_of(const Blob& b) {
  return {b.begin(), b.end()};
}
inline Blob blob_of(std::string_view s) {
  return {s.begin(), s.end()};
}

template <class T>
void append(Blob& to, const T& x) {
  const auto* p = reinterpret_cast<const std::uint8_t*>(&x);
  to.insert(to.end(), p, p + sizeof x);
}

struct TestSection {
  std::uint32_t id;
  Blob data;
};

// A container as a list of sections, in the file's order.
struct TestContainer {
  std::string magic;
  std::uint32_t version = 1;
  std::vector<TestSection> sections;

  static TestContainer parse(const Blob& file) {
    TestContainer c;
    Reader in(file);
    const Bytes magic = in.take(4);
    c.magic.assign(magic.begin(), magic.end());
    c.version = in.read<std::uint32_t>();
    for (auto n = in.read<std::uint32_t>(); n > 0; n--) {
      const auto id = in.read<std::uint32_t>();
      const Bytes data = in.take(in.read<std::uint64_t>());
      c.sections.push_back({id, Blob(data.begin(), data.end())});
    }
    EXPECT_FALSE(in.failed());
    return c;
  }
  Blob& operator[](std::uint32_t id) {
    for (TestSection& s : sections)
      if (s.id == id) return s.data;
    ADD_FAILURE() << "no section " << id;
    return sections.front().data;
  }
  template <class T>
  TestContainer& set(std::uint32_t id, std::size_t at, const T& x) {
    std::memcpy((*this)[id].data() + at, &x, sizeof x);
    return *this;
  }
  TestContainer& remove(std::uint32_t id) {
    std::erase_if(sections, [&](const TestSection& s) { return s.id == id; });
    return *this;
  }
  Blob bytes() const {
    Blob out(magic.begin(), magic.end());
    append(out, version);
    append(out, std::uint32_t(sections.size()));
    for (const TestSection& s : sections) {
      append(out, s.id);
      append(out, std::uint64_t(s.data.size()));
      out.insert(out.end(), s.data.begin(), s.data.end());
    }
    return out;
  }
};

template <class T>
std::string error_of(const Result<T>& r) {
  return r.ok() ? "(no error)" : r.error().what;
}

}  // namespace vouch::formats
