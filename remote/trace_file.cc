// SPDX-License-Identifier: Apache-2.0
#include "remote/trace_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

namespace tfprof::remote {

TraceFile::TraceFile(std::string path) : path_(std::move(path)) {
  const std::filesystem::path full(path_);
  // A name with a dot: nobody reads a file that is not complete.
  partial_ = (full.parent_path() / ("." + full.filename().string() + ".part")).string();
}

TraceFile::~TraceFile() {
  if (fd_ < 0) return;
  close(fd_);
  unlink(partial_.c_str());
}

Failure TraceFile::Unwritable(int error) {
  return Fail(ErrorKind::unwritable, std::strerror(error), path_);
}

Result<void> TraceFile::Append(std::string_view bytes) {
  if (bytes.empty()) return {};
  if (fd_ < 0) fd_ = open(partial_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd_ < 0) return Unwritable(errno);
  while (!bytes.empty()) {
    const ssize_t written = write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Unwritable(errno);
    bytes.remove_prefix(static_cast<size_t>(written));
    bytes_ += static_cast<uint64_t>(written);
  }
  return {};
}

Result<void> TraceFile::Commit() {
  if (fd_ < 0) return Fail(ErrorKind::corrupt, "nothing was written", path_);
  const int closed = close(std::exchange(fd_, -1));  // file systems on a network report here
  if (closed == 0 && std::rename(partial_.c_str(), path_.c_str()) == 0) return {};
  const int error = errno;
  unlink(partial_.c_str());
  return Unwritable(error);
}

}  // namespace tfprof::remote
