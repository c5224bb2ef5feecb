// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/base/result.h"

namespace tfprof {

// The trace files that a folder stands for, by name, one per host: those in it, or those of a run
// below it. Runs are the folders below FOLDER/plugins/profile, FOLDER/profile or a FOLDER called
// profile; of several the last by name, which is the newest since names are dates, or the one named
// `run`. Empty: it holds no traces. Error: unreadable, when there is no such run (names those there
// are).
Result<std::vector<std::string>> TracesOf(const std::string& folder, const std::string& run);

// What a folder stands for when it is named instead of a file: its traces, else its SavedModel,
// else the run metadata in it.
struct FolderFiles {
  std::vector<std::string> files;  // in natural order; of the last kind all files in the folder
  bool only_runs = false;          // of `files` those that are run metadata are meant
};
// Error: as TracesOf.
Result<FolderFiles> FilesOf(const std::string& folder, const std::string& run);

// Whether its names say that a folder holds something to open.
bool LooksLikeProfile(const std::string& folder);

}  // namespace tfprof
