// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/stat.h>

#include <string>
#include <vector>

#include "cli/run.h"
#include "core/store/store.h"

// Files that are open for hours, while programs write new ones: attributes, allocations, code and
// tensors are read from them when a question needs them, so what was written since belongs to
// another run.

namespace tfprof {

struct SeenFile {
  std::string path;
  struct stat as_read = {};
  struct stat as_told = {};  // as it was when somebody was told of it, or as it was read
};

// The files of `store` as they are now; no pipes and no devices.
std::vector<SeenFile> LookAtFiles(const Store& store);

// Says a sentence for each that is another one now than it was read. Told once, until it changes
// again, but to who writes a file of it each time.
enum class Telling { once, each_time };
void TellChanged(std::vector<SeenFile>* files, Telling telling, Io& io);

}  // namespace tfprof
