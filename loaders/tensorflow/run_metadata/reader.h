// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "loaders/tensorflow/run_metadata/rows.h"

namespace tfprof {

// Adds the source, its step, and time 0 of the store unless it is set.
void BeginFile(RunFile* run, StoreBuilder& store);

// Action after each further `bytes` of input, up to `at`, which lies inside a device. It may store
// the content of the part and clear it. An error ends the reading.
struct RunPause {
  size_t bytes;
  std::function<Result<void>(const char* at)> call;
};

// Reads a file into a part. Error: that of the pause.
Result<void> ReadRuns(RunFile* run, const StoredRuns& known, RunPart* part, const RunPause& pause);

}  // namespace tfprof
