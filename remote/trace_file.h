// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace tfprof::remote {

// A file that has its name only when it is complete.
class TraceFile {
 public:
  explicit TraceFile(std::string path);
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;
  ~TraceFile();  // removes what was not committed

  // Appends; the file is created by the first bytes. Error: unwritable (no space, no permission).
  Result<void> Append(std::string_view bytes);
  Result<void> Commit();

  uint64_t bytes() const { return bytes_; }

 private:
  Failure Unwritable(int error);

  std::string path_;
  std::string partial_;
  int fd_ = -1;
  uint64_t bytes_ = 0;
};

}  // namespace tfprof::remote
