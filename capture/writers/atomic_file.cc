// SPDX-License-Identifier: Apache-2.0
#include "capture/writers/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace tfprof::capture {

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), temporary_(path_ + ".XXXXXX") {
  file_ = mkostemp(temporary_.data(), O_CLOEXEC);
  if (file_ < 0) error_ = errno;
}

AtomicFile::~AtomicFile() {
  if (file_ < 0) return;
  close(file_);
  unlink(temporary_.c_str());
}

int AtomicFile::Commit() {
  if (file_ < 0) return error_;
  const mode_t mask = umask(0);
  umask(mask);
  fchmod(file_, 0666 & ~mask);
  if (fsync(file_) != 0 && errno != EINVAL) return errno;
  const int closed = close(file_);
  file_ = -1;
  if (closed == 0 && rename(temporary_.c_str(), path_.c_str()) == 0) return 0;
  const int error = errno;
  unlink(temporary_.c_str());
  return error;
}

int WriteWhole(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  while (!text.empty() && file.descriptor() >= 0) {
    const ssize_t done = write(file.descriptor(), text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return done < 0 ? errno : EIO;
    text.remove_prefix(static_cast<size_t>(done));
  }
  return file.Commit();
}

}  // namespace tfprof::capture
