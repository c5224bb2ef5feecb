// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/output.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ostream>

#include "cli/shell/session.h"

namespace tfprof {
namespace {

constexpr std::string_view kClosedPipe = "the reader of the output is gone";

Failure CannotWrite(const std::string& path, int error_number) {
  return Fail(ErrorKind::unwritable, "cannot write: " + std::string(strerror(error_number)), path);
}

// The file that `path` resolves to after symbolic links; `path` itself if it does not exist.
std::string FollowLinks(const std::string& path) {
  char resolved[PATH_MAX];
  if (realpath(path.c_str(), resolved) != nullptr) return resolved;
  struct stat link {};
  if (lstat(path.c_str(), &link) != 0 || !S_ISLNK(link.st_mode)) return path;
  const ssize_t length = readlink(path.c_str(), resolved, sizeof(resolved));
  if (length <= 0 || static_cast<size_t>(length) == sizeof(resolved)) return path;
  const std::string target(resolved, static_cast<size_t>(length));
  const size_t slash = path.rfind('/');
  const bool relative = target[0] != '/' && slash != std::string::npos;
  return relative ? path.substr(0, slash + 1) + target : target;
}

mode_t NewFileMode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

// Starts a process `sh -c command` that reads `input`. Ctrl-C and a closed pipe end it as usual.
Result<pid_t> SpawnShell(const std::string& command, int input) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  sigaddset(&defaults, SIGINT);
  sigaddset(&defaults, SIGXFSZ);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  std::string shell = "sh", option = "-c", text = command;
  char* arguments[] = {shell.data(), option.data(), text.data(), nullptr};
  pid_t child = -1;
  const int failed = posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0) return CannotWrite("| " + command, failed);
  return child;
}

// The child's exit status as waitpid returns it. Ctrl-C ends the child, not our wait for it.
int WaitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

// Describes the failure of a program that read from us; empty: it did not fail. A program that
// ended because its reader closed the pipe or because of Ctrl-C did not fail.
std::string Failing(int status, bool may_fail) {
  constexpr int kSignalExitBase = 128;  // a shell adds this to the signal that ended a program
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : kSignalExitBase + WTERMSIG(status);
  if (code == 126 || code == 127)
    return "the program could not be run";  // the shell's statuses for that
  if (may_fail || code == 0) return {};
  if (code == kSignalExitBase + SIGPIPE || code == kSignalExitBase + SIGINT) return {};
  const bool by_signal = code > kSignalExitBase && code <= kSignalExitBase + SIGRTMAX;
  if (!by_signal) return "the program ended with status " + std::to_string(code);
  return "signal " + std::to_string(code - kSignalExitBase) + " ended the program";
}

// Returns true if the descriptor is our standard output under another name, such as /dev/stdout.
bool IsStandardOutput(int descriptor) {
  struct stat ours {
  }, other{};
  return fstat(STDOUT_FILENO, &ours) == 0 && fstat(descriptor, &other) == 0 &&
         IsSameFile(ours, other);
}

Failure NoReader(const std::string& path) {
  return Fail(ErrorKind::unwritable, std::string(kClosedPipe), path);
}

}  // namespace

bool IsClosedPipe(const Error& error) { return error.what == kClosedPipe; }

Destination::~Destination() {
  if (descriptor_ >= 0) close(descriptor_);
  if (child_ > 0) WaitFor(child_);
}

Result<void> Destination::OpenStream(Io& io) {
  stream_ = io.out;
  path_ = "standard output";
  sink_.write = [this](std::string_view bytes) { return WriteStream(bytes); };
  return {};
}

Result<void> Destination::OpenFile(const std::string& path, bool append) {
  path_ = path;
  sink_.write = [this](std::string_view bytes) { return WriteDescriptor(bytes); };
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (append || (exists && !S_ISREG(status.st_mode))) {
    const int mode = append ? O_APPEND | O_CREAT : 0;
    descriptor_ = open(path.c_str(), O_WRONLY | O_CLOEXEC | mode, 0666);
    if (descriptor_ < 0) return CannotWrite(path, errno);
    return {};
  }
  target_ = FollowLinks(path);
  if (exists && access(target_.c_str(), W_OK) != 0) return CannotWrite(path, errno);
  descriptor_ = temporary_.Create(target_);
  if (descriptor_ < 0) return CannotWrite(path, errno);
  if (fchmod(descriptor_, exists ? status.st_mode & 07777 : NewFileMode()) != 0) {
    return CannotWrite(path, errno);
  }
  return {};
}

Result<void> Destination::OpenPipe(const std::string& command, bool may_fail) {
  path_ = "| " + command;
  may_fail_ = may_fail;
  sink_.write = [this](std::string_view bytes) { return WriteDescriptor(bytes); };
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return CannotWrite(path_, errno);
  descriptor_ = ends[1];
  Result<pid_t> child = SpawnShell(command, ends[0]);
  close(ends[0]);
  if (!child) return Failure(std::move(child).error());
  child_ = *child;
  return {};
}

Result<void> Destination::Commit(Result<void> written) {
  if (written) written = sink_.Flush();
  if (!written && !left_) return written;
  const int descriptor = std::exchange(descriptor_, -1);
  if (descriptor >= 0 && close(descriptor) != 0) return CannotWrite(path_, errno);
  if (child_ > 0) {
    std::string failing = Failing(WaitFor(std::exchange(child_, -1)), may_fail_);
    if (!failing.empty()) return Fail(ErrorKind::unwritable, std::move(failing), path_);
  }
  if (!temporary_.exists()) return {};
  if (const int failed = temporary_.Rename(target_); failed != 0) return CannotWrite(path_, failed);
  return {};
}

Result<void> Destination::WriteStream(std::string_view bytes) {
  errno = 0;
  stream_->write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream_->flush();
  if (*stream_) return {};
  if (errno != 0 && errno != EPIPE) return CannotWrite(path_, errno);
  return NoReader(path_);
}

Result<void> Destination::WriteDescriptor(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int failed = errno;
      left_ = child_ > 0 && failed == EPIPE;
      if (failed == EPIPE && IsStandardOutput(descriptor_)) return NoReader(path_);
      return CannotWrite(path_, failed);
    }
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

}  // namespace tfprof
