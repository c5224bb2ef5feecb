// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
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

struct DerivedTrack {
  std::string name;
  Column<DerivedSpan> spans;  // by start, longer ones first
};

// Returns the tracks of a process, none if it is not a GPU or if its recorder derived tracks: it
// derives the same ones. Successive kernels of a stream with the same name, in one step and one
// execution of a program, are one span; executions of an instruction stay apart. Of several
// streams, each has tracks of its own. `names` gets the names of the spans. Errors: cancelled;
// those of Indexes::Details.
Result<std::vector<DerivedTrack>> DeriveTracks(const ExportedLanes& exported,
                                               const Indexes& indexes, ProcessId process,
                                               Names* names, Context& context);

}  // namespace tfprof
