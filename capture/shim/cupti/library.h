// SPDX-License-Identifier: Apache-2.0
// Finds and loads CUPTI: the copy that the process uses itself, if it has one.
#pragma once

#include <climits>

#include "capture/abi/cupti.h"

namespace tfprof::capture {

struct CuptiLibrary {
  cupti::Functions functions = {};
  char path[PATH_MAX] = {};
  const char* missing = nullptr;  // a function that it lacks
};

// Returns false if there is none, or one without a function that is needed.
bool LoadCupti(CuptiLibrary* library);

// Calls try_path(path) for each place, in order, until it returns true. `doctor` lists the same
// places. With `loaded_only` a name is that of a library which the process has loaded.
using TryPath = bool (*)(void* context, const char* path, bool loaded_only);
bool EachCuptiPath(void* context, TryPath try_path);

}  // namespace tfprof::capture
