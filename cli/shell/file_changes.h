// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/stat.h>

#include <string>
#include <vector>

#include "cli/run.h"
#include "core/store/store.h"

// Detects changes of open files. A profile may be open for hours while programs write new ones.
// Attributes, allocations, code and tensors are read when a query needs them, so data written since
// then belongs to another run.

namespace tfprof {

struct SeenFile {
  std::string path;
  struct stat as_read = {};
  struct stat as_told = {};  // its state when a change was last reported, or when it was read
};

// The current state of the files of `store`, without pipes and devices.
std::vector<SeenFile> LookAtFiles(const Store& store);

// Prints a sentence for each file that changed since it was read. once: each change is reported
// once. each_time: for commands that write a file from the profile.
enum class Telling { once, each_time };
void TellChanged(std::vector<SeenFile>* files, Telling telling, Io& io);

}  // namespace tfprof
