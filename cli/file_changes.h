// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/stat.h>

#include <string>
#include <vector>

#include "core/store.h"

// Files that are open for hours, while programs write new ones: attributes, allocations and tensors
// are read from them when a question needs them, so what was written since belongs to another run.

namespace tfprof {

struct SeenFile {
  std::string path;
  struct stat as_read = {};
};

// The files of `store` as they are now; no pipes and no devices.
std::vector<SeenFile> LookAtFiles(const Store& store);

// A sentence for each that is another one now; told once, until it changes again.
std::vector<std::string> ChangedFiles(std::vector<SeenFile>* files);

}  // namespace tfprof
