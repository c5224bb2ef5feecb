// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <string>

#include "cli/run.h"
#include "core/base/result.h"
#include "core/base/sink.h"
#include "core/query/query.h"

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

// The destination of one answer. A regular file (or the target of a link to one) is written under a
// temporary name in its folder and renamed in Commit. Without Commit, no temporary file remains and
// the old file is unchanged. Devices and FIFOs are written directly.
class Destination {
 public:
  Destination() = default;
  ~Destination();
  Destination(const Destination&) = delete;
  Destination& operator=(const Destination&) = delete;

  // Errors: unwritable.
  Result<void> OpenStream(Io& io);  // the program's standard output
  Result<void> OpenFile(const std::string& path, bool append);
  // Opens a shell command. `may_fail`: the session is interactive, where a failure such as grep
  // finding nothing is not an error. Otherwise its failure is an error of the answer.
  Result<void> OpenPipe(const std::string& command, bool may_fail);

  Sink& sink() { return sink_; }

  // Finishes the output: flushes the rest, renames the file, waits for the shell command. `written`
  // is the result of writing the preceding bytes; its error is returned unless it reports that the
  // shell command stopped reading. Errors: unwritable, also if the shell command could not be run
  // or failed.
  Result<void> Commit(Result<void> written = {});

 private:
  Result<void> WriteStream(std::string_view bytes);
  Result<void> WriteDescriptor(std::string_view bytes);

  Sink sink_{.buffer = {}, .write = [](std::string_view) { return Result<void>(); }};
  std::ostream* stream_ = nullptr;
  int descriptor_ = -1;
  pid_t child_ = -1;   // the shell command of a pipe
  bool left_ = false;  // the child stopped reading
  bool may_fail_ = false;
  std::string path_;    // as the user typed it, for messages
  std::string target_;  // the file to replace; empty: written directly
  Temporary temporary_;
};

// Returns true if `error` means that the reader of our standard output closed it, which is no
// failure.
bool IsClosedPipe(const Error& error);

}  // namespace tfprof
