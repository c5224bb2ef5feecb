// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "analysis/indexes.h"
#include "core/base/column.h"
#include "core/base/context.h"
#include "core/store/names.h"
#include "core/store/store.h"

// Tracks of a GPU that its kernels imply: steps, programs, instructions, name scopes, operations.

namespace tfprof {

struct ExportedLanes;

struct DerivedSpan {
  int64_t start_ps = 0;
  int64_t end_ps = 0;
  NameId name;
  uint32_t level = 0;
};

// The tracks of a process.
struct DerivedTracks {
  std::vector<std::string> names;
  // Returns the spans of a track, by start, longer ones first, until the next call. The tracks of a
  // stream are derived when the first of them is read, and in the memory of the stream before: all
  // together would take more than the trace. REQUIRES: tracks are read in order, each once; what
  // the tracks were derived of is there.
  std::function<std::span<const DerivedSpan>(size_t track)> spans = nullptr;
};

// Returns the tracks of a process, none if it is not a GPU or if its recorder derived tracks: it
// derives the same ones. Successive kernels of a stream with the same name, in one step and one
// execution of a program, are one span; executions of an instruction stay apart. Of several
// streams, each has tracks of its own. `names` gets the names of the spans. Errors: cancelled;
// those of Indexes::Details.
Result<DerivedTracks> DeriveTracks(const ExportedLanes& exported, const Indexes& indexes,
                                   ProcessId process, Names* names, Context& context);

}  // namespace tfprof
