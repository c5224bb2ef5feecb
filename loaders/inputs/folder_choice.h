// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "loaders/inputs/opened.h"

namespace tfprof {

// What is done with a file of a folder.
enum class FolderFile : uint8_t {
  read,
  read_beside,    // a graph, log or checkpoint beside the runs of the folder
  other_profile,  // a whole profile; another one is read
  left_out,
};

// Chooses the files of a folder, in natural order, that make one profile:
// - run metadata, with the last graph, op log and checkpoint beside it, or dumped programs;
// - else the last whole profile;
// - else the last graph, op log and checkpoint.
// By index in `files`. Files that cannot be opened are left out.
std::vector<FolderFile> ChooseFolderFiles(std::span<const Result<Opened>> files);

// Leaves out files beside the runs of a folder of which another file in `files` has the facts: a
// graph, if there is another graph.
void LeaveOutRepeated(OpenedFiles* opened);

// Leaves out all files beside the runs of folders. Returns false if there are none.
bool LeaveOutBeside(OpenedFiles* opened);

}  // namespace tfprof
