// SPDX-License-Identifier: Apache-2.0
// The file that a process writes. Only the writer thread uses it.
#pragma once

#include <sys/types.h>

#include <climits>
#include <cstdint>
#include <string_view>

#include "capture/spool/format.h"

namespace tfprof::capture {

class SpoolFile {
 public:
  // Creates a new file in the folder; returns 0 or an errno.
  int Create(const char* folder, uint64_t most_bytes);

  // Likewise a segment of a ring, beside the spool.
  int CreateSegment(const SpoolFile& spool, uint32_t number);
  static void RemoveSegment(const SpoolFile& spool, uint32_t number);

  // Appends records to the block of a thread. A block is closed when another thread's begins.
  void Add(uint32_t thread, const void* records, uint32_t bytes);
  template <class Record>
  void Add(uint32_t thread, const Record& record) {
    Add(thread, &record, sizeof record);
  }
  void AddText(RecordKind kind, uint32_t id, std::string_view text);
  void AddInfo(const char* key, std::string_view value);

  // What was added until now: to this file, and records to those before.
  uint64_t records() const { return records_; }
  uint64_t bytes() const { return written_ + buffered_; }

  // Writes what was added; returns 0, an errno, or EFBIG when the cap is reached.
  int Flush();

  // Closes the file. In a child after fork it is the parent's.
  void Forget();

 private:
  void Begin(int file, uint64_t most_bytes);
  bool IsOurs() const;
  bool Reopen();
  int Write(const unsigned char* bytes, uint32_t count);
  void CloseBlock();

  static constexpr uint32_t kBufferBytes = 256 << 10;
  int file_ = -1;
  char path_[PATH_MAX + 128];
  dev_t device_ = 0;
  ino_t inode_ = 0;
  uint64_t most_bytes_ = 0;
  uint64_t written_ = 0;
  uint64_t records_ = 0;
  uint32_t sequence_ = 0;
  uint32_t buffered_ = 0;
  uint32_t block_ = 0;  // where the open block begins in the buffer
  bool has_block_ = false;
  int error_ = 0;
  BlockHead head_;
  alignas(8) unsigned char buffer_[kBufferBytes];
};

}  // namespace tfprof::capture
