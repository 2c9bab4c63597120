// Running another program: see process.h.
#include "vouch/cli/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include "vouch/core/progress.h"

extern char** environ;

namespace vouch::cli {
namespace {

#ifdef __APPLE__
constexpr std::uint64_t maxrss_unit = 1;
#else
constexpr std::uint64_t maxrss_unit = 1024;
#endif

double seconds_of(const timeval& t) {
  return double(t.tv_sec) + double(t.tv_usec) * 1e-6;
}

std::string last_line(const std::string& path) {
  std::ifstream in(path);
  std::string last;
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) last = line;
  return last;
}

}  // namespace

std::string own_program() {
#ifdef __APPLE__
  std::uint32_t size = 0;
  _NSGetExecutablePath(nullptr, &size);
  std::string path(size, '\0');
  _NSGetExecutablePath(path.data(), &size);
  path.resize(std::strlen(path.c_str()));
  return path;
#else
  return std::filesystem::read_symlink("/proc/self/exe").string();
#endif
}

Result<ProcessRun> run_process(const std::string& name, const std::vector<std::string>& argv,
                               const std::string& log) {
  std::vector<char*> pointers;
  for (const std::string& word : argv) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const Stopwatch clock;
  pid_t child = 0;
  const int failed = posix_spawn(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return Error{Code::io, name + ": cannot run: " + std::strerror(failed)};
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, 0, &usage) < 0)
    if (errno != EINTR) return Error{Code::io, name + ": cannot wait: " + std::strerror(errno)};
  const double seconds = clock.seconds();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::string last = last_line(log);
    if (last.starts_with("error: ")) last.erase(0, 7);
    return Error{Code::io,
                 name +
                     (WIFEXITED(status) ? " exits with " + std::to_string(WEXITSTATUS(status))
                                        : " is killed by signal " + std::to_string(WTERMSIG(status))) +
                     (last.empty() ? "" : ": " + last)};
  }
  return ProcessRun{seconds, seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
                    std::uint64_t(usage.ru_maxrss) * maxrss_unit};
}

}  // namespace vouch::cli
