// SPDX-License-Identifier: Apache-2.0
#include "cli/shell/session.h"

#include <fmt/format.h>

#include "cli/message.h"

namespace tfprof {
namespace {

bool IsSameTime(const struct timespec& a, const struct timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool IsUnchanged(const struct stat& a, const struct stat& b) {
  return IsSameFile(a, b) && a.st_size == b.st_size && IsSameTime(a.st_mtim, b.st_mtim);
}

// If another inode has the name now, the opened file still exists, unchanged.
std::string DescribeChange(const SeenFile& file, const struct stat& now) {
  if (!IsSameFile(file.as_read, now)) {
    return fmt::format(
        "note: {} was replaced; answers are from the old file until it is loaded again", file.path);
  }
  return fmt::format(
      "note: {} was modified after loading; load it again, answers may mix old and new data",
      file.path);
}

}  // namespace

bool IsSameFile(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

std::vector<SeenFile> FileStates(const Store& store) {
  std::vector<SeenFile> files;
  for (const Source& source : store.sources) {
    SeenFile file{source.path};
    if (stat(file.path.c_str(), &file.as_read) != 0 || !S_ISREG(file.as_read.st_mode)) continue;
    file.as_reported = file.as_read;
    files.push_back(std::move(file));
  }
  return files;
}

void ReportChanges(std::vector<SeenFile>* files, ChangeReporting reporting, Io& io) {
  for (SeenFile& file : *files) {
    struct stat now = {};
    // A deleted file still exists while it is open.
    if (stat(file.path.c_str(), &now) != 0) continue;
    if (IsUnchanged(file.as_read, now)) continue;
    if (reporting == ChangeReporting::once && IsUnchanged(file.as_reported, now)) continue;
    PrintMessage(DescribeChange(file, now), io);
    file.as_reported = now;
  }
}

}  // namespace tfprof
