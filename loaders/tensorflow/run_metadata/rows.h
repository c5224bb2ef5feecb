// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "loaders/loader.h"
#include "loaders/tensorflow/run_metadata/part.h"
#include "loaders/wire/unknown.h"

namespace tfprof {

// A file of run metadata that is being loaded.
struct RunFile {
  const SourceFile& file;
  const LoadArguments& arguments;
  SourceId source = {};

  // ---- what was found in it
  StepId step = {};  // none: it has no step statistics
  int64_t devices = 0;
  int64_t records = 0;        // of the last device
  const char* bad = nullptr;  // where it stops to be readable
  UnknownFields unknown = {};

  // ---- what its parts said that are linked
  EventId first = {};  // its rows
  EventId end = {};
  int64_t covered_nodes = 0;
  int64_t known_nodes = 0;
  bool gpu_seen = false;
  bool gpu_stream_seen = false;
  std::vector<OddTime> odd_times = {};
  Tally no_time = {}, malformed = {}, foreign = {}, several_gpu_allocators = {};
};

// Stores the parts of files in order: LinkPart for each, then or later CopyRows, and when those of
// a file are complete EndFile, in order again.
struct RunRows {
  StoreBuilder& store;
  LaneId lane = {};                       // of the current device
  EventId first_of_device = {};           // its first row
  std::vector<LabelId> new_on_lane = {};  // seen on the device; their nodes may not know the lane
  LanesOfLabels lanes_of_labels = {};
};

// The lane of a device of that file; none: the store does not know it yet.
LaneId FindLane(std::string_view device, const RunFile& file, const StoreBuilder& store);

// Where the rows of a part come to lie.
struct RunPlace {
  EventId first;
  size_t first_memory = 0;
  uint32_t first_output = 0;
};

// Gives the part its labels, nodes and lanes, and makes room for its rows.
RunPlace LinkPart(RunPart* part, RunFile* file, RunRows* rows);
// Parts may be copied at once, when no more room is made.
void CopyRows(const RunPart& part, const RunPlace& place, StoreBuilder& store);
// Error: the file is not of the graph, or damaged.
Result<void> EndFile(const RunFile& file, StoreBuilder& store, const Context& context);

}  // namespace tfprof
