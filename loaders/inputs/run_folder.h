// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "loaders/inputs/manifest.h"

namespace tfprof {

// Returns the trace files of a folder by name, one per host: those in it, or those of a run below
// it. Runs are the folders below FOLDER/plugins/profile, FOLDER/profile or a FOLDER named profile,
// else those of the log directories up to three levels below FOLDER, such as FOLDER/train. Of
// several runs it takes the one named `run`, or else the last by name, which is the newest since
// names are dates. Empty: the folder has no traces. Error: unreadable if there is no such run (the
// error lists the existing ones).
Result<std::vector<std::string>> TracesOf(const std::string& folder, const std::string& run);

// Returns the paths of the runs that TracesOf chooses from; none: the folder has traces itself, or
// is no log directory.
std::vector<std::string> RunFoldersOf(const std::string& folder);

// The files to open for a folder: the file named `run`, the traces that its manifest names, else
// its traces, its SavedModel, or those that ChooseFolderFiles chooses.
struct FolderFiles {
  std::vector<std::string> files;         // in natural order
  bool by_content = false;                // all files of the folder: see ChooseFolderFiles
  std::optional<Manifest> manifest = {};  // that names `files`
  std::vector<FileNote> notes = {};
};
// Error: as for TracesOf; unreadable for a capture without traces.
Result<FolderFiles> FilesOf(const std::string& folder, const std::string& run);

// Returns the paths of the spools of a folder: what the recorder writes while programs run.
std::vector<std::string> SpoolsIn(const std::string& folder);
// Returns true if a folder has the name of the one that holds them.
bool IsSpoolFolder(const std::string& path);

// Returns the captures directly below a folder that is no profile itself; none: it is one, or has
// none.
std::vector<std::string> CapturesIn(const std::string& folder);

// Returns true if the file names show that a folder holds a profile.
bool LooksLikeProfile(const std::string& folder);

}  // namespace tfprof
