// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "loaders/open.h"

// The files of a job that may still run.

namespace tfprof {

// The state of a file, to detect changes.
struct WatchedFile {
  std::string path;
  uint64_t inode = 0;
  int64_t bytes = 0;
  int64_t modified_ns = 0;

  bool operator==(const WatchedFile&) const = default;
};

// Returns the spools of the inputs, by path: they change when the recorder has written something.
std::vector<WatchedFile> SpoolsOf(const std::vector<Input>& inputs);

// Returns the other files of the inputs and of the folders below them, by path. A folder with
// spools changes as these do: the traces made of them count as changed if their size is another
// one, not whenever they are made again.
std::vector<WatchedFile> WatchedFiles(const std::vector<Input>& inputs);

enum class RecordingState : uint8_t {
  unknown,  // no recording: nothing says whether it still grows
  running,
  silent,  // no process runs, but others may begin
  ended,
};
// Of several inputs, the first in this order that one of them has.
RecordingState StateOfRecordings(const std::vector<Input>& inputs);

// Counts the processes of the recordings, and those that run.
struct ProcessCounts {
  int64_t all = 0;
  int64_t running = 0;
};
ProcessCounts CountProcesses(const std::vector<Input>& inputs);

// False: the folder is no recording, or its traces are whole: it has ended.
bool NeedsConversion(const std::string& folder);

// How much of the end of the recordings their traces have; kNoInt: all of it.
int64_t ShownOf(const std::vector<Input>& inputs);

}  // namespace tfprof
