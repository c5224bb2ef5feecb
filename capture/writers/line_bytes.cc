// SPDX-License-Identifier: Apache-2.0
#include "capture/writers/line_bytes.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace tfprof::capture {
namespace {

// Short parts stay in memory: a file of many small parts is slow to read.
constexpr uint64_t kLeastPart = uint64_t{256} << 10;

int MakeTemporary(const std::string& folder) {
  const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  std::string path = folder + "/.spill-XXXXXX";  // not every file system has files without names
  const int named = mkostemp(path.data(), O_CLOEXEC);
  if (named >= 0) unlink(path.c_str());
  return named;
}

}  // namespace

LineBytes::~LineBytes() {
  if (file_ >= 0) close(file_);
}

LineBytes::Id LineBytes::AddLine() {
  lines_.emplace_back();
  return static_cast<Id>(lines_.size() - 1);
}

void LineBytes::AppendedTo(Id line) {
  Line& to = lines_[line];
  in_memory_ += to.recent.size() - to.counted;
  to.counted = to.recent.size();
  if (in_memory_ > most_in_memory_) Spill();
}

void LineBytes::Spill() {
  if (file_ < 0) file_ = MakeTemporary(folder_);
  if (file_ < 0) error_ = errno;
  for (Line& line : lines_) {
    if (error_ != 0) break;
    if (line.recent.size() < kLeastPart && lines_.size() < 64) continue;
    const ssize_t written =
        pwrite(file_, line.recent.data(), line.recent.size(), static_cast<off_t>(file_bytes_));
    if (written != static_cast<ssize_t>(line.recent.size())) {
      error_ = written < 0 ? errno : ENOSPC;
      break;
    }
    line.parts.push_back({file_bytes_, line.recent.size()});
    line.spilled_bytes += line.recent.size();
    file_bytes_ += line.recent.size();
    in_memory_ -= line.counted;
    line.recent.clear();
    line.counted = 0;
  }
}

bool LineBytes::Read(const Part& part, std::string* bytes) {
  bytes->resize(part.bytes);
  uint64_t done = 0;
  while (done < part.bytes) {
    const ssize_t got = pread(file_, bytes->data() + done, part.bytes - done,
                              static_cast<off_t>(part.offset + done));
    if (got <= 0) {
      error_ = got < 0 ? errno : EIO;
      return false;
    }
    done += static_cast<uint64_t>(got);
  }
  return true;
}

}  // namespace tfprof::capture
