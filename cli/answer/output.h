// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <memory>
#include <string>

#include "cli/answer/temporary.h"
#include "cli/ask/command.h"
#include "cli/run.h"
#include "core/base/sink.h"
#include "core/query/query.h"

namespace tfprof {

// Where one answer goes. A regular file (or the target of a link to one) is written under a
// temporary name in its folder and takes its name in Commit; what is dropped without Commit leaves
// nothing behind and the old file as it was. Devices and FIFOs are written directly.
class Destination {
 public:
  Destination() = default;
  ~Destination();
  Destination(const Destination&) = delete;
  Destination& operator=(const Destination&) = delete;

  // Errors: unwritable.
  Result<void> OpenStream(Io& io);  // the program's standard output
  Result<void> OpenFile(const std::string& path, bool append);
  // A command of the shell. `may_fail`: a person sees what it says, and that grep finds nothing is
  // no error then; else its failure is one of the answer.
  Result<void> OpenPipe(const std::string& command, bool may_fail);

  Sink& sink() { return sink_; }

  // After the last byte: what is left goes out, the file takes its name, the shell command ends.
  // `written` is what the writing of the bytes before came to; an error of it is passed on, unless
  // it says that the shell command has seen enough. Errors: unwritable, also a shell command that
  // could not be run or that failed.
  Result<void> Commit(Result<void> written = {});

 private:
  Result<void> WriteStream(std::string_view bytes);
  Result<void> WriteDescriptor(std::string_view bytes);

  Sink sink_{.buffer = {}, .write = [](std::string_view) { return Result<void>(); }};
  std::ostream* stream_ = nullptr;
  int descriptor_ = -1;
  pid_t child_ = -1;   // of a pipe
  bool left_ = false;  // the child reads no more
  bool may_fail_ = false;
  std::string path_;    // as the user gave it, for messages
  std::string target_;  // the file that is replaced; empty: written directly
  Temporary temporary_;
};

// Whether `error` says that nobody reads our standard output any more: the end, not a failure.
bool IsClosedPipe(const Error& error);

}  // namespace tfprof
