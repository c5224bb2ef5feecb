// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tfprof::capture {

// Writes a file under another name, and renames it when it is whole: whoever finds it finds all of
// it.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  int descriptor() const { return file_; }  // below 0: it could not be made; error() says why
  int error() const { return error_; }
  // Returns 0 or an errno.
  int Commit();

 private:
  std::string path_;
  std::string temporary_;
  int file_ = -1;
  int error_ = 0;
};

// Returns 0 or an errno.
int WriteWhole(const std::string& path, std::string_view text);

}  // namespace tfprof::capture
