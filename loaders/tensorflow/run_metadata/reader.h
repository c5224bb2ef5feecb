// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "loaders/tensorflow/run_metadata/rows.h"

namespace tfprof {

// Adds the source, its step, and time 0 of the store unless that is set.
void BeginFile(RunFile* run, StoreBuilder& store);

// What is done each time that some `bytes` more were read, up to `at`, which lies in the middle of
// a device. What is in the part may be stored then, and the part cleared. An error ends the
// reading.
struct RunPause {
  size_t bytes;
  std::function<Result<void>(const char* at)> call;
};

// Reads a file into a part. Error: that of the pause.
Result<void> ReadRuns(RunFile* run, const KnownRuns& known, RunPart* part, const RunPause& pause);

}  // namespace tfprof
