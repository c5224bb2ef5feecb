// SPDX-License-Identifier: Apache-2.0
#include "cli/running/programs.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/query/options.h"

namespace tfprof {
namespace {

namespace fs = std::filesystem;

// The arguments of a program, as the system takes them. The words must outlive them.
std::vector<char*> ArgumentsOf(std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  return arguments;
}

// While a program runs that has Ctrl-C, we have not.
class IgnoredInterrupts {
 public:
  IgnoredInterrupts() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGINT, &ignore, &before_);
  }
  ~IgnoredInterrupts() { sigaction(SIGINT, &before_, nullptr); }
  IgnoredInterrupts(const IgnoredInterrupts&) = delete;
  IgnoredInterrupts& operator=(const IgnoredInterrupts&) = delete;

 private:
  struct sigaction before_ {};
};

std::string ReadAll(int fd) {
  std::string text;
  std::array<char, 4096> bytes;
  while (true) {
    const ssize_t got = read(fd, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(bytes.data(), static_cast<size_t>(got));
  }
}

// Starts a program with the usual signals. Returns the error, 0: none.
int Spawn(std::vector<std::string>& words, int output, pid_t* child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (output >= 0) posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t usual;
  sigemptyset(&usual);
  for (const int number : {SIGINT, SIGPIPE, SIGXFSZ}) sigaddset(&usual, number);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const std::vector<char*> arguments = ArgumentsOf(words);
  const int failed =
      posix_spawnp(child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

}  // namespace

std::string OurProgram(std::string_view name) {
  std::error_code failed;
  const fs::path own = fs::read_symlink("/proc/self/exe", failed);
  if (failed) return std::string(name);
  const fs::path folder = own.parent_path();
  for (const fs::path& place :
       {folder / name, folder.parent_path() / "libexec" / "tfprof" / name}) {
    if (access(place.c_str(), X_OK) == 0) return place.string();
  }
  return std::string(name);
}

bool HasProgram(const std::string& program) {
  if (program.find('/') != program.npos) return access(program.c_str(), X_OK) == 0;
  const char* const path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
  while (true) {
    const fs::path folder(rest.substr(0, rest.find(':')));
    if (access((folder / program).c_str(), X_OK) == 0) return true;
    if (rest.find(':') == rest.npos) return false;
    rest.remove_prefix(rest.find(':') + 1);
  }
}

pid_t StartQuietly(std::vector<std::string> words, int streams) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (streams >= 0 && stream != STDERR_FILENO) {
      posix_spawn_file_actions_adddup2(&actions, streams, stream);
    } else {
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
    }
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t child = -1;
  const std::vector<char*> arguments = ArgumentsOf(words);
  const int failed =
      posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed == 0 ? child : -1;
}

int StatusOf(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignaled + WTERMSIG(status);
}

bool RunQuietly(std::vector<std::string> words) {
  const pid_t child = StartQuietly(std::move(words), -1);
  return child >= 0 && StatusOf(child) == 0;
}

Result<int> RunInTerminal(std::vector<std::string> words, std::string* output) {
  int ends[2] = {-1, -1};
  if (output != nullptr && pipe2(ends, O_CLOEXEC) != 0)
    return Fail(ErrorKind::internal, std::strerror(errno));
  const IgnoredInterrupts ignored;
  pid_t child = -1;
  const int failed = Spawn(words, ends[1], &child);
  if (ends[1] >= 0) close(ends[1]);
  if (failed == 0 && output != nullptr) *output = ReadAll(ends[0]);
  if (ends[0] >= 0) close(ends[0]);
  if (failed != 0) return Fail(ErrorKind::unreadable, std::strerror(failed), words.front());
  return StatusOf(child);
}

}  // namespace tfprof
