// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <string>

#include "core/base/result.h"

namespace tfprof {

// A file that is written under a temporary name until it is complete. Anything that ends it before
// Rename removes it: the destructor, an error, and the signals that end the program.
class Temporary {
 public:
  Temporary() = default;
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  // Creates a file in the folder of `target`. Returns its descriptor, or -1 with errno set.
  int Create(const std::string& target);
  bool exists() const { return !path_.empty(); }
  // Renames the file to `target`. Returns 0, or the errno.
  int Rename(const std::string& target);

 private:
  void Forget();

  std::string path_;
  int slot_ = -1;  // of the slots that a signal handler removes; -1: none was free
};

// Removes all existing temporary files. For a signal handler that is about to end the program.
void RemoveTemporaries();

}  // namespace tfprof
