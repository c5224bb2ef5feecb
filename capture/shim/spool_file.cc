// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/spool_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>

#include "capture/shim/recorder.h"

namespace tfprof::capture {
namespace {

// Programs count on low numbers, and some close all that they do not know.
constexpr int kLowestDescriptor = 700;

int MoveUp(int file) {
  const int moved = fcntl(file, F_DUPFD_CLOEXEC, kLowestDescriptor);
  if (moved < 0) return file;  // the limit is lower
  close(file);
  return moved;
}

// Returns a descriptor, or an errno below 0.
int OpenNew(const char* path) {
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOCTTY, 0644);
  return file < 0 ? -errno : file;
}

// "NAME.3.tfr" of "NAME.tfs"
void SegmentPath(const char* spool, uint32_t number, char* path, size_t path_bytes) {
  const size_t base = std::strlen(spool) - std::strlen(".tfs");
  std::snprintf(path, path_bytes, "%.*s.%u.tfr", static_cast<int>(base), spool, number);
}

// The name is unique also where several machines share the folder.
int CreateNew(const char* folder, char* path, size_t path_bytes) {
  char host[64] = "host";
  gethostname(host, sizeof host - 1);
  if (char* dot = std::strchr(host, '.')) *dot = '\0';
  const int length = std::snprintf(path, path_bytes, "%s/spool/%s-%d-%llx.tfs", folder, host,
                                   getpid(), static_cast<unsigned long long>(WallTime()));
  if (length < 0 || static_cast<size_t>(length) >= path_bytes) return -ENAMETOOLONG;
  return OpenNew(path);
}

uint64_t CountRecords(const unsigned char* records, uint32_t bytes) {
  uint64_t count = 0;
  RecordHead head;
  for (uint32_t at = 0; at < bytes; at += head.bytes, ++count) {
    std::memcpy(&head, records + at, sizeof head);
  }
  return count;
}

}  // namespace

int SpoolFile::Create(const char* folder, uint64_t most_bytes) {
  int file = CreateNew(folder, path_, sizeof path_);
  if (file == -ENOENT) {  // without the launcher nobody has made the folders
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) return errno;
    std::snprintf(path_, sizeof path_, "%s/spool", folder);
    if (mkdir(path_, 0777) != 0 && errno != EEXIST) return errno;
    file = CreateNew(folder, path_, sizeof path_);
  }
  if (file < 0) return -file;
  Begin(file, most_bytes);
  flock(file_, LOCK_EX | LOCK_NB);  // the converter sees by it that the process lives
  records_ = 0;
  return 0;
}

void SpoolFile::Begin(int file, uint64_t most_bytes) {
  file_ = MoveUp(file);
  struct stat status = {};
  fstat(file_, &status);
  device_ = status.st_dev;
  inode_ = status.st_ino;
  most_bytes_ = most_bytes;
  written_ = 0;
  sequence_ = 0;
  buffered_ = 0;
  has_block_ = false;
  error_ = 0;
}

int SpoolFile::CreateSegment(const SpoolFile& spool, uint32_t number) {
  SegmentPath(spool.path_, number, path_, sizeof path_);
  const int file = OpenNew(path_);
  if (file < 0) return -file;
  Begin(file, spool.most_bytes_);
  return 0;
}

void SpoolFile::RemoveSegment(const SpoolFile& spool, uint32_t number) {
  char path[sizeof spool.path_];
  SegmentPath(spool.path_, number, path, sizeof path);
  unlink(path);
}

void SpoolFile::Add(uint32_t thread, const void* records, uint32_t bytes) {
  if (buffered_ + bytes + sizeof(BlockHead) > kBufferBytes) {
    const int error = Flush();
    if (error != 0) return;
  }
  if (has_block_ && head_.thread != thread) CloseBlock();
  if (!has_block_) {
    has_block_ = true;
    block_ = buffered_;
    head_ = {.thread = thread, .sequence = sequence_++};
    buffered_ += sizeof head_;
  }
  std::memcpy(buffer_ + buffered_, records, bytes);
  records_ += CountRecords(buffer_ + buffered_, bytes);
  buffered_ += bytes;
}

void SpoolFile::AddText(RecordKind kind, uint32_t id, std::string_view text) {
  text = text.substr(0, kMostTextBytes);
  alignas(8) unsigned char record[sizeof(RecordHead) + kMostTextBytes + 16] = {};
  const uint32_t bytes = TextRecordBytes(static_cast<uint32_t>(text.size()));
  const RecordHead head{kind, static_cast<uint16_t>(bytes), id};
  std::memcpy(record, &head, sizeof head);
  std::memcpy(record + sizeof head, text.data(), text.size());
  Add(0, record, bytes);
}

void SpoolFile::AddInfo(const char* key, std::string_view value) {
  char text[kMostTextBytes];
  const int length = std::snprintf(text, sizeof text, "%s=%.*s", key,
                                   static_cast<int>(value.size()), value.data());
  if (length <= 0) return;
  const size_t kept =
      static_cast<size_t>(length) < sizeof text ? static_cast<size_t>(length) : sizeof text - 1;
  AddText(RecordKind::info, 0, {text, kept});
}

void SpoolFile::CloseBlock() {
  head_.bytes = buffered_ - block_ - static_cast<uint32_t>(sizeof head_);
  head_.checksum = BlockChecksum(head_, buffer_ + block_ + sizeof head_);
  std::memcpy(buffer_ + block_, &head_, sizeof head_);
  has_block_ = false;
}

int SpoolFile::Flush() {
  if (has_block_) CloseBlock();
  const uint32_t count = buffered_;
  buffered_ = 0;
  if (count == 0 || error_ != 0) return error_;
  if (written_ + count > most_bytes_) return error_ = EFBIG;
  written_ += count;
  return error_ = Write(buffer_, count);
}

// A program may close descriptors that are not its own, and then open others.
bool SpoolFile::IsOurs() const {
  struct stat status = {};
  return fstat(file_, &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
}

// The number is the program's now, so it is left alone.
bool SpoolFile::Reopen() {
  const int file = open(path_, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
  file_ = file < 0 ? -1 : MoveUp(file);
  if (!IsOurs()) return false;
  flock(file_, LOCK_EX | LOCK_NB);
  return true;
}

int SpoolFile::Write(const unsigned char* bytes, uint32_t count) {
  if (!IsOurs() && !Reopen()) return EBADF;
  while (count > 0) {
    const ssize_t done = write(file_, bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return done < 0 ? errno : EIO;
    bytes += done;
    count -= static_cast<uint32_t>(done);
  }
  return 0;
}

void SpoolFile::Forget() {
  // The number may be reused by the child, so what it stands for decides.
  if (file_ >= 0 && IsOurs()) close(file_);
  file_ = -1;
  buffered_ = 0;
  has_block_ = false;
}

}  // namespace tfprof::capture
