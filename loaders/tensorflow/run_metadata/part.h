// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "loaders/counts.h"
#include "loaders/tensorflow/run_metadata/record.h"

namespace tfprof {

// Records which labels occurred on which of the first 64 lanes. Their nodes are linked to these
// lanes.
class LanesOfLabels {
 public:
  bool Has(LabelId label, LaneId lane) const {
    return lane.value < 64 && label.value < lanes_.size() &&
           (lanes_[label.value] >> lane.value & 1) != 0;
  }
  void Add(LabelId label, LaneId lane) {
    if (lane.value >= 64) return;
    if (label.value >= lanes_.size()) lanes_.Resize(label.value + 1);
    lanes_[label.value] |= uint64_t{1} << lane.value;
  }

 private:
  Column<uint64_t> lanes_;  // bit i: lane i
};

// Runs stored before; readers do not change them.
struct StoredRuns {
  const StoreBuilder& store;
  const LanesOfLabels& lanes_of_labels;
};

// A part of a run metadata file, read but not stored. Several parts may be read in parallel; they
// are then stored in order (rows.h). Reused for the capacity of its lists. Aligned, so that threads
// that fill adjacent parts do not share cache lines.
struct alignas(128) RunPart {
  // The device of some rows, or its portion in this part.
  struct Device {
    std::string_view text;            // usually of the message's first field
    std::string_view last_text = {};  // the final text, known at the end of the device
    LaneId lane = {};                 // none: not in the store yet
    bool may_copy = false;            // it is a stream, or holds copies
    bool begins = true;               // else it began in an earlier part
    bool ends = false;                // else it ends in a later part
    // First row of the next device.
    uint32_t rows_end = 0;
    uint32_t new_labels_end = 0;
    uint32_t new_on_lane_end = 0;
  };
  // A row whose label is not in the store yet.
  struct NewLabel {
    uint32_t row;
    NameId name;  // none: the name is new as well
    uint64_t hash;
    std::string_view text;
    std::string_view timeline_label;
    const char* record;  // in the file
  };
  struct Copying {
    EventId event;
    std::string_view name;
    std::string_view timeline_label;
    std::string_view device;
  };
  struct Allocating {
    std::string_view record;
    EventId event;
  };

  const SourceFile* file = nullptr;
  int64_t epoch_us = 0;
  std::vector<Device> devices = {};
  // Row numbers of events, memory and outputs are relative to the part.
  Events events = {};
  Column<ExecMemory> memory = {};
  Column<OutputMemory> outputs = {};
  Column<Allocating> allocations = {};
  Column<Copying> copies = {};  // records that may be copies
  std::vector<NewLabel> new_labels = {};
  std::vector<LabelId> new_on_lane = {};  // labels whose nodes may not be linked to the lane
  std::vector<NodeId> covered = {};  // nodes that were not covered before: see StoreBuilder::Cover
  std::vector<InvalidTime> invalid_times = {};
  bool has_nanoseconds = false;
  ProblemCount no_time = {}, malformed = {}, foreign = {}, several_gpu_allocators = {};

  // Records are read in batches: while one is stored, the table entries that the next ones need are
  // prefetched.
  static constexpr size_t kBatch = 16;
  struct Read {
    RunRecord record;
    std::string_view message;
    uint64_t name_hash = 0;
    NameId name;
    LabelId label;
  };
  std::vector<Read> batch = std::vector<Read>(kBatch);
  size_t batched = 0;
};

void Clear(RunPart* part);

// Adds a NodeExecStats to the device that was added last. A malformed one is counted and skipped.
void AddRecord(std::string_view message, const StoredRuns& known, RunPart* part);
// Ends the records of the device, or of the part.
void EndRecords(const StoredRuns& known, RunPart* part);

}  // namespace tfprof
