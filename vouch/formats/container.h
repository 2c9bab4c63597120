// The container of .zkey, .wtns, .r1cs and .ptau: magic, version, then sections found by their id.
//
// 4 ASCII bytes, u32 version, u32 number of sections, then for each {u32 id, u64 length, payload};
// little-endian, in any order. Sections are views into the file: nothing is copied, so nothing grows with
// what a file claims.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vouch/core/bytes.h"
#include "vouch/core/result.h"

namespace vouch::formats {

// What one of the four formats is called, and what its sections are called in errors.
struct ContainerFormat {
  std::string_view magic;
  std::string_view what;  // "a proving key (.zkey)"
  std::uint32_t newest_version;
  std::span<const std::string_view> titles;  // by id; titles[0] is unused
};

class Container {
 public:
  // `name` is the file's name for errors. Bytes after the last section are an error unless `allow_trailing`.
  static Result<Container> open(std::string name, Bytes file, const ContainerFormat& format,
                                bool allow_trailing = false);

  const std::string& name() const { return name_; }
  std::uint32_t version() const { return version_; }
  bool has(std::uint32_t id) const;
  std::vector<std::uint32_t> ids() const;         // in the file's order
  Result<Bytes> section(std::uint32_t id) const;  // or "section 5 (A points) is missing"
  // The same, and its length must be `size`, which `why` explains: "128 values of 32 bytes".
  Result<Bytes> section(std::uint32_t id, std::uint64_t size, const std::string& why) const;
  std::string title(std::uint32_t id) const;                     // "section 5 (A points)"
  Error error(const std::string& what) const;                    // "NAME: what"
  Error error(std::uint32_t id, const std::string& what) const;  // "NAME: section 5 (A points): what"

 private:
  struct Section {
    std::uint32_t id;
    Bytes data;
  };
  std::string name_;
  const ContainerFormat* format_ = nullptr;
  std::uint32_t version_ = 0;
  std::vector<Section> sections_;
};

}  // namespace vouch::formats
