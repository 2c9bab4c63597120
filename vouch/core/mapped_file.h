// Files: input mapped read-only, output written beside its final name and renamed when complete.
#pragma once

#include <string>
#include <string_view>

#include "vouch/core/bytes.h"
#include "vouch/core/result.h"

namespace vouch {

// A whole file, mapped read-only. Errors name the file: missing, unreadable, a directory, empty.
class MappedFile {
 public:
  static Result<MappedFile> open(const std::string& path);
  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  Bytes bytes() const { return {data_, size_}; }
  // Takes the pages of a part of bytes() out of this process's memory; they come back when read. For whoever
  // reads a file larger than the memory it may use. Parts of anything else are left alone.
  void release(Bytes part) const;
  const std::string& path() const { return path_; }

 private:
  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
  std::string path_;
};

// Writes `text` to `path` through a temporary file in the same folder, flushed and renamed: at every moment
// `path` holds its old content or all of the new. On failure nothing is left behind.
// A target that is not a regular file (such as /dev/stdout) is written directly.
Status write_file(const std::string& path, std::string_view text);

// Several files that belong together (a proof and its public signals): all are staged before any is renamed.
struct OutputFile {
  std::string path;
  std::string text;
};
Status write_files(std::span<const OutputFile> files);

}  // namespace vouch
