// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "loaders/tensorflow/run_metadata/rows.h"

namespace tfprof {

// Adds the source, its step, and time 0 of the store unless that is set.
void BeginFile(RunFile* run, StoreBuilder& store);

// What is done each time that some `bytes` more were read, up to `at`, which lies in the middle of
// a device. What is in the part may be stored then, and the part cleared. An error ends the
// reading.
struct RunPause {
  ptrdiff_t bytes;
  Result<void> (*call)(void* state, const char* at);
  void* state;
};

// Reads a file into a part. Error: that of the pause.
Result<void> ReadRuns(RunFile* run, const KnownRuns& known, RunPart* part, const RunPause& pause);

template <class Call>
Result<void> ReadRuns(RunFile* run, const KnownRuns& known, RunPart* part, size_t pause_bytes,
                      Call call) {
  const auto work = [](void* state, const char* at) { return (*static_cast<Call*>(state))(at); };
  return ReadRuns(run, known, part, {static_cast<ptrdiff_t>(pause_bytes), work, &call});
}

}  // namespace tfprof
