// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/store/builder.h"

namespace tfprof {

// A fact about a file, for the notes of the store.
struct FileNote {
  NoteWords what;
  std::string place;
};

// What the recorder lost in a process, in its words.
struct ProcessLosses {
  std::string trace;  // empty: none was opened
  std::string process;
  std::vector<std::string> errors;
  std::vector<std::string> losses;
};

// The manifest of a capture's folder: it names the one file to open for each process. Other files
// of the folder may be exports of the same work for other programs.
struct Manifest {
  Capture capture;
  std::vector<std::string> traces;  // paths of existing files, in the order of the processes
  std::vector<ProcessLosses> losses;
  std::vector<FileNote> notes;
  bool is_malformed = false;  // a note says why
  bool has_ended = false;     // the recorded command ended
};

// Returns the manifest of a folder. none: it has none, or that of another kind of folder.
std::optional<Manifest> ReadManifest(const std::string& folder);

// Returns true if the folder has a manifest of a capture: it is a job of its own.
bool IsCapture(const std::string& folder);

// Stores the capture and notes about what it lacks. What a trace reports itself is not noted again.
// REQUIRES: all traces are loaded.
void AddCapture(const Manifest& manifest, StoreBuilder& store);

}  // namespace tfprof
