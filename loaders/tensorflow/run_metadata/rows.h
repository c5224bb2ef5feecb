// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <utility>
#include <vector>

#include "loaders/loader.h"
#include "loaders/tensorflow/run_metadata/part.h"
#include "loaders/wire/unknown.h"

namespace tfprof {

// A run metadata file that is being loaded.
struct RunFile {
  const SourceFile& file;
  const LoadArguments& arguments;
  SourceId source = {};

  // ---- found in the file
  StepId step = {};  // none: the file has no step statistics
  int64_t devices = 0;
  int64_t records = 0;        // of the last device
  const char* bad = nullptr;  // where the file becomes unreadable
  UnknownFields unknown = {};

  // ---- from its linked parts
  EventId first = {};  // its rows
  EventId end = {};
  int64_t covered_nodes = 0;
  int64_t known_nodes = 0;
  bool gpu_seen = false;
  bool gpu_stream_seen = false;
  // Nodes whose name is their type, as there is no graph, and the texts of their first records.
  std::vector<std::pair<NodeId, std::string_view>> without_graph = {};
  std::vector<InvalidTime> invalid_times = {};
  ProblemCount no_time = {}, malformed = {}, foreign = {}, several_gpu_allocators = {};
};

// Stores the parts of files in order: LinkPart for each, then CopyRows (immediately or later), and
// EndFile when the parts of a file are complete, in order again.
struct RunRows {
  StoreBuilder& store;
  LaneId lane = {};              // of the current device
  EventId first_of_device = {};  // its first row
  std::vector<LabelId> new_on_lane =
      {};  // labels on the device whose nodes may not be linked to the lane
  LanesOfLabels lanes_of_labels = {};
};

// Destination of the rows of a part.
struct RunPlace {
  EventId first;
  size_t first_memory = 0;
  uint32_t first_output = 0;
};

// Assigns the labels, nodes and lanes of the part, and reserves space for its rows.
RunPlace LinkPart(RunPart* part, RunFile* file, RunRows* rows);
// Parts may be copied in parallel while no more space is reserved.
void CopyRows(const RunPart& part, const RunPlace& place, StoreBuilder& store);
// Error: the file does not belong to the graph, or is damaged.
Result<void> EndFile(const RunFile& file, StoreBuilder& store, const Context& context);

}  // namespace tfprof
