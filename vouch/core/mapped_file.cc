// Mapped input and atomic output.
#include "vouch/core/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "vouch/core/output_pieces.h"
#include "vouch/core/trace.h"

namespace vouch {
namespace {

Error io_error(const std::string& path, const std::string& action) {
  return {Code::io, path + ": " + action + ": " + std::strerror(errno)};
}

struct FileDescriptor {
  int fd = -1;
  ~FileDescriptor() {
    if (fd >= 0) ::close(fd);
  }
};

using Pieces = std::span<const std::string_view>;

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

bool write_all(int fd, Pieces pieces) {
  return std::all_of(pieces.begin(), pieces.end(),
                     [&](std::string_view text) { return write_all(fd, text); });
}

// A file written under a temporary name; removed again unless it was renamed into place.
class StagedFile {
 public:
  StagedFile(StagedFile&& o) noexcept : temporary_(std::exchange(o.temporary_, {})), path_(o.path_) {}
  ~StagedFile() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
  }

  static Result<StagedFile> write(const std::string& path, Pieces pieces) {
    StagedFile staged(path);
    struct stat info{};
    const bool exists = ::stat(path.c_str(), &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) return Error{Code::io, path + ": cannot write: it is a directory"};
    if (exists && !S_ISREG(info.st_mode)) {  // a device or pipe cannot be renamed onto
      FileDescriptor out{::open(path.c_str(), O_WRONLY | O_CLOEXEC)};
      if (out.fd < 0 || !write_all(out.fd, pieces)) return io_error(path, "cannot write");
      return staged;
    }
    if (exists && ::access(path.c_str(), W_OK) != 0) return io_error(path, "cannot write");
    staged.temporary_ = path + ".tmp-" + std::to_string(::getpid());
    ::unlink(staged.temporary_.c_str());  // left by a process that was killed and had this number
    FileDescriptor out{::open(staged.temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)};
    if (out.fd < 0) {
      staged.temporary_.clear();
      return io_error(path, "cannot write");
    }
    if (!write_all(out.fd, pieces) || ::fsync(out.fd) != 0) return io_error(path, "cannot write");
    return staged;
  }

  Status commit() {
    if (temporary_.empty()) return ok();
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) return io_error(path_, "cannot write");
    temporary_.clear();
    return ok();
  }

 private:
  explicit StagedFile(std::string path) : path_(std::move(path)) {}
  std::string temporary_;
  std::string path_;
};

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path) {
  // O_NONBLOCK: opening a pipe that nobody writes to would wait forever. It changes nothing for a file.
  FileDescriptor in{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (in.fd < 0) return io_error(path, "cannot open");
  struct stat info{};
  if (::fstat(in.fd, &info) != 0) return io_error(path, "cannot read");
  if (S_ISDIR(info.st_mode)) return Error{Code::io, path + ": is a directory, not a file"};
  if (!S_ISREG(info.st_mode)) return Error{Code::io, path + ": is not a regular file"};
  MappedFile file;
  file.path_ = path;
  file.size_ = static_cast<std::size_t>(info.st_size);
  if (file.size_ == 0) return Error{Code::malformed, path + ": the file is empty"};
  void* p = ::mmap(nullptr, file.size_, PROT_READ, MAP_PRIVATE, in.fd, 0);
  if (p == MAP_FAILED) {
    file.size_ = 0;
    return io_error(path, "cannot map");
  }
  file.data_ = static_cast<const std::uint8_t*>(p);
  return file;
}

MappedFile::MappedFile(MappedFile&& o) noexcept
    : data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)), path_(std::move(o.path_)) {}

MappedFile& MappedFile::operator=(MappedFile&& o) noexcept {
  std::swap(data_, o.data_);
  std::swap(size_, o.size_);
  std::swap(path_, o.path_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_) ::munmap(const_cast<std::uint8_t*>(data_), size_);
}

void MappedFile::release(Bytes part) const {
  const auto begin = reinterpret_cast<std::uintptr_t>(part.data()), end = begin + part.size();
  const auto map = reinterpret_cast<std::uintptr_t>(data_);
  if (part.empty() || begin < map || end > map + size_) return;
  // Whole pages, outward: a neighbour's page that goes is read again from the system's cache.
  const auto page = std::uintptr_t(::sysconf(_SC_PAGESIZE));
  const std::uintptr_t first = begin / page * page;
  ::madvise(reinterpret_cast<void*>(first), (end - first + page - 1) / page * page, MADV_DONTNEED);
}

Status write_files(std::span<const OutputFile> files) {
  const Span span("write files");
  std::vector<StagedFile> staged;
  for (const OutputFile& file : files) {
    const std::string_view text = file.text;
    VOUCH_TRY(auto one, StagedFile::write(file.path, {&text, 1}));
    staged.push_back(std::move(one));
  }
  for (StagedFile& one : staged) VOUCH_CHECK(one.commit());
  return ok();
}

Status write_file(const std::string& path, std::string_view text) {
  return write_file(path, Pieces(&text, 1));
}

Status write_file(const std::string& path, std::span<const std::string_view> pieces) {
  const Span span("write files");
  VOUCH_TRY(auto staged, StagedFile::write(path, pieces));
  return staged.commit();
}

}  // namespace vouch
