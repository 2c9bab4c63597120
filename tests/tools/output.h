// OutputFile: a binary file written front to back, whose section lengths are filled in when known.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "vouch/core/bytes.h"
#include "vouch/core/result.h"

namespace vouch::tools {

class OutputFile {
 public:
  static Result<OutputFile> create(const std::string& path, const char* magic, std::uint32_t version,
                                   std::uint32_t sections) {
    OutputFile f;
    f.path_ = path;
    f.file_.reset(std::fopen(path.c_str(), "wb"));
    if (!f.file_) return Error{Code::io, "cannot create " + path};
    f.buffer_.reserve(buffer_size);
    f.bytes(magic, 4);
    f.put(version), f.put(sections);
    return f;
  }

  template <class T>
    requires std::is_trivially_copyable_v<T>
  void put(const T& x) {
    bytes(&x, sizeof x);
  }
  void bytes(const void* p, std::size_t n) {
    const auto* from = static_cast<const std::uint8_t*>(p);
    if (buffer_.size() + n > buffer_size) flush();
    if (n >= buffer_size) return write(from, n);
    buffer_.insert(buffer_.end(), from, from + n);
  }

  void begin_section(std::uint32_t id) {
    put(id);
    length_at_ = written_ + buffer_.size();
    put(std::uint64_t(0));
  }
  void end_section() { patch(length_at_, std::uint64_t(written_ + buffer_.size() - length_at_ - 8)); }

  // Overwrites what was put at byte `at`.
  template <class T>
  void patch(std::uint64_t at, const T& x) {
    flush();
    failed_ |= fseeko(file_.get(), off_t(at), SEEK_SET) != 0;
    failed_ |= std::fwrite(&x, 1, sizeof x, file_.get()) != sizeof x;
    failed_ |= fseeko(file_.get(), 0, SEEK_END) != 0;
  }
  std::uint64_t position() const { return written_ + buffer_.size(); }

  Status close() {
    flush();
    failed_ |= std::fclose(file_.release()) != 0;
    if (failed_) return Error{Code::io, "cannot write all of " + path_};
    return ok();
  }

 private:
  static constexpr std::size_t buffer_size = std::size_t(1) << 20;

  void write(const std::uint8_t* p, std::size_t n) {
    failed_ |= std::fwrite(p, 1, n, file_.get()) != n;
    written_ += n;
  }
  void flush() {
    write(buffer_.data(), buffer_.size());
    buffer_.clear();
  }

  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<std::uint8_t> buffer_;
  std::uint64_t written_ = 0, length_at_ = 0;
  bool failed_ = false;
};

}  // namespace vouch::tools
